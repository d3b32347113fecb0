#!/usr/bin/env bash
# Builds docs/ as a site in build/site. Fails where a link leads nowhere or a page asks another host for something.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
trap 'rm -rf .cache' EXIT
rm -rf build/site
.venv/bin/zensical build --strict --clean
.venv/bin/python .ci/same_host.py build/site
