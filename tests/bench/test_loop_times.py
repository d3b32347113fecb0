"""How long loop nests in C take from their text to the verdict, of processor time, in this process."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import pytest
from test_library_times import LIBRARY, within

from rewright.checks import nest as nests
from rewright.checks import transformation
from rewright.frontends.c.reading import read, read_program
from rewright.frontends.nests import NestRequest, NestSource
from rewright.frontends.preset import NO_PRESET
from rewright.loops.programs.checking import checked, specified
from rewright.model.file import check_file
from rewright.model.index import Name
from rewright.model.nest import Nest, Transformation
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict

BENCHMARKS = (
    "bicg",
    "correlation",
    "covariance",
    "doitgen",
    "fdtd",
    "gauss_seidel",
    "gemm",
    "gemver",
    "jacobi",
    "lu",
    "reg_detect",
)
"""Those of PolyCheck, each with a transform that is tiled by parameters."""
READ, PROOF, HALF_OF_PROOFS = 250.0, 1000.0, 400.0
"""Milliseconds: a specification from its text to its verdict; a proof for all sizes; half of the proofs."""
OPERATIONS = {"while": 400.0, "recursion": 400.0}
"""Milliseconds for 100,000 operations of a program that is run; the recursion makes 187,000 calls besides."""
FIGURE_1 = 10.0
"""Milliseconds for each copy of the paper's figure 1."""
COLD, RESULTS = 60.0, 200
"""Seconds for the library of loops, and how many results it has at least."""
TILES = (8, 32)
RUNS = 3


def _milliseconds(start: float) -> float:
    return (time.process_time() - start) * 1000


def _read(source: NestSource, name: str, of: Nest | None = None, tile: int | None = None) -> Nest:
    values = (("tile", tile),) if tile is not None else ()
    found = read(source, name, NestRequest(Name(name), of, values), lambda place: place.start)
    assert found is not None and found.nest is not None, name
    return found.nest


def test_benchmarks_in_c(enforced: bool) -> None:
    """Each with its specification, and its tiled transform at two sizes of tiles. CodeThorn takes 0.7 to 3 s each."""
    proofs: list[float] = []
    print()
    for name in BENCHMARKS:
        text = (LIBRARY / "loops" / f"{name}.c").read_text()
        reading = min(_specification(text, name, run) for run in range(RUNS))
        source = NestSource("a.c", {"a.c": text}, NO_PRESET)
        of = _read(source, name)
        times = [min(_proof(source, name, of, tile) for _ in range(RUNS)) for tile in TILES]
        proofs += times
        print(f"{name:13} specification {reading:5.0f} ms, tiles of 8 {times[0]:5.0f} ms, of 32 {times[1]:5.0f} ms")
        within(reading, READ, enforced)
        within(max(times), PROOF, enforced)
    print(f"half of the proofs within {median(proofs):.0f} ms, limit {HALF_OF_PROOFS:g} ms")
    within(median(proofs), HALF_OF_PROOFS, enforced)


def _specification(text: str, name: str, run: int) -> float:
    """From a text that is new to the verdict of its specification."""
    start = time.process_time()
    source = NestSource("a.c", {"a.c": f"{text}/* {run} */\n"}, NO_PRESET)
    assert nests.answer(_read(source, name), Budget()).verdict is Verdict.PROVED
    return _milliseconds(start)


def _proof(source: NestSource, name: str, of: Nest, tile: int) -> float:
    start = time.process_time()
    made = _read(source, f"{name}_parametric", of, tile)
    asked = Transformation(of, made, ((Name("tile"), tile),))
    assert transformation.answer(asked, Budget()).verdict is Verdict.PROVED
    return _milliseconds(start)


def test_figure_1(enforced: bool) -> None:
    """The copies in sections of the paper's figure 1 (b) to (e), right and wrong, from their values to the verdict."""
    text = Text.of("copy.rw", (LIBRARY / "loops" / "copy.rw").read_text())
    print()
    for declared in check_file(parse(text), lambda path: None).declarations:
        if isinstance(declared.value, Transformation):
            times = []
            for _ in range(RUNS):
                start = time.process_time()
                found = transformation.answer(declared.value, Budget())
                times.append(_milliseconds(start))
            assert found.verdict in (Verdict.PROVED, Verdict.REFUTED)
            print(f"{declared.name:24} {found.verdict}  {min(times):5.1f} ms, limit {FIGURE_1:g} ms")
            within(min(times), FIGURE_1, enforced)


def test_the_library_of_loops(tmp_path: Path, enforced: bool) -> None:
    """All of rules/loops, cold, as the command line checks it."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "rewright.cli", "check", str(LIBRARY / "loops"), "--no-cache", "--format", "json"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    elapsed = time.perf_counter() - start
    summary = json.loads(ran.stdout)["summary"]
    assert ran.returncode == 0 and summary["unexpected"] == 0 and summary["unknown"] == 0, summary
    counts = {word: summary[word] for word in ("proved", "checked", "refuted")}
    assert sum(counts.values()) >= RESULTS
    print(f"\nrules/loops, cold: {elapsed:.1f} s, limit {COLD:g} s; {counts}")
    within(elapsed, COLD, enforced)


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_program_of_100_000_operations(name: str, enforced: bool) -> None:
    """Sweeps of two neighbours over 101 by 101 elements, ten times: in loops, and by recursion on quadrants."""
    text = (LIBRARY / "loops" / "seidel_quadrants.c").read_text() + WHILE
    source = NestSource("a.c", {"a.c": text}, NO_PRESET)
    of = _read(source, "seidel_quadrants")
    entry = "in_loops" if name == "while" else "seidel_quadrants_recursive"
    program = read_program(source, entry, NestRequest(Name(entry), of), lambda place: place.start).program
    assert program is not None
    sizes = {Name("T"): 10, Name("N"): 101}
    start = time.process_time()
    due = specified(of, sizes, 10**7)
    before = _milliseconds(start)
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        assert checked(program, of, due, sizes, 10**7).is_right
        times.append(_milliseconds(start))
    print(f"\n{name}: {min(times):.0f} ms, limit {OPERATIONS[name]:g} ms; the specification before it {before:.0f} ms")
    within(min(times), OPERATIONS[name], enforced)


WHILE = """
void in_loops(int T, int N, double A[N][N]) {
  int t = 0;
  while (t < T) {
    t++;
    for (int i = 1; i < N; i++)
      for (int j = 1; j < N; j++)
        SWEEP(i, j);
  }
}
"""
