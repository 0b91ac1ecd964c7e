#!/bin/sh
# Builds note-c.wasm from note.c.
#
# With the WASI SDK (its clang knows the target and links the component itself):
#   WASI_SDK=/opt/wasi-sdk ./build.sh
#
# With a distribution's packages (Debian, Ubuntu: clang lld wasi-libc libclang-rt-dev-wasm32) and wasm-component-ld, which
# comes with Rust's toolchain and with `cargo install wasm-component-ld`:
#   ./build.sh
# Other places: WASI_LIBC, BUILTINS, COMPONENT_LD. The first argument is another place for the result.
set -eu
cd "$(dirname "$0")"
output=${1:-note-c.wasm}
flags="-Os -Wall -Wextra"

if [ -n "${WASI_SDK:-}" ]; then
  # shellcheck disable=SC2086
  "$WASI_SDK/bin/clang" --target=wasm32-wasip2 $flags -mexec-model=reactor note.c -o "$output" \
    -Wl,--strip-all -Wl,--component-type,plugin.wit
  exit
fi

need() { # program, where it comes from
  command -v "$1" > /dev/null || { echo "build.sh: $1 is missing: $2" >&2; exit 3; }
}
need clang "install clang, or set WASI_SDK"
need wasm-ld "install lld, or set WASI_SDK"
WASI_LIBC=${WASI_LIBC:-/usr/lib/wasm32-wasi}
BUILTINS=${BUILTINS:-$(clang -print-resource-dir)/lib/wasi/libclang_rt.builtins-wasm32.a}
[ -e "$WASI_LIBC/libc.a" ] || { echo "build.sh: wasi-libc is missing in $WASI_LIBC: install wasi-libc, or set WASI_SDK" >&2; exit 3; }
[ -e "$BUILTINS" ] || { echo "build.sh: $BUILTINS is missing: install libclang-rt-dev-wasm32, or set WASI_SDK" >&2; exit 3; }
if [ -z "${COMPONENT_LD:-}" ]; then
  COMPONENT_LD=$(command -v wasm-component-ld || ls "$(rustc --print sysroot 2> /dev/null)"/lib/rustlib/*/bin/wasm-component-ld 2> /dev/null | head -n 1)
fi
[ -x "$COMPONENT_LD" ] || { echo "build.sh: wasm-component-ld is missing: cargo install wasm-component-ld, or set WASI_SDK" >&2; exit 3; }

object=$(mktemp)
trap 'rm -f "$object"' EXIT
# shellcheck disable=SC2086
clang --target=wasm32-wasi $flags -c note.c -o "$object"
"$COMPONENT_LD" "$WASI_LIBC/crt1-reactor.o" "$object" -L "$WASI_LIBC" -lc "$BUILTINS" --entry _initialize --strip-all \
  --wasm-ld-path "$(command -v wasm-ld)" --wasi-adapter reactor --component-type plugin.wit -o "$output"
