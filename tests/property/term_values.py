"""The value of a rank-generic term at one rank vector, on one concrete input.

Owns a plain reading of terms as their definitions say it: a fold asks every axis, an access gives each group one index
per axis, a reduction runs through its ranges. It shares nothing with the replay but the inputs;
a power of e is a `float`, near the number that is meant.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from rewright.model.index import Name
from rewright.replay.functions import apply
from rewright.replay.inputs import Inputs
from rewright.terms import Term
from rewright.terms import node as t


@dataclass(frozen=True)
class World:
    """An input, the index of the result by group, the axis by rank class, and the binders' indices."""

    inputs: Inputs
    index: Mapping[str, tuple[int, ...]]
    axis: Mapping[str, int] = field(default_factory=dict)
    bound: Mapping[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)

    def on(self, rank_class: str | None, axis: int) -> World:
        return self if rank_class is None else replace(self, axis={**self.axis, rank_class: axis})

    def rank(self, rank_class: str | None) -> int:
        return 1 if rank_class is None else self.inputs.ranks[Name(rank_class)]


GREATEST: Any = math.inf
"""The minimum of nothing."""

NOWHERE: Mapping[str, Any] = {t.TRUTH: True, t.INT: 987_654, t.REAL: 987_654}
"""What an access out of range gives: accesses are total, and nothing may depend on this."""


def value(term: Term, world: World) -> Any:
    """The value of a term; only what is needed of it is looked at."""
    match term:
        case t.Variable(name=name, rank_class=rank_class):
            return _unknown(name, world, 0 if rank_class is None else world.axis[rank_class])
        case t.Bound(level=level, position=position, rank_class=rank_class):
            return world.bound[level, position][0 if rank_class is None else world.axis[rank_class]]
        case t.Number(value=number):
            return number
        case t.Infinity(positive=positive):
            return math.inf if positive else -math.inf
        case t.Polynomial(monomials=monomials):
            return sum(factor * math.prod(value(atom, world) ** power for atom, power in m) for m, factor in monomials)
        case t.FloorDivide(left=left, right=right):
            divisor = value(right, world)
            return value(left, world) // divisor if divisor else 0
        case t.Extremum(greatest=greatest, operands=operands):
            return (max if greatest else min)(value(operand, world) for operand in operands)
        case t.ElementOf(index=inner) | t.IndexOf(element=inner):
            return value(inner, world)
        case t.Choose(condition=condition, consequent=consequent, alternative=alternative):
            return value(consequent if value(condition, world) else alternative, world)
        case t.Access():
            return _access(term, world)
        case t.Reduce():
            return _reduce(term, world)
        case t.AxisProduct(rank_class=name, factor=factor):
            return math.prod(value(factor, world.on(name, axis)) for axis in range(world.rank(name)))
        case t.Position() | t.Digit():
            return _row_major(term, world)
        case _:
            return _arithmetic(term, world)


def _row_major(term: t.Position | t.Digit, world: World) -> Any:
    """The place of an index among those of all axes, or on one axis the index at a place; 0 in what has no size."""
    name = term.rank_class
    worlds = [world.on(name, axis) for axis in range(world.rank(name))]
    sizes = [value(term.size, each) for each in worlds]
    if isinstance(term, t.Position):
        return sum(value(term.index, each) * math.prod(sizes[at + 1 :]) for at, each in enumerate(worlds))
    axis = world.axis[name]
    after = math.prod(sizes[axis + 1 :])
    count = value(term.place, world) // after if after else 0
    return count % sizes[axis] if sizes[axis] else count


def _arithmetic(term: Term, world: World) -> Any:
    match term:
        case t.Reciprocal(operand=operand):
            divisor = Fraction(value(operand, world))
            return 1 / divisor if divisor else divisor
        case t.TruncatedDivide(left=left, right=right):
            divisor = value(right, world)
            return math.trunc(Fraction(value(left, world), divisor)) if divisor else 0
        case t.Absolute(operand=operand):
            return abs(value(operand, world))
        case t.Exponential(operand=operand):
            return power_of_e(value(operand, world))
        case t.Root(operand=operand):
            return math.sqrt(abs(value(operand, world)))
        case t.Logarithm(operand=operand):
            size = abs(value(operand, world))
            return math.log(size) if size else Fraction(0)
        case t.Special(function=function, operands=operands):
            return _special(function, [value(operand, world) for operand in operands])
        case t.Applied(function=function, operands=operands):
            table = world.inputs.functions[Name(function)]
            return apply(table, tuple(value(operand, world) for operand in operands))
        case _:
            return _truth(term, world)


def power_of_e(power: Any) -> Any:
    """e to the power, exact where it is 1."""
    return math.exp(power) if power else Fraction(1)


def _special(function: t.SpecialFunction, operands: list[Any]) -> Any:
    match function:
        case "sine":
            return math.sin(*operands)
        case "cosine":
            return math.cos(*operands)
        case "erf":
            return math.erf(*operands)
        case "floor":
            return Fraction(math.floor(*operands))
        case "power":
            return _power(*operands)


def _power(base: Any, exponent: Any) -> Any:
    """Whole powers with 1 / 0 as 0, otherwise those of |x|, 0 where x is 0."""
    if exponent == int(exponent):
        whole = int(exponent)
        return base**whole if whole >= 0 else 1 / Fraction(base) ** -whole if base else Fraction(0)
    return math.pow(abs(base), exponent) if base else Fraction(0)


def _truth(term: Term, world: World) -> bool:
    match term:
        case t.Constant(value=constant):
            return constant
        case t.Not(operand=operand):
            return not value(operand, world)
        case t.And(operands=operands):
            return all(value(operand, world) for operand in operands)
        case t.Fold(rank_class=name, predicate=predicate):
            return all(value(predicate, world.on(name, axis)) for axis in range(world.rank(name)))
        case t.NonNegative(polynomial=polynomial):
            return bool(value(polynomial, world) >= 0)
        case t.Negative(polynomial=polynomial):
            return bool(value(polynomial, world) < 0)
        case t.Zero(polynomial=polynomial):
            return bool(value(polynomial, world) == 0)
        case _:
            raise TypeError(type(term).__name__)


def _unknown(name: str, world: World, axis: int) -> Any:
    if name[0] in "[?":
        return world.index[name.strip("[?]")][axis]
    for table in (world.inputs.maps, world.inputs.integers, world.inputs.scalars):
        if name in table:
            found: Any = table[Name(name)]
            return found[axis] if table is world.inputs.maps else found
    raise KeyError(name)


def _access(term: t.Access, world: World) -> Any:
    array = world.inputs.tensors[Name(term.tensor)]
    by_group = {slot.group: slot for slot in term.slots}
    place = tuple(
        value(by_group[group].index, world.on(by_group[group].rank_class, axis))
        for group in array.groups
        for axis in range(world.rank(by_group[group].rank_class))
    )
    if any(not 0 <= at < size for at, size in zip(place, array.data.shape, strict=True)):
        return NOWHERE.get(term.sort, "nowhere")
    return array.data[place]


def _reduce(term: t.Reduce, world: World) -> Any:
    sizes = [
        [value(range_.size, world.on(range_.rank_class, axis)) for axis in range(world.rank(range_.rank_class))]
        for range_ in term.ranges
    ]
    total: Any = {
        "add": 0,
        "multiply": 1,
        "maximum": -GREATEST,
        "minimum": GREATEST,
        "and": True,
        "or": False,
    }[term.monoid]
    for indices in itertools.product(*(itertools.product(*map(range, on_axes)) for on_axes in sizes)):
        bound = {(term.level, position): index for position, index in enumerate(indices)}
        each = value(term.body, replace(world, bound={**world.bound, **bound}))
        match term.monoid:
            case "add":
                total = total + each
            case "multiply":
                total = total * each
            case "maximum" | "or":
                total = max(total, each)
            case _:
                total = min(total, each)
    return total
