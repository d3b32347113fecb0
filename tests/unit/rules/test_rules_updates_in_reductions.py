"""A reduction whose body tests all axes of a class: what is true on one axis of it need not be true on another.

The fold inside the reduction mentions the index that the reduction binds and the index of the result, on axes of one
class. A case split on the latter's test alone would treat it as one truth for all axes.
"""

from __future__ import annotations

import pytest

from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Decision, Proved, Refuted, Unknown
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

DECLARED = "axes A ~ B\nmap n, m, s, t, k on A\nscalar c: T\ntensor X: T[A: n, B: m]\n"
FIRST = "reduce(max, dynamic_update_slice(X, broadcast(c, A: 1, B: 1), B: s), [A])"
SECOND = "reduce(max, dynamic_update_slice(X, broadcast(c, A: 1, B: 1), B: t), [A])"


def decision(items: str) -> Decision:
    value = check_file(parse(Text.of("asked.rw", f"rule asked<T: num> {{\n{items}\n}}\n")), lambda path: None)
    rule = value.declarations[0].value
    assert isinstance(rule, Rule)
    return decide(RuleQuestion(rule, rule.domains[0], "=>"), Budget())


@pytest.mark.parametrize(("right", "kinds"), [(FIRST, Proved), (SECOND, (Refuted, Unknown))])
def test_an_update_inside_a_reduction(right: str, kinds: type) -> None:
    assert isinstance(decision(f"{DECLARED}{FIRST} => {right}"), kinds)


def test_a_reduction_that_is_right_at_rank_one_and_wrong_at_rank_two() -> None:
    """At rank 2 an index of the result may lie in the padding on one axis and not on the other."""
    left = "reduce(max, pad(broadcast(c, A: n, B: m), v, A: (1, 0), B: (1, 0)), [A])"
    wide = "pad(broadcast(c, A: n, B: m + 1), v, A: (1, 0))"
    right = f"reduce(max, dynamic_update_slice({wide}, broadcast(v, A: n + 1, B: 1), B: 0), [A])"
    found = decision(f"axes A+ ~ B+\nmap n, m on A\nscalar c, v: T\n{left} => {right}")
    assert isinstance(found, Refuted | Unknown)
