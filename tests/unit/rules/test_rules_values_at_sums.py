"""Values that are read at a sum of indices, as between two convolutions, and maxima that differ in one operand."""

from __future__ import annotations

import pytest
from rules_text import LAYERS, asked, decision

from rewright.checks.rule import answer
from rewright.equality.sums.opaque import _summed
from rewright.rules.decision import Budget, Mode, Proved
from rewright.terms import INT, Slot, access, add, non_negative, plus, variable
from rewright.verdict import Method, RuleWitness, Verdict

TWICE = f"""{LAYERS}\
let again = convolution(X, pad(V, 0, S: ({{0}}, {{1}})), batch = N, feature = F, output = G, S: (low = 1, high = 1))
{{2}}
where h <= 1
"""
ABOVE = """
convolution(abs(inner), W, batch = N, feature = G, output = O, S: (low = k, high = k))
  => convolution(abs(again), W, batch = N, feature = G, output = O, S: (low = k, high = k))
"""
LARGER = """
convolution(max(inner, 0), W, batch = N, feature = G, output = O, S: (low = k, high = k))
  => convolution(max(again, 0), pad(W, 0, S: (1 - k, 1 - k)), batch = N, feature = G, output = O,
    S: (low = 1, high = 1))
where k <= 1
"""
SHIFTED = LARGER.replace("S: (1 - k, 1 - k)", "S: (0, 2 - 2 * k)")
VALUES = """
axes K, L
map n on K
map l on L
tensor X, Y: T[K: n]
tensor M: T[K: n, L: l]
"""

TRUE = {
    "one kernel is larger": TWICE.format("1 - h", "1 - h", ABOVE),
    "both kernels are larger": TWICE.format("1 - h", "1 - h", LARGER),
    "one operand is written differently": VALUES
    + "max(max(reduce(add, M, L), X), Y) => max(Y, max(reduce(add, reverse(M, L), L), X))",
}
FALSE = {
    "the lower kernel is shifted": TWICE.format("0", "2 - 2 * h", LARGER),
    "the upper kernel is shifted": TWICE.format("1 - h", "1 - h", SHIFTED),
    "one operand is another": VALUES + "max(max(reduce(add, M, L), X), Y) => max(Y, max(reduce(add, M + M, L), X))",
}


@pytest.mark.parametrize("name", TRUE)
def test_values_at_the_same_sum_are_the_same(name: str) -> None:
    found = decision(TRUE[name])
    assert isinstance(found, Proved) and found.by is Method.NORMAL_FORM


@pytest.mark.parametrize("name", FALSE)
def test_values_at_other_sums_are_not(name: str) -> None:
    found = answer(asked(FALSE[name]), Budget(), Mode.NORMAL_FORMS)
    assert found.verdict is Verdict.REFUTED
    assert isinstance(found.witness, RuleWitness) and found.witness.replayed


def test_a_value_of_two_sums_has_two_indices() -> None:
    """A value is a function of a sum if it mentions the indices in no other way."""
    i, k = variable("i", None), variable("k", None)
    bounded = [("", non_negative(plus(add(i, k), -1)))]
    of_one = access("X", (Slot("A", None, add(i, k)),), INT)
    of_two = access("X", (Slot("A", None, add(i, k)), Slot("B", None, k)), INT)
    assert list(_summed(of_one, frozenset((i, k)), bounded)[2].values()) == [plus(add(i, k), -1)]
    assert _summed(of_two, frozenset((i, k)), bounded)[2] == {}
