"""A rule being drawn: fresh names, random attributes, operators that keep track of sizes.

Owns what every identity is made of: a layout of axis groups, operands of a given shape (themselves random
expressions), and contexts, which are one more operator to put around both sides. An identity stays true under both.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

import builders as b
from builders import PRED, Builder, IndexLike, Ix, T, ix
from msgspec import Struct

from rewright.model import formula as mf
from rewright.model import rule as m
from rewright.model import tensor as mt
from rewright.model.index import Name
from rewright.model.rule import Extent


class Shaped(Struct, frozen=True):
    """A tensor expression with the size of each group."""

    tensor: mt.Tensor
    sizes: Mapping[Name, Ix]

    @property
    def groups(self) -> list[Name]:
        return list(self.sizes)


Context = Callable[[Shaped], Shaped]
Function = Callable[..., Shaped]
"""A declared function, called with shaped operands and scalars."""


class Draft(Builder):
    """A rule being drawn with a random generator."""

    def __init__(self, rng: random.Random, constraint: str = "any") -> None:
        super().__init__(constraint=constraint)
        self.rng = rng
        self.count = 0

    # ---- declarations

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def a_group(self, like: Name | None = None) -> Name:
        extent = Extent.NONEMPTY if self.rng.random() < 0.12 else Extent.ANY
        return self.group(self.fresh("A"), like, extent)

    def an_axis(self, like: Name | None = None) -> Name:
        return self.group(self.fresh("d"), like, Extent.SINGLE)

    def a_map(self, group: Name) -> Ix:
        return self.map(self.fresh("n"), group)

    def an_integer(self) -> Ix:
        return self.integer(self.fresh("k"))

    def a_scalar(self, type_: mt.ElementType = T) -> mt.Tensor:
        return self.scalar(self.fresh("c"), type_)

    def a_tensor(self, sizes: Mapping[Name, Ix], type_: mt.ElementType = T) -> Shaped:
        return Shaped(self.tensor(self.fresh("X"), sizes, type_), dict(sizes))

    def a_function(self, parameters: Sequence[mt.ElementType], result: mt.ElementType) -> Function:
        declared = self.function(self.fresh("f"), parameters, result)
        return lambda *operands: apply(declared, *operands)

    # ---- random parts

    def pick(self, *choices: IndexLike) -> IndexLike:
        return self.rng.choice(choices)

    def a_size(self, group: Name) -> Ix:
        draw = self.rng.random()
        if draw < 0.12:
            return ix(self.rng.choice([1, 2, 3]))
        if draw < 0.2:
            return self.an_integer()
        return self.a_map(group) + self.pick(0, 0, 0, 1)

    def an_attribute(self, group: Name) -> IndexLike:
        draw = self.rng.random()
        if draw < 0.07:
            return self.a_quotient(group)
        if draw < 0.5:
            return self.a_map(group)
        return self.an_integer() if draw < 0.6 else self.rng.choice([-1, 0, 0, 1, 1, 2])

    def a_quotient(self, group: Name) -> Ix:
        """An attribute that divides, perhaps by zero."""
        number, by = self.a_map(group), self.rng.choice([ix(2), ix(2), self.a_map(group), self.an_integer()])
        choices = [number // by, number % by, b.least(number, 1) // by, self.an_integer() // by]
        return self.rng.choice(choices)

    def a_layout(self) -> dict[Name, Ix]:
        """One or two groups with sizes; sometimes two of one rank class with equal sizes, so that they can swap."""
        first = self.a_group()
        size = self.a_size(first)
        draw = self.rng.random()
        if draw < 0.5:
            return {first: size}
        if draw < 0.75:
            return {first: size, self.group(self.fresh("A"), first): size}
        if draw < 0.88:
            axis = self.an_axis()
            return {first: size, axis: self.a_map(axis)}
        second = self.a_group()
        return {first: size, second: self.a_size(second)}

    def operand(self, sizes: Mapping[Name, Ix], type_: mt.ElementType = T, depth: int = 1) -> Shaped:
        """A random expression of this shape."""
        draw = self.rng.random()
        if depth == 0 or draw < 0.45 or not sizes:
            return self.a_tensor(sizes, type_)
        inner = self.operand(sizes, type_, depth - 1)
        group = self.rng.choice(list(sizes))
        if draw < 0.6:
            return reverse(inner, [group])
        if draw < 0.7:
            return pointwise("select", self.a_tensor(sizes, PRED), inner, self.a_tensor(sizes, type_))
        if draw < 0.78:
            return fill(self.a_scalar(type_), sizes)
        if draw < 0.86 and (swap := self.swap_of(inner)):
            return transpose(inner, swap)
        if draw < 0.93:
            cut = slice_(inner, {group: (0, sizes[group] - 1)})
            return Shaped(pad(cut, self.a_scalar(type_), {group: (0, 1)}).tensor, dict(sizes))
        block = fill(self.a_scalar(type_), {own: ix(1) for own in sizes})
        return update(inner, block, {group: self.an_attribute(group)})

    def swap_of(self, x: Shaped) -> dict[Name, Name] | None:
        """The renaming that swaps the two groups, if there are two of one class with the same size."""
        if len(x.sizes) != 2:
            return None
        (first, one), (second, other) = x.sizes.items()
        alike = one.node == other.node and self.groups[first].rank_class == self.groups[second].rank_class
        return {first: second, second: first} if alike else None

    def context(self, sizes: Mapping[Name, Ix], type_: mt.ElementType) -> Context:
        """One more operator to put around an expression of this shape."""
        group = self.rng.choice(list(sizes))
        size = sizes[group]
        start, low, high = self.an_attribute(group), self.an_attribute(group), self.an_attribute(group)
        value = self.a_scalar(type_)
        stride = self.rng.choice([1, 1, 2])
        new = self.fresh("B")
        other = self.a_tensor(sizes, type_)
        choices: list[Context] = [
            lambda x: reverse(x, [group]),
            lambda x: slice_(x, {group: (start, size, stride)}),
            lambda x: dynamic_slice(x, {group: (start, 1)}),
            lambda x: pad(x, value, {group: (low, high, 0)}),
            lambda x: pointwise("select", fill(b.constant("true", PRED), sizes), x, other),
            lambda x: update(other, x, {group: start}),
            lambda x: broadcast(x, {Name(new): ix(2)}),
        ]
        chosen = self.rng.randrange(len(choices))
        if chosen == 6:
            self.group(new)
        return choices[chosen]

    def a_precondition(self, sizes: Mapping[Name, Ix]) -> mf.Formula:
        """A fact about sizes that does no harm: a true rule stays true."""
        if self.rng.random() < 0.5:
            return self.a_formula(sizes, 2)
        group = self.rng.choice(list(sizes))
        size, class_ = sizes[group], self.groups[group].rank_class
        at_least, at_most = b.compare(">=", size, 1), b.compare("<=", size, 2)
        unit = b.compare("==", size, 1)
        choices = [at_least, at_most, b.compare("!=", size, 2), b.negation(unit), b.either(unit, at_least)]
        if b.rank_class(size.node) is not None:
            choices += [b.some(class_, unit), b.some(class_, b.either(unit, at_most)), b.every(class_, at_most)]
            choices += [b.either(unit, b.some(class_, b.compare(">", size, 1)))]
        return self.rng.choice(choices)

    def a_formula(self, sizes: Mapping[Name, Ix], depth: int) -> mf.Formula:
        """A Boolean combination of facts about sizes and integers, quantified over axes in parts."""
        draw = self.rng.random()
        if depth == 0 or draw < 0.2:
            return self.a_comparison(list(sizes.values()))
        if draw < 0.35:
            return b.negation(self.a_formula(sizes, depth - 1))
        if draw < 0.65:
            join = self.rng.choice([b.both, b.either])
            return join(self.a_formula(sizes, depth - 1), self.a_formula(sizes, depth - 1))
        mapped = [(size, name) for size in sizes.values() if (name := b.rank_class(size.node)) is not None]
        if not mapped:
            return self.a_comparison(list(sizes.values()))
        size, name = self.rng.choice(mapped)
        quantified = b.some if draw < 0.9 else b.every
        return quantified(name, self.an_axis_formula(size, 1))

    def an_axis_formula(self, size: Ix, depth: int) -> mf.Formula:
        """A Boolean combination of comparisons on one axis."""
        draw = self.rng.random()
        if depth == 0 or draw < 0.5:
            return self.a_comparison([size])
        if draw < 0.65:
            return b.negation(self.an_axis_formula(size, depth - 1))
        join = self.rng.choice([b.both, b.either])
        return join(self.an_axis_formula(size, depth - 1), self.an_axis_formula(size, depth - 1))

    def a_comparison(self, sizes: Sequence[Ix]) -> mf.Formula:
        """A comparison of a size, or of a single axis's product, that many inputs satisfy."""
        size = self.rng.choice(sizes)
        name = b.rank_class(size.node)
        if name is not None and self.groups[name].extent is Extent.SINGLE and self.rng.random() < 0.5:
            size = b.prod(size)
        operator, bound = self.rng.choice([(">=", 1), ("<=", 2), ("==", 1), ("!=", 2), ("!=", 0), ("<", 3), (">", 1)])
        return b.compare(operator, size, bound)


# --------------------------------------------------------------------------------------- operators that track sizes


def reverse(x: Shaped, groups: Sequence[Name]) -> Shaped:
    return Shaped(b.reverse(x.tensor, groups), x.sizes)


def pad(x: Shaped, value: mt.Tensor, paddings: Mapping[Name, tuple[IndexLike, ...]]) -> Shaped:
    sizes = dict(x.sizes)
    for group, (low, high, *rest) in paddings.items():
        interior = ix(rest[0]) if rest else ix(0)
        sizes[group] = sizes[group] + low + high
        if interior.node != ix(0).node:
            sizes[group] = sizes[group] + b.greatest(x.sizes[group] - 1, 0) * interior
    return Shaped(b.pad(x.tensor, value, paddings), sizes)


def slice_(x: Shaped, ranges: Mapping[Name, tuple[IndexLike, ...]]) -> Shaped:
    lengths = {group: slice_length(*attributes) for group, attributes in ranges.items()}
    return Shaped(b.slice_(x.tensor, ranges), {**x.sizes, **lengths})


def slice_length(start: IndexLike, limit: IndexLike, stride: IndexLike = 1) -> Ix:
    unit = ix(stride).node == ix(1).node
    return ix(limit) - start if unit else (ix(limit) - start + stride - 1) // stride


def dynamic_slice(x: Shaped, ranges: Mapping[Name, tuple[IndexLike, IndexLike]]) -> Shaped:
    lengths = {group: ix(length) for group, (_, length) in ranges.items()}
    return Shaped(b.dynamic_slice(x.tensor, ranges), {**x.sizes, **lengths})


def update(x: Shaped, block: Shaped, starts: Mapping[Name, IndexLike]) -> Shaped:
    return Shaped(b.update(x.tensor, block.tensor, starts), x.sizes)


def concatenate(axis: Name, *parts: Shaped) -> Shaped:
    total = parts[0].sizes[axis]
    for part in parts[1:]:
        total = total + part.sizes[axis]
    return Shaped(b.concatenate(axis, *(part.tensor for part in parts)), {**parts[0].sizes, axis: total})


def broadcast(x: Shaped, sizes: Mapping[Name, Ix]) -> Shaped:
    return Shaped(b.broadcast(x.tensor, sizes), {**x.sizes, **sizes})


def fill(value: mt.Tensor, sizes: Mapping[Name, IndexLike]) -> Shaped:
    return Shaped(b.broadcast(value, sizes), {group: ix(size) for group, size in sizes.items()})


def transpose(x: Shaped, renaming: Mapping[Name, Name]) -> Shaped:
    sizes = {renaming.get(group, group): size for group, size in x.sizes.items()}
    return Shaped(b.transpose(x.tensor, renaming), sizes)


def pointwise(operator: str, *operands: Shaped | mt.Tensor) -> Shaped:
    tensors = [operand.tensor if isinstance(operand, Shaped) else operand for operand in operands]
    shaped = [operand for operand in operands if isinstance(operand, Shaped)]
    return Shaped(b.pointwise(operator, *tensors), shaped[0].sizes if shaped else {})


def apply(function: m.FunctionDeclaration, *operands: Shaped | mt.Tensor) -> Shaped:
    tensors = [operand.tensor if isinstance(operand, Shaped) else operand for operand in operands]
    shaped = [operand for operand in operands if isinstance(operand, Shaped)]
    return Shaped(b.apply(function, *tensors), shaped[0].sizes if shaped else {})


def reshape(x: Shaped, dropped: Sequence[Name], added: Sequence[Name]) -> Shaped:
    kept = {group: size for group, size in x.sizes.items() if group not in dropped}
    return Shaped(b.reshape(x.tensor, dropped, added), {**kept, **dict.fromkeys(added, ix(1))})


def bitcast(x: Shaped, sources: Sequence[Name], targets: Mapping[Name, Ix | None]) -> Shaped:
    """Single axes in the place of others; the size None is the number of elements."""
    whole = ix(1)
    for group in sources:
        whole = whole * b.prod(x.sizes[group])
    kept = {group: size for group, size in x.sizes.items() if group not in sources}
    new = {group: whole if size is None else size for group, size in targets.items()}
    return Shaped(b.bitcast(x.tensor, sources, targets), {**kept, **new})


def iota(axis: Name, sizes: Mapping[Name, IndexLike], type_: mt.ElementType) -> Shaped:
    return Shaped(b.iota(axis, sizes, type_), {group: ix(size) for group, size in sizes.items()})


def reduce(monoid: str, x: Shaped, groups: Sequence[Name], init: mt.Tensor | None = None) -> Shaped:
    kept = {group: size for group, size in x.sizes.items() if group not in groups}
    return Shaped(b.reduce(monoid, x.tensor, groups, init), kept)
