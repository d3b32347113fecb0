#!/usr/bin/env bash
# Installs the editor of the end-to-end tests, unless it is there: VS Code as code-server, the Node that it wants, the
# driver of the browser. All of it is built in a directory of its own and moved to its place by one rename, so that an
# interrupted installation leaves nothing that could be taken for the editor.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=$("$here/where.sh")
parent=$(dirname "$target")

main() {
  [ -e "$target" ] && return
  mkdir -p "$parent"
  find "$parent" -maxdepth 1 -name 'partial.*' -mmin +120 -exec rm -rf {} +
  partial=$(mktemp -d "$parent/partial.XXXXXX")
  trap 'rm -rf "$partial"' EXIT
  cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$partial"

  cd "$partial"
  step "Node, code-server, driver" npm ci
  export PATH="$partial/node_modules/.bin:$PATH"
  npm_config_nodedir=$(echo "$partial"/node_modules/node-linux-*)
  export npm_config_nodedir

  cd node_modules/code-server/lib/vscode
  step "VS Code's modules" npm install --omit=dev
  (cd extensions && step "its extensions' modules" npm install --omit=dev)
  # The one native module that comes without a binary and whose lack shows: without it the Output panel stays empty.
  step "its log module, compiled" npm rebuild --ignore-scripts=false @vscode/spdlog
  node -e 'require("@vscode/spdlog")'

  cd "$parent"
  [ -e "$target" ] || mv -T "$partial" "$target"
}

step() {
  local name=$1 start=$SECONDS
  shift
  if ! npm_config_ignore_scripts=true "$@" --no-audit --no-fund >"$partial/log" 2>&1; then
    cat "$partial/log"
    echo "editor: $name: failed"
    return 1
  fi
  echo "editor: $name: $((SECONDS - start)) s"
}

main
