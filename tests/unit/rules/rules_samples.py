"""True and false rules over the operators that are decided, by name."""

from __future__ import annotations

from collections.abc import Callable

from rules_build import (
    Draft,
    broadcast,
    compare,
    concatenate,
    dynamic_slice,
    ix,
    most,
    pad,
    point,
    reduce_,
    reverse,
    slice_,
    some,
    transpose,
    update,
)

from rewright.model.rule import RuleQuestion

Make = Callable[[], RuleQuestion]
TRUE: dict[str, Make] = {}
FALSE: dict[str, Make] = {}


def true(make: Make) -> Make:
    TRUE[make.__name__] = make
    return make


def false(make: Make) -> Make:
    FALSE[make.__name__] = make
    return make


@true
def dynamic_slice_to_slice() -> RuleQuestion:
    d = Draft("A")
    n, start, length, limit = d.map("n start length limit", "A")
    x = d.tensor("X", A=n)
    where = (ix(0) <= start, limit == start + length, limit <= n)
    return d.rule(dynamic_slice(x, A=(start, length)), slice_(x, A=(start, limit, 1)), *where)


@true
def dynamic_slice_is_clamped() -> RuleQuestion:
    d = Draft("A")
    n, start, length = d.map("n start length", "A")
    x = d.tensor("X", A=n)
    right = slice_(x, A=(n - length, n, 1))
    return d.rule(dynamic_slice(x, A=(start, length)), right, start + length >= n, length <= n)


@true
def slice_of_slice_any_strides() -> RuleQuestion:
    d = Draft("A")
    n, s, e, p, s2, e2, p2 = d.map("n s e p s2 e2 p2", "A")
    x = d.tensor("X", A=n)
    left = slice_(slice_(x, A=(s, e, p)), A=(s2, e2, p2))
    start = s + s2 * p
    limit = start + ((e2 - s2 - 1) // p2) * p * p2 + 1
    return d.rule(left, slice_(x, A=(start, limit, p * p2)), e2 > s2)


@true
def pads_merge() -> RuleQuestion:
    d = Draft("A")
    n, low, high, inner, low2, high2 = d.map("n low high inner low2 high2", "A")
    x, v = d.tensor("X", A=n), d.scalar("v")
    left = pad(pad(x, v, A=(low, high, inner)), v, A=(low2, high2, 0))
    return d.rule(left, pad(x, v, A=(low + low2, high + high2, inner)), low >= 0, high >= 0)


@true
def slice_of_padding_only() -> RuleQuestion:
    d = Draft("A")
    n, s, e, p, low, high, inner = d.map("n s e p low high inner", "A")
    x, v = d.tensor("X", A=n), d.scalar("v")
    left = slice_(pad(x, v, A=(low, high, inner)), A=(s, e, p))
    right = broadcast(v, A=(e - s + p - 1) // p)
    return d.rule(left, right, some("A", (e <= low) | (s >= n + low + (n - 1) * inner)))


@true
def slice_of_reverse() -> RuleQuestion:
    d = Draft("A")
    n, s, e, p = d.map("n s e p", "A")
    x = d.tensor("X", A=n)
    start = n - s - (p * ((e - s - 1) // p) + 1)
    return d.rule(slice_(reverse(x, "A"), A=(s, e, p)), reverse(slice_(x, A=(start, n - s, p)), "A"), e > s)


@true
def concatenate_is_associative() -> RuleQuestion:
    d = Draft("A, d!")
    (n,) = d.map("n", "A")
    a, b, c = d.map("a b c", "d")
    x, y, z = d.tensor("X", A=n, d=a), d.tensor("Y", A=n, d=b), d.tensor("Z", A=n, d=c)
    return d.rule(concatenate("d", concatenate("d", x, y), z), concatenate("d", x, y, z))


@true
def slice_of_the_first_operand() -> RuleQuestion:
    d = Draft("A, d!")
    (n,) = d.map("n", "A")
    a, b, s, e = d.map("a b s e", "d")
    x, y = d.tensor("X", A=n, d=a), d.tensor("Y", A=n, d=b)
    return d.rule(slice_(concatenate("d", x, y), d=(s, e, 1)), slice_(x, d=(s, e, 1)), e <= a)


@true
def reverse_of_one_element() -> RuleQuestion:
    d = Draft("A")
    (n,) = d.map("n", "A")
    x = d.tensor("X", A=n)
    return d.rule(reverse(x, "A"), x, n == 1)


@true
def sum_with_its_transpose_is_symmetric() -> RuleQuestion:
    d = Draft("I ~ J", "int")
    (n,) = d.map("n", "I")
    x = d.tensor("X", I=n, J=n)
    both = x + transpose(x, I="J", J="I")
    return d.rule(transpose(both, I="J", J="I"), both)


@true
def update_of_an_update() -> RuleQuestion:
    d = Draft("A")
    n, length, s, t, m = d.map("n length s t m", "A")
    x, y = d.tensor("X", A=n), d.tensor("Y", A=m)
    left = update(x, update(dynamic_slice(x, A=(s, length)), y, A=t), A=s)
    where = (ix(0) <= s, s + length <= n, ix(0) <= t, t + m <= length)
    return d.rule(left, update(x, y, A=s + t), *where)


@true
def product_distributes() -> RuleQuestion:
    d = Draft("A, B", "real")
    (n,) = d.map("n", "A")
    (m,) = d.map("m", "B")
    x, y, c = d.tensor("X", A=n), d.tensor("Y", A=n), d.scalar("c")
    left = broadcast((x + y) * c, B=m)
    return d.rule(left, broadcast(x, B=m) * c + broadcast(y * c, B=m))


@true
def clamp_as_max_of_min() -> RuleQuestion:
    d = Draft("A", "int")
    (n,) = d.map("n", "A")
    x, low, high = d.tensor("X", A=n), d.tensor("C", A=n), d.tensor("D", A=n)
    left = point("maximum", low, point("minimum", x, high))
    ordered = d.assume(compare("<=", low, high), "A")
    return d.rule(left, point("clamp", low, x, high), assume=(ordered,))


@true
def maximum_with_lowest() -> RuleQuestion:
    d = Draft("A", "real")
    (n,) = d.map("n", "A")
    x = d.tensor("X", A=n)
    return d.rule(point("maximum", x, -d.constant("highest")), x)


@true
def iota_of_one_element() -> RuleQuestion:
    d = Draft("d!, A", "int")
    (n,) = d.map("n", "d")
    (m,) = d.map("m", "A")
    zeros = broadcast(d.constant("0"), d=n, A=m)
    return d.rule(d.iota("d", d=n, A=m), zeros, n == 1)


@true
def select_by_the_negation() -> RuleQuestion:
    d = Draft("A")
    (n,) = d.map("n", "A")
    p, x, y = d.tensor("P", "pred", A=n), d.tensor("X", A=n), d.tensor("Y", A=n)
    return d.rule(point("select", point("not", p), x, y), point("select", p, y, x))


@true
def reduce_of_a_reduce() -> RuleQuestion:
    d = Draft("A, B, C", "int")
    n, m, k = d.map("n", "A") + d.map("m", "B") + d.map("k", "C")
    x = d.tensor("X", A=n, B=m, C=k)
    return d.rule(reduce_("add", reduce_("add", x, "B"), "C"), reduce_("add", x, "C", "B"))


@true
def reduce_of_a_transpose() -> RuleQuestion:
    d = Draft("I ~ J ~ K", "real")
    n, m = d.map("n m", "I")
    x = d.tensor("X", I=n, J=m)
    left = transpose(reduce_("maximum", transpose(x, I="J", J="I"), "I"), J="I")
    return d.rule(left, reduce_("maximum", x, "J"))


@true
def reduce_started_from_a_scalar() -> RuleQuestion:
    d = Draft("A, C", "int")
    n, m = d.map("n", "A") + d.map("m", "C")
    x, z = d.tensor("X", A=n, C=m), d.scalar("z")
    return d.rule(reduce_("add", x, "C", init=z), reduce_("add", x, "C") + z)


@true
def slice_of_a_reduce() -> RuleQuestion:
    d = Draft("A, C", "int")
    n, s, e, p = d.map("n s e p", "A")
    (m,) = d.map("m", "C")
    x = d.tensor("X", A=n, C=m)
    return d.rule(slice_(reduce_("add", x, "C"), A=(s, e, p)), reduce_("add", slice_(x, A=(s, e, p)), "C"))


@false
def update_of_a_slice() -> RuleQuestion:
    """Holds at rank 1, fails at rank 2."""
    d = Draft("A")
    (n,) = d.map("n", "A")
    x, a = d.tensor("X", A=n), d.scalar("a")
    half, rest = (n + 1) // 2, broadcast(a, A=(n + 1) // 2 - 1)
    left = update(slice_(x, A=(0, half, 1)), rest, A=1)
    return d.rule(left, update(slice_(x, A=(0, None, 2)), rest, A=1))


@false
def concatenate_commutes() -> RuleQuestion:
    d = Draft("A, d!")
    (n,) = d.map("n", "A")
    a, b = d.map("a b", "d")
    x, y = d.tensor("X", A=n, d=a), d.tensor("Y", A=n, d=b)
    return d.rule(concatenate("d", x, y), concatenate("d", y, x))


@false
def transpose_is_the_identity() -> RuleQuestion:
    d = Draft("I ~ J")
    (n,) = d.map("n", "I")
    x = d.tensor("X", I=n, J=n)
    return d.rule(transpose(x, I="J", J="I"), x)


@false
def dynamic_slice_is_a_slice_unclamped() -> RuleQuestion:
    d = Draft("A")
    n, start, length = d.map("n start length", "A")
    x = d.tensor("X", A=n)
    return d.rule(dynamic_slice(x, A=(start, length)), slice_(x, A=(start, start + length, 1)))


@false
def inner_pads_merge() -> RuleQuestion:
    d = Draft("A")
    n, low, high, low2, high2 = d.map("n low high low2 high2", "A")
    x, v = d.tensor("X", A=n), d.scalar("v")
    left = pad(pad(x, v, A=(low, high, 0)), v, A=(low2, high2, 0))
    return d.rule(left, pad(x, v, A=(low + low2, high + high2, 0)))


@false
def clamp_as_max_of_min_always() -> RuleQuestion:
    d = Draft("A", "int")
    (n,) = d.map("n", "A")
    x, low, high = d.tensor("X", A=n), d.tensor("C", A=n), d.tensor("D", A=n)
    left = point("maximum", low, point("minimum", x, high))
    return d.rule(left, point("clamp", low, x, high))


@false
def select_keeps_its_branches() -> RuleQuestion:
    d = Draft("A")
    (n,) = d.map("n", "A")
    p, x, y = d.tensor("P", "pred", A=n), d.tensor("X", A=n), d.tensor("Y", A=n)
    return d.rule(point("select", p, x, y), point("select", p, y, x))


@false
def reduce_ignores_the_initial_value() -> RuleQuestion:
    d = Draft("A, C", "int")
    n, m = d.map("n", "A") + d.map("m", "C")
    x, z = d.tensor("X", A=n, C=m), d.scalar("z")
    return d.rule(reduce_("add", x, "C", init=z), reduce_("add", x, "C"))


@false
def sum_of_padding_with_ones() -> RuleQuestion:
    d = Draft("C", "int")
    n, low = d.map("n low", "C")
    x = d.tensor("X", C=n)
    left = reduce_("add", pad(x, d.constant("1"), C=(low, 0, 0)), "C")
    return d.rule(left, reduce_("add", x, "C"), low >= 0)


@false
def maximum_of_nothing() -> RuleQuestion:
    """The maximum over an empty group is lowest, not 0."""
    d = Draft("C", "int")
    (n,) = d.map("n", "C")
    x = d.tensor("X", C=n)
    everything = reduce_("maximum", x, "C")
    return d.rule(everything, point("maximum", everything, d.constant("-5")))


@false
def pad_grows_by_the_interior_once() -> RuleQuestion:
    d = Draft("A")
    n, inner = d.map("n inner", "A")
    x, v = d.tensor("X", A=n), d.scalar("v")
    same = most(n - 1, 0) * inner
    return d.rule(pad(x, v, A=(0, 0, inner)), pad(x, v, A=(0, same, 0)))
