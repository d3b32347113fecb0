#!/usr/bin/env bash
# Prints the directory of the editor: in the cache, outside the tree, named by the exact versions in package.json.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
versions=$(sed -nE 's/^ *"(code-server|playwright-core|node)(-linux-x64)?": "([0-9.]+)",?$/\1-\3/p' "$here/package.json" | paste -sd+)
echo "${XDG_CACHE_HOME:-$HOME/.cache}/rewright/editor/$versions"
