#!/bin/sh
# Compares the hashes of threshold-verify on other targets with the pinned ones.
#
#   scripts/targets.sh wasm32 [quick|full]    WebAssembly, in Node
#   scripts/targets.sh aarch64 [quick|full]   64-bit ARM, with qemu on other processors
#   scripts/targets.sh native [quick|full]    this processor with all its instructions
#   scripts/targets.sh all [quick|full]       all three
#
# The standard library of a target comes from the first of these that works; the script prints which:
#
#   installed   it is part of the Rust toolchain
#   built       it is compiled from the sources of Debian's packages rustc-web and rust-web-src, if they are there
#   rustup      `rustup target add` downloads it
#   built       as above, after apt-get has installed the packages
#
# THRESHOLD_STD=installed, rustup or built tries only that one.
set -eu
cd "$(dirname "$0")/.."
. ./scripts/needs.sh
need_rust
need_linker

wanted="${1:-}"
scope="${2:-quick}"
case "$wanted $scope" in
    "wasm32 quick" | "wasm32 full" | "aarch64 quick" | "aarch64 full") ;;
    "native quick" | "native full" | "all quick" | "all full") ;;
    *)
        sed -n 's/^#   \(scripts.*\)/\1/p' "$0" >&2
        exit 2
        ;;
esac
# Other flags and compilers than the usual build has: the two must not rebuild each other's files.
target_folder="${CARGO_TARGET_DIR:-$PWD/target}"

# Whether a standard library is to be looked for in this way.
is_tried() {
    [ -z "${THRESHOLD_STD:-}" ] || [ "$THRESHOLD_STD" = "$1" ]
}

# Whether the toolchain has the standard library of a target.
has_target() {
    ls "$(rustc --print sysroot)/lib/rustlib/$1/lib/"libstd-*.rlib >/dev/null 2>&1
}

# Sets `std` to the way to the standard library of the target $1, or ends the script.
choose_std() {
    if is_tried installed && has_target "$1"; then
        std=installed
        echo "$1: standard library: installed, of $(rustc --version)"
    elif is_tried built && has_debian_sources; then
        use_debian_sources "$1"
    # Without a network rustup may try for minutes.
    elif is_tried rustup && command -v rustup >/dev/null && timeout 120 rustup target add "$1" && has_target "$1"; then
        std=rustup
        echo "$1: standard library: rustup target add, of $(rustc --version)"
    elif is_tried built && command -v apt-get >/dev/null && (need_packages rustc-web rust-web-src) && has_debian_sources; then
        use_debian_sources "$1"
    else
        echo "$1: no standard library: \`rustup target add $1\` fails or is not tried, and Debian's packages rustc-web and rust-web-src are missing" >&2
        exit 1
    fi
}

# Whether Debian's compiler for browsers and its sources are installed. Its plain rustc is too old.
has_debian_sources() {
    command -v dpkg-query >/dev/null && dpkg-query --show rustc-web rust-web-src >/dev/null 2>&1 \
        && [ -d /usr/lib/rustlib/src/rust/library/std ] && [ -x /usr/bin/rustc ]
}

use_debian_sources() {
    std=built
    echo "$1: standard library: built from Debian's rust-web-src, with $(/usr/bin/rustc --version)"
}

# Installs a program of a Debian package, unless it is there.
need_program() {
    command -v "$1" >/dev/null 2>&1 || need_packages "$2"
}

# Builds an example of threshold-verify: name, target, part of the standard library that panics.
build() {
    if [ "$std" != built ]; then
        cargo build --locked --quiet --release --package threshold-verify --example "$1" --target "$2" \
            --target-dir "$target_folder/targets"
        return
    fi
    RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 cargo build --locked --quiet --release --package threshold-verify \
        --example "$1" --target "$2" --target-dir "$target_folder/targets" "-Zbuild-std=std,$3"
}

verify_wasm32() {
    target=wasm32-unknown-unknown
    choose_std "$target"
    need_program node nodejs
    if [ "$std" = built ]; then
        # The linker of the toolchain, which rustup brings, is no part of Debian's.
        if ! command -v wasm-ld-22 >/dev/null 2>&1; then
            need_packages lld-22
        fi
        export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-22
    fi
    build browser "$target" panic_abort
    echo "$target: $scope, in Node $(node --version)"
    node scripts/verify.mjs "$target_folder/targets/$target/release/examples/browser.wasm" "$scope"
}

verify_aarch64() {
    target=aarch64-unknown-linux-gnu
    choose_std "$target"
    runner=""
    if [ "$(uname -m)" != aarch64 ]; then
        need_program aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
        [ -e /usr/aarch64-linux-gnu/lib/libc.so ] || need_packages libc6-dev-arm64-cross
        need_program qemu-aarch64 qemu-user
        export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
        runner="qemu-aarch64 -L /usr/aarch64-linux-gnu"
    fi
    build hashes "$target" panic_unwind
    echo "$target: $scope, ${runner:-on this machine}"
    $runner "$target_folder/targets/$target/release/examples/hashes" "$scope"
}

verify_native() {
    echo "native: $scope, $(rustc --version) with -C target-cpu=native"
    RUSTFLAGS="-C target-cpu=native" cargo run --locked --quiet --release --package threshold-verify \
        --example hashes --target-dir "$target_folder/targets/native" -- "$scope"
}

if [ "$wanted" = all ]; then
    for each in native wasm32 aarch64; do
        "verify_$each"
    done
else
    "verify_$wanted"
fi
echo "$wanted: every hash is the pinned one."
