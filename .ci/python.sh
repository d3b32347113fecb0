#!/usr/bin/env bash
# usage: python.sh [EXTRA]
# Installs this project, with the packages of an extra, in .venv (made if it lacks or does not work).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
start=$SECONDS
python=${PYTHON:-python3}
"$python" - <<'P'
import importlib.util, os, sys, sysconfig
def lack(what, packages):
    sys.exit(f"{sys.executable} {what}: sudo sh -c 'apt-get update && apt-get install -y {packages}', or `make PYTHON=...`")
if sys.version_info < (3, 11):
    sys.exit(f"{sys.executable} is Python {sys.version.split()[0]}, 3.11 or newer is needed: `make PYTHON=python3.11`")
if importlib.util.find_spec("ensurepip") is None:
    lack("cannot make virtual environments", "python3-venv")
if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
    lack("has no headers", "python3-dev gcc")
P
.venv/bin/python -m pip --version >/dev/null 2>&1 || "$python" -m venv --clear .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check --editable ".${1:+[$1]}"
echo "Python environment${1:+ for $1}: $((SECONDS - start)) s"
