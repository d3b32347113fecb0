"""Random rules about closed forms, and false twins: each proof is replayed on small inputs, at sizes from 0."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest
from closed_identities import pairs
from spread import spread
from test_functions import PLAN, THOROUGH, Answered, by_normal_forms, outcome, with_the_solver

from rewright.equality import closed_forms, closed_sums

MOST_UNKNOWN = 0.1
"""The share of true rules that may stay undecided."""


def test_closed_forms() -> None:
    """24 rules and their twins."""
    _check(seed=1, count=24, answered=with_the_solver)


@pytest.mark.soak
def test_many_closed_forms() -> None:
    """1,000 of them."""
    _check(seed=2, count=1_000, answered=with_the_solver)


def test_what_is_proved_with_one_term_more_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = closed_forms.sum_of_powers
    monkeypatch.setattr(closed_sums, "sum_of_powers", lambda power, last: right(power + 1, last))
    with pytest.raises(AssertionError):
        _check(seed=1, count=24, answered=by_normal_forms)


def _check(seed: int, count: int, answered: Answered) -> None:
    plan = THOROUGH if count > 100 else PLAN
    rules = [rule for pair in pairs(seed, count) for rule in (pair.true, pair.twin)]
    found = list(spread(partial(outcome, plan=plan, answered=answered), enumerate(rules)))
    true, twins = Counter(each.decision for each in found[::2]), Counter(each.decision for each in found[1::2])
    print(f"true: {dict(true)}; twins: {dict(twins)}")
    assert [each.wrong for each in found if each.wrong is not None] == []
    assert true["Proved"] + true["Unknown"] == count
    assert true["Unknown"] <= MOST_UNKNOWN * count
    # |x| is |−x|, and (−1)ⁿ⁺¹ the opposite of (−1)ⁿ: a few hold by chance
    assert twins["Proved"] <= count / 20
    assert sum(each.replayed for each in found) > 10 * count
