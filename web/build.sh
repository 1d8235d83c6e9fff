#!/usr/bin/env bash
# Builds the page into web/dist (or EMBERWALK_PAGE) with what there is: the toolchain's own target for the web, or the
# one of Debian. What it downloads and builds is kept in EMBERWALK_WEB, by default ~/.cache/emberwalk/web. The exit
# status is 3 if a tool is missing and cannot be installed. With --small, wasm-opt makes the program smaller, which takes
# more than ten minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

kept=${EMBERWALK_WEB:-${XDG_CACHE_HOME:-$HOME/.cache}/emberwalk/web}
page=${EMBERWALK_PAGE:-web/dist}
target=wasm32-unknown-unknown
export CARGO_TARGET_DIR=$kept/target
mkdir -p "$kept"

no_tool() { say "$1"; exit 3; }
say() { printf 'web/build.sh: %s\n' "$*" >&2; }
# Runs a command with the rights to install packages.
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
# The folder is replaced as a whole, so it must hold a page or nothing.
if [ -e "$page" ] && [ ! -e "$page/page_bg.wasm" ] && [ -n "$(ls -A "$page")" ]; then
  say "$page has other files in it; give another folder by EMBERWALK_PAGE"
  exit 1
fi
has_target() { [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; }

# The compiler for the web that Debian has for its browsers. Its packages would collide with others if they were
# installed, so they are only unpacked.
use_debian() {
  local root=$kept/debian
  if [ ! -x "$root/usr/bin/rustc" ]; then
    say "there is no target $target; taking Debian's compiler for the web"
    as_root apt-get update >&2 &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends libllvm22 lld-22 >&2 ||
      no_tool "libllvm22 and lld-22 cannot be installed"
    rm -rf "$root.part"
    mkdir -p "$root.part/packages"
    (cd "$root.part/packages" && apt-get download rustc-web libstd-rust-web-dev libstd-rust-web-1.96 rust-web-src >&2) ||
      no_tool "Debian's compiler for the web cannot be downloaded"
    local package
    for package in "$root.part"/packages/*.deb; do dpkg -x "$package" "$root.part"; done
    rm -rf "$root" "$root.part/packages"
    mv "$root.part" "$root"
  fi
  export RUSTC=$root/usr/bin/rustc RUSTC_BOOTSTRAP=1
  local libraries
  libraries=$(echo "$root"/usr/lib/*-linux-gnu*)
  export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-22
  std=(-Zbuild-std=std,panic_abort)
}

std=()
if [ -n "${EMBERWALK_DEBIAN_COMPILER:-}" ] || ! { has_target || rustup target add "$target" >&2; }; then
  use_debian
fi

# The generator of the JavaScript must have the version of the library in Cargo.lock.
version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' Cargo.lock)
bindgen=$kept/bin/wasm-bindgen
[ "$(wasm-bindgen --version 2>/dev/null)" = "wasm-bindgen $version" ] && bindgen=wasm-bindgen
if [ "$("$bindgen" --version 2>/dev/null)" != "wasm-bindgen $version" ]; then
  install=(cargo install --root "$kept" wasm-bindgen-cli --version "$version")
  # It runs here, so the compiler for the web cannot build it.
  plain=(env -u RUSTC -u RUSTC_BOOTSTRAP -u LD_LIBRARY_PATH)
  # Its own lock file may name crates that the registry does not have.
  "${plain[@]}" "${install[@]}" --locked || "${plain[@]}" "${install[@]}" ||
    no_tool "wasm-bindgen $version cannot be installed"
fi

build=(cargo build --locked --profile web --target "$target" --no-default-features --features web --bin page "${std[@]}")
if [ -n "${RUSTC_BOOTSTRAP:-}" ]; then
  # It may be older or newer than what the dependencies want.
  "${build[@]}" || no_tool "Debian's compiler cannot build the page"
else
  "${build[@]}"
fi

rm -rf "$page.part"
mkdir -p "$page.part"
"$bindgen" --target web --no-typescript --remove-name-section --remove-producers-section --out-name page \
  --out-dir "$page.part" "$CARGO_TARGET_DIR/$target/web/page.wasm"
program=$page.part/page_bg.wasm

if [ "${1:-}" = --small ]; then
  command -v wasm-opt >/dev/null || no_tool "wasm-opt, of the package binaryen, is not installed"
  # The features that the compiler uses.
  wasm-opt -Os --enable-bulk-memory --enable-mutable-globals --enable-multivalue --enable-nontrapping-float-to-int \
    --enable-reference-types --enable-sign-ext -o "$program.small" "$program"
  mv "$program.small" "$program"
fi

length=$(stat -c %s "$program")
sed "s/LENGTH_OF_PROGRAM/$length/" web/index.html >"$page.part/index.html"
cp packaging/emberwalk.png "$page.part/icon.png"
cp docs/src/pictures/window.png "$page.part/preview.png"
rm -rf "$page"
mv "$page.part" "$page"
say "$page has $length bytes of program, $(gzip -9 -c "$page/page_bg.wasm" | wc -c) compressed; web/serve shows it"
