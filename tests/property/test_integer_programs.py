"""The interpreter of programs in C, and the walk that replays them, against what gcc makes of the same texts."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
from integer_programs import drawn

from rewright.frontends.c.reading import read, read_program
from rewright.frontends.nests import NestRequest, NestSource
from rewright.frontends.preset import NO_PRESET
from rewright.loops.programs.closures import built
from rewright.loops.programs.machine import Cell, ProgramMachine, Reads
from rewright.model.index import Name
from rewright.replay.loops.program import ProgramWalk

RUN = "#define S(e, f) A[e] = B[f]\n"
PRINTED = """\
#include <stdio.h>
#include <stdlib.h>
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define S(e, f) printf("%d %d\\n", (int)(e), (int)(f))
"""
COPY = """
void copy(int N, double A[N], double B[N]) {
#pragma scop
  for (int i = 0; i < N; i++) A[i] = B[i];
#pragma endscop
}
"""
Accessed = list[tuple[int, int]]


def by_gcc(texts: list[str], folder: Path) -> list[Accessed]:
    calls = "".join(f'  f{at}(1, 0, 0); puts("end");\n' for at in range(len(texts)))
    # Helpers do no operations on arrays of their own: `S` only prints.
    (folder / "a.c").write_text(f"{PRINTED}{''.join(texts)}int main(void) {{\n{calls}  return 0;\n}}\n")
    subprocess.run(["gcc", "-O1", "-w", "-fwrapv", "-o", folder / "a", folder / "a.c"], check=True)
    ran = subprocess.run([folder / "a"], check=True, capture_output=True, text=True, timeout=60).stdout
    found: list[Accessed] = [[]]
    for line in ran.splitlines():
        if line == "end":
            found.append([])
        else:
            write, read_ = map(int, line.split())
            found[-1].append((write, read_))
    return found[:-1]


def by_us(text: str, name: str) -> tuple[Accessed, Accessed]:
    source = NestSource("a.c", {"a.c": f"{RUN}{COPY}{text}"}, NO_PRESET)
    copy = read(source, "copy", NestRequest(Name("copy")), lambda place: place.start)
    assert copy is not None and copy.nest is not None
    request = NestRequest(Name(name), copy.nest)
    made = read_program(source, name, request, lambda place: place.start)
    assert made.program is not None, (made.findings, text)
    found: Accessed = []

    def perform(signature: str, cell: Cell, reads: Reads) -> None:
        (element,) = reads
        assert isinstance(element, tuple)
        found.append((int(cell[1]), int(element[1])))

    built(made.program, ProgramMachine(perform, 1_000_000), {Name("N"): 1}, (Name("A"), Name("B")))()
    run = ProgramWalk({each.name: each for each in made.program.functions}, 1_000_000)
    walked = run.operations(made.program.body, {Name("N"): 1, Name("A"): (Name("A"), ()), Name("B"): (Name("B"), ())})
    replayed = [(each.writes[1][0], read_[1][0]) for each in walked for read_ in each.reads if isinstance(read_, tuple)]
    return found, replayed


def agree(seeds: range, folder: Path) -> int:
    """How many operations the programs of these seeds execute, in which all three agree."""
    texts = [drawn(Random(seed), f"f{at}") for at, seed in enumerate(seeds)]
    expected = by_gcc(texts, folder)
    for at, text in enumerate(texts):
        found, replayed = by_us(text, f"f{at}")
        assert found == expected[at], (seeds[at], text)
        assert replayed == expected[at], (seeds[at], text)
    return sum(map(len, expected))


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not there")
def test_programs_do_what_gcc_makes_of_them(tmp_path: Path) -> None:
    assert agree(range(60), tmp_path) > 200


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not there")
def test_many_programs_do_what_gcc_makes_of_them(tmp_path: Path) -> None:
    assert agree(range(1000, 3000), tmp_path) > 9_000
