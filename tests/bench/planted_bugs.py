"""What is found of bugs planted in kernels that are checked: `planted_bugs.py PATH... [--seed N] [--most N]`.

A path is a `.cu` file whose comments say how its kernels are launched, a `.rw` file that declares kernels of sources
beside it, or a folder of such files. Each kernel that is checked gets one bug, chosen by the seed: a barrier dropped, a
guard dropped or loosened, or the bound of a loop one larger. It is then checked again. Prints how many are refuted,
with a finding or a place that it is related to at most 3 lines from the change, and lists the others with their
changes: what stays checked is to be read, whether it is a bug at all.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import Any, TypeVar

T = TypeVar("T")

NEAR = 3
"""Lines from the change within which a finding is at its place."""

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
ENTRY = re.compile(r'kernel\s+(\w+)\b[^{]*?from\s+"([^"]+)"::(\w+)')
"""A declaration of a kernel of a source: its name, the source, the function."""

BARRIER = re.compile(r"(?:__syncthreads|__syncwarp|cg::sync|(?:\w+\.)sync)\s*\([^();]*(?:\([^()]*\))?[^();]*\)\s*;")
GUARD = re.compile(r"\bif\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)(?!\s*return)")
EARLY = re.compile(r"\bif\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)\s*\{?\s*(?:return|continue|break)\b")
LOOP = re.compile(r"\bfor\s*\([^;()]*(?:\([^()]*\)[^;()]*)*;([^;]*);")
UPPER = re.compile(r"(?<![<\-])<(=?)(?![<=])")
LOWER = re.compile(r"(?<![>\-])>(=?)(?![>=])")


@dataclass(frozen=True, slots=True)
class Checked:
    """A kernel that is checked: the file to check, its name there, its source, and where its text is in it."""

    file: Path
    name: str
    source: Path
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Planted:
    """A kernel with a bug: what was done at which line (from 1), that line before, and the whole source after."""

    kernel: Checked
    change: str
    line: int
    before: str
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is said of a planted bug; `is_near` if that is at its place."""

    planted: Planted
    verdict: str
    reason: str
    is_near: bool
    places: tuple[str, ...]


def main(arguments: Sequence[str]) -> int:
    """Plants bugs, and prints what becomes of them; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--root", type=Path, help="what is copied for includes: the folder that all paths are in")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, help="plant so many bugs, in kernels chosen at random")
    parser.add_argument("--seconds", type=float, default=240, help="the limit for one check")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args(arguments)
    paths = [each.resolve() for each in given.paths]
    root = given.root.resolve() if given.root else _common(paths)
    with tempfile.TemporaryDirectory(prefix="rewright-planted-") as scratch:
        copies: Queue[Path] = Queue()
        for number in range(given.jobs):
            copies.put(_copied(root, Path(scratch) / str(number)))
        files = [each.relative_to(root) for path in paths for each in _files(path)]
        with ThreadPoolExecutor(given.jobs) as pool:
            found = pool.map(lambda file: _in_a_copy(copies, lambda copy: _checked(copy, file, given.seconds)), files)
            kernels = [kernel for each in found for kernel in each]
            planted = _planted(root, kernels, (given.seed, given.most))
            print(f"{len(kernels)} kernels are checked, {len(planted)} of them get a bug", flush=True)
            outcomes: list[Outcome] = []
            for each in pool.map(
                lambda bug: _in_a_copy(copies, lambda copy: _outcome(copy, bug, given.seconds)), planted
            ):
                outcomes.append(each)
                _tell(each)
    _print(outcomes)
    return 0


def _common(paths: Sequence[Path]) -> Path:
    folders = [path if path.is_dir() else path.parent for path in paths]
    return next(each for each in (folders[0], *folders[0].parents) if all(one.is_relative_to(each) for one in folders))


def _copied(root: Path, copy: Path) -> Path:
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns(".git", ".venv", "node_modules"), symlinks=True)
    return copy


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    for each in sorted(path.rglob("*")):
        is_source = each.suffix in (".cu", ".cuh") and "rewright: " in each.read_text(errors="replace")
        if is_source or each.suffix == ".rw":
            yield each


def _in_a_copy(copies: Queue[Path], work: Callable[[Path], T]) -> T:
    copy = copies.get()
    try:
        return work(copy)
    finally:
        copies.put(copy)


# ------------------------------------------------------------------------------------------------------------- checking


def _asked(copy: Path, file: Path, seconds: float, only: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The results of a check, none if it takes too long or fails."""
    command = [
        sys.executable,
        "-m",
        "rewright.cli",
        "check",
        str(file),
        "--format",
        "json",
        "--no-cache",
        "--jobs",
        "1",
    ]
    command += [part for name in only for part in ("--only", name)]
    try:
        run = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=seconds, check=False)
        found: list[dict[str, Any]] = json.loads(run.stdout)["results"]
    except (subprocess.TimeoutExpired, ValueError):
        return []
    return found


def _checked(copy: Path, file: Path, seconds: float) -> list[Checked]:
    """The kernels of a file that are checked, with their texts."""
    text = (copy / file).read_text(errors="replace")
    entries = {name: (file.parent / path, entry) for name, path, entry in ENTRY.findall(text)}
    kernels: list[Checked] = []
    for result in _asked(copy, file, seconds):
        name = result["name"]
        source, function = entries.get(name, (file, name))
        if (
            result["verdict"] != "checked"
            or not (copy / source).is_file()
            or (file.suffix == ".rw" and name not in entries)
        ):
            continue
        span = _span((copy / source).read_text(errors="replace"), function)
        if span is not None:
            kernels.append(Checked(file, name, source, *span))
    return kernels


def _span(text: str, function: str) -> tuple[int, int] | None:
    """Where the body of a kernel stands; None if it is not found, or is one of several of that name."""
    bare = _bare(text)
    head = re.compile(r"__global__[^;{}]*?\b" + re.escape(function) + r"\s*\([^;{}]*\)\s*\{")
    found = list(head.finditer(bare))
    if len(found) != 1:
        return None
    depth, start = 0, found[0].end() - 1
    for at in range(start, len(bare)):
        depth += {"{": 1, "}": -1}.get(bare[at], 0)
        if depth == 0:
            return start, at
    return None


def _bare(text: str) -> str:
    """The text with blanks in place of comments and lines of the preprocessor."""
    without = COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    return re.sub(r"(?m)^[ \t]*#.*$", lambda found: " " * len(found.group()), without)


# ------------------------------------------------------------------------------------------------------------- planting


def _planted(root: Path, kernels: Sequence[Checked], chosen: tuple[int, int | None]) -> list[Planted]:
    """One bug in each kernel that has a place for one: kinds take turns, as far as a kernel has them."""
    seed, most = chosen
    generator = random.Random(seed)
    kernels = list(kernels)
    generator.shuffle(kernels)
    planted: list[Planted] = []
    used: Counter[str] = Counter()
    for kernel in kernels:
        text = (root / kernel.source).read_text(errors="replace")
        by_kind: dict[str, list[tuple[int, int, str]]] = {}
        for kind, start, end, new in _changes(_bare(text)[kernel.start : kernel.end]):
            by_kind.setdefault(kind, []).append((kernel.start + start, kernel.start + end, new))
        if not by_kind or (most is not None and len(planted) >= most):
            continue
        kind = min(by_kind, key=lambda each: (used[each], each))
        used[kind] += 1
        start, end, new = generator.choice(by_kind[kind])
        line = text.count("\n", 0, start) + 1
        kept = "\n" * text.count("\n", start, end)
        before = text.splitlines()[line - 1].strip()
        planted.append(Planted(kernel, kind, line, before, text[:start] + new + kept + text[end:]))
    return planted


def _changes(body: str) -> Iterator[tuple[str, int, int, str]]:
    """The bugs that a kernel has places for: which kind, and what is put between which places."""
    for found in BARRIER.finditer(body):
        yield "barrier dropped", *found.span(), ";"
    for found in LOOP.finditer(body):
        for bound in UPPER.finditer(found[1]):
            if not bound[1] and "&" not in found[1] and "|" not in found[1]:
                at = found.start(1)
                yield "bound one larger", at + bound.start(), at + bound.end(), "<="
    for found in GUARD.finditer(body):
        if EARLY.match(body, found.start()) is None:
            yield "guard dropped", *found.span(1), "true"
            yield from _loosened(found, UPPER, "<=")
    for found in EARLY.finditer(body):
        yield "guard dropped", *found.span(1), "false"
        yield from _tightened(found)


def _loosened(found: re.Match[str], operator: re.Pattern[str], new: str) -> Iterator[tuple[str, int, int, str]]:
    for bound in operator.finditer(found[1]):
        if not bound[1]:
            yield "guard loosened", found.start(1) + bound.start(), found.start(1) + bound.end(), new


def _tightened(found: re.Match[str]) -> Iterator[tuple[str, int, int, str]]:
    """`if (i >= n) return` as `if (i > n) return`."""
    for bound in LOWER.finditer(found[1]):
        if bound[1]:
            yield "guard loosened", found.start(1) + bound.start(), found.start(1) + bound.end(), ">"


# -------------------------------------------------------------------------------------------------------------- judging


def _outcome(copy: Path, planted: Planted, seconds: float) -> Outcome:
    """What is said of a kernel with a bug."""
    source = copy / planted.kernel.source
    before = source.read_text(errors="replace")
    source.write_text(planted.text)
    try:
        results = _asked(copy, planted.kernel.file, seconds, [planted.kernel.name])
    finally:
        source.write_text(before)
    result = next((each for each in results if each["name"] == planted.kernel.name), None)
    if result is None:
        return Outcome(planted, "none", "it takes too long, or the check fails", is_near=False, places=())
    places = [place for each in result["diagnostics"] for place in _places(each)]
    is_near = any(abs(line - planted.line) <= NEAR for _, line, code in places if code.startswith("RW3"))
    told = tuple(f"{code} at line {line}" for _, line, code in places)[:6]
    return Outcome(planted, result["verdict"], result["reason"] or "", is_near, told)


def _places(diagnostic: dict[str, Any]) -> Iterator[tuple[str, int, str]]:
    """The place of a finding, and those it is related to."""
    if diagnostic["severity"] == "hint":
        return
    for each in (diagnostic, *diagnostic.get("related", ())):
        yield each["file"], each["range"]["start"]["line"] + 1, diagnostic["code"]


def _print(outcomes: Sequence[Outcome]) -> None:
    print()
    kinds = sorted({each.planted.change for each in outcomes})
    verdicts = sorted({each.verdict for each in outcomes})
    print(f"{'bug':20}{'planted':>9}{'near':>9}" + "".join(f"{each:>13}" for each in verdicts))
    for kind in [*kinds, ""]:
        chosen = [each for each in outcomes if kind in ("", each.planted.change)]
        near = sum(each.verdict == "refuted" and each.is_near for each in chosen)
        counts = Counter(each.verdict for each in chosen)
        print(f"{kind or 'all':20}{len(chosen):>9}{near:>9}" + "".join(f"{counts[each]:>13}" for each in verdicts))


def _tell(outcome: Outcome) -> None:
    """Lists a bug that is not refuted at its place."""
    bug = outcome.planted
    if outcome.verdict != "refuted" or not outcome.is_near:
        print(f"\n{outcome.verdict}: {bug.kernel.source}:{bug.line}: {bug.kernel.name}: {bug.change}: {bug.before}")
        print(f"    {outcome.reason} {', '.join(outcome.places)}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
