"""Rules with reductions that fail at some rank or size: the items of each, by name."""

UNEQUAL = {
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
    "maximum_of_shifted_nothing": """
axes A
map n on A
scalar c: T
tensor X: T[A: n]
reduce(max, X + c, A) => reduce(max, X, A) + c
""",
    "maximum_of_scaled": """
axes A
map n on A
scalar c: T
tensor X: T[A: n]
reduce(max, X * c, A) => reduce(max, X, A) * c
where 1 <= n
""",
    "maximum_of_sums": """
axes A
map n on A
tensor X, Y: T[A: n]
reduce(max, X + Y, A) => reduce(max, X, A) + reduce(max, Y, A)
where 1 <= n
""",
    "shifted_maximum_with_init": """
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
    "empty_group_beside_another": """
axes K, A
map n on K
map m on A
tensor X: T[A: m, K: n]
reduce(add, X, K) => broadcast(0, A: m)
where n == 0
""",
    "maximum_of_empty_group": """
axes K, A
map n on K
map m on A
scalar z: T
tensor X: T[A: m, K: n]
reduce(max, X, K, init = z) => broadcast(z, A: m)
where n == 0
""",
    "sum_of_pad_by_ones_as_two": """
axes K
map n on K
tensor X: T[K: n]
reduce(add, pad(X, 1, 1, 1), K) => reduce(add, X, K) + elem(prod(2))
where 1 <= n
""",
    "sum_of_overlapping_slices": """
axis k
map n on k
tensor X: T[k: n]
reduce(add, slice(X, 0, 2), k) + reduce(add, slice(X, 1, n), k) => reduce(add, X, k)
where 2 <= n
""",
    "maximum_of_slices_with_a_gap": """
axis k
map n on k
tensor X: T[k: n]
max(reduce(max, slice(X, 0, 2), k), reduce(max, slice(X, 3, n), k)) => reduce(max, X, k)
where 3 <= n
""",
    "maximum_of_broadcast_of_nothing": """
axes K
map n on K
scalar c, z: T
reduce(max, broadcast(c, K: n), K, init = z) => max(c, z)
where 0 <= n
""",
    "sum_of_broadcast_one_too_many": """
axes K
map n on K
scalar x: T
reduce(add, broadcast(x, K: n), K) => elem(prod(n + 1)) * x
""",
    "sum_of_update_without_what_it_hides": """
axes K
map n, u on K
tensor X: T[K: n]
tensor U: T[K: u]
reduce(add, dynamic_update_slice(X, U, 0), K) => reduce(add, X, K) + reduce(add, U, K)
""",
    "sum_without_the_first": """
axes K
map n on K
tensor X: T[K: n]
reduce(add, slice(X, 1, n), K) => reduce(add, X, K) - reduce(add, slice(X, 0, 1), K)
where 1 <= n
""",
    "product_of_squares": """
axes K
map n on K
tensor X: T[K: n]
reduce(multiply, X * X, K) => reduce(multiply, X, K)
""",
    "sum_of_choices_by_one_branch": """
axes K
map n on K
tensor P: pred[K: n]
tensor X, Y: T[K: n]
reduce(add, select(P, X, Y), K) => reduce(add, select(P, X, 0), K) + reduce(add, Y, K)
""",
    "maxima_times_a_shifted_identity": """
axis k ~ l
int n
tensor X: T[k: n]
dot(max(X, 0), select(iota(T, k, k: n, l: n) == iota(T, l, k: n, l: n) + 1, 1, 0), contract = k)
  => max(transpose(X, k -> l), 0)
""",
}
