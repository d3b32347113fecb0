"""How long rules with reductions take: the catalogue's 118 cold, each of its reductions, each row of the census, each
rule of windows and convolutions, each of functions."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest
from test_library_times import LIBRARY, TENSORRIGHT, TENSORRIGHT_RULES, Run, check, fastest, within

XLA = LIBRARY / "xla"
FILES = [XLA / f"{family}.rw" for family in ("reduce", "dot", "convolution", "reduce_window")]
NOT_RUN = {"conv/02", "dyslice/6", "generalize/1"}
"""Rules of the catalogue that TensorRight's artifact states and does not run."""

NN = sorted((LIBRARY / "nn").glob("*.rw"))
WINDOWS = ("convolution.rw", "reduce_window.rw")

COLD_LIMIT = 2.5
REDUCTION_LIMIT = 1000.0
CENSUS_LIMIT = 2000.0
WINDOW_LIMIT = 700.0
FUNCTION_LIMIT = 600.0
USUAL_FUNCTION_LIMIT = 60.0
RUNS = 3


def rules_of(manifest: str) -> dict[str, str]:
    """The rule of each id of a manifest that has one."""
    tables = tomllib.loads((XLA / manifest).read_text())
    return {key: table["rule"] for key, table in tables.items() if "rule" in table}


@pytest.fixture(scope="module")
def cold(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """Runs over the files with reductions, each with an empty cache that it writes."""
    return [check(FILES, "--cache", str(tmp_path_factory.mktemp("cold"))) for _ in range(RUNS)]


def test_the_catalogue_of_118_cold(tmp_path: Path, enforced: bool) -> None:
    names = {name for key, name in rules_of("catalogue.toml").items() if key not in NOT_RUN}
    assert len(names) == TENSORRIGHT_RULES
    only = [part for name in sorted(names) for part in ("--only", name)]
    best = fastest([check([XLA], *only, "--cache", str(tmp_path / str(run))) for run in range(RUNS)])
    assert [result["name"] for result in best.results if result["verdict"] != "proved"] == []
    print(
        f"\nthe catalogue's {len(best.results)} rules, cold: {best.seconds:.2f} s, limit {COLD_LIMIT:g} s"
        f" ({best.processor:.2f} s of processor time; {os.cpu_count()} processors)"
        f"\n  {TENSORRIGHT / best.seconds:.0f} times as fast as TensorRight: {TENSORRIGHT:g} s on one core"
    )
    within(best.seconds, COLD_LIMIT, enforced)


@pytest.mark.parametrize(
    ("manifest", "limit"),
    [("catalogue.toml", REDUCTION_LIMIT), ("census.toml", CENSUS_LIMIT)],
    ids=["catalogue", "census"],
)
def test_each_reduction(manifest: str, limit: float, cold: list[Run], enforced: bool) -> None:
    stated = set(rules_of(manifest).values())
    times = {name: ms for name, ms in least(cold).items() if name in stated}
    within(slowest(f"rules with reductions of {manifest}", times, limit), limit, enforced)


def test_each_window(cold: list[Run], enforced: bool) -> None:
    names = {result["name"] for result in cold[0].results if Path(result["file"]).name in WINDOWS}
    times = {name: ms for name, ms in least(cold).items() if name in names}
    within(slowest("rules of windows and convolutions", times, WINDOW_LIMIT), WINDOW_LIMIT, enforced)


def test_each_function(tmp_path: Path, enforced: bool) -> None:
    runs = [check(NN, "--cache", str(tmp_path / str(run))) for run in range(RUNS)]
    proved = {result["name"] for result in runs[0].results if result["verdict"] == "proved"}
    times = {name: ms for name, ms in least(runs).items() if name in proved}
    within(slowest("proved rules of functions", times, FUNCTION_LIMIT), FUNCTION_LIMIT, enforced)
    within(sorted(times.values())[len(times) // 2], USUAL_FUNCTION_LIMIT, enforced)


def least(runs: list[Run]) -> dict[str, float]:
    """Milliseconds of each declaration in the run that was disturbed the least."""
    times: dict[str, float] = {}
    for run in runs:
        for result in run.results:
            times[result["name"]] = min(result["ms"], times.get(result["name"], result["ms"]))
    return times


def slowest(what: str, times: dict[str, float], limit: float) -> float:
    """Prints the slowest of some rules; the milliseconds of the slowest one."""
    ours = sorted(((ms, name) for name, ms in times.items()), reverse=True)
    listed = ", ".join(f"`{name}` {ms:.0f} ms" for ms, name in ours[:5])
    print(
        f"\n{len(ours)} {what}, the slowest: {listed}; limit {limit:g} ms"
        f" (median {ours[len(ours) // 2][0]:.0f} ms, all together {sum(times.values()):.0f} ms)"
    )
    return ours[0][0]
