"""Rules with reductions, hint-free: what is proved at every rank, by what means, and what has to stay open."""

from __future__ import annotations

import pytest
from rules_text import asked_over, decision

from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Mode, Proved, Refuted, Unknown
from rewright.verdict import Method

TRUE = {
    "product_of_sums": """
axes R, S
map n on R
map m on S
tensor X: T[R: n]
tensor Y: T[S: m]
reduce(add, X, R) * reduce(add, Y, S) => reduce(add, broadcast(X, S: m) * broadcast(Y, R: n), [R, S])
""",
    "sum_of_concat": """
axes O
axis k
map x, y on k
map o on O
tensor X: T[k: x, O: o]
tensor Y: T[k: y, O: o]
reduce(add, concatenate(X, Y, k), k) => reduce(add, X, k) + reduce(add, Y, k)
""",
    "scalar_factor": """
axes K, S
map n on K
map m on S
scalar a: T
tensor X: T[K: n, S: m]
a * reduce(add, X, K) => reduce(add, a * X, K)
""",
    "pad_identity": """
axes K
map n, l, p, h on K
tensor X: T[K: n]
reduce(add, pad(X, 0, l, h, p), K) => reduce(add, X, K)
where 0 <= l, 0 <= h
""",
    "reverse": """
axes K
map n on K
tensor X: T[K: n]
reduce(add, reverse(X, K), K) => reduce(add, X, K)
""",
    "broadcast_sum": """
axes K
map n on K
scalar x: T
reduce(add, broadcast(x, K: n), K) => elem(prod(n)) * x
""",
    "two_slices": """
axis k
map n, c on k
tensor X: T[k: n]
reduce(add, slice(X, 0, c), k) + reduce(add, slice(X, c, n), k) => reduce(add, X, k)
where 0 <= c, c <= n
""",
    "even_odd": """
axis k
map n on k
tensor X: T[k: n]
reduce(add, slice(X, 0, n, 2), k) + reduce(add, slice(X, 1, n, 2), k) => reduce(add, X, k)
where n >= 1
""",
    "update": """
axes K
map n, u, s on K
tensor X: T[K: n]
tensor U: T[K: u]
reduce(add, dynamic_update_slice(X, U, s), K) 
  => reduce(add, X, K) - reduce(add, dynamic_slice(X, s, u), K) + reduce(add, U, K)
""",
    "iota_sum": """
axis d
map n on d
2 * reduce(add, iota(T, d, d: n), d) => elem(n * (n - 1))
where n >= 0
""",
    "square": """
axes K
map n on K
tensor X, Y: T[K: n]
reduce(add, (X + Y) * (X + Y), K) => reduce(add, X * X, K) + 2 * reduce(add, X * Y, K) + reduce(add, Y * Y, K)
""",
    "square_of_sum": """
axes K
map n on K
tensor X, Y: T[K: n]
let x = reduce(add, X, K)
let y = reduce(add, Y, K)
reduce(add, X + Y, K) * reduce(add, X + Y, K) => x * x + 2 * x * y + y * y
""",
    "pad_value": """
axis k
map n, l, h on k
scalar v: T
tensor X: T[k: n]
reduce(add, pad(X, v, l, h), k) => reduce(add, X, k) + elem(l + h) * v
where 0 <= l, 0 <= h
""",
    "corner": """
axes K
map n on K
tensor X: T[K: n]
reduce(add, pad(X, 1, 1, 1), K) => reduce(add, X, K) + elem(prod(n + 2)) - elem(prod(n))
where 1 <= n
""",
    "idem": """
axis k
map n on k
tensor X: T[k: n]
max(reduce(max, slice(X, 0, 2), k), reduce(max, slice(X, 1, n), k)) => reduce(max, X, k)
where 2 <= n
""",
    "relu_sum": """
axes K
map n on K
tensor P: pred[K: n]
tensor X, Y: T[K: n]
reduce(add, select(P, X, Y), K) => reduce(add, select(P, X, 0), K) + reduce(add, select(not P, Y, 0), K)
""",
    "absmax": """
axes K
map n on K
tensor X: T[K: n]
reduce(max, abs(reverse(X, K)), K) => reduce(max, abs(X), K)
where 1 <= n
""",
    "cl_max": """
axes A
map n, s on A
scalar c: T
tensor X: T[A: n]
reduce(max, reverse(dynamic_update_slice(X, broadcast(c, A: 1), A: s), A), A)
  => reduce(max, dynamic_update_slice(X, broadcast(c, A: 1), A: s), A)
""",
    "cl_add": """
axes A
map n, s, l, i on A
scalar c: T
tensor X: T[A: n]
reduce(add, pad(dynamic_update_slice(X, broadcast(c, A: 1), A: s), 0, A: (l, 1, i)), A)
  => reduce(add, dynamic_update_slice(X, broadcast(c, A: 1), A: s), A)
where l >= 0
""",
    "ov_max": """
axis d
map n, j, k, m on d
tensor P: pred[d: n]
tensor X, Z: T[d: n]
let Y = select(P, X, Z)
max(reduce(max, slice(Y, 0, k), d), reduce(max, slice(Y, j, n), d)) => reduce(max, Y, d)
where 0 <= j, j <= k, k <= n
""",
    "max_window_twice": """
axes A
map n, a, b on A
tensor X: T[A: n]
reduce_window(max, reduce_window(max, X, A: (size = a)), A: (size = b))
  => reduce_window(max, X, A: (size = a + b - 1))
where 1 <= a, 1 <= b, a + b <= n
""",
    "sum_windows_commute": """
axes A
map n, a, b on A
tensor X: T[A: n]
reduce_window(add, reduce_window(add, X, A: (size = a)), A: (size = b))
  => reduce_window(add, reduce_window(add, X, A: (size = b)), A: (size = a))
where 1 <= a, 1 <= b, a + b <= n
""",
    "prefix_difference": """
axis d
map n on d
tensor X: T[d: n]
let C = reduce_window(add, X, d: (size = n, low = n - 1))
C - pad(slice(C, 0, n - 1), 0, 1, 0) => X
where 1 <= n
""",
    "weighted": """
axis d
map n on d
tensor X: T[d: n]
reduce(add, reduce_window(add, X, d: (size = n, low = n - 1)), d) => reduce(add, (elem(n) - iota(T, d, d: n)) * X, d)
where 1 <= n
""",
    "sliding": """
axis d
map n, w on d
tensor X: T[d: n]
let C = pad(reduce_window(add, X, d: (size = n, low = n - 1)), 0, 1, 0)
slice(C, w, n + 1) - slice(C, 0, n + 1 - w) => reduce_window(add, X, d: (size = w))
where 1 <= w, w <= n
""",
    "cumulative_blocks": """
axis d
map a, b on d
tensor X: T[d: a]
tensor Y: T[d: b]
reduce_window(add, concatenate(X, Y, d), d: (size = a + b, low = a + b - 1))
  => concatenate(reduce_window(add, X, d: (size = a, low = a - 1)),
  reduce_window(add, Y, d: (size = b, low = b - 1)) + reduce(add, X, d), d)
where 1 <= a, 1 <= b
""",
    "cumulative_blocks_max": """
axis d
map a, b on d
tensor X: T[d: a]
tensor Y: T[d: b]
reduce_window(max, concatenate(X, Y, d), d: (size = a + b, low = a + b - 1))
  => concatenate(reduce_window(max, X, d: (size = a, low = a - 1)),
  max(reduce_window(max, Y, d: (size = b, low = b - 1)), reduce(max, X, d)), d)
where 1 <= a, 1 <= b
""",
    "sum_of_pad_other_axis": """
axes A, B
map n, l, h, i on A
map m on B
scalar v: T
tensor X: T[A: n, B: m]
reduce(add, pad(X, v, A: (l, h, i)), B) => pad(reduce(add, X, B), elem(prod(m)) * v, A: (l, h, i))
""",
    "max_plus": """
axes A
map n on A
scalar c: T
tensor X: T[A: n]
reduce(max, X + c, A) => reduce(max, X, A) + c
where 1 <= n
""",
    "min_minus": """
axes A
map n on A
scalar c: T
tensor X: T[A: n]
c - reduce(max, X, A) => reduce(min, c - X, A)
""",
    "pad_max": """
axes A
map n, l, h, i on A
scalar c: T
tensor X: T[A: n]
reduce(max, pad(X, lowest, l, h, i), A, init = c) => reduce(max, X, A, init = c)
where 0 <= l, 0 <= h
""",
    "upd_min": """
axes A
map n, u, s on A
scalar c: T
tensor X: T[A: n]
tensor U: T[A: u]
reduce(min, dynamic_update_slice(dynamic_update_slice(X, U, s), U, 0), A)
  => reduce(min, dynamic_update_slice(dynamic_update_slice(X, U, s), U, 0), A, init = highest)
""",
    "rev_max": """
axes A
map n, u, s on A
tensor X: T[A: n]
tensor U: T[A: u]
reduce(max, reverse(dynamic_update_slice(X, U, s), A), A) => reduce(max, dynamic_update_slice(X, U, s), A)
""",
    "neg": """
axes A
map n on A
tensor X: T[A: n]
reduce(min, -X, A) => -reduce(max, X, A)
""",
}

FALSE = {
    # the greater of n and p is n on some axis and p on another
    "extremum_in_a_test_on_every_axis": """
axes K
int p
map n on K
tensor X: T[K: n]
reduce(add, X, K) => reduce(add, slice(X, K: (0, min(n, p))), K)
where not (max(n, p) == n), 0 <= p
""",
    # how often axes of K take part is known only once it is split on whether p <= q
    "counts_on_a_class_after_a_split": """
axes K
axis d
int p, q
map n on K
map m on d
scalar c: T
let P = pad(broadcast(c, K: p, d: p), 0, K: (high = n - p), d: (high = m - p))
let Q = pad(broadcast(elem(1), K: q, d: q), 0, K: (high = n - q), d: (high = m - q))
let R = pad(broadcast(c, K: p - 1, d: p), 0, K: (high = n - p + 1), d: (high = m - p))
let S = pad(broadcast(elem(1), K: q - 1, d: q), 0, K: (high = n - q + 1), d: (high = m - q))
reduce(add, P * Q, [K, d]) => reduce(add, R * S, [K, d])
where 1 <= p, 1 <= q, p <= n, q <= n, p <= m, q <= m
""",
    "max_plus_empty_wrong": """
axes A
map n on A
scalar c: T
tensor X: T[A: n]
reduce(max, X + c, A) => reduce(max, X, A) + c
""",
    "max_scale_wrong": """
axes A
map n on A
scalar c: T
tensor X: T[A: n]
reduce(max, X * c, A) => reduce(max, X, A) * c
where 1 <= n
""",
    "max_sum_wrong": """
axes A
map n on A
tensor X, Y: T[A: n]
reduce(max, X + Y, A) => reduce(max, X, A) + reduce(max, Y, A)
where 1 <= n
""",
    "max_init_wrong": """
axes A
map n on A
scalar c, z: T
tensor X: T[A: n]
reduce(max, X + c, A, init = z) => reduce(max, X, A, init = z) + c
where 1 <= n
""",
    "empty_group": """
axes K
map n on K
tensor X: T[K: n]
reduce(add, X, K) => reduce(add, X, K) - reduce(add, X, K)
where n == 0
""",
    "empty_group2": """
axes K, A
map n on K
map m on A
tensor X: T[A: m, K: n]
reduce(add, X, K) => broadcast(0, A: m)
where n == 0
""",
    "empty_max": """
axes K, A
map n on K
map m on A
scalar z: T
tensor X: T[A: m, K: n]
reduce(max, X, K, init = z) => broadcast(z, A: m)
where n == 0
""",
    "corner_wrong": """
axes K
map n on K
tensor X: T[K: n]
reduce(add, pad(X, 1, 1, 1), K) => reduce(add, X, K) + elem(prod(2))
where 1 <= n
""",
    "notidem": """
axis k
map n on k
tensor X: T[k: n]
reduce(add, slice(X, 0, 2), k) + reduce(add, slice(X, 1, n), k) => reduce(add, X, k)
where 2 <= n
""",
    "idem_wrong": """
axis k
map n on k
tensor X: T[k: n]
max(reduce(max, slice(X, 0, 2), k), reduce(max, slice(X, 3, n), k)) => reduce(max, X, k)
where 3 <= n
""",
    "broadcast_max_wrong": """
axes K
map n on K
scalar c, z: T
reduce(max, broadcast(c, K: n), K, init = z) => max(c, z)
where 0 <= n
""",
    "off": """
axes K
map n on K
scalar x: T
reduce(add, broadcast(x, K: n), K) => elem(prod(n + 1)) * x
""",
    "update_read": """
axes K
map n, u on K
tensor X: T[K: n]
tensor U: T[K: u]
reduce(add, dynamic_update_slice(X, U, 0), K) => reduce(add, X, K) + reduce(add, U, K)
""",
    "prefix": """
axes K
map n on K
tensor X: T[K: n]
reduce(add, slice(X, 1, n), K) => reduce(add, X, K) - reduce(add, slice(X, 0, 1), K)
where 1 <= n
""",
    "prod_wrong": """
axes K
map n on K
tensor X: T[K: n]
reduce(multiply, X * X, K) => reduce(multiply, X, K)
""",
    "relu_wrong": """
axes K
map n on K
tensor P: pred[K: n]
tensor X, Y: T[K: n]
reduce(add, select(P, X, Y), K) => reduce(add, select(P, X, 0), K) + reduce(add, Y, K)
""",
}

OVER = {
    ("exp_shift", "real"): """
axes K
map n, c on K
tensor X: T[K: n]
reduce(add, exp(slice(X, c, n)), K) => reduce(add, slice(exp(X), c, n), K)
""",
    ("softmax", "real"): """
axes K
map n on K
scalar c: T
tensor X: T[K: n]
reduce(add, exp(X + c), K) => exp(c) * reduce(add, exp(X), K)
""",
    ("andor", "pred"): """
axes K
map n on K
tensor P, Q: T[K: n]
reduce(and, P and Q, K) => reduce(and, P, K) and reduce(and, Q, K)
""",
    ("or_concat", "pred"): """
axis k
map n, m on k
tensor P: T[k: n]
tensor Q: T[k: m]
reduce(or, concatenate(P, Q, k), k) => reduce(or, P, k) or reduce(or, Q, k)
""",
    ("andor_wrong", "pred"): """
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
    ("eo_or", "pred"): """
axis d
map n on d
tensor X: T[d: n]
reduce(or, slice(X, d: (0, n, 2)), d) or reduce(or, slice(X, d: (1, n, 2)), d) => reduce(or, X, d)
where n >= 1
""",
    ("ov_or", "pred"): """
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
    ("over_and", "pred"): """
axis d
map n, k on d
tensor X: T[d: n]
reduce(and, X, d) => (reduce(and, slice(X, 0, k + 1), d) and reduce(and, slice(X, k, n), d))
where 0 <= k, k + 1 <= n
""",
    ("pad_or", "pred"): """
axes A
map n, l, h, i on A
scalar c: T
tensor X: T[A: n]
reduce(or, pad(X, false, l, h, i), A, init = c) => reduce(or, X, A, init = c)
where 0 <= l, 0 <= h
""",
    ("rev_and", "pred"): """
axes A
map n, u, s on A
tensor X: T[A: n]
tensor U: T[A: u]
reduce(and, reverse(dynamic_update_slice(X, U, s), A), A) => reduce(and, dynamic_update_slice(X, U, s), A)
""",
}


@pytest.mark.parametrize("name", TRUE)
@pytest.mark.parametrize("domain", ["int", "real"])
def test_sums_are_equal_at_every_rank(name: str, domain: str) -> None:
    found = decision(TRUE[name], domain=domain)
    assert isinstance(found, Proved)
    assert found.bound is None
    assert found.by is (Method.SOLVER if name == "even_odd" else Method.NORMAL_FORM)


@pytest.mark.parametrize("name", FALSE)
@pytest.mark.parametrize("domain", ["int", "real"])
def test_what_fails_at_some_rank_or_size_is_refuted(name: str, domain: str) -> None:
    assert isinstance(decision(FALSE[name], domain=domain), Refuted)


@pytest.mark.parametrize(("name", "type_"), OVER)
def test_other_elements(name: str, type_: str) -> None:
    found = decide(asked_over(type_, OVER[name, type_]), Budget(10_000_000, 10.0))
    assert isinstance(found, Refuted if "wrong" in name else Proved)


def test_the_solver_alone_does_not_use_them() -> None:
    assert isinstance(decision(TRUE["reverse"], Mode.SOLVER_ONLY), Unknown)


def test_what_corresponds_to_what() -> None:
    found = decision(TRUE["reverse"])
    assert isinstance(found, Proved)
    assert found.correspondence == ("k of K on the left corresponds to −k + n − 1 of K on the right",)


@pytest.mark.parametrize("name", ["empty_group", "empty_group2", "empty_max"])
def test_where_an_axis_exists_more_is_known_than_at_rank_0(name: str) -> None:
    items = FALSE[name].replace("axes K, A", "axes K\naxes A")
    assert isinstance(decision(items), Refuted)
    assert isinstance(decision(items.replace("axes K", "axes K+")), Proved)
