"""Draws mutants of the kernels' front end, of the replay and of the fixes, and runs the tests that should notice each.

`make mutants` draws the 200 that the soak draws, `make mutants MUTANTS=40:seven` 40 of each area by another seed, and
with a third part (`40:seven:replay`) those of one area. First an area's fast tests are run once to learn which
functions each calls (what is learnt is kept where `REWRIGHT_CALLED` names a folder); then a mutant's tests are those
that call its function, the quickest first, for at most `MOST_SECONDS`. What survives stands in `survivors.toml` with a
reason: one that does not, or one listed that a test notices, makes the status 1. A mutant is drawn by the digest of
what it is, so a change elsewhere in the sources draws the same ones.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from queue import SimpleQueue

from source_mutants import Mutant, mutants

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests" / "faults"))

from changed_tree import ChangedTree  # noqa: E402


@dataclass(frozen=True, slots=True)
class Area:
    """The folders that mutants are drawn from, how many the soak draws there, and the fast tests that should notice."""

    folders: tuple[str, ...]
    count: int
    tests: tuple[str, ...]


UNIT = "tests/unit"
AREAS = {
    "front end": Area(
        ("emit", "frontends"),
        100,
        (
            *(f"{UNIT}/kernels/test_{name}.py" for name in ("cuda_accesses", "cuda_commas", "cuda_constructs")),
            *(f"{UNIT}/kernels/test_{name}.py" for name in ("cuda_intrinsics", "cuda_names", "cuda_outline")),
            *(f"{UNIT}/kernels/test_{name}.py" for name in ("cuda_places", "cuda_preprocessor", "cuda_problems")),
            *(f"{UNIT}/kernels/test_{name}.py" for name in ("cuda_remarks", "cuda_unset", "device_variables")),
            *(f"{UNIT}/kernels/test_{name}.py" for name in ("kernels_cuda", "kernels_own", "kernels_scopes")),
            *(f"{UNIT}/kernels/test_{name}.py" for name in ("launches", "several_launches")),
        ),
    ),
    "replay": Area(
        ("replay/kernel",),
        50,
        (
            *(f"{UNIT}/replay/test_kernel_{name}.py" for name in ("agreement", "numbers", "pointers", "replay")),
            f"{UNIT}/kernels/test_cuda_unset.py",
        ),
    ),
    "fixes": Area(
        ("fixes/kernels",),
        50,
        (f"{UNIT}/fixes/test_kernel_changes.py", f"{UNIT}/fixes/test_kernel_fix_search.py"),
    ),
}
SEED, PROCESSES = "kernels", 2
MOST_SECONDS, LIMIT = 60.0, 180.0
"""The most that the tests of a mutant took without it, and when a run of them is ended: it hangs, which is noticed."""


@dataclass(frozen=True, slots=True)
class Call:
    """A test, how many seconds it took, and the functions that it calls."""

    test: str
    seconds: float
    functions: frozenset[str]


@dataclass(frozen=True, slots=True)
class Judged:
    """A mutant, by which tests it was tried, whether one noticed, and whether a run had to be ended."""

    mutant: Mutant
    tests: tuple[str, ...]
    noticed: bool
    ended: bool = False


def main(requested: str) -> int:
    """Draws and runs mutants, and says what became of each; the exit status."""
    count, seed, only = [*requested.split(":"), "", ""][:3]
    judged: list[Judged] = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("REWRIGHT_COMPILED", folder)
        trees = [ChangedTree(ROOT, Path(folder) / str(number)) for number in range(PROCESSES)]
        for name, area in AREAS.items():
            if only in ("", name):
                kept = Path(os.environ.get("REWRIGHT_CALLED", folder)) / f"{name} {_digest(area)}.json"
                calls = _calls(area, trees[0], kept)
                judged += _judged(list(_drawn(area, int(count or area.count), seed or SEED)), calls, trees)
    return _said(judged, survivors())


def survivors() -> dict[str, str]:
    """What is known to be noticed by no test, with the reason."""
    listed = tomllib.loads((Path(__file__).parent / "survivors.toml").read_text(encoding="utf-8"))
    return {each["mutant"]: each["reason"] for each in listed["survivor"]}


# ------------------------------------------------------------------------------------------------------------- drawing


def _drawn(area: Area, count: int, seed: str) -> Sequence[Mutant]:
    files = [path for folder in area.folders for path in sorted((ROOT / "server/rewright" / folder).rglob("*.py"))]
    found = [mutant for path in files for mutant in mutants(ROOT, path.relative_to(ROOT).as_posix())]
    return sorted(found, key=lambda mutant: sha256(f"{seed} {mutant.key}".encode()).digest())[:count]


# ------------------------------------------------------------------------------------------------------------- running


def _digest(area: Area) -> str:
    """Of the sources and an area's tests as they stand: which test calls what changes with them."""
    folders = [ROOT / "server", *{(ROOT / test).parent for test in area.tests}]
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in {".py", ".cu", ".rw"})
    return sha256(b"".join(sha256(path.read_bytes()).digest() for path in files)).hexdigest()[:12]


def _calls(area: Area, tree: ChangedTree, file: Path) -> list[Call]:
    """Which functions each fast test calls, the quickest first; kept in a file.

    Raises `RuntimeError` if one fails, or is not found by its name: then all mutants would count as noticed.
    """
    if not file.exists():
        os.environ["REWRIGHT_CALLED_FILE"] = str(file)
        ran = tree.run(area.tests, LIMIT * 10, "-p", "called_functions")
        if ran.status != 0:
            raise RuntimeError(f"without any change these tests fail already:\n{ran.printed}")
        by_name = tree.run(list(json.loads(file.read_text())), LIMIT, "--collect-only")
        if by_name.status != 0:
            file.unlink()
            raise RuntimeError(f"tests are not found by their names:\n{by_name.printed}")
    found: Mapping[str, tuple[float, list[str]]] = json.loads(file.read_text())
    calls = [Call(test, seconds, frozenset(functions)) for test, (seconds, functions) in found.items()]
    return sorted(calls, key=lambda call: call.seconds)


def _judged(drawn: Sequence[Mutant], calls: Sequence[Call], trees: Sequence[ChangedTree]) -> Iterator[Judged]:
    free: SimpleQueue[ChangedTree] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def judge(mutant: Mutant) -> Judged:
        tree = free.get()
        try:
            return _tried(mutant, _tests(mutant, calls), tree)
        finally:
            free.put(tree)

    with ThreadPoolExecutor(len(trees)) as pool:
        for number, judged in enumerate(pool.map(judge, drawn), 1):
            word = "noticed" if judged.noticed else "SURVIVED"
            print(f"{number:4} {word:8}  {judged.mutant.key}  (line {judged.mutant.line})", flush=True)
            yield judged


def _tests(mutant: Mutant, calls: Sequence[Call]) -> tuple[str, ...]:
    """The tests that call the mutant's function, outside of functions those that call any of its file."""
    name = f"{mutant.file}:{mutant.first_line}"
    of_file = f"{mutant.file}:"
    if mutant.first_line:
        calling = [call for call in calls if name in call.functions]
    else:
        calling = [call for call in calls if any(function.startswith(of_file) for function in call.functions)]
    spent = accumulate(call.seconds for call in calling)
    return tuple(call.test for call, so_far in zip(calling, spent, strict=True) if so_far <= MOST_SECONDS)


def _tried(mutant: Mutant, tests: tuple[str, ...], tree: ChangedTree) -> Judged:
    if not tests:
        return Judged(mutant, tests, noticed=False)
    with tree.changed({mutant.file: mutant.text}):
        ran = tree.run(tests, LIMIT)
    return Judged(mutant, tests, noticed=ran.status != 0, ended=ran.status is None)


# -------------------------------------------------------------------------------------------------------------- saying


def _said(judged: Sequence[Judged], listed: Mapping[str, str]) -> int:
    """Says what survived, what of it is not listed, and what is listed and was noticed after all."""
    survived = [each for each in judged if not each.noticed]
    unlisted = [each for each in survived if each.mutant.key not in listed]
    needless = [each for each in judged if each.noticed and not each.ended and each.mutant.key in listed]
    for each in unlisted:
        tried = f"{len(each.tests)} tests" if each.tests else "no fast test calls its function"
        print(f"not listed: {each.mutant.file}:{each.mutant.line}  ({tried})\n    {each.mutant.key}")
    for each in needless:
        print(f"listed, and noticed: {each.mutant.key}")
    noticed = len(judged) - len(survived)
    hung = sum(each.ended for each in judged)
    print(f"{len(judged)} mutants, {noticed} noticed ({hung} hang), {len(survived)} not: {len(unlisted)} not listed")
    return 1 if unlisted or needless else 0


if __name__ == "__main__":
    sys.exit(main("".join(sys.argv[1:])))
