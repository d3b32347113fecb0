"""The loop nests of rules/loops in C against what gcc makes of them: see `c_oracle`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from c_oracle import agreements

LIBRARY = Path(__file__).parents[2] / "rules" / "loops"
FILES = sorted(LIBRARY.glob("*.c"))
SIZES = ((1, 1, 1), (1, 4, 3), (2, 3, 4), (5, 4, 3), (3, 9, 6), (4, 21, 19), (2, 37, 35), (21, 5, 4))
QUICK = {"gemm", "gauss_seidel", "seidel_quadrants", "cholesky", "lu_by_blocks"}

EQUAL_ALL_THE_SAME = {
    "copy_by_halves_overlapping",  # copies the middle twice
    "doitgen_twice",  # stores the same value again
    "jacobi_tiles_overlapping",
    "jacobi_twice",
    "reg_detect_twice",
    "seidel_quadrants_once_more",  # a sweep of two neighbours changes nothing the second time
}
"""Transforms that do something once too often which does not change what is there."""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not there")
@pytest.mark.parametrize(
    "file", [pytest.param(each, id=each.stem, marks=[] if each.stem in QUICK else [pytest.mark.soak]) for each in FILES]
)
def test_what_is_proved_leaves_the_same_and_what_is_refuted_does_not(file: Path, tmp_path: Path) -> None:
    found = agreements(file, tmp_path, SIZES)
    assert len(found) >= 2 and any(each.is_refuted for each in found)
    for each in found:
        assert all(each.agrees) == (not each.is_refuted or each.name in EQUAL_ALL_THE_SAME), each
