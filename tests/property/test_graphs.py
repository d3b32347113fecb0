"""Verdicts on random refinements, and on the same with a planted fault, against an oracle that shares no code.

Proved must be what the oracle finds, refuted what it does not. A pair that is right by construction is never
refuted; a fault that no input shows may be proved.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from graph_mutants import mutants
from graph_oracle import oracle_says
from graph_pairs import pairs
from spread import spread

from rewright.checks.refinement import answer
from rewright.model.graph import Refinement
from rewright.model.index import Name
from rewright.rules.decision import Budget
from rewright.verdict import Failure, RefinementWitness, Verdict

BUDGET = Budget(steps=2_000_000, seconds=2.0)
FEW, MANY = 8, 2000


Counted = Counter[tuple[str, Verdict]]


def verdict(refinement: Refinement, sizes: dict[Name, int]) -> Verdict:
    """The verdict on a refinement, which the oracle does not deny."""
    found = answer(refinement, BUDGET)
    if found.verdict is Verdict.PROVED:
        says = oracle_says(refinement, sizes)
        assert says.recoverable and says.as_expected, refinement
    if found.verdict is Verdict.REFUTED:
        assert isinstance(found.witness, RefinementWitness) and found.witness.replayed
        says = oracle_says(refinement, dict(found.witness.sizes))  # type: ignore[arg-type]
        denied = says.as_expected if found.witness.fails is Failure.EXPECTATION else says.recoverable
        assert not denied, refinement
    return found.verdict


def tried(seed: int) -> Counted:
    """The verdicts on a right pair, and on one with a fault."""
    pair = pairs(f"verdicts {seed}")
    counts: Counted = Counter({("right", verdict(pair.refinement, pair.sizes)): 1})
    planted = mutants(pair.refinement, seed)
    if planted:
        counts["fault", verdict(random.Random(seed).choice(planted).refinement, pair.sizes)] += 1
    return counts


def enough_decided(counts: Counted) -> None:
    print(dict(counts))
    right = {name: count for (kind, name), count in counts.items() if kind == "right"}
    assert set(right) <= {Verdict.PROVED, Verdict.UNKNOWN}
    assert right[Verdict.PROVED] >= 0.95 * sum(right.values())
    assert counts["fault", Verdict.REFUTED]


def test_verdicts_on_random_graphs() -> None:
    enough_decided(sum(map(tried, range(FEW)), Counter()))


@pytest.mark.soak
def test_verdicts_on_many_random_graphs() -> None:
    enough_decided(sum(spread(tried, range(FEW, MANY)), Counter()))
