"""Single axes in the place of others: what is joined, split, cut anew, and moved or reduced before or after.

Owns true identities of `bitcast`, which `reshape` of several axes is. Sizes are integers, so that any axis may have any
product of them, and each may be 0 or 1.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import builders as b
from builders import PRED, Ix, ix
from drafts import Draft, Shaped, bitcast, broadcast, concatenate, pad, pointwise, reduce, reverse, slice_
from identities_moving import Sides

from rewright.model.index import Name


def _axes(d: Draft, count: int) -> list[Name]:
    return [d.an_axis() for _ in range(count)]


def _sizes(d: Draft, count: int) -> list[Ix]:
    """Integers, now and then a number, none of them negative."""
    sizes = [ix(d.rng.choice([1, 2, 3])) if d.rng.random() < 0.25 else d.an_integer() for _ in range(count)]
    d.require(*(b.compare(">=", size, 0) for size in sizes))
    return sizes


def _rest(d: Draft) -> dict[Name, Ix]:
    """Groups that no bitcast touches."""
    if d.rng.random() < 0.6:
        return {}
    group = d.a_group()
    return {group: d.a_map(group)}


def joined_and_split(d: Draft) -> Sides:
    """Joined and split again, split and joined again, also with an axis of size 1 somewhere among them."""
    a, c, whole, unit = _axes(d, 4)
    p, q = _sizes(d, 2)
    rest = _rest(d)
    match d.rng.randrange(3):
        case 0:
            x = d.operand({**rest, a: p, c: q})
            return bitcast(bitcast(x, [a, c], {whole: None}), [whole], {a: p, c: q}), x
        case 1:
            x = d.operand({**rest, whole: p * q})
            return bitcast(bitcast(x, [whole], {a: p, c: q}), [a, c], {whole: None}), x
        case _:
            x = d.operand({**rest, a: p, c: q})
            new = [(a, p), (c, q)]
            new.insert(d.rng.randrange(3), (unit, ix(1)))
            left = bitcast(bitcast(x, [a, c], {whole: None}), [whole], dict(new))
            return Shaped(b.reshape(left.tensor, [unit], []), x.sizes), x


def cut_anew(d: Draft) -> Sides:
    """Axes p·q and r become p and q·r; in one step, in two, or there and back."""
    a, c, e, f, whole = _axes(d, 5)
    p, q, r = _sizes(d, 3)
    x = d.operand({**_rest(d), a: p * q, c: r})
    between = bitcast(x, [a, c], {e: p, f: q * r})
    match d.rng.randrange(3):
        case 0:
            return bitcast(between, [e, f], {whole: None}), bitcast(x, [a, c], {whole: None})
        case 1:
            return bitcast(between, [e, f], {a: p * q, c: r}), x
        case _:
            return between, bitcast(bitcast(x, [a, c], {whole: None}), [whole], {e: p, f: q * r})


def joined_in_steps(d: Draft) -> Sides:
    """Three axes are joined at once, the last two first, or the first two."""
    a, c, e, two, whole = _axes(d, 5)
    p, q, r = _sizes(d, 3)
    x = d.operand({**_rest(d), a: p, c: q, e: r})
    at_once = bitcast(x, [a, c, e], {whole: None})
    if d.rng.random() < 0.5:
        return bitcast(bitcast(x, [c, e], {two: None}), [a, two], {whole: None}), at_once
    return bitcast(bitcast(x, [a, c], {two: None}), [two, e], {whole: None}), at_once


def moved_and_joined(d: Draft) -> Sides:
    """What works on whole rows of the joined axis works on the first of its parts."""
    a, c, whole, other = _axes(d, 4)
    p, q, r = _sizes(d, 3)
    x = d.operand({a: p, c: q})
    join = partial(bitcast, sources=[a, c], targets={whole: None})
    value = d.a_scalar()
    match d.rng.randrange(7):
        case 0:
            return join(reverse(x, [a, c])), reverse(join(x), [whole])
        case 1:
            y = d.a_tensor({a: r, c: q})
            return join(concatenate(a, x, y)), concatenate(whole, join(x), join(y))
        case 2:
            d.require(b.compare("<=", r, p))
            return join(slice_(x, {a: (0, r)})), slice_(join(x), {whole: (0, r * q)})
        case 3:
            return join(pad(x, value, {a: (r, 1, 0)})), pad(join(x), value, {whole: (r * q, q, 0)})
        case 4:
            y, chosen = d.a_tensor(x.sizes), d.a_tensor(x.sizes, PRED)
            left = join(pointwise("select", chosen, x, y))
            return left, pointwise("select", join(chosen), join(x), join(y))
        case 5:
            return join(broadcast(Shaped(value, {}), {a: p, c: q})), broadcast(Shaped(value, {}), {whole: p * q})
        case _:
            return join(broadcast(x, {other: r})), broadcast(join(x), {other: r})


def joined_and_reduced(d: Draft) -> Sides:
    """A reduction over the joined axis is one over its parts."""
    a, c, whole = _axes(d, 3)
    p, q = _sizes(d, 2)
    x = d.operand({**_rest(d), a: p, c: q})
    monoid = d.rng.choice(["add", "add", "maximum", "minimum"])
    return reduce(monoid, bitcast(x, [a, c], {whole: None}), [whole]), reduce(monoid, x, [a, c])


ANY_BITCASTS: tuple[Callable[[Draft], Sides], ...] = (
    joined_and_split,
    cut_anew,
    joined_in_steps,
    moved_and_joined,
)
