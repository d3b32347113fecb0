"""The list of mutants that no fast test notices fits the tree: each is a mutant of the sources, and has a reason."""

import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
sys.path.append(str(ROOT / "tests" / "mutants"))

from draw_mutants import survivors  # noqa: E402
from source_mutants import mutants  # noqa: E402


@cache
def keys(file: str) -> set[str]:
    """What tells the mutants of a file from each other."""
    return {mutant.key for mutant in mutants(ROOT, file)}


@pytest.mark.parametrize(("mutant", "reason"), survivors().items())
def test_a_survivor_is_a_mutant_of_the_sources_and_has_a_reason(mutant: str, reason: str) -> None:
    assert mutant in keys(mutant.partition("::")[0])
    assert reason
