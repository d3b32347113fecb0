"""True identities of dot products and of windows.

As in `identities_reducing`, each function draws one identity: two expressions that are equal at every rank and size
under the preconditions that it adds to the draft.
"""

from __future__ import annotations

from collections.abc import Callable

import builders as b
from builders import INT, T, ix
from drafts import (
    Draft,
    Shaped,
    broadcast,
    concatenate,
    fill,
    iota,
    pad,
    pointwise,
    reduce,
    reshape,
    reverse,
    slice_,
    transpose,
)
from identities_moving import Sides
from identities_reducing import a_monoid, neutral

from rewright.model import tensor as mt
from rewright.model.index import Name


def dot(x: Shaped, y: Shaped, contracted: list[Name]) -> Shaped:
    kept = {group: size for z in (x, y) for group, size in z.sizes.items() if group not in contracted}
    return Shaped(b.dot(x.tensor, y.tensor, contracted), kept)


def dot_is_a_sum(d: Draft) -> Sides:
    own, inner, other = d.a_group(), d.a_group(), d.a_group()
    n, k, m = d.a_map(own), d.a_map(inner), d.a_map(other)
    x, y = d.operand({own: n, inner: k}), d.operand({inner: k, other: m})
    product = pointwise("multiply", broadcast(x, {other: m}), broadcast(y, {own: n}))
    return dot(x, y, [inner]), reduce("add", product, [inner])


def dot_of_moved(d: Draft) -> Sides:
    own, inner, other = d.a_group(), d.a_group(), d.a_group()
    n, k, m = d.a_map(own), d.a_map(inner), d.a_map(other)
    x, y = d.operand({own: n, inner: k}), d.operand({inner: k, other: m})
    case = d.rng.randrange(5)
    if case == 0:
        return dot(reverse(x, [inner]), y, [inner]), dot(x, reverse(y, [inner]), [inner])
    if case == 1:
        return dot(x, y, [inner]), dot(y, x, [inner])
    if case == 2:
        low, high, interior = d.a_map(inner), d.a_map(inner), d.a_map(inner)
        d.require(b.compare(">=", low, 0), b.compare(">=", high, 0))
        padded = d.a_map(inner)
        long = d.operand({inner: padded, other: m})
        within = slice_(long, {inner: (low, padded - high, interior + 1)})
        return dot(pad(x, neutral("add"), {inner: (low, high, interior)}), long, [inner]), dot(x, within, [inner])
    if case == 3:
        cut = {own: (d.an_attribute(own), d.a_map(own), d.pick(1, 2))}
        return slice_(dot(x, y, [inner]), cut), dot(slice_(x, cut), y, [inner])
    z = d.operand({inner: k, other: m})
    total = pointwise("add", dot(x, y, [inner]), dot(x, z, [inner]))
    return total, dot(x, pointwise("add", z, y), [inner])


def dot_in_parts(d: Draft) -> Sides:
    axis, other = d.an_axis(), d.a_group()
    first, second, m = d.a_map(axis), d.a_map(axis), d.a_map(other)
    x, y = d.operand({axis: first}), d.operand({axis: second})
    z = d.operand({axis: first + second, other: m})
    left = dot(concatenate(axis, x, y), z, [axis])
    parts = slice_(z, {axis: (0, first)}), slice_(z, {axis: (first, first + second)})
    return left, pointwise("add", dot(x, parts[0], [axis]), dot(y, parts[1], [axis]))


def dot_of_dot(d: Draft) -> Sides:
    a, c, e, h = (d.a_group() for _ in range(4))
    n, k, o, m = (d.a_map(group) for group in (a, c, e, h))
    x, y, z = d.a_tensor({a: n, c: k}), d.a_tensor({c: k, e: o}), d.a_tensor({e: o, h: m})
    return dot(dot(x, y, [c]), z, [e]), dot(x, dot(y, z, [e]), [c])


def dot_over_a_batch(d: Draft) -> Sides:
    batch, inner, own, other = (d.a_group() for _ in range(4))
    p, k = d.a_map(batch), d.a_map(inner)
    x = d.a_tensor({batch: p, inner: k, own: d.a_map(own)})
    y = d.a_tensor({batch: p, inner: k, other: d.a_map(other)})
    return reduce("add", dot(x, y, [inner]), [batch]), dot(x, y, [inner, batch])


def selected(condition: Shaped) -> Shaped:
    """1 where the condition holds, 0 elsewhere."""
    return pointwise("select", condition, b.constant("1", T), b.constant("0", T))


def dot_with_a_selection(d: Draft) -> Sides:
    """Matrices of 0 and 1 that are made of compared indices: the identity, cut, padded, turned or shifted."""
    own, axis = d.a_group(), d.an_axis()
    other = d.an_axis(axis)
    n, m, a = d.a_map(axis), d.a_map(axis), d.a_map(own)
    x = d.operand({own: a, axis: n})
    type_ = d.rng.choice([INT, T])
    case = d.rng.randrange(5)
    sizes = {axis: n, other: m if case < 2 else n}
    i, j = iota(axis, sizes, type_), iota(other, sizes, type_)
    turned = transpose(x, {axis: other})
    if case == 0:
        d.require(b.compare("<=", m, n))
        return dot(x, selected(pointwise("eq", i, j)), [axis]), slice_(turned, {other: (0, m)})
    if case == 1:
        d.require(b.compare("<=", n, m))
        padded = pad(turned, neutral("add"), {other: (0, m - n, 0)})
        return dot(x, selected(pointwise("eq", j, i)), [axis]), padded
    if case == 2:
        return dot(x, selected(pointwise("eq", i, j)), [axis]), turned
    if case == 3:
        last = pointwise("eq", pointwise("add", i, j), b.element_of(n - 1, type_))
        return dot(x, selected(last), [axis]), reverse(turned, [other])
    k = d.an_integer()
    d.require(b.compare("<=", 0, k), b.compare("<=", k, n))
    shifted = selected(pointwise("eq", i, pointwise("add", j, b.element_of(k, type_))))
    return dot(x, shifted, [axis]), pad(slice_(turned, {other: (k, n)}), neutral("add"), {other: (0, k, 0)})


def dot_with_one_hot(d: Draft) -> Sides:
    """One index that is selected, or a constant."""
    own, axis = d.a_group(), d.an_axis()
    n, k = d.a_map(axis), d.an_integer()
    x = d.operand({own: d.a_map(own), axis: n})
    if d.rng.random() < 0.5:
        c = d.a_scalar()
        return dot(x, fill(c, {axis: n}), [axis]), pointwise("multiply", reduce("add", x, [axis]), c)
    d.require(b.compare("<=", 0, k), b.compare("<", k, n))
    hot = selected(pointwise("eq", iota(axis, {axis: n}, INT), b.element_of(k, INT)))
    return dot(x, hot, [axis]), reshape(slice_(x, {axis: (k, k + 1)}), [axis], [])


def windows_over(x: Shaped, monoid: str, windows: dict[Name, mt.Window], init: mt.Tensor | None = None) -> Shaped:
    """Windows; the sizes of the result are those of the operand, which only identities without a context may use."""
    return Shaped(b.reduce_window(monoid, x.tensor, windows, init), {})


def windows(d: Draft) -> Sides:
    monoid, type_ = a_monoid(d, "add", "add", "maximum", "minimum")
    group = d.a_group()
    n = d.a_map(group)
    x = d.operand({group: n}, type_)
    low, high = d.a_map(group), d.pick(0, d.a_map(group))
    size, stride = d.pick(2, d.a_map(group)), d.pick(1, 1, 2)
    case = d.rng.randrange(4)
    if case == 0:
        return windows_over(x, monoid, {group: b.window(1)}), Shaped(x.tensor, {})
    if case == 1:
        d.require(b.compare(">=", low, 0), b.compare(">=", ix(high), 0))
        padded = pad(x, neutral(monoid), {group: (low, high, 0)})
        folded = windows_over(x, monoid, {group: b.window(size, stride, low, high)})
        return windows_over(padded, monoid, {group: b.window(size, stride)}), folded
    if case == 2:
        d.require(b.compare(">=", n, 1))
        unit = Shaped(b.reduce_window(monoid, x.tensor, {group: b.window(n)}), {group: ix(1)})
        return reshape(unit, [group], []), Shaped(b.reduce(monoid, x.tensor, [group]), {})
    turned = windows_over(reverse(x, [group]), monoid, {group: b.window(size)})
    return turned, Shaped(b.reverse(windows_over(x, monoid, {group: b.window(size)}).tensor, [group]), {})


def cumulative(d: Draft) -> Sides:
    """The last of all sums up to an index is the sum."""
    monoid, type_ = a_monoid(d, "add", "maximum")
    axis = d.an_axis()
    n = d.a_map(axis)
    x = d.operand({axis: n}, type_)
    d.require(b.compare(">=", n, 1))
    sums = Shaped(b.reduce_window(monoid, x.tensor, {axis: b.window(n, 1, n - 1, 0)}), {axis: n})
    return reshape(slice_(sums, {axis: (n - 1, n)}), [axis], []), reduce(monoid, x, [axis])


CONTRACTING: tuple[Callable[[Draft], Sides], ...] = (
    dot_is_a_sum,
    dot_of_moved,
    dot_in_parts,
    dot_of_dot,
    dot_over_a_batch,
    windows,
    cumulative,
)

SELECTING: tuple[Callable[[Draft], Sides], ...] = (dot_with_a_selection, dot_with_one_hot)
