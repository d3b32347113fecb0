"""Rules with reductions that hold at every rank: the items of each, by name."""

EQUAL = {
    "product_of_sums": """
axes R, S
map n on R
map m on S
tensor X: T[R: n]
tensor Y: T[S: m]
reduce(add, X, R) * reduce(add, Y, S) => reduce(add, broadcast(X, S: m) * broadcast(Y, R: n), [R, S])
""",
    "sum_of_concatenate": """
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
    "sum_of_pad_by_zeros": """
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
    "sum_of_broadcast": """
axes K
map n on K
scalar x: T
reduce(add, broadcast(x, K: n), K) => elem(prod(n)) * x
""",
    "sum_of_two_slices": """
axis k
map n, c on k
tensor X: T[k: n]
reduce(add, slice(X, 0, c), k) + reduce(add, slice(X, c, n), k) => reduce(add, X, k)
where 0 <= c, c <= n
""",
    "sum_of_even_and_odd": """
axis k
map n on k
tensor X: T[k: n]
reduce(add, slice(X, 0, n, 2), k) + reduce(add, slice(X, 1, n, 2), k) => reduce(add, X, k)
where n >= 1
""",
    "sum_of_update": """
axes K
map n, u, s on K
tensor X: T[K: n]
tensor U: T[K: u]
reduce(add, dynamic_update_slice(X, U, s), K) 
  => reduce(add, X, K) - reduce(add, dynamic_slice(X, s, u), K) + reduce(add, U, K)
""",
    "sum_of_iota": """
axis d
map n on d
2 * reduce(add, iota(T, d, d: n), d) => elem(n * (n - 1))
where n >= 0
""",
    "sum_of_squares_of_sums": """
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
    "sum_of_pad_by_a_value": """
axis k
map n, l, h on k
scalar v: T
tensor X: T[k: n]
reduce(add, pad(X, v, l, h), k) => reduce(add, X, k) + elem(l + h) * v
where 0 <= l, 0 <= h
""",
    "sum_of_pad_by_ones": """
axes K
map n on K
tensor X: T[K: n]
reduce(add, pad(X, 1, 1, 1), K) => reduce(add, X, K) + elem(prod(n + 2)) - elem(prod(n))
where 1 <= n
""",
    "maximum_of_overlapping_slices": """
axis k
map n on k
tensor X: T[k: n]
max(reduce(max, slice(X, 0, 2), k), reduce(max, slice(X, 1, n), k)) => reduce(max, X, k)
where 2 <= n
""",
    "sum_of_choices": """
axes K
map n on K
tensor P: pred[K: n]
tensor X, Y: T[K: n]
reduce(add, select(P, X, Y), K) => reduce(add, select(P, X, 0), K) + reduce(add, select(not P, Y, 0), K)
""",
    "maximum_of_reversed_absolute_values": """
axes K
map n on K
tensor X: T[K: n]
reduce(max, abs(reverse(X, K)), K) => reduce(max, abs(X), K)
where 1 <= n
""",
    "maximum_of_reversed_update": """
axes A
map n, s on A
scalar c: T
tensor X: T[A: n]
reduce(max, reverse(dynamic_update_slice(X, broadcast(c, A: 1), A: s), A), A)
  => reduce(max, dynamic_update_slice(X, broadcast(c, A: 1), A: s), A)
""",
    "sum_of_padded_update": """
axes A
map n, s, l, i on A
scalar c: T
tensor X: T[A: n]
reduce(add, pad(dynamic_update_slice(X, broadcast(c, A: 1), A: s), 0, A: (l, 1, i)), A)
  => reduce(add, dynamic_update_slice(X, broadcast(c, A: 1), A: s), A)
where l >= 0
""",
    "maximum_of_overlapping_parts_of_a_choice": """
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
    "differences_of_prefix_sums": """
axis d
map n on d
tensor X: T[d: n]
let C = reduce_window(add, X, d: (size = n, low = n - 1))
C - pad(slice(C, 0, n - 1), 0, 1, 0) => X
where 1 <= n
""",
    "sum_of_prefix_sums": """
axis d
map n on d
tensor X: T[d: n]
reduce(add, reduce_window(add, X, d: (size = n, low = n - 1)), d) => reduce(add, (elem(n) - iota(T, d, d: n)) * X, d)
where 1 <= n
""",
    "sliding_sums_as_differences": """
axis d
map n, w on d
tensor X: T[d: n]
let C = pad(reduce_window(add, X, d: (size = n, low = n - 1)), 0, 1, 0)
slice(C, w, n + 1) - slice(C, 0, n + 1 - w) => reduce_window(add, X, d: (size = w))
where 1 <= w, w <= n
""",
    "prefix_sums_of_concatenate": """
axis d
map a, b on d
tensor X: T[d: a]
tensor Y: T[d: b]
reduce_window(add, concatenate(X, Y, d), d: (size = a + b, low = a + b - 1))
  => concatenate(reduce_window(add, X, d: (size = a, low = a - 1)),
  reduce_window(add, Y, d: (size = b, low = b - 1)) + reduce(add, X, d), d)
where 1 <= a, 1 <= b
""",
    "prefix_maxima_of_concatenate": """
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
    "maximum_of_shifted": """
axes A
map n on A
scalar c: T
tensor X: T[A: n]
reduce(max, X + c, A) => reduce(max, X, A) + c
where 1 <= n
""",
    "minimum_of_differences": """
axes A
map n on A
scalar c: T
tensor X: T[A: n]
c - reduce(max, X, A) => reduce(min, c - X, A)
""",
    "maximum_of_pad": """
axes A
map n, l, h, i on A
scalar c: T
tensor X: T[A: n]
reduce(max, pad(X, lowest, l, h, i), A, init = c) => reduce(max, X, A, init = c)
where 0 <= l, 0 <= h
""",
    "minimum_of_updates": """
axes A
map n, u, s on A
scalar c: T
tensor X: T[A: n]
tensor U: T[A: u]
reduce(min, dynamic_update_slice(dynamic_update_slice(X, U, s), U, 0), A)
  => reduce(min, dynamic_update_slice(dynamic_update_slice(X, U, s), U, 0), A, init = highest)
""",
    "maximum_of_reversed_update_of_any_size": """
axes A
map n, u, s on A
tensor X: T[A: n]
tensor U: T[A: u]
reduce(max, reverse(dynamic_update_slice(X, U, s), A), A) => reduce(max, dynamic_update_slice(X, U, s), A)
""",
    "minimum_of_negated": """
axes A
map n on A
tensor X: T[A: n]
reduce(min, -X, A) => -reduce(max, X, A)
""",
    "maxima_times_an_identity": """
axis k ~ l
axes B
map b on B
int n
tensor X: T[B: b, k: n]
tensor Y: T[k: n]
dot(max(X * broadcast(Y, B: b), 0), select(iota(T, k, k: n, l: n) == iota(T, l, k: n, l: n), 1, 0), contract = k)
  => max(transpose(X, k -> l) * broadcast(transpose(Y, k -> l), B: b), 0)
""",
    "nested_identity_kernels": """
axis k ~ l
axes B, S
map b on B
map s on S
int n
tensor X: T[B: b, k: n, S: s]
max(convolution(max(X, 0), pad(broadcast(select(iota(T, l, k: n, l: n) == iota(T, k, k: n, l: n), 1, 0), S: 1), 0,
  S: (1, 1)), batch = B, feature = k, output = l, S: (low = 1, high = 1)), 0) => max(transpose(X, k -> l), 0)
""",
}
