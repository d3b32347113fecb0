"""Compares what two versions answer: `make answers SINCE=REVISION`, and further paths with `PATHS=...`.

The older version is checked out and set up in `build/answers/`; both check the `rules/` of this tree, and the further
paths, without a cache. Times, the texts of messages, reasons and the digests of questions may differ; verdicts,
coverage, counterexamples, places and fields may not. Exits 1 if something differs, and lists each by its path.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
FREE = frozenset({"ms", "cached", "message", "reason", "id", "tool"})
"""Fields whose values may differ: what took how long, sentences, digests of what was asked."""

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None


def differences(old: Json, new: Json, path: str = "") -> Iterator[str]:
    """Where two reports differ in anything but the values of free fields, each as `path: old -> new`."""
    match old, new:
        case dict(), dict():
            for key in sorted(old.keys() | new.keys()):
                inside = f"{path}.{key}"
                if key not in old or key not in new:
                    yield f"{inside}: {'only before' if key in old else 'only now'}"
                elif key not in FREE:
                    yield from differences(old[key], new[key], inside)
        case list(), list():
            if len(old) != len(new):
                yield f"{path}: {len(old)} items -> {len(new)} items"
            for place, (left, right) in enumerate(zip(old, new, strict=False)):
                yield from differences(left, right, f"{path}{_label(left, place)}")
        case _:
            if old != new or type(old) is not type(new):
                yield f"{path}: {json.dumps(old)} -> {json.dumps(new)}"


def _label(item: Json, place: int) -> str:
    name = item.get("name") or item.get("file") if isinstance(item, dict) else None
    return f"[{name if isinstance(name, str) else place}]"


def answers(checkout: Path, paths: Sequence[str]) -> Json:
    """The report of the version in a checkout on paths below this tree. Raises `ValueError` if there is none."""
    command = [str(checkout / ".venv/bin/rewright"), "check", *paths, "--no-cache", "--format", "json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        report: Json = json.loads(done.stdout)
    except json.JSONDecodeError:
        raise ValueError(f"{' '.join(command)} gives no report: {done.stderr[-500:]}") from None
    return report


def older(revision: str) -> Path:
    """A checkout of a revision that is set up to check. Raises `CalledProcessError` where git or make fails."""
    found = subprocess.run(["git", "rev-parse", "--verify", f"{revision}^{{commit}}"], cwd=ROOT, capture_output=True)
    found.check_returncode()
    checkout = ROOT / "build" / "answers" / found.stdout.decode().strip()
    if not checkout.exists():
        subprocess.run(["git", "worktree", "prune"], cwd=ROOT, check=True)
        subprocess.run(["git", "worktree", "add", "--detach", str(checkout), revision], cwd=ROOT, check=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    subprocess.run(["make", "--no-print-directory", ".venv/.installed"], cwd=checkout, check=True, env=environment)
    return checkout


def main(revision: str, paths: Sequence[str]) -> int:
    """Prints what differs since a revision; the exit status."""
    before = older(revision)
    asked = ("rules", *paths)
    old, new = answers(before, asked), answers(ROOT, asked)
    found = list(differences(old, new))
    results = new.get("results") if isinstance(new, dict) else None
    count = len(results) if isinstance(results, list) else 0
    print("\n".join(found))
    print(f"{count} results, {len(found)} differences since {revision}")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
