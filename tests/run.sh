#!/usr/bin/env bash
# `make test`: sets everything up, then runs each part of the tests by itself and prints what each took. Those that do
# not wait for a server use all cores. The tests in the real editor come last and alone. With REWRIGHT_E2E=required it is
# a failure if they cannot run.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
times=() failed=() absent=""
mkdir -p build/e2e
spread=(-n auto --dist loadfile -p no:pytest-lsp) # a plugin that takes long to load

main() {
  setsid make --no-print-directory -j2 editor-ready >build/e2e/setup.log 2>&1 &
  local editor=$!
  trap "kill -- -$editor 2>/dev/null" EXIT
  part "set-up: Python" make --no-print-directory .venv/.installed-test || {
    failed+=("set-up: Python")
    finish
  }
  part "set-up: editor, the rest" wait "$editor" || absent=yes
  cat build/e2e/setup.log
  tests unit "${spread[@]}"
  tests spec "${spread[@]}"
  tests property "${spread[@]}"
  tests lsp
  if [ -z "$absent" ]; then
    part "end to end" .venv/bin/python -m pytest -s tests/e2e || failed+=("end to end")
  elif [ "${REWRIGHT_E2E:-}" = required ]; then
    failed+=("end to end (could not be set up)")
  fi
  finish
}

tests() {
  local name=$1
  shift
  part "$name" .venv/bin/python -m pytest "$@" "tests/$name" || failed+=("$name")
}

part() {
  local name=$1 start=$SECONDS status=0
  shift
  echo "== $name"
  "$@" || status=$?
  times+=("$(printf '%5d s  %s' $((SECONDS - start)) "$name")")
  return $status
}

finish() {
  echo "== times"
  printf '%s\n' "${times[@]}"
  printf '%5d s  %s\n' "$SECONDS" "in all"
  [ -z "$absent" ] || echo "The end-to-end tests did NOT run: the editor could not be set up (see above, and build/e2e/setup.log)."
  [ ${#failed[@]} -eq 0 ] || { printf 'failed: %s\n' "${failed[@]}"; exit 1; }
  exit 0
}

main
