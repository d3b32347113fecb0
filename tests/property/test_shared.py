"""Random rules whose sides share what they compute, against brute force."""

from __future__ import annotations

from functools import partial
from typing import Any

import brute
import pytest
from agreement import Tally, line
from builders import questions
from shared_rules import shared_rules
from spread import spread

from rewright.meaning.scope import NotCovered
from rewright.model.rule import RuleQuestion
from rewright.replay.sampling import Effort
from rewright.rules import shared
from rewright.rules.claim import claim_of, generalized
from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Mode, Proved
from rewright.rules.leaf import Closed
from rewright.rules.obligations import goals
from rewright.rules.paths import Prover
from rewright.verdict import Failure, Verdict

PLAN = brute.Search(trials=32, effort=Effort(tries=80, keep=12), top=3)
BUDGET = Budget(steps=1_000_000, seconds=1.0)
NOTICED_WITHIN = 150


def test_random_rules_whose_sides_share_something() -> None:
    """50 rules: none is proved that fails, and what is shared decides some of them."""
    _check(seed=1, count=50)


@pytest.mark.soak
def test_many_random_rules_whose_sides_share_something() -> None:
    """3,000 rules."""
    _check(seed=2, count=3_000)


def _check(seed: int, count: int) -> None:
    found = Tally()
    for each in spread(partial(line, plan=PLAN), enumerate(shared_rules(seed, count))):
        found.add(each)
    print(*found.lines(), sep="\n")
    assert not found.disagreements
    assert found.rules == count
    assert found.share(Verdict.PROVED) > 1 / 8
    assert found.refuted_with_input > count / 4


def test_what_is_shared_is_any_tensor() -> None:
    """Where the goals that imply a rule's are shown, brute force finds no input on which the rule fails."""
    shown = [question for drawn in shared_rules(3, 40) for question in questions(drawn.rule) if _in_general(question)]
    assert len(shown) > 5
    assert not [each for number, each in enumerate(shown) if brute.search(each, number, PLAN).failure]


def test_brute_force_notices_parts_that_are_taken_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oracle can fail: if all parts by one operator were the same tensor, wrong rules would be proved."""
    monkeypatch.setattr(shared, "_bare", _kind)
    for number, drawn in enumerate(shared_rules(4, NOTICED_WITHIN)):
        for question in questions(drawn.rule):
            if isinstance(decide(question, BUDGET), Proved) and brute.search(question, number, PLAN).failure:
                return
    pytest.fail("no wrong proof was noticed")


def _kind(node: Any) -> Any:
    return type(node), node.type, node.groups


def _in_general(question: RuleQuestion) -> bool:
    """Whether the sides share something and are shown to be equal whatever it is."""
    try:
        claim = generalized(claim_of(question), question)
    except NotCovered:
        return False
    implying = [goal.general for goal in goals(claim, Mode.NORMAL_FORMS) if goal.fails is Failure.VALUE]
    others = [goal for goal in goals(claim, Mode.NORMAL_FORMS) if goal.fails is not Failure.VALUE]
    wanted = [*others, *(goal for goal in implying if goal is not None)]
    if None in implying:
        return False
    return all(isinstance(Prover(None, Mode.NORMAL_FORMS).prove(goal), Closed) for goal in wanted)
