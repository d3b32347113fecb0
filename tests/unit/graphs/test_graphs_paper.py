"""The page that sets rules/graphs beside the paper's tables: made from what is answered about the library."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from entangle_paper import BUGS, MODELS, answered, paper_page

from rewright.verdict import Verdict

PAGE = Path(__file__).parents[3] / "docs" / "graphs-entangle.md"


@pytest.mark.parametrize("name", [*(each.ours for each in MODELS), *(each.mended for each in BUGS)])
def test_what_has_the_shape_of_a_model_or_of_a_mended_bug_is_proved(name: str) -> None:
    found = answered(name)
    assert found.verdict is Verdict.PROVED and not found.coverage.bounded


@pytest.mark.parametrize("name", [each.wrong for each in BUGS])
def test_what_has_the_shape_of_a_bug_is_refuted(name: str) -> None:
    assert answered(name).verdict is Verdict.REFUTED


def test_the_page_is_that_of_the_tables() -> None:
    if os.environ.get("REWRIGHT_UPDATE"):
        PAGE.write_text(paper_page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == paper_page()
