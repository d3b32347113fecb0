"""How long the library takes on the command line: cold and from a warm cache, process start and workers included.

Each value is the least of several runs, since other programs only ever make it longer; the processor time of main
process and workers together stands beside it. Ratios are to what TensorRight takes for its rules, see `TENSORRIGHT`.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rewright.engine.signature import SETTLED_SECONDS, signature
from rewright.workspace.remembered import PROGRAM

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "rules"
FAMILIES = """add broadcast clamp compare concatenate divmod dynamic_slice dynamic_update_slice iota logical max
multiply not pad reverse select slice subtract transpose"""
"""The families of rules/xla without reductions."""
CATALOGUE = tuple(LIBRARY / "xla" / f"{family}.rw" for family in FAMILIES.split())

TENSORRIGHT = 95.0
"""Seconds in which TensorRight verifies the 118 rules of its artifact, of which 17 have a reduction or a convolution,
with the same solver, on one core of a machine of two: measured once, elsewhere, and not by this bench."""
TENSORRIGHT_RULES = 118

COLD_LIMIT = 2.0
WARM_LIMIT = 0.5
RULE_LIMIT = 200.0
COLD_RUNS = 5
WARM_RUNS = 9
COPIES = (1, 4, 16)


@dataclass(frozen=True, slots=True)
class Run:
    """Seconds by the clock, seconds of processor time of all processes, and the report."""

    seconds: float
    processor: float
    report: dict[str, Any]

    @property
    def results(self) -> list[dict[str, Any]]:
        """The declarations of the report."""
        found: list[dict[str, Any]] = self.report["results"]
        return found


@pytest.fixture(autouse=True, scope="module")
def settled() -> None:
    """Waits until the program's files are old enough for reports to be remembered."""
    deadline = time.monotonic() + 2 * SETTLED_SECONDS
    while signature(PROGRAM) is None and time.monotonic() < deadline:
        time.sleep(0.5)
    assert signature(PROGRAM) is not None, "the program's files are being changed"


def check(paths: Sequence[Path], *options: str) -> Run:
    """Checks files and folders in a process of its own."""
    command = [sys.executable, "-m", "rewright.cli", "check", *map(str, paths), "--format", "json", *options]
    before, start = _processor(), time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    assert done.stdout, done.stderr
    return Run(seconds, _processor() - before, json.loads(done.stdout))


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def fastest(runs: list[Run]) -> Run:
    """The run that was disturbed the least."""
    return min(runs, key=lambda run: run.seconds)


def within(value: float, limit: float, enforced: bool) -> None:
    """Fails above the limit if that is asked for."""
    assert not enforced or value <= limit, f"{value:.3g} is above the limit {limit:.3g}"


@pytest.fixture(scope="module")
def cold(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """Runs over the catalogue's rules without a reduction, each with an empty cache that it writes."""
    return [check(CATALOGUE, "--cache", str(tmp_path_factory.mktemp("cold"))) for _ in range(COLD_RUNS)]


def test_the_catalogue_cold(cold: list[Run], enforced: bool) -> None:
    best = fastest(cold)
    proved = sum(result["verdict"] == "proved" for result in best.results)
    ratio, per_rule = TENSORRIGHT / best.seconds, TENSORRIGHT / TENSORRIGHT_RULES * proved / best.processor
    print(
        f"\n{len(best.results)} rules of rules/xla without reductions, cold, {proved} proved: {best.seconds:.2f} s,"
        f" limit {COLD_LIMIT:g} s ({best.processor:.2f} s of processor time; {os.cpu_count()} processors)"
        f"\n  {ratio:.0f} times as fast as TensorRight's {TENSORRIGHT_RULES} rules: {TENSORRIGHT:g} s on one core"
        f"\n  {per_rule:.0f} times by processor time per rule (TensorRight: {TENSORRIGHT / TENSORRIGHT_RULES:.2f} s)"
    )
    within(best.seconds, COLD_LIMIT, enforced)


def test_the_slowest_rule(cold: list[Run], enforced: bool) -> None:
    times: dict[str, float] = {}
    for run in cold:
        for result in run.results:
            times[result["name"]] = min(result["ms"], times.get(result["name"], result["ms"]))
    name, slowest = max(times.items(), key=lambda pair: pair[1])
    ordered = sorted(times.values())
    print(
        f"\nthe slowest of them, `{name}`: {slowest:.0f} ms, limit {RULE_LIMIT:g} ms"
        f" (median {ordered[len(ordered) // 2]:.1f} ms, all together {sum(ordered):.0f} ms)"
    )
    within(slowest, RULE_LIMIT, enforced)


@pytest.mark.parametrize("form", ["json", "text"])
def test_the_library_from_a_warm_cache(form: str, tmp_path: Path, enforced: bool) -> None:
    first = check([LIBRARY], "--cache", str(tmp_path))
    start, used = time.perf_counter(), []
    command = [sys.executable, "-m", "rewright.cli", "check", str(LIBRARY), "--format", form, "--cache", str(tmp_path)]
    for _ in range(WARM_RUNS):
        start = time.perf_counter()
        subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
        used.append(time.perf_counter() - start)
    print(
        f"\nthe library, {len(first.results)} declarations, from a warm cache as {form}: {min(used):.2f} s,"
        f" limit {WARM_LIMIT:g} s (median {sorted(used)[len(used) // 2]:.2f} s;"
        f" {first.seconds / min(used):.0f} times as fast as cold, {first.seconds:.1f} s)"
    )
    within(min(used), WARM_LIMIT, enforced)


def test_cost_against_size(tmp_path: Path) -> None:
    """The copies mean the same under other names, so their questions are the same ones."""
    print("\nthe library copied under other names; seconds by the clock, in brackets of processor time")
    print("copies  files  declarations  questions  no cache       empty cache    warm           warm, ms each")
    for copies in COPIES:
        folder = tmp_path / f"copies-{copies}"
        files = sum(1 for number in range(copies) for _ in copied(folder, number))
        cache = str(tmp_path / f"cache-{copies}")
        without, empty = check([folder], "--no-cache"), check([folder], "--cache", cache)
        warm = fastest([check([folder], "--cache", cache) for _ in range(3)])
        verdicts = [[result["verdict"] for result in run.results] for run in (without, empty, warm)]
        assert verdicts[0] == verdicts[1] == verdicts[2]
        questions = {question["id"] for result in empty.results for question in result["questions"]}
        count = len(empty.results)
        times = "  ".join(f"{f'{run.seconds:.2f} ({run.processor:.2f})':13}" for run in (without, empty, warm))
        print(f"{copies:6}  {files:5}  {count:12}  {len(questions):9}  {times}  {1e3 * warm.seconds / count:.2f}")
    print(
        "a question that is asked while the same one waits for a worker or is with one is answered once, also without\n"
        "a cache; one that is asked later is answered again without a cache and found with one"
    )


def copied(folder: Path, number: int) -> Iterator[Path]:
    """Copies the library into a folder of its own, its rules renamed; the files of declarations."""
    for file in sorted(LIBRARY.rglob("*")):
        if file.is_file():
            copy = folder / f"copy{number}" / file.relative_to(LIBRARY)
            copy.parent.mkdir(parents=True, exist_ok=True)
            text = file.read_text(encoding="utf-8")
            renamed = re.sub(r"^(rule|lemma) (\w+)", rf"\1 \2_{number}", text, flags=re.MULTILINE)
            copy.write_text(renamed if file.suffix == ".rw" else text, encoding="utf-8")
            if file.suffix == ".rw":
                yield copy
