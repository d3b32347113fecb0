"""Constructs of CUDA C++: what the lowered code computes is what a compiler's code computes."""

from __future__ import annotations

from pathlib import Path

import pytest
from cuda_cases import CASES
from cuda_runs import Result, compiled, executed


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    """What the cases compute when a compiler has made them."""
    folder: Path = tmp_path_factory.mktemp("cases")
    return compiled(CASES, folder)


@pytest.mark.parametrize("name", CASES)
def test_the_lowered_code_computes_what_a_compiler_computes(name: str, reference: dict[str, Result]) -> None:
    assert executed(CASES[name], name) == reference[name]
