"""Races within a warp that share an access are told once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rewright.verdict import AccessKind, Finding, InSource, Related, Role, Severity
from rewright.verdict.diagnostics.kernels import Act, ArrayElement, Collision, DataRace, RaceWithinWarp, Who
from rewright.workspace.chains import chains

TAIL = """__global__ void tail(const float *x, float *y) {
  __shared__ float s[64];
  __shared__ float other[64];
  int t = threadIdx.x;
  s[t] = x[t];
  other[t] = x[t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
  }
  __syncthreads();
  if (t < 32) other[t] += other[t + 1];
  __syncthreads();
  y[t] = s[t] + other[t];
}
"""


ACT = Act(Who((0,), None, ()), AccessKind.WRITE)
BOTH = Collision(ArrayElement("s", (0,)), ACT, ACT)


def race(first: int, second: int, kind: type[RaceWithinWarp | DataRace] = RaceWithinWarp) -> Finding:
    related = Related(Role.SECOND, InSource("a.cu", second, second + 1))
    return Finding(kind(BOTH, 0), Severity.ERROR, InSource("a.cu", first, first + 1), (related,))


@pytest.mark.parametrize(
    ("pairs", "numbers"),
    [
        ([], []),
        ([(1, 2)], [(0,)]),
        ([(1, 2), (2, 3), (3, 4)], [(0, 1, 2)]),
        ([(1, 2), (5, 6), (7, 8)], [(0,), (1,), (2,)]),
        ([(1, 2), (5, 6), (2, 5), (7, 8)], [(0, 1, 2), (3,)]),
        ([(7, 8), (1, 2), (5, 6), (6, 2)], [(0,), (1, 2, 3)]),
    ],
)
def test_findings_that_share_an_access_are_a_chain(
    pairs: list[tuple[int, int]], numbers: list[tuple[int, ...]]
) -> None:
    assert [chain.numbers for chain in chains([race(*pair) for pair in pairs])] == numbers


def test_other_findings_stand_alone() -> None:
    findings = [race(1, 2, DataRace), race(1, 2), race(2, 3, DataRace), race(2, 3)]
    assert [chain.numbers for chain in chains(findings)] == [(0,), (1, 3), (2,)]


def test_the_statements_of_a_chain_are_related_places_of_one_error(tmp_path: Path) -> None:
    (tmp_path / "tail.cu").write_text(f"// rewright: launch block(64); x: in f32[64]; y: out f32[64]\n{TAIL}")
    command = [sys.executable, "-m", "rewright.cli", "check", ".", "--no-cache", "--format", "json"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    (result,) = json.loads(ran.stdout)["results"]
    chain, alone = result["diagnostics"]
    lines = [chain["range"]["start"]["line"], *(note["range"]["start"]["line"] for note in chain["related"])]
    assert (chain["code"], sorted(set(lines))) == ("RW309", [9, 10, 11, 12])
    assert len({str(note["range"]) for note in chain["related"]}) == len(chain["related"])
    assert alone["code"] == "RW309" and {note["range"]["start"]["line"] for note in alone["related"]} == {15}
