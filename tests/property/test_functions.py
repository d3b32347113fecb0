"""Random identities of functions and sums, and false twins: each proof is replayed by enclosures at length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

import brute
import pytest
from builders import questions
from function_identities import pairs
from printing import rule_text
from spread import spread

from rewright.model.rule import Rule, RuleQuestion
from rewright.replay.looking import LookLimits, look
from rewright.replay.sampling import Effort
from rewright.rules.claim import claim_of
from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Mode, Refuted
from rewright.rules.leaf import Closed
from rewright.rules.obligations import goals
from rewright.rules.paths import Prover

BUDGET = Budget(steps=300_000, seconds=1.0)
PLAN = brute.Search(trials=12, effort=Effort(tries=20, keep=6))
LOOK = LookLimits(inputs=12, tried=40, steps=500_000)
THOROUGH = brute.Search(trials=80, effort=Effort(tries=120, keep=12))
MOST_UNKNOWN = 0.1
"""The share of true identities that may stay undecided."""


@dataclass(frozen=True)
class Outcome:
    """What came out for a rule: the decision, inputs on which a proof was replayed, and one on which it fails."""

    decision: str
    replayed: int
    wrong: str | None


@dataclass
class Seen:
    """What came out for all of them."""

    true: Counter[str] = field(default_factory=Counter)
    twins: Counter[str] = field(default_factory=Counter)
    replayed: int = 0
    wrong: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def test_identities_of_functions() -> None:
    """50 of them, by normal forms."""
    _check(seed=5, count=50, plan=PLAN, answered=by_normal_forms)


@pytest.mark.soak
def test_many_identities_of_functions() -> None:
    """2,000 of them, with the solver."""
    _check(seed=6, count=2_000, plan=THOROUGH, answered=with_the_solver)


Answered = Callable[[RuleQuestion], str]
"""The decision on a question, by name."""


def by_normal_forms(question: RuleQuestion) -> str:
    prover = Prover(None, Mode.NORMAL_FORMS)
    proved = all(isinstance(prover.prove(goal), Closed) for goal in goals(claim_of(question), Mode.NORMAL_FORMS))
    return "Proved" if proved else "Unknown"


def with_the_solver(question: RuleQuestion) -> str:
    """What the laws of functions only allow is not decided: no counterexample is replayed here."""
    decision = decide(question, BUDGET)
    return "Unknown" if isinstance(decision, Refuted) and not decision.exact else type(decision).__name__


def _check(seed: int, count: int, plan: brute.Search, answered: Answered) -> None:
    drawn = list(pairs(seed, count))
    rules = [rule for pair in drawn for rule in (pair.true, pair.twin)]
    found = list(spread(partial(outcome, plan=plan, answered=answered), enumerate(rules)))
    seen = _seen(rules, found)
    share = seen.true["Unknown"] / count
    print(f"true: {dict(seen.true)}; twins: {dict(seen.twins)}; {seen.replayed} inputs of proofs replayed")
    print(*seen.unknown, sep="\n")
    assert not seen.wrong
    assert seen.true["Proved"] + seen.true["Unknown"] == count
    assert share < MOST_UNKNOWN
    assert seen.twins["Proved"] < count / 4
    assert seen.replayed > 10 * count


def outcome(numbered: tuple[int, Rule], plan: brute.Search, answered: Answered) -> Outcome:
    """The decision on one rule; a proof is replayed."""
    number, rule = numbered
    (question,) = questions(rule)
    decision = answered(question)
    if decision != "Proved":
        return Outcome(decision, 0, None)
    replayed, failing = _failure(question, number, plan)
    return Outcome("Proved", replayed, None if failing is None else str(failing))


def _failure(question: RuleQuestion, seed: int, plan: brute.Search) -> tuple[int, object | None]:
    sampled = brute.search(question, seed, plan)
    small = look(question, LOOK)
    return sampled.valid + small.replayed, sampled.failure or small.failing


def _seen(rules: Iterable[Rule], found: Iterable[Outcome]) -> Seen:
    seen = Seen()
    for place, (rule, each) in enumerate(zip(rules, found, strict=True)):
        is_true = place % 2 == 0
        (seen.true if is_true else seen.twins)[each.decision] += 1
        seen.replayed += each.replayed
        if each.wrong is not None:
            seen.wrong.append(f"{rule_text(rule)}\nproved, but fails on {each.wrong}")
        if is_true and each.decision != "Proved":
            seen.unknown.append(f"{each.decision}: {rule_text(rule)}")
    return seen
