"""Rules about values that differ beyond their tensors, and proofs of random rules replayed at length."""

from __future__ import annotations

import random
from collections.abc import Iterator

import brute
import pytest
from at_length import beyond_rules, by_normal_forms, replayed
from builders import questions
from random_rules import Drawn
from reduction_rules import reduction_rules

from rewright.checks.looked import Contradiction, replays_of_proof
from rewright.equality.sums import decide as sums
from rewright.equality.sums.entailment import Entailment
from rewright.equality.sums.fibres import ComparisonFrame, Shapes
from rewright.model.rule import RuleQuestion
from rewright.replay.sampling import Effort

SEED = 4
NOTICED_WITHIN = 200
PLAN = brute.Search(trials=48, effort=Effort(tries=80, keep=12))


def test_values_that_differ_beyond_their_tensors() -> None:
    """What normal forms show of 60 rules holds on every input that is tried; some are shown, some are false."""
    shown = [question for _, question in _questions(beyond_rules(seed=SEED, count=60)) if by_normal_forms(question)]
    assert len(shown) > 5
    assert not [each for number, each in enumerate(shown) if brute.search(each, number, PLAN).failure]


@pytest.fixture
def fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values inside a reduction are compared as if all reads lay inside their tensors."""
    outermost: list[Shapes] = []

    def frame(entailment: Entailment, shapes: Shapes, *rest: object) -> ComparisonFrame:
        if shapes is sums.ANYWHERE:
            shapes = outermost[-1]
        outermost.append(shapes)
        return ComparisonFrame(entailment, shapes, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(sums, "ComparisonFrame", frame)


@pytest.mark.usefixtures("fault")
def test_brute_force_notices_reads_that_are_believed_to_be_inside() -> None:
    """The oracle can fail: what is shown with the fault is contradicted within these rules."""
    for number, question in _questions(beyond_rules(seed=SEED, count=NOTICED_WITHIN)):
        if by_normal_forms(question) and brute.search(question, number, PLAN).failure is not None:
            return
    pytest.fail("no wrong proof was noticed")


@pytest.mark.usefixtures("fault")
def test_a_look_notices_reads_that_are_believed_to_be_inside() -> None:
    """The look before a proof is believed has none of these get a tick, either."""
    for number, question in _questions(beyond_rules(seed=SEED, count=NOTICED_WITHIN)):
        if by_normal_forms(question):
            try:
                replays_of_proof(question)
            except Contradiction:
                return
            assert brute.search(question, number, PLAN).failure is None
    pytest.fail("no wrong proof was noticed")


def _questions(rules: Iterator[Drawn]) -> Iterator[tuple[int, RuleQuestion]]:
    return ((number, question) for number, drawn in enumerate(rules) for question in questions(drawn.rule))


@pytest.mark.soak
def test_proofs_of_fresh_rules_hold_at_length() -> None:
    """3,000 rules with reductions and windows, a third of them about values that differ beyond their tensors."""
    rules = [*(drawn for _, drawn in reduction_rules(seed=11, count=2_000)), *beyond_rules(seed=11, count=1_000)]
    random.Random(11).shuffle(rules)
    found = replayed(rules)
    print(*found.lines(), sep="\n")
    assert not found.wrong
    assert found.decisions["Proved"] > 1_000
    assert found.inputs > 100 * found.decisions["Proved"]
