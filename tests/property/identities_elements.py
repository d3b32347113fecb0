"""True identities of elements: division, remainder, absolute value, sign, exponential, declared functions, assumptions.

Each holds at every element at which its left side is defined. A law is drawn at random and applied to random
expressions; over the integers division truncates, over the reals it is exact.
"""

from __future__ import annotations

from collections.abc import Callable

import builders as b
from builders import PRED, T, U
from drafts import Draft, Shaped, broadcast, concatenate, fill, pad, pointwise, reverse, slice_
from identities_computing import Law, by_law, f
from identities_moving import Sides

from rewright.model import formula as mf
from rewright.model import tensor as mt
from rewright.model.index import Name


def number(text: str, like: Shaped) -> Shaped:
    return fill(b.constant(text, T), like.sizes)


def true(like: Shaped) -> Shaped:
    return fill(b.constant("true", PRED), like.sizes)


QUOTIENTS: tuple[Law, ...] = (
    lambda x, y, z: (f("divide", f("negate", x), y), f("negate", f("divide", x, y))),
    lambda x, y, z: (f("divide", x, f("negate", y)), f("negate", f("divide", x, y))),
    lambda x, y, z: (f("abs", f("divide", x, y)), f("divide", f("abs", x), f("abs", y))),
    lambda x, y, z: (f("divide", f("multiply", x, y), y), x),
    lambda x, y, z: (f("divide", f("multiply", x, z), f("multiply", y, z)), f("divide", x, y)),
    lambda x, y, z: (f("divide", x, x), number("1", x)),
    lambda x, y, z: (pointwise("divide", x, b.constant("1", T)), x),
    lambda x, y, z: (f("divide", number("0", x), x), number("0", x)),
    lambda x, y, z: (f("multiply", f("sign", y), f("divide", x, y)), f("divide", x, f("abs", y))),
)

REMAINDERS: tuple[Law, ...] = (
    lambda x, y, z: (f("remainder", x, y), f("subtract", x, f("multiply", f("divide", x, y), y))),
    lambda x, y, z: (f("add", f("multiply", y, f("divide", x, y)), f("remainder", x, y)), x),
    lambda x, y, z: (f("remainder", f("negate", x), y), f("negate", f("remainder", x, y))),
    lambda x, y, z: (f("remainder", x, f("negate", y)), f("remainder", x, y)),
    lambda x, y, z: (f("remainder", f("remainder", x, y), y), f("remainder", x, y)),
    lambda x, y, z: (f("remainder", f("multiply", x, y), y), number("0", x)),
    lambda x, y, z: (f("lt", f("abs", f("remainder", x, y)), f("abs", y)), true(x)),
    lambda x, y, z: (pointwise("remainder", x, b.constant("1", T)), number("0", x)),
    lambda x, y, z: (f("divide", f("remainder", x, y), y), number("0", x)),
    lambda x, y, z: (f("abs", f("remainder", x, y)), f("remainder", f("abs", x), f("abs", y))),
)

FRACTIONS: tuple[Law, ...] = (
    lambda x, y, z: (f("add", f("divide", x, y), f("divide", z, y)), f("divide", f("add", x, z), y)),
    lambda x, y, z: (f("multiply", x, f("divide", y, z)), f("divide", f("multiply", x, y), z)),
    lambda x, y, z: (f("divide", x, y), f("multiply", x, f("divide", number("1", y), y))),
    lambda x, y, z: (f("multiply", f("divide", x, y), y), x),
    lambda x, y, z: (f("divide", x, f("divide", y, z)), f("divide", f("multiply", x, z), y)),
    lambda x, y, z: (f("divide", f("divide", x, y), z), f("divide", x, f("multiply", y, z))),
    lambda x, y, z: (f("divide", number("1", x), f("divide", number("1", x), x)), x),
)

POWERS: tuple[Law, ...] = (
    lambda x, y, z: (f("exponential", f("add", x, y)), f("multiply", f("exponential", x), f("exponential", y))),
    lambda x, y, z: (f("multiply", f("exponential", f("negate", x)), f("exponential", x)), number("1", x)),
    lambda x, y, z: (f("exponential", f("subtract", x, y)), f("divide", f("exponential", x), f("exponential", y))),
    lambda x, y, z: (pointwise("gt", f("exponential", x), b.constant("0", T)), true(x)),
    lambda x, y, z: (f("lt", f("exponential", x), f("exponential", y)), f("lt", x, y)),
    lambda x, y, z: (f("maximum", f("exponential", x), f("exponential", y)), f("exponential", f("maximum", x, y))),
    lambda x, y, z: (f("abs", f("exponential", x)), f("exponential", x)),
    lambda x, y, z: (f("exponential", f("add", x, x)), f("multiply", f("exponential", x), f("exponential", x))),
    lambda x, y, z: (f("divide", z, f("exponential", x)), f("multiply", z, f("exponential", f("negate", x)))),
)

SIGNS: tuple[Law, ...] = (
    lambda x, y, z: (f("abs", f("multiply", x, y)), f("multiply", f("abs", x), f("abs", y))),
    lambda x, y, z: (f("abs", f("negate", x)), f("abs", x)),
    lambda x, y, z: (f("maximum", x, f("negate", x)), f("abs", x)),
    lambda x, y, z: (f("multiply", f("abs", x), f("abs", x)), f("multiply", x, x)),
    lambda x, y, z: (f("multiply", f("sign", x), f("abs", x)), x),
    lambda x, y, z: (f("sign", f("multiply", x, y)), f("multiply", f("sign", x), f("sign", y))),
    lambda x, y, z: (f("sign", f("negate", x)), f("negate", f("sign", x))),
    lambda x, y, z: (f("sign", f("sign", x)), f("sign", x)),
    lambda x, y, z: (pointwise("ge", f("abs", x), b.constant("0", T)), true(x)),
    lambda x, y, z: (f("abs", f("sign", x)), f("multiply", f("sign", x), f("sign", x))),
    lambda x, y, z: (pointwise("select", pointwise("lt", x, b.constant("0", T)), f("negate", x), x), f("abs", x)),
    lambda x, y, z: (f("abs", f("subtract", x, y)), f("abs", f("subtract", y, x))),
    lambda x, y, z: (f("le", f("abs", f("add", x, y)), f("add", f("abs", x), f("abs", y))), true(x)),
)


def quotients(d: Draft) -> Sides:
    return by_law(d, QUOTIENTS, T)


def remainders(d: Draft) -> Sides:
    return by_law(d, REMAINDERS, T)


def fractions(d: Draft) -> Sides:
    return by_law(d, FRACTIONS, T)


def powers(d: Draft) -> Sides:
    return by_law(d, POWERS, T)


def signs(d: Draft) -> Sides:
    return by_law(d, SIGNS, T)


def scalar_bounds(d: Draft) -> Sides:
    """Clamps between scalars, and choices between scalars."""
    x = d.operand(d.a_layout())
    low, high, p = d.a_scalar(), d.a_scalar(), d.a_tensor(x.sizes, PRED)
    group = x.groups[0]
    both = pointwise("maximum", x, low)
    laws: list[Callable[[], Sides]] = [
        lambda: (pointwise("clamp", low, x, high), pointwise("minimum", both, high)),
        lambda: (pointwise("clamp", low, pointwise("clamp", low, x, high), high), pointwise("clamp", low, x, high)),
        lambda: (
            reverse(pointwise("clamp", low, x, high), [group]),
            pointwise("clamp", low, reverse(x, [group]), high),
        ),
        lambda: (pointwise("select", p, low, low), fill(low, x.sizes)),
        lambda: (pointwise("select", f("not", p), low, x), pointwise("select", p, x, low)),
        lambda: (pointwise("clamp", low, fill(low, x.sizes), high), fill(b.pointwise("minimum", low, high), x.sizes)),
        lambda: (pointwise("select", pointwise("le", x, high), x, high), pointwise("minimum", x, high)),
    ]
    return d.rng.choice(laws)()


def functions(d: Draft) -> Sides:
    """Declared functions: what is elementwise commutes with what moves data, over one and over two type parameters."""
    sizes = d.a_layout()
    d.second = "any"
    to, of = d.rng.choice([(U, T), (T, T), (T, U)])
    one = d.a_function([of], to)
    two = d.a_function([T, U], U)
    x, y, z = d.operand(sizes, of), d.operand(sizes, of), d.a_tensor(sizes, U)
    t, value, p = d.operand(sizes), d.a_scalar(of), d.a_tensor(sizes, PRED)
    group = x.groups[0]
    low, high, new = d.an_attribute(group), d.an_attribute(group), d.fresh("B")
    start, size = d.an_attribute(group), sizes[group]
    laws: list[Callable[[], Sides]] = [
        lambda: (one(reverse(x, [group])), reverse(one(x), [group])),
        lambda: (reverse(two(t, z), [group]), two(reverse(t, [group]), reverse(z, [group]))),
        lambda: (pointwise("select", p, one(x), one(y)), one(pointwise("select", p, x, y))),
        lambda: (one(pad(x, value, {group: (low, high)})), _padded(one, x, value, {group: (low, high)})),
        lambda: (slice_(one(x), {group: (start, size)}), one(slice_(x, {group: (start, size)}))),
        lambda: (broadcast(one(x), {d.group(new): b.ix(2)}), one(broadcast(x, {Name(new): b.ix(2)}))),
        lambda: (two(t, pointwise("select", p, z, z)), two(t, z)),
    ]
    return d.rng.choice(laws)()


def _padded(
    one: Callable[..., Shaped], x: Shaped, value: mt.Tensor, paddings: dict[Name, tuple[b.IndexLike, ...]]
) -> Shaped:
    return pad(one(x), one(value).tensor, paddings)


def several_types(d: Draft) -> Sides:
    """Elements of two types that only meet in a choice and in a function."""
    axis, group = d.an_axis(), d.a_group()
    d.second = d.rng.choice(["any", "num"])
    size = d.a_map(group)
    chosen = d.a_function([T, U], d.rng.choice([T, U]))
    xs = [d.a_tensor({group: size, axis: d.a_map(axis)}) for _ in range(2)]
    ys = [d.a_tensor(x.sizes, U) for x in xs]
    joined = chosen(concatenate(axis, *xs), concatenate(axis, *ys))
    return joined, concatenate(axis, *(chosen(x, y) for x, y in zip(xs, ys, strict=True)))


def assumed(d: Draft) -> Sides:
    """Assumptions on one tensor, two and three, of several Boolean forms, used at the index that they speak of."""
    sizes = d.a_layout()
    x, y, z, other = (d.a_tensor(sizes) for _ in range(4))
    zero = b.constant("0", T)

    def compared(operator: str, left: Shaped, right: Shaped | mt.Tensor) -> mf.Formula:
        return b.compare_elements(operator, left.tensor, right.tensor if isinstance(right, Shaped) else right)

    upper = f("maximum", x, y)
    bodies: list[tuple[mf.Formula, list[Sides]]] = [
        (compared(">=", x, zero), [(f("abs", x), x), (pointwise("maximum", x, zero), x)]),
        (compared(">", x, zero), [(f("sign", x), number("1", x)), (f("divide", x, x), number("1", x))]),
        (compared("<", x, zero), [(f("abs", x), f("negate", x)), (pointwise("minimum", x, zero), x)]),
        (b.either(compared("==", x, y), compared("<", x, y)), [(upper, y), (f("minimum", y, x), x)]),
        (b.negation(compared(">", x, y)), [(upper, y), (f("le", x, y), true(x))]),
        (
            b.both(compared("<=", x, y), compared("<=", y, z)),
            [(f("clamp", x, y, z), y), (f("maximum", x, z), z), (f("le", f("add", x, y), f("add", y, z)), true(x))],
        ),
        (compared("!=", y, zero), [(f("divide", f("multiply", x, y), y), x)]),
        (compared("==", x, y), [(f("add", x, other), f("add", y, other)), (f("abs", x), f("abs", y))]),
    ]
    body, laws = d.rng.choice(bodies)
    d.assume(x.groups, body)
    left, right = d.rng.choice(laws)
    if d.rng.random() < 0.5:
        return left, right
    return reverse(left, [x.groups[0]]), reverse(right, [x.groups[0]])


NUMBERS: tuple[Callable[[Draft], Sides], ...] = (quotients, signs, scalar_bounds, assumed)
INTEGERS: tuple[Callable[[Draft], Sides], ...] = (remainders,)
REALS: tuple[Callable[[Draft], Sides], ...] = (fractions, powers)
ANY: tuple[Callable[[Draft], Sides], ...] = (functions, several_types)
