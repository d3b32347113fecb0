"""How long rules with reductions take: the catalogue's 118 cold, each of its reductions, each row of the census."""

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

COLD_LIMIT = 4.0
REDUCTION_LIMIT = 1000.0
CENSUS_LIMIT = 2000.0
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
    times: dict[str, float] = {}
    for run in cold:
        for result in run.results:
            times[result["name"]] = min(result["ms"], times.get(result["name"], result["ms"]))
    ours = sorted(((times[name], name) for name in set(rules_of(manifest).values()) if name in times), reverse=True)
    slowest = ", ".join(f"`{name}` {ms:.0f} ms" for ms, name in ours[:5])
    print(
        f"\n{len(ours)} rules with reductions of {manifest}, the slowest: {slowest}; limit {limit:g} ms"
        f" (median {ours[len(ours) // 2][0]:.0f} ms, all together {sum(ms for ms, _ in ours):.0f} ms)"
    )
    within(ours[0][0], limit, enforced)
