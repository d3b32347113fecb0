"""The page that sets rules/loops beside the paper's tables: made from the list that the library is tested with."""

from __future__ import annotations

import os
from pathlib import Path

import loops_list
from loops_paper import (
    BENCHMARKS,
    BUGS,
    FAMILIES,
    PASSES,
    POLYOPT,
    RECURSIVE,
    SHAPES,
    paper_page,
    right,
    verdict,
    wrong,
)

PAGE = Path(__file__).parents[3] / "docs" / "loops-polycheck.md"
LIBRARY = PAGE.parents[1] / "rules" / "loops"


def test_each_benchmark_is_proved_under_each_pass() -> None:
    for file in BENCHMARKS.values():
        for names in PASSES.values():
            assert len(right(file, names)) == 1


def test_tile_sizes_are_those_that_the_page_names() -> None:
    for file in BENCHMARKS.values():
        text = (LIBRARY / f"{file}.c").read_text(encoding="utf-8")
        assert f"transform {file}_parametric(tile) of {file} at tile = 3, 16\n" in text
        assert f"transform {file}_tiled_apart of {file}\n" in text


OF_OUR_OWN = {"copy_by_halves", "sum_by_halves"}
"""Files with what the tables of the paper do not have."""


def test_each_wrong_transform_of_the_library_has_one_kind() -> None:
    kinds = [name for names in BUGS.values() for name in names]
    assert len(kinds) == len(set(kinds))
    for file in BENCHMARKS.values():
        assert set(loops_list.WRONG[file]) <= set(kinds)
        assert all(wrong(file, BUGS[kind]) for kind in ("loop bound", "array access"))
    of_the_paper = {*BENCHMARKS.values(), *RECURSIVE, *FAMILIES.values()}
    assert of_the_paper | OF_OUR_OWN == set(loops_list.WRONG) == set(loops_list.PROVED)


def test_each_family_has_another_order_and_a_wrong_one() -> None:
    for file in FAMILIES.values():
        assert len(loops_list.PROVED[file].split()) >= 2
        assert loops_list.WRONG[file]


def test_what_is_said_to_be_there_is_there() -> None:
    assert all(verdict(transform) == "checked" for transform, _ in SHAPES.values() if transform)
    assert all(verdict(transform).startswith("refuted") for transform, _ in POLYOPT.values() if transform)


def test_the_page_is_that_of_the_table() -> None:
    if os.environ.get("REWRIGHT_UPDATE"):
        PAGE.write_text(paper_page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == paper_page()
