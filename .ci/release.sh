#!/usr/bin/env bash
# `make release`: builds a wheel, an sdist, and the extension with that wheel inside, in build/release.
#
# The compiled part is the grammar, against Python's stable ABI. It uses nothing of the C library, so it runs where the
# manylinux tag says, and far beyond; `linked_against` sees to it that the tag stays true.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=build/release
platform=manylinux_2_17_$(uname -m).manylinux2014_$(uname -m)

main() {
  rm -rf "$out" build/lib build/bdist.*
  .venv/bin/python -m build --outdir "$out" . >build/release.log 2>&1 || {
    tail -n 20 build/release.log
    exit 1
  }
  if [ "$(uname -s)" = Linux ]; then
    linked_against "$out"/*-linux_*.whl
    .venv/bin/python -m wheel tags --remove --platform-tag "$platform" "$out"/*-linux_*.whl >>build/release.log
  fi
  extension "$out"/*.whl
  ls "$out"
}

# Packs the extension with a wheel, for the platform of that.
extension() {
  local inside=vscode-extension/install/${1##*/} target
  target=$(node -p 'process.platform + "-" + process.arch')
  trap "rm -f '$inside'" EXIT
  cp "$1" "$inside"
  (cd vscode-extension && npm run --silent build && npx vsce package --no-dependencies --target "$target" \
    --out "../$out/rewright-$target.vsix" >>../build/release.log)
}

# Fails if the compiled part needs a shared library, or a symbol of a glibc newer than 2.17.
linked_against() {
  .venv/bin/python - "$1" <<'P'
import io, re, sys, zipfile
from elftools.elf.elffile import ELFFile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    for name in (each for each in wheel.namelist() if each.endswith(".so")):
        file = ELFFile(io.BytesIO(wheel.read(name)))
        needed = [tag.needed for tag in file.get_section_by_name(".dynamic").iter_tags("DT_NEEDED")]
        versions = file.get_section_by_name(".gnu.version_r")
        symbols = [each.name for _, uses in versions.iter_versions() for each in uses] if versions else []
        new = [each for each in symbols if (v := re.fullmatch(r"GLIBC_2\.(\d+).*", each)) is None or int(v[1]) > 17]
        if set(needed) - {"libc.so.6"} or new:
            sys.exit(f"{name} needs {needed} and {new}: the tag of the wheel would be wrong")
P
}

main
