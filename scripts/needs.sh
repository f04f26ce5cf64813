# Sourced by ./start and ./test: makes sure that what they need is there, and says what it does.

need_rust() {
    if ! command -v cargo >/dev/null 2>&1 && [ -f "${CARGO_HOME:-$HOME/.cargo}/env" ]; then
        . "${CARGO_HOME:-$HOME/.cargo}/env"
    fi
    if ! command -v cargo >/dev/null 2>&1; then
        echo "Rust is missing: install it from https://rustup.rs and run this again." >&2
        exit 1
    fi
}

# Debian packages, as root or through sudo.
need_packages() {
    echo "Installing with apt-get: $*"
    as_root=""
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            echo "Please run as root: apt-get install $*" >&2
            exit 1
        fi
        as_root=sudo
    fi
    $as_root apt-get update -qq
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

# Rust links through the C compiler.
need_linker() {
    if ! command -v cc >/dev/null 2>&1; then
        need_packages gcc libc6-dev
    fi
}

# A part of the Rust toolchain.
need_component() {
    case "$1" in
        clippy) program=cargo-clippy ;;
        *) program="$1" ;;
    esac
    if ! command -v "$program" >/dev/null 2>&1 || ! "$program" --version >/dev/null 2>&1; then
        echo "Adding $1 to the Rust toolchain"
        rustup component add "$1"
    fi
}

# Pictures are drawn by a Vulkan driver; Mesa has one that needs no graphics card.
need_driver() {
    for folder in /usr/share/vulkan/icd.d /usr/local/share/vulkan/icd.d /etc/vulkan/icd.d; do
        if ls "$folder"/*.json >/dev/null 2>&1; then
            return
        fi
    done
    if [ -n "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] || [ "$(uname -s)" != Linux ]; then
        return
    fi
    need_packages mesa-vulkan-drivers libvulkan1
}

# The window is tested on a virtual display, with simulated keys; libraries of X are loaded when a window opens.
need_display() {
    if [ "$(uname -s)" != Linux ]; then
        return
    fi
    for program in Xvfb xdotool; do
        if ! command -v "$program" >/dev/null 2>&1; then
            need_packages xvfb xdotool
            break
        fi
    done
    need_window
}

# What a window takes on Linux. Winit asks for these libraries by name when it opens one.
need_window() {
    # Debian keeps ldconfig where only root looks.
    ldconfig=$(PATH="$PATH:/usr/sbin:/sbin" command -v ldconfig || true)
    if [ "$(uname -s)" != Linux ] || [ -z "$ldconfig" ]; then
        return
    fi
    for library in libX11.so.6 libX11-xcb.so.1 libXcursor.so.1 libXi.so.6 libxkbcommon.so.0 libxkbcommon-x11.so.0; do
        if ! "$ldconfig" -p | grep -q "$library"; then
            need_packages libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon0 libxkbcommon-x11-0
            return
        fi
    done
}
