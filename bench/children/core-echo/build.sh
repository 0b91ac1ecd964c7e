#!/bin/sh
# Builds echo.wasm: clang with the target wasm32, and lld.
set -eu
cd "$(dirname "$0")"
clang --target=wasm32 -Os -Wall -Wextra -nostdlib -Wl,--no-entry -Wl,--strip-all echo.c -o echo.wasm
