"""Assumptions that say what an element is, used inside reductions: only where their index is in range."""

from __future__ import annotations

import pytest
from rules_text import asked, decision

from rewright.equality.sums import Solver
from rewright.rules.claim import claim_of
from rewright.rules.decision import Mode, Proved
from rewright.rules.equations import TermPlace, equations
from rewright.rules.obligations import goals
from rewright.rules.paths import TENSORS

DECLARED = """
axes A, B
axis d
map n, m, s, t, p on A
map q on B
map u on d
int h
scalar c: T
fn f: (T) -> T
tensor X, Y, Z: T[A: n]
tensor W: T[A: m]
tensor P, Q: pred[A: n]
tensor M, N: T[A: n, B: q]
map v, w on d
tensor V, U: T[d: u]
tensor O: pred[d: u]
tensor L: pred[d: v]
tensor R: T[d: v]
tensor S: T[d: w]
"""
SAME = "\nassume forall i on A: X[i] == Y[i]"
SIZES = "\nassume forall i on A: X[i] == W[i]"
TRUTHS = "\nassume forall i on A: P[i] == Q[i]"
MATRICES = "\nassume forall i on A: forall j on B: M[i, j] == N[i, j]"
SINGLE = "\nassume forall i on d: V[i] == U[i]"

PROVED = [
    "reduce(add, X, A) => reduce(add, Y, A)" + SAME,
    "reduce(add, Y, A) => reduce(add, X, A)" + SAME,
    "reduce(multiply, X, A) => reduce(multiply, Y, A)" + SAME,
    "reduce(maximum, X, A) => reduce(maximum, Y, A)" + SAME,
    "reduce(minimum, abs(X), A) => reduce(minimum, abs(Y), A)" + SAME,
    "reduce(add, f(X), A) => reduce(add, f(Y), A)" + SAME,
    "reduce(add, X, A) * reduce(add, Y, A) => reduce(add, X, A) * reduce(add, X, A)" + SAME,
    "X + reduce(add, Y, A) => Y + reduce(add, X, A)" + SAME,
    "reduce(add, reverse(X, A), A) => reduce(add, Y, A)" + SAME,
    "reduce(add, slice(X, s, t, p), A) => reduce(add, slice(Y, s, t, p), A)" + SAME,
    "reduce(add, dynamic_slice(X, s, t), A) => reduce(add, dynamic_slice(Y, s, t), A)" + SAME,
    "reduce(add, dynamic_update_slice(X, Y, s), A) => reduce(add, X, A)" + SAME,
    "reduce(add, pad(X, 0, 1, 2), A) => reduce(add, Y, A)" + SAME,
    "reduce(add, abs(pad(X, c, 1, 2)), A) => reduce(add, abs(pad(Y, c, 1, 2)), A)" + SAME,
    "reduce_window(maximum, abs(X), A: (size = s)) => reduce_window(maximum, abs(Y), A: (size = s))" + SAME,
    "reduce_window(add, X, A: (size = s, stride = p, low = t, high = t, base = 2)) "
    "=> reduce_window(add, Y, A: (size = s, stride = p, low = t, high = t, base = 2))" + SAME,
    "reduce(add, select(P, X, Y), A) => reduce(add, X, A)" + SAME,
    "reduce(add, select(P, X, Y), A) => reduce(add, X, A)\nassume forall i on A: P[i]",
    "reduce(or, P, A) => reduce(or, Q, A)" + TRUTHS,
    "reduce(and, pad(P, true, 1, 1), A) => reduce(and, Q, A)" + TRUTHS,
    "reduce(or, pad(P, false, 1, 1), A) => reduce(or, pad(Q, false, 2, 1), A)" + TRUTHS,
    "reduce(add, broadcast(V, A: h), A, d) => reduce(add, broadcast(pad(R, 0, 0, u - v), A: h), A, d)"
    "\nwhere u <= v + 1 - h, h >= 1\nassume forall i on d: V[i] == R[i]",
    "reduce(or, P, A) => false\nassume forall i on A: not P[i]",
    "reduce(and, P, A) => reduce(and, X < 0, A)\nassume forall i on A: P[i] == (X[i] < 0)",
    "reduce(add, X, A) => 0\nassume forall i on A: X[i] == 0",
    "reduce(multiply, X, A) => 1\nassume forall i on A: X[i] == 1",
    "reduce(add, X, A) => reduce(add, Y, A)\nassume forall i on A: X[i] == Z[i]\nassume forall i on A: Y[i] == Z[i]",
    "reduce(add, X, A) => reduce(add, Y, A)"
    "\nassume forall i on A: X[i] == Z[i], forall i on A: X[i] + Y[i] == 2 * Z[i]",
    "reduce(add, X, A) => reduce(add, W, A)\nwhere n == m" + SIZES,
    "reduce(add, X, A) => reduce(add, slice(W, 0, n), A)\nwhere n <= m" + SIZES,
    "reduce(add, M, A, B) => reduce(add, reduce(add, N, B), A)" + MATRICES,
    "reduce(add, abs(reduce(add, M, A)), B) => reduce(add, abs(reduce(add, N, A)), B)" + MATRICES,
    "reduce(add, M, A, B) => reduce(add, broadcast(X, B: q), A, B)"
    "\nassume forall i on A: forall j on B: M[i, j] == X[i]",
    "reduce(add, concatenate(V, U, d), d) => 2 * reduce(add, V, d)" + SINGLE,
    "reduce(add, V, d) => reduce(add, slice(V, 0, h), d) + reduce(add, slice(U, h, u), d)"
    "\nwhere 0 <= h, h <= u" + SINGLE,
    "reduce(add, slice(V, 0, u, h * h + u), d) => reduce(add, slice(U, 0, u, h * h + u), d)" + SINGLE,
]

WRONG = {
    "an assumption about another tensor": "reduce(add, X, A) => reduce(add, Z, A)" + SAME,
    "another reducer": "reduce(multiply, X, A) => reduce(add, Y, A)" + SAME,
    "another group": "reduce(add, M, A) => broadcast(reduce(add, N, A, B), B: q)" + MATRICES,
    "an inequality": "reduce(add, X, A) => reduce(add, Y, A)\nassume forall i on A: X[i] <= Y[i]",
    "one of two cases": "reduce(add, X, A) => reduce(add, Y, A)\nassume forall i on A: X[i] == Y[i] or X[i] < 3",
    "some sizes": "reduce(add, X, A) => reduce(add, Y, A)\nassume forall i on A: n == 1 or X[i] == Y[i]",
    "an element more": "reduce(add, V, d) => reduce(add, U, d)\nassume forall i on d: V[i] == U[i] + 1",
    "what is known of a longer tensor's head": "reduce(add, X, A) => reduce(add, W, A)\nwhere n <= m" + SIZES,
    "what is known of the head only": "reduce(add, X, A) => reduce(add, W, A)\nwhere m <= n" + SIZES,
    "the head of a sum of absolute values": "reduce(add, abs(X), A) => reduce(add, abs(W), A)\nwhere m <= n" + SIZES,
    "a maximum of the head": "reduce(maximum, X, A) => reduce(maximum, W, A)\nwhere m <= n, m >= 1" + SIZES,
    "the head with zeros": "reduce(add, X, A) => reduce(add, pad(W, 0, 0, n - m), A)\nwhere m <= n" + SIZES,
    "a tail": "reduce(add, slice(X, m, n), A) => reduce(add, pad(W, 0, 0, n - m), A) - reduce(add, W, A)"
    "\nwhere m <= n" + SIZES,
    "a third tensor's range": "reduce(add, X, A) => reduce(add, Y, A)"
    "\nassume forall i on A: X[i] == W[i]\nassume forall i on A: Y[i] == W[i]",
    "a range that cancels": "reduce(add, X, A) => reduce(add, Y, A)\nassume forall i on A: X[i] == Y[i] + W[i] - W[i]",
    "a range that another one brings": "reduce(add, X, A) => reduce(add, Z, A)"
    "\nassume forall i on A: Y[i] == Z[i] + W[i] - W[i]\nassume forall i on A: X[i] == Y[i]",
    "zeros in a range": "reduce(add, X, A) => 0\nassume forall i on A: X[i] + W[i] == W[i]",
    "windows over the end": "reduce_window(add, X, A: (size = 2, high = 1)) "
    "=> reduce_window(add, W, A: (size = 2, high = n - m + 1))"
    "\nwhere m <= n" + SIZES,
    "what is padded": "reduce(add, abs(pad(X, 1, 0, 1)), A) => reduce(add, abs(pad(Y, 0, 0, 1)), A)" + SAME,
    "truths in a range": "reduce(or, X < 0, A) => reduce(or, W < 0, A)\nwhere m <= n" + SIZES,
    "the other branch of a choice": "reduce(add, dynamic_update_slice(V, S, 0), d) "
    "=> reduce(add, dynamic_update_slice(pad(R, 0, 0, u - v), S, 0), d)"
    "\nwhere v <= u, w == v\nassume forall i on d: V[i] == R[i]",
    "truths without what guards them": "reduce(or, pad(O, false, 0, 0), d) => reduce(or, pad(L, false, 0, u - v), d)"
    "\nwhere v <= u\nassume forall i on d: O[i] == L[i]",
    "what is known where there are axes": "reduce(add, broadcast(V, A: h), A, d) "
    "=> reduce(add, broadcast(pad(R, 0, 0, u - v), A: h), A, d)"
    "\nwhere u <= v + 1 - h\nassume forall i on d: V[i] == R[i]",
    "an empty group": "reduce(add, X, A) => 0\nassume forall i on A: forall j on B: X[i] + M[i, j] == M[i, j]",
}


@pytest.mark.parametrize("sides", PROVED)
@pytest.mark.parametrize("domain", ["int", "real"])
def test_what_reductions_read_is_replaced(sides: str, domain: str) -> None:
    """At every rank, without a bound; not without the assumptions."""
    found = decision(DECLARED + sides, domain=domain)
    assert isinstance(found, Proved)
    assert found.bound is None
    if domain == "int":
        assert not isinstance(decision(DECLARED + sides.partition("\nassume")[0]), Proved)


@pytest.mark.parametrize("sides", WRONG.values(), ids=WRONG)
def test_an_assumption_is_used_for_what_it_says_only(sides: str) -> None:
    assert not isinstance(decision(DECLARED + sides), Proved)


@pytest.mark.parametrize(
    ("body", "over_int", "over_real"),
    [
        ("X[i] == Y[i]", "XY", "XY"),
        ("2 * X[i] == Y[i]", "YY", "XY"),
        ("f(X[i]) == Y[i]", "YY", "YY"),
        ("X[i] == f(X[i])", "", ""),
        ("X[i] * Y[i] == Z[i]", "ZZ", "ZZ"),
        ("X[i] * Y[i] == 1", "", ""),
        ("X[i] <= Y[i]", "", ""),
        ("P[i]", "PP", "PP"),
        ("P[i] == (X[i] < 0)", "PP", "PP"),
        ("P[i] or X[i] == Y[i]", "", ""),
        ("X[i] == Y[i] and P[i]", "PXPY", "PXPY"),
    ],
)
def test_what_an_assumption_is_solved_for(body: str, over_int: str, over_real: str) -> None:
    """The tensors that are replaced, first by equations for the first tensor, then for the last."""
    for domain, expected in (("int", over_int), ("real", over_real)):
        claim = claim_of(asked(f"{DECLARED}X => Y\nassume forall i on A: {body}", domain))
        assert "".join("".join(sorted(equations(claim.linked, solved_for))) for solved_for in TENSORS) == expected


def test_no_tensor_is_replaced_by_itself() -> None:
    """Equations in a circle: each tensor is replaced by later ones, so replacing ends."""
    circle = "assume forall i on A: X[i] == Y[i], forall i on A: Y[i] == Z[i], forall i on A: Z[i] == X[i]"
    claim = claim_of(asked(f"{DECLARED}X => Y\n{circle}"))
    for solved_for in TENSORS:
        found = equations(claim.linked, solved_for)
        assert len(found) == 2
        assert isinstance(decision(f"{DECLARED}reduce(add, X, A) => reduce(add, Z, A)\n{circle}"), Proved)


def test_nothing_is_replaced_when_no_implication_is_left() -> None:
    claim = claim_of(asked(DECLARED + WRONG["what is known of the head only"]))
    *_, goal = goals(claim, Mode.NORMAL_FORMS)
    place = TermPlace(goal.facts, Solver(None, implications=0), equations(goal.linked, "last"))
    assert place.replaced(goal.left) is goal.left
