#!/usr/bin/env bash
# usage: debian.sh COMMAND=PACKAGE[,PACKAGE...]...
# Sees to it that each command is there. What lacks is installed from Debian's packages, if this is root on a machine
# that has them; else the one line to run is printed, and the exit status is 1.
set -euo pipefail
packages=()
for pair in "$@"; do
  command -v "${pair%%=*}" >/dev/null || packages+=($(tr , ' ' <<<"${pair#*=}"))
done
[ ${#packages[@]} -eq 0 ] && exit 0

install="apt-get install -y --no-install-recommends ${packages[*]}"
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "lacking: ${packages[*]}. To install them: sudo sh -c 'apt-get update && $install'"
  exit 1
fi
start=$SECONDS
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update && $install -o DPkg::Lock::Timeout=300; } >"$log" 2>&1; then
  tail -n 30 "$log"
  echo "lacking: ${packages[*]}; $install failed"
  exit 1
fi
echo "Debian packages ${packages[*]}: $((SECONDS - start)) s"
