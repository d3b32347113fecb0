"""Verdicts on random refinements, and on the same with a planted fault, against an oracle that shares no code.

Proved must be what the oracle finds, refuted what it does not. A pair that is right by construction is never
refuted; a fault that no input shows may be proved. What is refuted is told where: at the operator with the fault or at
one that reads it; or where a sum over ranks began that is missing, or which placement is read.
"""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from graph_mutants import GraphMutant, mutants, named_by
from graph_oracle import FLOATS, FREE, oracle_says, related_inputs, values
from graph_pairs import pairs
from graph_softmaxes import softmaxes
from spread import spread

from rewright.checks.refinement import answer
from rewright.graphs.decide import decide
from rewright.graphs.decision import RelationsFound
from rewright.model.graph import Refinement
from rewright.model.index import Name
from rewright.rules.decision import Budget
from rewright.verdict import Answer, Failure, RefinementWitness, Verdict

BUDGET = Budget(steps=2_000_000, seconds=2.0)
FEW, MANY = 200, 2000
FEW_SOFTMAXES, MANY_SOFTMAXES = 4, 500


Counted = Counter[tuple[str, str]]


def answered(refinement: Refinement, sizes: dict[Name, int]) -> Answer:
    """The answer to a refinement, which the oracle does not deny."""
    found = answer(refinement, BUDGET)
    if found.verdict is Verdict.PROVED:
        assert is_found(refinement, sizes), refinement
    if found.verdict is Verdict.REFUTED:
        assert isinstance(found.witness, RefinementWitness) and found.witness.replayed
        says = oracle_says(refinement, dict(found.witness.sizes))  # type: ignore[arg-type]
        denied = says.as_expected if found.witness.fails is Failure.EXPECTATION else says.recoverable
        assert not denied, refinement
    return found


def is_found(refinement: Refinement, sizes: dict[Name, int]) -> bool:
    """Whether the oracle finds every result, without laws of functions or else with them, in floats."""
    return any(
        says.recoverable and says.as_expected
        for says in (oracle_says(refinement, sizes, arithmetic=each) for each in (FREE, FLOATS))
    )


def tried(seed: int) -> Counted:
    """The verdicts on a right pair, and on one with a fault, of which it is counted whether the finding names it."""
    pair = pairs(f"verdicts {seed}")
    counts: Counted = Counter({("right", answered(pair.refinement, pair.sizes).verdict.value): 1})
    planted = mutants(pair.refinement, seed)
    if planted:
        fault = random.Random(seed).choice(planted)
        found = answered(fault.refinement, pair.sizes)
        counts["fault", found.verdict.value] += 1
        counts += told(fault, pair.refinement, found)
    return counts


def told(fault: GraphMutant, right: Refinement, found: Answer) -> Counted:
    """Whether the finding names the fault: by its place, or by that or a related one. A wrong expectation always is."""
    if found.verdict is not Verdict.REFUTED or fault.kind == "expectation":
        return Counter()
    (finding, *_) = found.findings
    by_place = finding.place in named_by(fault, right)
    by_any = by_place or any(each.place in named_by(fault, right) for each in finding.related)
    return Counter({("told", "all"): 1, ("told", "by place"): by_place, ("told", "by any"): by_any})


def enough_decided(counts: Counted) -> None:
    print(dict(counts))
    right = {name: count for (kind, name), count in counts.items() if kind == "right"}
    assert set(right) <= {"proved", "unknown"}
    assert right["proved"] >= 0.95 * sum(right.values())
    assert counts["fault", "refuted"] >= 0.9 * (counts["fault", "refuted"] + counts["fault", "unknown"])
    assert counts["told", "by any"] >= 0.9 * counts["told", "all"] > 0
    assert counts["told", "by place"] >= 0.8 * counts["told", "all"]


def in_floats(seed: int) -> Counter[str]:
    """What is decided of a softmax and of the same with faults: what is proved holds in floats."""
    sizes = {Name("a"): 2, Name("b"): 4, Name("c"): 1}
    right = softmaxes(f"verdicts {seed}")
    counts: Counter[str] = Counter()
    with np.errstate(all="ignore"):
        for asked in (right, *(each.refinement for each in mutants(right, seed)[:8])):
            decision = decide(asked).decision
            counts[type(decision).__name__] += 1
            if isinstance(decision, RelationsFound):
                assert holds_where_valued(asked, sizes), asked
    return counts


def holds_where_valued(refinement: Refinement, sizes: dict[Name, int]) -> bool:
    """Whether the oracle finds every result in floats, or some element has no value."""
    says = oracle_says(refinement, sizes, arithmetic=FLOATS)
    whole, _ = related_inputs(refinement, sizes, random.Random("oracle 0"), FLOATS)
    found = values(refinement.sequential, sizes, whole, FLOATS).values()
    return (says.recoverable and says.as_expected) or any(not np.all(np.isfinite(each)) for each in found)


def test_verdicts_on_softmaxes_and_their_faults() -> None:
    counts = sum(map(in_floats, range(FEW_SOFTMAXES)), Counter())
    assert counts["RelationsFound"] and counts["RelationsMissing"]


@pytest.mark.soak
def test_verdicts_on_many_softmaxes_and_their_faults() -> None:
    sum(spread(in_floats, range(FEW_SOFTMAXES, MANY_SOFTMAXES)), Counter())


def test_verdicts_on_random_graphs() -> None:
    enough_decided(sum(map(tried, range(FEW)), Counter()))


@pytest.mark.soak
def test_verdicts_on_many_random_graphs() -> None:
    enough_decided(sum(spread(tried, range(FEW, MANY)), Counter()))
