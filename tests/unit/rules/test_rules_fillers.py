"""Values that differ only beyond their tensors: what a pad or a window holds there is not taken for anything else.

Three values of one shape meet in each rule. Two of them are equal only as long as a tensor is believed to hold beyond
its size what the comparison at hand likes best; taken together such beliefs contradict each other.
"""

from __future__ import annotations

import pytest
from rules_text import asked_over

from rewright.checks.rule import answer
from rewright.model.rule import RuleQuestion
from rewright.replay.outcomes import Fails
from rewright.replay.rule import replay
from rewright.rules.claim import claim_of
from rewright.rules.decision import Budget, Mode
from rewright.rules.leaf import Closed
from rewright.rules.obligations import goals
from rewright.rules.paths import Prover
from rewright.verdict import Failure, RuleWitness, Verdict

TRUTHS = "int, P: pred"


def window(monoid: str, times: int = 1) -> str:
    """X, and after it the identity of the monoid so many times."""
    return f"reduce_window({monoid}, X, d: (size = 2, stride = 2, base = 2, high = {2 * times + 1}))"


def padded(value: str) -> str:
    """X, and after it the value."""
    return f"pad(X, {value}, d: (high = 1))"


def rule(function: str, reducer: str, left: tuple[str, ...], right: tuple[str, ...], of: str = "T") -> str:
    """Each side combines the function's results on its values, each reduced, by the reducer."""
    items = f"axis d\nint n\nfn f: ({of}) -> T\ntensor X: {of}[d: n]\n"
    return f"{items}{_combined(function, reducer, left)} => {_combined(function, reducer, right)}"


def _combined(function: str, reducer: str, values: tuple[str, ...]) -> str:
    first, second = (f"reduce({reducer}, {function.format(value)}, d)" for value in values)
    return f"max({first}, {second})" if reducer == "max" else f"{first} + {second}"


ONE, NOTHING = window("multiply"), window("add")
LEAST, GREATEST = window("max"), window("min")

ABSOLUTE, CALLED, POWER, NEGATIVE = "abs({})", "f({})", "exp({})", "-({})"

FALSE = {
    "0 or 1, absolute": ("int", rule(ABSOLUTE, "max", ("X", padded("0")), ("X", ONE))),
    "1 or 0, absolute": ("int", rule(ABSOLUTE, "add", ("X", ONE), ("X", NOTHING))),
    "0 or 1, after what is padded": ("int", rule(ABSOLUTE, "max", (NOTHING, "X"), (NOTHING, ONE))),
    "a sum of results": ("int", rule(CALLED, "add", ("X", NOTHING), ("X", ONE))),
    "a maximum of results": ("real", rule(CALLED, "max", ("X", padded("0")), ("X", ONE))),
    "powers": ("real", rule(POWER, "max", ("X", NOTHING), ("X", ONE))),
    "infinite or 1": ("int", rule(NEGATIVE, "max", (GREATEST, LEAST), (GREATEST, ONE))),
    "infinite or 0": ("int", rule(NEGATIVE, "max", (padded("1"), LEAST), (padded("1"), NOTHING))),
    "truths": (TRUTHS, rule(CALLED, "add", ("X", window("and", 2)), ("X", window("or", 2)), of="P")),
}

GROUP = """
axes K
map n on K
scalar a, b: T
fn f: (T) -> T
tensor X: T[K: n]
a * reduce(add, f(X), K) + b * reduce(add, f(pad(X, 0, K: (high = 1))), K)
  => a * reduce(add, f(X), K) +
     b * reduce(add, f(reduce_window(multiply, X, K: (size = 2, stride = 2, base = 2, high = 3))), K)
"""
FALSE["a group of axes"] = ("real", GROUP)

TRUE = {
    "1, absolute": ("int", rule(ABSOLUTE, "max", ("X", padded("1")), ("X", ONE))),
    "0, of results": ("int", rule(CALLED, "add", ("X", padded("0")), ("X", NOTHING))),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_stands_beyond_a_tensor_is_distinguished(name: str) -> None:
    asked = asked_over(*FALSE[name])
    assert not _by_normal_forms(asked)
    found = answer(asked, Budget(), Mode.NORMAL_FORMS)
    assert found.verdict is Verdict.REFUTED
    assert isinstance(found.witness, RuleWitness) and found.witness.replayed
    outcome = replay(asked, found.witness.instance)
    assert isinstance(outcome, Fails) and outcome.failure is Failure.VALUE


@pytest.mark.parametrize("name", TRUE)
def test_what_is_the_same_there_is_proved(name: str) -> None:
    assert _by_normal_forms(asked_over(*TRUE[name]))


def _by_normal_forms(asked: RuleQuestion) -> bool:
    """Whether the comparison of sums alone shows the rule, whatever replays say to it."""
    prover = Prover(None, Mode.NORMAL_FORMS)
    return all(isinstance(prover.prove(goal), Closed) for goal in goals(claim_of(asked), Mode.NORMAL_FORMS))
