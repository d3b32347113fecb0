#!/usr/bin/env bash
# Runs `rewright check` as the action (action.yml) was told by PATHS, SINCE, ARGUMENTS, CACHE and SARIF: annotations on
# standard output, Markdown in the job's summary, SARIF in a file. The exit status is that of the check. What was asked
# once is answered from the cache when it is shown in another format.
set -euo pipefail
read -ra paths <<<"${PATHS:-.}"
read -ra options <<<"${ARGUMENTS:-}"
cache=${CACHE:-$(mktemp -d)}
[ -z "${SINCE:-}" ] || options+=("--changed-since=$SINCE")
check() { "${PROGRAM:-rewright}" check --cache "$cache" --format "$1" "${options[@]}" -- "${paths[@]}"; }

status=0
check github || status=$?
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || check markdown >>"$GITHUB_STEP_SUMMARY" 2>/dev/null || true
[ -z "${SARIF:-}" ] || check sarif >"$SARIF" 2>/dev/null || true
exit "$status"
