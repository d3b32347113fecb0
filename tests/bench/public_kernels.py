"""What is said of the kernels of repositories as they are: `public_kernels.py FOLDER... [--sample N] [--list]`.

Checks each source that defines kernels in a process of its own, with a limit of processor time for each kernel, so
that one file ends nothing else, and a busy machine changes nothing. Folders of what others wrote are passed over.
Prints for each folder its kernels by verdict, and over all folders why kernels are unknown and why no launch of them is
known. `--list` prints what is refuted or conditional, with places and messages, to be read. A kernel of an included
file counts with what the files say that include and launch it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rewright.frontends.table import ENDINGS, language_of
from rewright.verdict.diagnostics.sources import NoLaunchKnown

KERNEL = re.compile(r"__global__\b[^;{}]*?\b((?!__)[A-Za-z_]\w*)\s*\([^;{}]*\)\s*\{")
"""The definition of a kernel, in a text without comments."""

LAUNCHED = re.compile(r"(\w+)\s*(?:<[^;{}<>]*>\s*)?<<<")
"""The launch of a kernel, or of the last part of its name."""

File = tuple[Path, str]
"""A source: the root of its repository, and its path below it."""

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
QUOTED = re.compile(r"`[^`]*`")

NO_LAUNCH, NOT_LISTED, FAILED = "no launch", "not listed", "failed"
"""What becomes of a kernel that has no verdict: no launch is known, the tool does not see it, its file failed."""

BEST = ("refuted", "conditional", "checked", "unknown", "invalid", "error", NO_LAUNCH, NOT_LISTED, FAILED)
"""Of several things that files say of a kernel, the first one in this order counts."""

VENDORED = frozenset({"3rdparty", "third_party", "thirdparty", "vendor", "external", "extern", "deps", "submodules"})
"""Folders of what a repository has from others."""

MOST_REASONS = 40


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel that a file of a repository defines."""

    repository: str
    file: str
    name: str


@dataclass(slots=True)
class Said:
    """What files say of a kernel: verdicts and the like, each with its reason, and messages with their places."""

    verdicts: dict[str, str] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """What counts."""
        return min(self.verdicts, key=BEST.index, default=NOT_LISTED)

    @property
    def reason(self) -> str:
        """Why that is so."""
        return self.verdicts.get(self.verdict, "")


SECONDS = 40.0
"""Of processor time for each kernel: more than the tool takes for one, which then says so itself."""

MOST_WAITED = 20
"""A file ends after so many times its limit by the clock: then it hangs."""

POLLED = 1.0
"""Seconds between two looks at what a file has used."""


@dataclass(frozen=True, slots=True)
class Run:
    """How files are checked: in how many seconds for a kernel, how many at once, and who sees the rest."""

    seconds: float
    jobs: int
    after_each: Callable[[dict[Kernel, Said]], None]


def main(arguments: Sequence[str]) -> int:
    """Measures folders, and prints what was found; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--sample", type=int, help="about so many kernels: files at random of each folder in turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="the limit of processor time for one kernel")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="list what is refuted and conditional")
    parser.add_argument("--save", type=Path, help="write what is said of each kernel to this file, to compare runs")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="rewright-kernels-") as scratch:
        roots = [_cloned(folder, Path(scratch) / str(number)) for number, folder in enumerate(given.folders)]
        by_folder = [[(root, file) for file in _sources(root)] for root in roots]
        files = [each for one in by_folder for each in one]
        chosen = files if given.sample is None else _sampled(by_folder, given.sample, random.Random(given.seed))
        run = Run(given.seconds, given.jobs, lambda said: _save(said, given.save))
        said = _all((chosen, _including(files, chosen)), run)
    _print(said)
    if given.list:
        _list(said)
    return 0


def _sampled(by_folder: list[list[File]], kernels: int, at_random: random.Random) -> list[File]:
    """Files that define about so many kernels: at random, of each folder in turn while it has more."""
    left = [at_random.sample(one, len(one)) for one in by_folder]
    chosen: list[File] = []
    while kernels > 0 and any(left):
        for one in (each for each in left if each):
            chosen.append(one.pop())
            kernels -= len(_defined(chosen[-1][0] / chosen[-1][1]))
    return chosen


def _save(said: dict[Kernel, Said], to: Path | None) -> None:
    """Writes what is said so far, a kernel a line, so that a run that is stopped says what it saw."""
    if to is not None:
        to.write_text("\n".join(_line(kernel, each) for kernel, each in sorted(said.items(), key=_key)))


def _cloned(folder: Path, scratch: Path) -> Path:
    """A copy of the sources of a repository with a `.git`, as a clone has one: includes are looked for inside."""
    root = scratch / folder.resolve().name
    (root / ".git").mkdir(parents=True)
    for directory, names, files in os.walk(folder):
        names[:] = [name for name in names if name != ".git"]
        wanted = [name for name in files if name.endswith(ENDINGS) and not name.endswith(".rw")]
        beside = root / Path(directory).relative_to(folder)
        for name in wanted:
            beside.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(directory) / name, beside / name)
    return root


def _sources(root: Path) -> Iterator[str]:
    for path in sorted(root.rglob("*")):
        file = path.relative_to(root)
        is_own = path.is_file() and language_of(path.name) is not None and VENDORED.isdisjoint(file.parts)
        if is_own and (_defined(path) or "<<<" in _text(path)):
            yield str(file)


def _text(path: Path) -> str:
    return COMMENT.sub(" ", path.read_text(errors="replace"))


def _defined(path: Path) -> list[str]:
    """The names of the kernels that a file defines."""
    return list(dict.fromkeys(KERNEL.findall(_text(path))))


def _including(files: list[File], chosen: list[File]) -> list[File]:
    """The files that include one of those that are chosen, or one that does, by the last parts of their names."""
    included = {each: _includes(each[0] / each[1]) for each in files}
    found = list(chosen)
    for root, file in found:
        found += [each for each in files if each[0] == root and Path(file).name in included[each] and each not in found]
    return found[len(chosen) :]


def _includes(path: Path) -> frozenset[str]:
    """The last parts of the names of the files that a file includes."""
    return frozenset(Path(name).name for name in INCLUDE.findall(_text(path)))


# -------------------------------------------------------------------------------------------------------------- running


def _all(named: tuple[list[File], list[File]], run: Run) -> dict[Kernel, Said]:
    """What files say of the kernels that the first of them define; all are checked."""
    said: dict[Kernel, Said] = {}
    for root, file in named[0]:
        for name in _defined(root / file):
            said[Kernel(root.name, file, name)] = Said()
    files = [*named[0], *named[1]]
    with ThreadPoolExecutor(run.jobs) as pool:
        checked = pool.map(lambda each: _checked(each, run), files)
        for number, ((root, file), shown) in enumerate(zip(files, checked, strict=True), 1):
            _take(said, (root.name, file), (_includes(root / file), shown))
            run.after_each(said)
            if sys.stderr.isatty():
                print(f"\r{number} of {len(files)} files", end="", file=sys.stderr)
    return said


def _checked(source: File, run: Run) -> dict[str, Any] | str:
    """The report of a file, or why there is none."""
    root, file = source
    command = [sys.executable, "-m", "rewright.cli", "check", file, "--format", "json", "--no-cache", "--jobs", "1"]
    child = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seconds = run.seconds * _kernels(root / file)
    ends = time.monotonic() + MOST_WAITED * seconds
    while True:
        try:
            output, errors = child.communicate(timeout=POLLED)
            break
        except subprocess.TimeoutExpired:
            if _processor_seconds(child.pid) > seconds or time.monotonic() > ends:
                child.kill()
                child.communicate()
                return f"more than {seconds:g} s"
    try:
        shown: dict[str, Any] = json.loads(output)
    except ValueError:
        return (errors.strip().splitlines() or [f"exit status {child.returncode}"])[-1]
    return shown


def _kernels(path: Path) -> int:
    """About how many kernels a file asks about: those that it defines, or launches of other files; at least one."""
    return max(len(_defined(path)), len(set(LAUNCHED.findall(_text(path)))), 1)


def _processor_seconds(process: int) -> float:
    """What a process and those that it started and that still run have used, with what ended ones had used."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(path.parent.name)] = int(fields[1])
        used[int(path.parent.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    meant = [process]
    for parent in meant:
        meant += [child for child, its in parents.items() if its == parent]
    return sum(used.get(each, 0.0) for each in meant)


def _take(
    said: dict[Kernel, Said], where: tuple[str, str], report: tuple[frozenset[str], dict[str, Any] | str]
) -> None:
    """Enters what the report of a file says of kernels; it includes files of these names."""
    included, shown = report
    if isinstance(shown, str):
        for kernel, each in said.items():
            if (kernel.repository, kernel.file) == where:
                each.verdicts[FAILED] = shown
        return
    for result in shown["results"]:
        for kernel in _meant(said, where, result["name"], included):
            said[kernel].verdicts.setdefault(result["verdict"] or FAILED, result["reason"] or "")
            said[kernel].messages += [_message(each) for each in result["diagnostics"] if each["severity"] != "hint"]
    for diagnostic in (each for one in shown["files"] for each in one["diagnostics"]):
        named = QUOTED.search(diagnostic["message"])
        if diagnostic["code"] == NoLaunchKnown.code and named is not None:
            for kernel in _meant(said, where, named[0].strip("`"), included):
                said[kernel].verdicts.setdefault(NO_LAUNCH, diagnostic["message"])


def _meant(said: Iterable[Kernel], where: tuple[str, str], name: str, included: frozenset[str]) -> list[Kernel]:
    """The kernels that a file means by a name: its own, else those of what it includes: headers, and files it names."""
    own = Kernel(*where, name)
    if own in said:
        return [own]
    alike = [each for each in said if (each.repository, each.name) == (where[0], name)]
    return [each for each in alike if not each.file.endswith(".cu") or Path(each.file).name in included]


def _message(diagnostic: dict[str, Any]) -> str:
    line = diagnostic["range"]["start"]["line"] + 1
    return f"{diagnostic['file']}:{line}: {diagnostic['severity']} {diagnostic['code']}: {diagnostic['message']}"


# ------------------------------------------------------------------------------------------------------------- printing


def _print(said: dict[Kernel, Said]) -> None:
    columns = [each for each in BEST if any(one.verdict == each for one in said.values())]
    print(f"{'repository':36}{'kernels':>9}" + "".join(f"{each:>13}" for each in columns))
    for repository in dict.fromkeys(kernel.repository for kernel in said):
        _row(repository, [each for kernel, each in said.items() if kernel.repository == repository], columns)
    _row("all", list(said.values()), columns)
    decided = sum(each.verdict in ("refuted", "conditional", "checked") for each in said.values())
    print(f"{decided} of {len(said)} kernels ({100 * decided / max(len(said), 1):.1f} %) have a verdict that is known")
    for verdict in ("unknown", NO_LAUNCH, FAILED):
        reasons = Counter(_plain(each.reason) for each in said.values() if each.verdict == verdict)
        if reasons:
            print(f"\n{verdict}:")
        for reason, count in reasons.most_common(MOST_REASONS):
            print(f"{count:6}  {reason}")


def _row(name: str, said: list[Said], columns: list[str]) -> None:
    counts = Counter(each.verdict for each in said)
    print(f"{name:36}{len(said):>9}" + "".join(f"{counts[each]:>13}" for each in columns))


def _plain(reason: str) -> str:
    """A reason without names and numbers, so that alike ones count together."""
    return re.sub(r"\b\d+\b", "N", QUOTED.sub("…", reason.partition("; state")[0]))


def _list(said: dict[Kernel, Said]) -> None:
    for verdict in ("refuted", "conditional"):
        for kernel, each in said.items():
            if each.verdict == verdict:
                print(f"\n{verdict}: {kernel.repository}/{kernel.file}: {kernel.name}")
                for message in dict.fromkeys(each.messages):
                    print(f"    {message}")


def _line(kernel: Kernel, said: Said) -> str:
    return f"{kernel.repository}/{kernel.file}\t{kernel.name}\t{said.verdict}\t{said.reason}"


def _key(item: tuple[Kernel, Said]) -> tuple[str, str, str]:
    kernel, _ = item
    return kernel.repository, kernel.file, kernel.name


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
