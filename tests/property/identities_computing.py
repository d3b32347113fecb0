"""True identities that compute: arithmetic, order, logic, iota, reductions, and tests that hold on all axes at once.

Arithmetic and order are drawn as a random law at a random place of a random expression. The fold identities combine
"on all axes" tests (padding seen as a predicate) by laws of logic: their mutants tell ranks apart.
"""

from __future__ import annotations

from collections.abc import Callable

import builders as b
from builders import INT, PRED, T, ix
from drafts import Draft, Shaped, broadcast, fill, pad, pointwise, reduce, reverse, slice_, transpose
from identities_moving import Sides

from rewright.model import tensor as mt
from rewright.model.index import Name

Law = Callable[[Shaped, Shaped, Shaped], Sides]


def f(operator: str, *operands: Shaped) -> Shaped:
    return pointwise(operator, *operands)


RING: tuple[Law, ...] = (
    lambda x, y, z: (f("multiply", f("add", x, y), z), f("add", f("multiply", x, z), f("multiply", y, z))),
    lambda x, y, z: (f("add", x, f("add", y, z)), f("add", f("add", z, x), y)),
    lambda x, y, z: (f("subtract", x, f("subtract", y, z)), f("add", f("subtract", x, y), z)),
    lambda x, y, z: (f("multiply", x, f("negate", y)), f("negate", f("multiply", y, x))),
    lambda x, y, z: (f("subtract", x, y), f("negate", f("subtract", y, x))),
    lambda x, y, z: (f("subtract", f("add", x, y), y), x),
    lambda x, y, z: (
        f("multiply", f("subtract", x, y), f("add", x, y)),
        f("subtract", f("multiply", x, x), f("multiply", y, y)),
    ),
)

ORDER: tuple[Law, ...] = (
    lambda x, y, z: (f("maximum", x, f("minimum", x, y)), x),
    lambda x, y, z: (f("minimum", x, f("maximum", y, z)), f("maximum", f("minimum", x, y), f("minimum", x, z))),
    lambda x, y, z: (f("negate", f("maximum", x, y)), f("minimum", f("negate", x), f("negate", y))),
    lambda x, y, z: (f("add", f("maximum", x, y), z), f("maximum", f("add", x, z), f("add", y, z))),
    lambda x, y, z: (f("select", f("lt", x, y), y, x), f("maximum", x, y)),
    lambda x, y, z: (f("minimum", z, f("maximum", x, y)), f("clamp", y, x, z)),
    lambda x, y, z: (f("clamp", x, f("clamp", x, y, z), z), f("clamp", x, y, z)),
    lambda x, y, z: (f("add", f("maximum", x, y), f("minimum", x, y)), f("add", x, y)),
)

COMPARISON: tuple[Law, ...] = (
    lambda x, y, z: (f("lt", x, y), f("gt", y, x)),
    lambda x, y, z: (f("not", f("le", x, y)), f("gt", x, y)),
    lambda x, y, z: (f("and", f("lt", x, y), f("lt", x, z)), f("lt", x, f("minimum", y, z))),
    lambda x, y, z: (f("or", f("ge", y, x), f("ge", z, x)), f("le", x, f("maximum", y, z))),
    lambda x, y, z: (f("eq", f("maximum", x, y), x), f("ge", x, y)),
    lambda x, y, z: (f("lt", f("subtract", x, y), z), f("lt", x, f("add", y, z))),
    lambda x, y, z: (f("ne", x, y), f("or", f("lt", x, y), f("lt", y, x))),
    lambda x, y, z: (f("and", f("le", x, y), f("le", y, x)), f("eq", x, y)),
)

LOGIC: tuple[Law, ...] = (
    lambda x, y, z: (f("and", x, f("or", y, z)), f("or", f("and", x, y), f("and", x, z))),
    lambda x, y, z: (f("not", f("and", x, y)), f("or", f("not", x), f("not", y))),
    lambda x, y, z: (f("or", x, f("and", x, y)), x),
    lambda x, y, z: (f("select", x, y, z), f("or", f("and", x, y), f("and", f("not", x), z))),
    lambda x, y, z: (f("and", f("and", x, y), z), f("and", z, f("and", y, x))),
    lambda x, y, z: (f("and", f("or", x, y), f("or", f("not", x), z)), f("select", x, z, y)),
    lambda x, y, z: (f("xor", f("xor", x, y), z), f("xor", z, f("xor", y, x))),
    lambda x, y, z: (f("xor", f("xor", x, y), y), x),
    lambda x, y, z: (f("and", x, f("xor", y, z)), f("xor", f("and", x, y), f("and", x, z))),
    lambda x, y, z: (f("xor", x, f("not", y)), f("eq", x, y)),
    lambda x, y, z: (f("xor", f("maximum", x, y), f("minimum", x, y)), f("ne", x, y)),
    lambda x, y, z: (f("lt", x, y), f("and", f("not", x), y)),
    lambda x, y, z: (f("le", x, f("minimum", y, z)), f("and", f("ge", y, x), f("ge", z, x))),
    lambda x, y, z: (f("not", f("maximum", x, y)), f("minimum", f("not", x), f("not", y))),
    lambda x, y, z: (f("clamp", x, y, z), f("and", z, f("or", y, x))),
    lambda x, y, z: (f("gt", f("xor", x, y), z), f("and", f("ne", y, x), f("not", z))),
)


def arithmetic(d: Draft) -> Sides:
    return by_law(d, RING, T)


def order(d: Draft) -> Sides:
    return by_law(d, ORDER, T)


def comparison(d: Draft) -> Sides:
    return by_law(d, COMPARISON, T)


def logic(d: Draft) -> Sides:
    return by_law(d, LOGIC, PRED)


def elementwise_moves(d: Draft) -> Sides:
    sizes = d.a_layout()
    x, y, value = d.operand(sizes), d.operand(sizes), d.a_scalar()
    group, operator = d.rng.choice(x.groups), d.rng.choice(["add", "multiply", "maximum", "subtract"])
    low, high = d.an_attribute(group), d.an_attribute(group)
    case = d.rng.randrange(4)
    if case == 0:
        new = d.a_group()
        wide = {new: d.a_map(new)}
        return f(operator, broadcast(x, wide), broadcast(y, wide)), broadcast(f(operator, x, y), wide)
    if case == 1:
        return reverse(pointwise(operator, x, value), [group]), pointwise(operator, reverse(x, [group]), value)
    if case == 2:
        cut = {group: (low, high)}
        return slice_(f(operator, x, y), cut), f(operator, slice_(x, cut), slice_(y, cut))
    padding = {group: (low, high, 0)}
    both = b.pointwise(operator, value, value)
    other = d.a_scalar()
    scaled = b.pointwise(operator, value, other)
    if d.rng.random() < 0.5:
        return f(operator, pad(x, value, padding), pad(y, value, padding)), Shaped(
            b.pad(f(operator, x, y).tensor, both, padding), pad(x, value, padding).sizes
        )
    return pointwise(operator, pad(x, value, padding), other), Shaped(
        b.pad(pointwise(operator, x, other).tensor, scaled, padding), pad(x, value, padding).sizes
    )


def infinities(d: Draft) -> Sides:
    x = d.operand(d.a_layout())
    lowest, highest = b.constant("lowest", T), b.constant("highest", T)
    group = x.groups[0]
    case = d.rng.randrange(5)
    if case == 4:
        partly = pad(x, d.rng.choice([lowest, highest]), {group: (1, d.pick(0, 1), 0)})
        other = d.operand(partly.sizes)
        return f("add", partly, other), f("add", other, partly)
    if case == 0:
        return pointwise("maximum", x, lowest), x
    if case == 1:
        return pointwise("minimum", x, b.pointwise("negate", lowest)), x
    if case == 2:
        return pointwise("lt", x, highest), fill(b.constant("true", PRED), x.sizes)
    padded = pad(x, lowest, {group: (1, d.an_attribute(group), 0)})
    return pointwise("negate", padded), pad(f("negate", x), highest, {group: (1, _high(padded), 0)})


def linked(d: Draft) -> Sides:
    """Two tensors tied by an assumption on their contents, read at more than one index."""
    first = d.a_group()
    second = d.group(d.fresh("A"), first)
    size = d.a_map(first)
    sizes = {first: size, second: size} if d.rng.random() < 0.6 else {first: size}
    x, y = d.a_tensor(sizes), d.a_tensor(sizes)
    operator = d.rng.choice(["==", "<=", "<"])
    d.assume(x.groups, b.compare_elements(operator, x.tensor, y.tensor))

    def seen(z: Shaped) -> Shaped:
        return reverse(z, [first]) if case % 2 == 0 or len(sizes) == 1 else transpose(z, {first: second, second: first})

    case = d.rng.randrange(6)
    u, v = (x, y) if case < 2 else (seen(x), seen(y))
    other = d.operand(sizes)
    laws: list[Sides] = [
        (f("maximum", u, v), v),
        (f("minimum", v, u), u),
        (f("clamp", u, other, v), f("maximum", u, f("minimum", other, v))),
    ]
    laws += [(f("maximum", f("minimum", u, other), v), v), (f("add", f("maximum", u, v), x), f("add", x, v))]
    if operator == "==":
        laws += [
            (f("subtract", u, v), fill(b.constant("0", T), sizes)),
            (f("multiply", u, other), f("multiply", v, other)),
        ]
    return d.rng.choice(laws)


def iota_moves(d: Draft) -> Sides:
    axis, group = d.an_axis(), d.a_group()
    k, size = d.an_integer(), d.a_map(group)
    case = d.rng.randrange(7)
    line = Shaped(b.iota(axis, {axis: k}, INT), {axis: k})
    if case == 0:
        wide = {group: size}
        return broadcast(line, wide), Shaped(b.iota(axis, {group: size, axis: k}, INT), {})
    if case == 1:
        return reverse(line, [axis]), pointwise("subtract", b.element_of(k - 1, INT), line)
    if case == 2:
        j = d.an_integer()
        return slice_(line, {axis: (j, k)}), pointwise(
            "add", Shaped(b.iota(axis, {axis: k - j}, INT), {}), b.element_of(j, INT)
        )
    if case == 3:
        return pointwise("lt", line, b.element_of(k, INT)), fill(b.constant("true", PRED), {axis: k})
    if case == 4:
        d.require(b.compare("<=", k, 1))
        return line, fill(b.constant("0", INT), {axis: k})
    if case == 5:
        j = d.an_integer()
        return pointwise("maximum", line, b.element_of(j, INT)), pointwise(
            "select", pointwise("lt", line, b.element_of(j, INT)), fill(b.element_of(j, INT), {axis: k}), line
        )
    x = d.operand({group: size, axis: k})
    inside = pointwise("lt", Shaped(b.iota(axis, {group: size, axis: k}, INT), {}), b.element_of(k, INT))
    return pointwise("select", inside, x, reverse(x, [axis])), x


def folds(d: Draft) -> Sides:
    """Tests on all axes at once, combined by a law of logic; also as `some` in the precondition."""
    group = d.a_group()
    k = d.a_map(group)
    size = d.a_map(group)
    d.require(b.compare("==", size, 3))
    leaves = [_bump(d, group, place) for place in d.rng.sample([(0, 2), (1, 1), (2, 0)], 3)]
    leaves.append(d.a_tensor({group: size}, PRED))
    choice = [
        b.some(group, b.compare("==", k, 0)),
        b.some(group, b.either(b.compare("==", k, 1), b.compare("<", k, 0))),
    ]
    choice.append(b.either(b.compare(">=", k, 1), b.some(group, b.compare("<=", k, -1))))
    if d.rng.random() < 0.4:
        d.require(d.rng.choice(choice))
    x, y, z = (_formula(d, leaves, 1) for _ in range(3))
    left, right = d.rng.choice(LOGIC)(x, y, z)
    extra = _formula(d, leaves, 1)
    return (left, right) if d.rng.random() < 0.6 else (f("or", extra, left), f("or", right, extra))


def bumps_never_meet(d: Draft) -> Sides:
    """Different single cells in a conjunction that a last `false` makes false; without it the rank decides."""
    group = d.a_group()
    places = d.rng.sample([(0, 2), (1, 1), (2, 0)], d.rng.randint(2, 3))
    cells = [_bump(d, group, place, inside="false") for place in places]
    never = f("and", *cells[:2]) if len(cells) == 2 else f("and", f("and", *cells[:2]), cells[2])
    false = fill(b.constant("false", PRED), {group: 3})
    return f("and", false, never), false


def reductions(d: Draft) -> Sides:
    first = d.a_group()
    second = d.group(d.fresh("A"), first)
    x = d.operand({first: d.a_map(first), second: d.a_map(first)})
    y = d.a_tensor(x.sizes)
    monoid = d.rng.choice(["add", "add", "maximum", "minimum", "multiply"])
    law = d.rng.choice(RING[:6])(x, y, d.a_tensor(x.sizes))
    swap = {first: second, second: first}
    case = d.rng.randrange(10)
    if case == 0:
        return reduce(monoid, law[0], [first]), reduce(monoid, law[1], [first])
    if case == 7:
        outer = d.rng.choice(["add", "maximum", "minimum"])
        return reduce(outer, reduce(monoid, law[0], [first]), [second]), reduce(
            outer, reduce(monoid, law[1], [first]), [second]
        )
    if case == 8:
        value = d.a_scalar()
        one, other = {first: (1, 0, 0)}, {second: (d.pick(0, 1), d.an_attribute(second), 0)}
        left = reduce(monoid, pad(pad(x, value, one), value, other), [first])
        return left, reduce(monoid, pad(x, value, {**one, **other}), [first])
    if case == 9:
        z = d.a_tensor(x.sizes)
        d.assume(z.groups, b.compare_elements(d.rng.choice(["<", "<="]), y.tensor, z.tensor))
        return reduce(monoid, f("maximum", y, z), [first]), reduce(monoid, z, [first])
    if case == 1:
        return reduce(monoid, transpose(x, swap), [second]), transpose(reduce(monoid, x, [first]), {second: first})
    if case == 2:
        return reverse(reduce(monoid, x, [first]), [second]), reduce(monoid, reverse(x, [second]), [first])
    if case == 3:
        cut = {second: (d.an_attribute(second), d.an_attribute(second))}
        return slice_(reduce(monoid, x, [first]), cut), reduce(monoid, slice_(x, cut), [first])
    if case == 4:
        new: Name = d.a_group()
        wide = {new: d.a_map(new)}
        return broadcast(reduce(monoid, x, [first]), wide), reduce(monoid, broadcast(x, wide), [first])
    if case == 5:
        init = d.a_scalar()
        return reduce(monoid, law[0], [first, second], init), reduce(monoid, law[1], [second, first], init)
    return f("add", reduce("add", x, [first]), reduce("add", y, [first])), f(
        "add", reduce("add", y, [first]), reduce("add", x, [first])
    )


def by_law(d: Draft, laws: tuple[Law, ...], type_: mt.ElementType) -> Sides:
    sizes = d.a_layout()
    leaves = [d.operand(sizes, type_) for _ in range(2)] + [fill(d.a_scalar(type_), sizes)]
    x, y, z = (_expression(d, leaves, type_) for _ in range(3))
    return d.rng.choice(laws)(x, y, z)


def _expression(d: Draft, leaves: list[Shaped], type_: mt.ElementType) -> Shaped:
    leaf = d.rng.choice(leaves)
    if d.rng.random() < 0.6:
        return leaf
    operators = ["and", "or"] if type_ == PRED else ["add", "subtract", "multiply", "maximum", "minimum"]
    return f(d.rng.choice(operators), leaf, d.rng.choice(leaves))


def _formula(d: Draft, leaves: list[Shaped], depth: int) -> Shaped:
    if depth == 0 or d.rng.random() < 0.35:
        return d.rng.choice(leaves)
    first, second = _formula(d, leaves, depth - 1), _formula(d, leaves, depth - 1)
    draw = d.rng.random()
    return f("not", first) if draw < 0.2 else f("and" if draw < 0.6 else "or", first, second)


def _bump(d: Draft, group: Name, place: tuple[int, int], inside: str | None = None) -> Shaped:
    """A tensor of size 3 that differs on one cell per axis, between low and high padding, from what it is elsewhere."""
    value = inside or d.rng.choice(["true", "false"])
    other = "false" if value == "true" else "true"
    return pad(fill(b.constant(value, PRED), {group: ix(1)}), b.constant(other, PRED), {group: (*place, 0)})


def _high(padded: Shaped) -> b.IndexLike:
    """The high padding of a pad, as it was written."""
    assert isinstance(padded.tensor, mt.Pad)
    return b.Ix(padded.tensor.paddings[0][1].high)


NUMERIC: tuple[Callable[[Draft], Sides], ...] = (
    arithmetic,
    order,
    comparison,
    elementwise_moves,
    infinities,
    linked,
    reductions,
)

TYPED: tuple[Callable[[Draft], Sides], ...] = (logic, iota_moves, folds, bumps_never_meet)
"""Over pred and int only: without a type parameter."""
