#!/bin/sh
# Regenerates src/ from grammar.js and notes the hashes of both, which a test compares.
# Needs the tree-sitter CLI, see below.
set -eu
cd "$(dirname "$0")"
PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
if ! command -v tree-sitter >/dev/null; then
    echo "the tree-sitter CLI is missing; install it with: cargo install tree-sitter-cli --version 0.27.1 --locked" >&2
    exit 1
fi
tree-sitter generate --abi 15
sha256sum grammar.js src/parser.c >src/hashes.txt
