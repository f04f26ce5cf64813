#!/bin/sh
# Checks the packages of all crates that can be published.
#
#   scripts/package.sh --list       README and both licences are in every package (seconds)
#   scripts/package.sh [CRATE...]   also packs them, unpacks them elsewhere, and runs the documentation
#                                   tests of all crates, or of those named, against each other (minutes)
#
# Works offline once the dependencies are there. Leaves Cargo.toml and Cargo.lock alone.
set -eu
cd "$(dirname "$0")/.."

# A crate is published unless its manifest says otherwise.
crates=""
unpublished=""
for manifest in crates/*/Cargo.toml apps/*/Cargo.toml docs/Cargo.toml; do
    name=$(sed -n 's/^name = "\(threshold-[a-z]*\)"$/\1/p' "$manifest" | head -n 1)
    if grep -q '^publish = false$' "$manifest"; then
        unpublished="$unpublished --exclude $name"
    else
        crates="$crates $name"
    fi
done

for crate in $crates; do
    files=$(cargo package --list --allow-dirty --offline --package "$crate")
    for file in Cargo.toml README.md LICENSE-MIT LICENSE-APACHE; do
        if ! echo "$files" | grep -qx "$file"; then
            echo "$crate: $file is missing in the package" >&2
            exit 1
        fi
    done
done
echo "README and licences are in the packages of$crates."
[ "${1:-}" != "--list" ] || exit 0

# All at once: crates that are not in the registry yet can only be packed together.
# shellcheck disable=SC2086
cargo package --workspace $unpublished --no-verify --allow-dirty --offline --quiet
unpacked=$(mktemp -d)
trap 'rm -r "$unpacked"' EXIT
patches="$unpacked/patches.toml"
echo "[patch.crates-io]" > "$patches"
for crate in $crates; do
    package=$(ls -t target/package/"$crate"-[0-9]*.crate | head -n 1)
    tar -xzf "$package" -C "$unpacked"
    folder="$unpacked/$(basename "$package" .crate)"
    echo "$crate = { path = \"$folder\" }" >> "$patches"
done
for crate in ${*:-$crates}; do
    folder=$(ls -d "$unpacked/$crate"-[0-9]*)
    if [ ! -f "$folder/src/lib.rs" ]; then
        continue
    fi
    echo "== documentation tests of $crate, unpacked"
    # Tests of the package need the repository; what a reader tries are the examples.
    (cd "$folder" && CARGO_TARGET_DIR="$OLDPWD/target/unpacked" cargo test --doc --offline --quiet --config "$patches")
done
echo "All packages are complete."
