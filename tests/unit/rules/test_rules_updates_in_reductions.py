"""A reduction whose body looks at a window: the tests of the window stay folds inside the reduction."""

from __future__ import annotations

import pytest

from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Proved, Refuted
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

DECLARED = "axes A ~ B\nmap n, m, s, t, k on A\nscalar c: T\ntensor X: T[A: n, B: m]\n"
FIRST = "reduce(max, dynamic_update_slice(X, broadcast(c, A: 1, B: 1), B: s), [A])"
SECOND = "reduce(max, dynamic_update_slice(X, broadcast(c, A: 1, B: 1), B: t), [A])"


@pytest.mark.parametrize(("right", "kind"), [(FIRST, Proved), (SECOND, Refuted)])
def test_an_update_inside_a_reduction(right: str, kind: type) -> None:
    text = f"rule asked<T: num> {{\n{DECLARED}{FIRST} => {right}\n}}\n"
    value = check_file(parse(Text.of("asked.rw", text)), lambda path: None).declarations[0].value
    assert isinstance(value, Rule)
    assert isinstance(decide(RuleQuestion(value, value.domains[0], "=>"), Budget()), kind)
