"""What preconditions say of scalars and assumptions of contents, used where something is reduced."""

from __future__ import annotations

import pytest
from rules_text import asked, decision

from rewright.checks.rule import answer
from rewright.rules.decision import Budget, Mode, Proved
from rewright.verdict import RuleWitness, Verdict

DECLARED = """
axes K, L
map n, m on K
map l on L
scalar c, d, y: T
tensor X, Y: T[K: n]
tensor W: T[K: m]
tensor M: T[K: n, L: l]
"""
WINDOWS = "K: (size = 3, low = 1, high = 1)"
NOT_NEGATIVE = "assume forall i on K: X[i] >= 0"
IN_ORDER = "assume forall i on K: X[i] <= Y[i]"
PARTLY = "assume forall i on K: X[i] <= W[i]"

TRUE = {
    "an initial value": "reduce(add, X, K, init = y) => reduce(add, X, K)\nwhere y == 0",
    "a padding": "reduce(add, pad(X, y, 1, 1), K, init = y) => reduce(add, X, K)\nwhere y == 0",
    "windows": f"reduce_window(add, X, {WINDOWS}, init = y) => reduce_window(add, X, {WINDOWS})\nwhere y == 0",
    "a product": "reduce(multiply, X, K, init = y) => reduce(multiply, X, K)\nwhere y == 1",
    "a factor": "reduce(add, c * X, K) => reduce(add, X, K) * d\nwhere c == d",
    "twice a factor": "reduce(add, (c + c) * X, K) => reduce(add, X, K)\nwhere c + c == 1",
    "a sum of scalars": "reduce(add, X, K, init = c + d) => reduce(add, X, K)\nwhere c + d == 0",
    "absolute values": f"reduce(add, abs(X), K) => reduce(add, X, K)\n{NOT_NEGATIVE}",
    "a maximum with 0": f"reduce(max, max(X, 0), K) => reduce(max, X, K)\n{NOT_NEGATIVE}",
    "order": f"reduce(add, max(X, Y), K) => reduce(add, Y, K)\n{IN_ORDER}",
    "order of what is turned": f"reduce(add, max(reverse(X, K), reverse(Y, K)), K) => reduce(add, Y, K)\n{IN_ORDER}",
    "order as far as both reach": "reduce(add, max(X, slice(W, 0, n)), K) => reduce(add, slice(W, 0, n), K)"
    f"\nwhere n <= m\n{PARTLY}",
    "outside of the sum, too": f"abs(X) * reduce(add, abs(X), K) => X * reduce(add, X, K)\n{NOT_NEGATIVE}",
    "a factor of a maximum": "reduce(max, M * broadcast(X, L: l), L) => reduce(max, M, L) * X\nwhere 1 <= l\n"
    + NOT_NEGATIVE,
    "a factor that turns a maximum": "reduce(max, M * broadcast(X, L: l), L) => reduce(min, M, L) * X\nwhere 1 <= l\n"
    "assume forall i on K: X[i] <= 0",
    "a factor and a summand": "reduce(max, M * broadcast(X, L: l) + c, L) => reduce(max, M, L) * X + c\nwhere 1 <= l\n"
    "assume forall i on K: X[i] == 7",
    "a scalar factor": "reduce(max, X * c, K) => reduce(max, X, K) * c\nwhere c >= 0, 1 <= n",
    "a sum along one of two groups": "reduce(add, abs(M), L) => reduce(add, M, L)\n"
    "assume forall i on K: forall j on L: M[i, j] >= 0",
}

FALSE = {
    "another initial value": "reduce(add, X, K, init = y) => reduce(add, X, K)\nwhere y == 1",
    "another factor": "reduce(add, (c + c) * X, K) => reduce(add, X, K) * 2\nwhere c + c == 1",
    "half a factor": "reduce(add, c * X, K) => reduce(add, X, K)\nwhere 2 * c == -1",
    "what is not as large": f"reduce(add, abs(X), K) => reduce(add, X, K)\n{IN_ORDER}",
    "the lesser": f"reduce(add, max(X, Y), K) => reduce(add, X, K)\n{IN_ORDER}",
    "beyond the shorter one": f"reduce(add, max(X, pad(W, 0, 0, n - m)), K) => reduce(add, pad(W, 0, 0, n - m), K)\n"
    f"where m <= n\n{PARTLY}",
    "beyond the other one": "reduce(add, abs(X), K) => reduce(add, X, K)\n"
    "assume forall i on K: X[i] >= 0 and W[i] >= 0",
    "what is padded": "reduce(add, abs(pad(X, c, 1, 0)), K) => reduce(add, pad(X, c, 1, 0), K)\n" + NOT_NEGATIVE,
    "a factor of either sign": "reduce(max, X * c, K) => reduce(max, X, K) * c\nwhere c >= -1, 1 <= n",
    "a factor of the maximum of nothing": "reduce(max, X * c, K) => reduce(max, X, K) * c\nwhere c >= 0",
    "a factor that may turn a maximum": "reduce(max, M * broadcast(X, L: l), L) => reduce(max, M, L) * X"
    "\nwhere 1 <= l\nassume forall i on K: X[i] >= -1",
    "a factor beyond what is assumed": "reduce(max, M * broadcast(X, L: l), L) => reduce(max, M, L) * X\nwhere 1 <= l\n"
    "assume forall i on K: 0 * W[i] + X[i] >= 0",
    "another tensor": f"reduce(add, abs(Y), K) => reduce(add, Y, K)\n{NOT_NEGATIVE}",
}


@pytest.mark.parametrize("name", TRUE)
def test_what_is_known_is_used_where_something_is_reduced(name: str) -> None:
    assert isinstance(decision(DECLARED + TRUE[name], domain="real"), Proved)


@pytest.mark.parametrize("name", FALSE)
def test_what_is_not_known_there_is_refuted(name: str) -> None:
    found = answer(asked(DECLARED + FALSE[name], "real"), Budget(), Mode.NORMAL_FORMS)
    assert found.verdict is Verdict.REFUTED
    assert isinstance(found.witness, RuleWitness) and found.witness.replayed
