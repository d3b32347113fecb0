"""How long kernels take: the front end alone, one large block from its source to the race check, the whole library.

Each value is the least of several runs, since other programs only ever make it longer; processor time stands beside it.
Ratios are to what this program took when the baseline was measured, on a machine of two cores.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from test_library_times import LIBRARY, check, fastest, within

from rewright.checks.kernel import STEPS_PER_RUN_STEP, answer
from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.programs import lower
from rewright.kernels.launches.search import search
from rewright.model.check_declaration import check_declaration
from rewright.model.kernel import Foreign, Kernel
from rewright.model.simt.program import Program
from rewright.model.surroundings import Surroundings
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict

KERNELS = LIBRARY / "kernels"
TILE = "sgemm_column_tiles"
"""C = alpha * A * B + beta * C for a tile of 64 x 64 with an inner size of 64, by 512 threads."""

VOLTA = (502.0, 570.0)
"""Seconds, least and most, that VOLTA's paper reports for a pair of SGEMM kernels whose blocks compute tiles of
64 x 64 with up to 512 threads (Table 2; the inner size is not stated), on a processor of 24 cores. It is the time in
which conditions for the equality of both results are solved. Nothing of the kind is done here, and of races alone no
time is reported, so the two are not divided by each other."""

TILE_BASELINE, TILE_LIMIT = 0.08, 1.0
"""Seconds."""
LIBRARY_BASELINE, LIBRARY_LIMIT = 6.6, 5.0
"""Seconds."""
LINES_BASELINE = 3500.0
"""Lines per second."""
RUNS = 5
COLD_RUNS = 2


class Spent(NamedTuple):
    """Seconds by the clock and seconds of processor time."""

    seconds: float
    processor: float


@dataclass(frozen=True, slots=True)
class Source:
    """A kernel that is declared in the library, with the file that has it; its text edited anew for each number."""

    kernel: Kernel
    path: str
    text: str

    def program(self, number: int) -> Program:
        """What each thread runs."""
        lowered = lower(self.kernel, edited(self.path, self.text, number))
        assert lowered.program is not None, lowered.problems
        return lowered.program


def edited(path: str, text: str, number: int) -> dict[str, str]:
    """The file with a comment more, so that nothing made of its text is at hand."""
    return {path: f"{text}\n// {number}\n"}


def sources() -> list[Source]:
    """The kernels of the library that are written in CUDA."""
    found = []
    for path in sorted(KERNELS.glob("*.rw")):
        for placed in parse(Text.of(path.name, path.read_text(encoding="utf-8"))).file.declarations:
            kernel = check_declaration(placed.node, placed.problems, Surroundings()).value
            if isinstance(kernel, Kernel) and isinstance(kernel.body, Foreign):
                name = kernel.body.path
                found.append(Source(kernel, name, (KERNELS / name).read_text(encoding="utf-8")))
    return found


def least(what: Callable[[int], object]) -> Spent:
    """The least of several runs, which are told their number."""
    spent = []
    for number in range(RUNS):
        start, used = time.perf_counter(), time.process_time()
        what(number)
        spent.append(Spent(time.perf_counter() - start, time.process_time() - used))
    return min(spent)


def test_a_tile_of_sgemm(enforced: bool) -> None:
    tile = next(each for each in sources() if str(each.kernel.name) == TILE)
    program, budget = tile.program(0), Budget()
    searched = search(tile.kernel, program, budget.steps // STEPS_PER_RUN_STEP)
    assert {(each.case.grid, each.case.block) for each in searched.covered} == {((1, 1, 1), (512, 1, 1))}
    assert answer(tile.kernel, program, budget).verdict is Verdict.CHECKED
    front = least(tile.program)
    execution = least(lambda _: search(tile.kernel, program, budget.steps // STEPS_PER_RUN_STEP))
    whole = least(lambda number: answer(tile.kernel, tile.program(RUNS + number), budget))
    print(
        f"\nSGEMM, a tile of 64 x 64 with K = 64 by 512 threads, from source to verdict: {whole.seconds:.2f} s,"
        f" {whole.seconds / TILE_BASELINE:.2f} of the baseline {TILE_BASELINE:g} s, limit {TILE_LIMIT:g} s"
        f" ({whole.processor:.2f} s of processor time)"
        f"\n  front end {1e3 * front.seconds:.0f} ms; execution and race check {1e3 * execution.seconds:.0f} ms,"
        f" {searched.steps} steps of groups of threads in {len(searched.covered)} runs of the tile"
        f"\n  beside it: VOLTA's paper reports {VOLTA[0]:g} to {VOLTA[1]:g} s for a pair of SGEMM kernels (Table 2),"
        f" the time in which it\n  decides on 24 cores that two compute the same; that is not done here,"
        f" and of races alone no time is reported"
    )
    within(whole.seconds, TILE_LIMIT, enforced)


def test_the_library_of_kernels_cold(tmp_path: Path, enforced: bool) -> None:
    best = fastest([check([KERNELS], "--cache", str(tmp_path / str(run))) for run in range(COLD_RUNS)])
    assert all(result["as_expected"] for result in best.results)
    slowest = sorted(((result["ms"], result["name"]) for result in best.results), reverse=True)[:3]
    refuted = sum(result["verdict"] == "refuted" for result in best.results)
    print(
        f"\nrules/kernels, {len(best.results)} kernels, {refuted} of them refuted, cold: {best.seconds:.1f} s,"
        f" {best.seconds / LIBRARY_BASELINE:.2f} of the baseline {LIBRARY_BASELINE:g} s, limit {LIBRARY_LIMIT:g} s"
        f" ({best.processor:.1f} s of processor time; {os.cpu_count()} processors)"
        f"\n  the slowest: {', '.join(f'`{name}` {ms:.0f} ms' for ms, name in slowest)}"
    )
    within(best.seconds, LIBRARY_LIMIT, enforced)


def test_the_front_end_alone() -> None:
    """Each file is read and outlined once, and once more for each kernel that is declared from it and is lowered."""
    files = {each.path: each.text for each in sources()}
    lines = sum(text.count("\n") for text in files.values())
    outlined = least(lambda number: [outline(path, edited(path, text, number)) for path, text in files.items()])
    lowered = {str(each.kernel.name): least(each.program).seconds for each in sources()}
    total = outlined.seconds + sum(lowered.values())
    name = max(lowered, key=lowered.__getitem__)
    print(
        f"\nthe front end on the {len(files)} CUDA files of rules/kernels, {lines} lines, each file read once,"
        f" and anew for each of {len(lowered)} kernels:\n  {lines / total:.0f} lines per second,"
        f" {lines / total / LINES_BASELINE:.2f} of the baseline {LINES_BASELINE:g}"
        f"\n  reading and outlines alone {lines / outlined.seconds:.0f} lines per second; the slowest kernel,"
        f" `{name}`, {1e3 * lowered[name]:.0f} ms with its file read anew"
    )
