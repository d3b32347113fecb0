"""`rewright transform`: prints what was proved, says what forbids an order, writes where it is asked to."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest
from command_line import Done, rewright
from worker_here import WorkerHere, handler_of

from rewright.engine import worker_pool

SEIDEL = """// sweeps
loops seidel(T, N) {
  array A: f64[N, N]
  for t in 0..T, i in 1..N, j in 1..N { S: A[i, j] = A[i-1, j] + A[i, j-1] }
}

transform copy of seidel {
  for t in 0..T, i in 1..N, j in 1..N { S: A[i, j] = A[i-1, j] + A[i, j-1] }
}
"""

C = """#include "sizes.h"
void fill(double A[N]) {
#pragma scop
  for (int i = 0; i < N; i++)
    A[i] = 0.0;
#pragma endscop
}
"""


def transform(folder: Path, *arguments: str) -> Done:
    with patch.object(worker_pool, "Worker", partial(WorkerHere, handler_of)):
        return rewright(folder, "transform", "--cache", str(folder / "cache"), *arguments)


def test_what_is_proved_is_printed(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text(SEIDEL)
    done = transform(tmp_path, "a.rw", "--name", "seidel", "--schedule", "interchange(i, j)")
    assert (done.returncode, done.stderr) == (
        0,
        "rewright: `seidel_interchanged` is proved: all sizes, T, N >= 1; assumes arrays do not overlap\n",
    )
    assert done.stdout.startswith("transform seidel_interchanged of seidel {\n  for t in 0..T, j in 1..N, i in 1..N {")


def test_marks_that_are_left_out_are_said(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text(
        "loops shift(N) {\n  array A, B, C: f64[N]\n"
        "  parallel for i in 1..N { S: B[i] = A[i] }\n  parallel for i in 1..N { U: C[i] = B[i - 1] }\n}\n"
    )
    done = transform(tmp_path, "a.rw", "--name", "shift", "--schedule", "fuse")
    assert "for i in 1..N {" in done.stdout and "parallel" not in done.stdout
    assert done.stderr.endswith("; its loops are not marked as parallel, as loops of the nest are\n")


def test_what_forbids_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text(SEIDEL)
    done = transform(tmp_path, "a.rw", "--name", "seidel", "--schedule", "interchange(t, i)")
    assert (done.returncode, done.stdout) == (1, "")
    assert "`S` at t = 0, i = 2, j = 1 must come before `S` at t = 1, i = 1, j = 1" in done.stderr


def test_it_is_written_after_the_nest(tmp_path: Path) -> None:
    file = tmp_path / "a.rw"
    file.write_bytes(b"\xef\xbb\xbf" + SEIDEL.encode())
    done = transform(tmp_path, "a.rw", "--name", "seidel", "--schedule", "tile(8)", "--as", "tiled", "--write")
    assert (done.returncode, done.stdout) == (0, "")
    before, _, after = SEIDEL.partition("}\n}\n")
    text = file.read_bytes().decode("utf-8-sig")
    assert text.startswith(f"{before}}}\n}}\n\ntransform tiled of seidel {{\n") and text.endswith(f"}}\n{after}")


def test_a_source_is_read_with_what_it_includes(tmp_path: Path) -> None:
    (tmp_path / "fill.c").write_text(C)
    (tmp_path / "sizes.h").write_text("enum { M = 100 };\n")
    done = transform(tmp_path, "fill.c", "--name", "fill", "--schedule", "reverse(i)")
    assert done.returncode == 0, done.stderr
    assert "  for (int i = N - 1; i >= 0; i--)\n    A[i] = 0.0;" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a.rw", "--name", "none", "--schedule", "skew"), "there is no declaration `none`"),
        (("a.rw", "--name", "copy", "--schedule", "turn"), "`turn` is no step of a schedule"),
        (("a.rw", "--name", "seidel", "--schedule", "tile(8)", "--as", "copy"), "the name `copy` is taken"),
        (("b.rw", "--name", "seidel", "--schedule", "skew"), "b.rw: No such file"),
        (("a.txt", "--name", "seidel", "--schedule", "skew"), "no loop nests are read of sources in this language"),
        (("c.rw", "--name", "seidel", "--schedule", "skew"), "stand in a source"),
        (("d.rw", "--name", "broken", "--schedule", "skew"), "its declaration has errors"),
    ],
)
def test_what_cannot_be_written(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    (tmp_path / "a.rw").write_text(SEIDEL)
    (tmp_path / "a.txt").write_text(SEIDEL)
    (tmp_path / "c.rw").write_text('loops seidel from "seidel.c"\n')
    (tmp_path / "d.rw").write_text("loops broken(N) {\n  array A: f64[N]\n  for i in 0..N { A[q] = 0.0 }\n}\n")
    done = transform(tmp_path, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
