"""Rules with reductions, hint-free: what is proved at every rank, by what means, and what has to stay open."""

from __future__ import annotations

import pytest
from rules_sums_equal import EQUAL
from rules_sums_unequal import UNEQUAL
from rules_text import asked_over, decision

from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Mode, Proved, Refuted, Unknown
from rewright.verdict import Method

OVER = {
    ("sum_of_exponentials_of_slice", "real"): """
axes K
map n, c on K
tensor X: T[K: n]
reduce(add, exp(slice(X, c, n)), K) => reduce(add, slice(exp(X), c, n), K)
""",
    ("sum_of_shifted_exponentials", "real"): """
axes K
map n on K
scalar c: T
tensor X: T[K: n]
reduce(add, exp(X + c), K) => exp(c) * reduce(add, exp(X), K)
""",
    ("conjunction_of_conjunctions", "pred"): """
axes K
map n on K
tensor P, Q: T[K: n]
reduce(and, P and Q, K) => reduce(and, P, K) and reduce(and, Q, K)
""",
    ("disjunction_of_concatenate", "pred"): """
axis k
map n, m on k
tensor P: T[k: n]
tensor Q: T[k: m]
reduce(or, concatenate(P, Q, k), k) => reduce(or, P, k) or reduce(or, Q, k)
""",
    ("conjunction of disjunctions wrong", "pred"): """
axes K
map n on K
tensor P, Q: T[K: n]
reduce(and, P or Q, K) => reduce(and, P, K) or reduce(and, Q, K)
""",
    ("ranges of another index wrong", "int"): """
axis k, d
int n, m
fn f: (T) -> T
tensor X: T[k: n]
tensor Y: T[d: m]
reduce(add, f(X * reduce(add, f(select(iota(T, d, d: m) < elem(n), Y, 0)), d)), k)
  => reduce(add, f(X * reduce(add, f(Y), d)), k)
""",
    ("ranges of this index", "int"): """
axis k, d
int n, m
fn f: (T) -> T
tensor X: T[k: n]
tensor Y: T[d: m]
reduce(add, f(X * reduce(add, f(select(iota(T, d, d: m) < elem(n), Y, 0)), d)), k)
  => reduce(add, f(X * reduce(add, f(Y), d)), k)
where m <= n
""",
    ("disjunction_of_even_and_odd", "pred"): """
axis d
map n on d
tensor X: T[d: n]
reduce(or, slice(X, d: (0, n, 2)), d) or reduce(or, slice(X, d: (1, n, 2)), d) => reduce(or, X, d)
where n >= 1
""",
    ("disjunction_of_overlapping_slices", "pred"): """
axis d
map n, j, k, m on d
scalar c: T
tensor X: T[d: n]
let Y = pad(slice(X, 0, n - 1), c, d: (0, 1, 0))
reduce(or, slice(Y, 0, k), d) or reduce(or, slice(Y, j, n), d) => reduce(or, Y, d)
where 0 <= j, j <= k, k <= n
""",
    ("softmax_denominator", "real"): """
axes K
map n on K
scalar m: T
tensor X: T[K: n]
reduce(add, exp(X), K) / exp(m) => reduce(add, exp(X - m), K)
""",
    ("conjunction_of_overlapping_slices", "pred"): """
axis d
map n, k on d
tensor X: T[d: n]
reduce(and, X, d) => (reduce(and, slice(X, 0, k + 1), d) and reduce(and, slice(X, k, n), d))
where 0 <= k, k + 1 <= n
""",
    ("disjunction_of_pad", "pred"): """
axes A
map n, l, h, i on A
scalar c: T
tensor X: T[A: n]
reduce(or, pad(X, false, l, h, i), A, init = c) => reduce(or, X, A, init = c)
where 0 <= l, 0 <= h
""",
    ("conjunction_of_reversed_update", "pred"): """
axes A
map n, u, s on A
tensor X: T[A: n]
tensor U: T[A: u]
reduce(and, reverse(dynamic_update_slice(X, U, s), A), A) => reduce(and, dynamic_update_slice(X, U, s), A)
""",
}


@pytest.mark.parametrize("name", EQUAL)
@pytest.mark.parametrize("domain", ["int", "real"])
def test_sums_are_equal_at_every_rank(name: str, domain: str) -> None:
    found = decision(EQUAL[name], domain=domain)
    assert isinstance(found, Proved)
    assert found.bound is None
    assert found.by is (Method.SOLVER if name == "sum_of_even_and_odd" else Method.NORMAL_FORM)


@pytest.mark.parametrize("name", UNEQUAL)
@pytest.mark.parametrize("domain", ["int", "real"])
def test_what_fails_at_some_rank_or_size_is_refuted(name: str, domain: str) -> None:
    assert isinstance(decision(UNEQUAL[name], domain=domain), Refuted)


@pytest.mark.parametrize(("name", "type_"), OVER)
def test_other_elements(name: str, type_: str) -> None:
    found = decide(asked_over(type_, OVER[name, type_]), Budget(10_000_000, 10.0))
    assert isinstance(found, Refuted if "wrong" in name else Proved)


def test_the_solver_alone_does_not_use_them() -> None:
    assert isinstance(decision(EQUAL["reverse"], Mode.SOLVER_ONLY), Unknown)


def test_what_corresponds_to_what() -> None:
    found = decision(EQUAL["reverse"])
    assert isinstance(found, Proved)
    assert found.correspondence == ("k of K on the left corresponds to −k + n − 1 of K on the right",)


@pytest.mark.parametrize("name", ["empty_group", "empty_group_beside_another", "maximum_of_empty_group"])
def test_where_an_axis_exists_more_is_known_than_at_rank_0(name: str) -> None:
    items = UNEQUAL[name].replace("axes K, A", "axes K\naxes A")
    assert isinstance(decision(items), Refuted)
    assert isinstance(decision(items.replace("axes K", "axes K+")), Proved)
