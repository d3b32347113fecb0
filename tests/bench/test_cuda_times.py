"""How long CUDA files take on the command line, as people check them: their launches are the calls of the host.

The files of tests/bench/kernels are written as public ones are: templates, vector loads, reductions by shuffles, tiled
matrix products, softmax, norms, rotary embeddings, histograms, stencils, scans, and three mistakes. Of times by the
clock each is the least of several runs, since other programs only ever make it longer; a verdict's time is what its
worker took to answer, the least of the runs. Ratios are to what this program took when the baseline was measured, on a
machine of two cores.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from test_library_times import Run, check, fastest, within

FILES = sorted((Path(__file__).parent / "kernels").glob("*.cu"))
SMALL = next(path for path in FILES if path.stem == "transpose")

START_RUNS, FOLDER_RUNS = 9, 3

START_BASELINE, START_LIMIT = 0.85, 0.5
"""Seconds."""
FOLDER_BASELINE = 6.3
"""Files a second."""
MEDIAN_BASELINE, HIGH_BASELINE, HIGH_LIMIT = 22.0, 195.0, 500.0
"""Milliseconds."""
UNKNOWN = {"spmv_scalar"}
"""Its loops are as long as what is read says: no budget is enough for every content that is tried."""
WRONG = {"reduce_without_barrier", "shift_past_the_end", "barrier_in_a_branch"}


def test_the_command_starts(enforced: bool) -> None:
    runs = [check([SMALL], "--no-cache") for _ in range(START_RUNS)]
    seconds = sorted(run.seconds for run in runs)
    best = fastest(runs)
    assert [result["verdict"] for result in best.results] == ["checked"]
    print(
        f"\na small CUDA file, from the start of the command to its end, nothing in the cache: {best.seconds:.2f} s,"
        f" {best.seconds / START_BASELINE:.2f} of the baseline {START_BASELINE:g} s, limit {START_LIMIT:g} s"
        f" (median {seconds[len(seconds) // 2]:.2f} s; {best.processor:.2f} s of processor time)"
    )
    within(best.seconds, START_LIMIT, enforced)


@pytest.fixture(scope="module")
def folder() -> list[Run]:
    """Runs over the folder without a cache."""
    return [check([FILES[0].parent], "--no-cache") for _ in range(FOLDER_RUNS)]


def test_a_folder(folder: list[Run]) -> None:
    best = fastest(folder)
    pace = len(FILES) / best.seconds
    print(
        f"\na folder of {len(FILES)} CUDA files with {len(best.results)} kernels, nothing in the cache:"
        f" {pace:.1f} files a second, {pace / FOLDER_BASELINE:.2f} of the baseline {FOLDER_BASELINE:g}"
        f" ({best.seconds:.2f} s, {best.processor:.2f} s of processor time; {os.cpu_count()} processors)"
    )


def test_verdicts(folder: list[Run], enforced: bool) -> None:
    times: dict[str, float] = {}
    for run in folder:
        found = {result["name"]: result["verdict"] for result in run.results}
        assert {name for name, verdict in found.items() if verdict == "refuted"} == WRONG
        assert {name for name, verdict in found.items() if verdict == "unknown"} <= UNKNOWN
        for result in run.results:
            times[result["name"]] = min(result["ms"], times.get(result["name"], result["ms"]))
    ordered = sorted(times.values())
    median, high = ordered[len(ordered) // 2], ordered[len(ordered) * 95 // 100]
    slowest = sorted(times, key=lambda name: times[name], reverse=True)[:3]
    print(
        f"\nverdicts of {len(ordered)} kernels: median {median:.0f} ms, {median / MEDIAN_BASELINE:.2f} of the baseline"
        f" {MEDIAN_BASELINE:g} ms; p95 {high:.0f} ms, {high / HIGH_BASELINE:.2f} of the baseline {HIGH_BASELINE:g} ms,"
        f" limit {HIGH_LIMIT:g} ms"
        f"\n  the slowest: {', '.join(f'`{name}` {times[name]:.0f} ms' for name in slowest)}"
    )
    within(high, HIGH_LIMIT, enforced)
