"""The list of mutants that no fast test notices fits the tree: each is a mutant of the sources, and has a reason."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
sys.path.append(str(ROOT / "tests" / "mutants"))

from draw_mutants import survivors  # noqa: E402
from source_mutants import mutants  # noqa: E402


@pytest.mark.parametrize(("mutant", "reason"), survivors().items())
def test_a_survivor_is_a_mutant_of_the_sources_and_has_a_reason(mutant: str, reason: str) -> None:
    assert mutant in {drawn.key for drawn in mutants(ROOT, mutant.partition("::")[0])}
    assert reason
