"""From an expression of a rule to the formula of its element.

Owns the names of indices: a single axis is its own index, the indices along a group A are i_A, those of a reduction
inside another one over the same axes have a prime. What has no formula here stands as it is written, with its index.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce

from msgspec import Struct
from msgspec.structs import replace

from rewright.model import index as ix
from rewright.model import tensor as mt
from rewright.model.rule import Extent, Rule
from rewright.model.walk import nodes
from rewright.report.formulas.tree import (
    Called,
    Folded,
    Formula,
    Indexed,
    Infix,
    Piecewise,
    Sign,
    Value,
    Variable,
    minus,
    plus,
    times,
    value,
)
from rewright.syntax.text import Span

Indices = Mapping[str, Formula]
"""The index along each group of an expression."""

SIGNS: Mapping[str, Sign] = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "power": "^",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "==",
    "ne": "!=",
    "and": "and",
    "or": "or",
}


class Source(Struct, frozen=True):
    """A rule, the spans of its sites, and its text, from which the spans count."""

    rule: Rule
    sites: Sequence[Span]
    text: str

    def written(self, tensor: mt.Tensor) -> str:
        """An expression as it is written, on one line."""
        span = self.sites[tensor.site]
        return " ".join(self.text.encode()[span.start : span.end].decode().split())


def formula_at(source: Source, offset: int) -> Formula | None:
    """The formula of the reduction or contraction whose text begins at an offset; None if there is none."""
    for side in (source.rule.left, source.rule.right):
        for tensor in nodes(side):
            if isinstance(tensor, mt.Reduce | mt.Dot) and source.sites[tensor.site].start == offset:
                at: dict[str, Variable] = {group: _index(source.rule, group) for group in tensor.groups}
                return _Reading(source, frozenset(at.values())).element(tensor, at)
    return None


def _index(rule: Rule, group: str, primes: int = 0) -> Variable:
    single = any(each.name == group and each.extent is Extent.SINGLE for each in rule.groups)
    return Variable((group if single else f"i_{group}") + "'" * primes)


class _Reading(Struct, frozen=True):
    """Below reductions, whose indices and those of the result are `used`."""

    source: Source
    used: frozenset[Variable]

    def element(self, tensor: mt.Tensor, at: Indices) -> Formula:
        """The element of an expression at the indices."""
        match tensor:
            case mt.TensorReference(name=name, groups=groups):
                return Indexed(name, tuple(at[group] for group in groups))
            case mt.ScalarReference(name=name):
                return Variable(name)
            case mt.Constant(text=text):
                return _constant(text)
            case mt.ElementOf(index=index):
                return number(index)
            case mt.Iota(axis=axis):
                return at[axis]
            case mt.Broadcast(operand=operand):
                return self.element(operand, at)
            case mt.Pointwise() | mt.Apply() | mt.Combine():
                return self._elementwise(tensor, at)
            case mt.Reduce() | mt.Dot():
                return self._folded(tensor, at)
            case _:
                moved = self._moved(tensor, at)
                return moved if moved is not None else self._as_written(tensor, at)

    def _as_written(self, tensor: mt.Tensor, at: Indices) -> Formula:
        return Indexed(self.source.written(tensor), tuple(at[group] for group in tensor.groups), written=True)

    def _elementwise(self, tensor: mt.Pointwise | mt.Apply | mt.Combine, at: Indices) -> Formula:
        operands = [self.element(each, at) for each in tensor.operands]
        match tensor:
            case mt.Pointwise(operator="select"):
                return Piecewise(*operands)
            case mt.Pointwise(operator=operator) if operator in SIGNS and len(operands) == 2:
                return Infix(SIGNS[operator], *operands)
            case mt.Pointwise(operator=operator):
                return Called(operator, tuple(operands))
            case mt.Apply(function=function):
                return Called(function, tuple(operands))
            case mt.Combine(monoid=monoid):
                return Called(monoid, tuple(operands))

    def _moved(self, tensor: mt.Tensor, at: Indices) -> Formula | None:
        """The element of what only moves elements, by the index of its operand; None where that has no formula."""
        match tensor:
            case mt.Slice(operand=operand, ranges=ranges):
                moved: dict[str, Formula] = {
                    group: plus(number(r.start), times(number(r.stride), at[group])) for group, r in ranges
                }
                return self.element(operand, {**at, **moved})
            case mt.Reverse(operand=operand, reversed=groups):
                sizes = {group: self.size(operand, group) for group in groups}
                last: dict[str, Formula] = {
                    group: minus(minus(size, value(1)), at[group]) for group, size in sizes.items() if size is not None
                }
                return self.element(operand, {**at, **last}) if len(last) == len(sizes) else None
            case mt.Transpose(operand=operand, renaming=renaming):
                return self.element(operand, {**at, **{before: at[after] for before, after in renaming}})
            case mt.Reshape(operand=operand, dropped=dropped):
                return self.element(operand, {**at, **{group: value(0) for group in dropped}})
            case _:
                return None

    def _folded(self, tensor: mt.Reduce | mt.Dot, at: Indices) -> Formula:
        groups = tensor.reduced if isinstance(tensor, mt.Reduce) else tensor.contracted
        bound: dict[str, Variable] = {group: self._fresh(group) for group in groups}
        inside: Indices = {**at, **bound}
        below = replace(self, used=self.used | frozenset(bound.values()))
        first = tensor.operand if isinstance(tensor, mt.Reduce) else tensor.left
        ranges = tuple((variable, self.size(first, group)) for group, variable in bound.items())
        match tensor:
            case mt.Dot(left=left, right=right):
                return Folded("add", ranges, times(below.element(left, inside), below.element(right, inside)))
            case mt.Reduce(operand=operand, init=init, monoid=monoid, by=by):
                total = Folded(by or monoid, ranges, below.element(operand, inside))
                if init is None:
                    return total
                start = self.element(init, at)
                return Infix(SIGNS[monoid], start, total) if monoid in SIGNS else Called(by or monoid, (start, total))

    def _fresh(self, group: str) -> Variable:
        primes = 0
        while _index(self.source.rule, group, primes) in self.used:
            primes += 1
        return _index(self.source.rule, group, primes)

    def size(self, tensor: mt.Tensor, group: str) -> Formula | None:
        """The size of an expression along a group; None where it has no short formula."""
        match tensor:
            case mt.TensorReference(name=name):
                declared = next(each for each in self.source.rule.tensors if each.name == name)
                return number(dict(declared.shape)[ix.Name(group)])
            case mt.Broadcast(sizes=sizes) | mt.Iota(sizes=sizes) if group in dict(sizes):
                return number(dict(sizes)[ix.Name(group)])
            case mt.Slice(operand=operand, ranges=ranges) if group in dict(ranges):
                kept = dict(ranges)[ix.Name(group)]
                limit = self.size(operand, group) if kept.limit is None else number(kept.limit)
                stride = number(kept.stride)
                whole = None if limit is None else minus(limit, number(kept.start))
                return whole if whole is None or stride == value(1) else Called("ceil", (Infix("/", whole, stride),))
            case mt.Concatenate(operands=operands, axis=axis):
                each = [self.size(operand, group) for operand in (operands if axis == group else operands[:1])]
                known = [size for size in each if size is not None]
                return reduce(plus, known) if len(known) == len(each) else None
            case mt.Pointwise(operands=operands) | mt.Apply(operands=operands) | mt.Combine(operands=operands):
                return next((self.size(each, group) for each in operands if group in each.groups), None)
            case mt.Dot(left=left, right=right):
                return self.size(left if group in left.groups else right, group)
            case mt.Broadcast() | mt.Slice() | mt.Reverse() | mt.Reduce():
                return self.size(tensor.operand, group)
            case _:
                return None


def _constant(text: str) -> Formula:
    try:
        return Value(Fraction(text))
    except ValueError:
        return Variable(text)


def number(index: ix.Index) -> Formula:
    """The formula of an index expression."""
    match index:
        case ix.Number(value=found):
            return value(found)
        case ix.MapReference(name=name) | ix.IntegerReference(name=name):
            return Variable(name)
        case ix.BoundIndex(group=group):
            return Variable(group)
        case ix.Product(operand=operand):
            return Called("prod", (number(operand),))
        case ix.IndexOperation(operator=operator, left=left, right=right):
            return _operation(operator, number(left), number(right))


def _operation(operator: str, left: Formula, right: Formula) -> Formula:
    match operator:
        case "+":
            return plus(left, right)
        case "-":
            return minus(left, right)
        case "*":
            return times(left, right)
        case "//":
            return Called("floor", (Infix("/", left, right),))
        case "%":
            return Called("remainder", (left, right))
        case _:
            return Called(operator, (left, right))
