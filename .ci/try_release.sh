#!/usr/bin/env bash
# usage: try_release.sh [PYTHON] [PIP OPTIONS...]
# Installs the wheel of `make release` in a new environment of PYTHON in which no compiler can be run, checks the library
# and a rule, and asks the language server for its version. Ends with what went wrong first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${1:-python3}
wheel=$(ls "$PWD"/build/release/*.whl)
place=$(mktemp -d)
usual=$PATH
trap 'PATH=$usual rm -rf "$place"' EXIT

"$python" -m venv "$place/environment"
mkdir "$place/bin" "$place/work"
export PATH="$place/environment/bin:$place/bin" CC=no-compiler CXX=no-compiler XDG_CACHE_HOME="$place/cache"
for command in gcc cc c++ g++ clang; do
  ! command -v "$command" >/dev/null || { echo "a compiler can be run: $command"; exit 1; }
done
python -m pip install --quiet --disable-pip-version-check --only-binary :all: "${@:2}" "$wheel"
cd "$place/work"
printf 'rule reverse_twice<T: any> {\n  axes A\n  map n on A\n  tensor X: T[A: n]\n  reverse(reverse(X, A), A) => X\n}\n' >a.rw
rewright check a.rw
rewright check "$(rewright library)/xla/reverse.rw"
rewright explain tutorial >page
read -r line <page
echo "$line"
rewright-lsp --version
