"""Constructs of CUDA C++: what the lowered code computes is what a compiler's code computes.

Each file in `cuda_cases` is one kernel that has the name of its file.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from cuda_runs import Result, compiled, executed

CASES = {path.stem: path.read_text() for path in sorted((Path(__file__).parent / "cuda_cases").glob("*.cu"))}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    """What the cases compute when a compiler has made them."""
    return compiled(CASES, tmp_path_factory.mktemp("cases"))


@pytest.mark.parametrize("name", CASES)
def test_the_lowered_code_computes_what_a_compiler_computes(name: str, reference: dict[str, Result]) -> None:
    assert executed(CASES[name], name) == reference[name]
