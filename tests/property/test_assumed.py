"""Rules with assumptions on what they reduce: what is shown of them holds on inputs that meet the assumptions."""

from __future__ import annotations

from collections.abc import Iterator

import brute
import pytest
from at_length import assumed_rules, by_normal_forms, replayed
from builders import questions

from rewright.model.rule import RuleQuestion
from rewright.replay.sampling import Effort
from rewright.rules.equations import TermPlace
from rewright.terms import Term

SEED = 3
NOTICED_WITHIN = 200
PLAN = brute.Search(trials=48, effort=Effort(tries=80, keep=12))


def test_what_assumptions_say_inside_reductions() -> None:
    """What normal forms show of 40 rules holds on every input that is tried; some are shown, some are false."""
    asked = list(_questions(count=40))
    shown = [question for _, question in asked if by_normal_forms(question)]
    assert len(shown) > 8
    found = [brute.search(each, number, PLAN) for number, each in enumerate(shown)]
    assert not [each.failure for each in found if each.failure]
    # contents drawn at random seldom are in order
    assert sum(each.valid > 0 for each in found) > len(found) / 2
    assert any(brute.search(each, number, PLAN).failure for number, each in asked if each not in shown)


def test_brute_force_notices_assumptions_that_are_used_beyond_their_tensors(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oracle can fail: with the fault something that is shown is contradicted within these rules."""

    def anywhere(place: TermPlace, inside: Term) -> bool:
        return True

    monkeypatch.setattr(TermPlace, "_shown", anywhere)
    for number, question in _questions(count=NOTICED_WITHIN):
        if by_normal_forms(question) and brute.search(question, number, PLAN).failure is not None:
            return
    pytest.fail("no wrong proof was noticed")


def _questions(count: int) -> Iterator[tuple[int, RuleQuestion]]:
    rules = assumed_rules(seed=SEED, count=count)
    return ((number, question) for number, drawn in enumerate(rules) for question in questions(drawn.rule))


@pytest.mark.soak
def test_proofs_under_assumptions_hold_at_length() -> None:
    """1,000 rules with assumptions on what they reduce, their proofs replayed at length."""
    found = replayed(assumed_rules(seed=13, count=1_000))
    print(*found.lines(), sep="\n")
    assert not found.wrong
    assert found.decisions["Proved"] > 200
    assert found.inputs > 50 * found.decisions["Proved"]
