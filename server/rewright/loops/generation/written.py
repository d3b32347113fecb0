"""Loops that were generated, before they are text: whose statements are those of a nest at other iterators.

Plain data and functions on it. Must not know isl, nor how a language is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from rewright.loops.linear import expression_of, linear
from rewright.model.index import Name
from rewright.model.nest import (
    AffineComparison,
    AffineExpression,
    AffineNumber,
    AffineOperation,
    AffineVariable,
    BothHold,
    Condition,
    DoesNotHold,
    EitherHolds,
    ParallelMark,
)


class WrittenStatement(Struct, frozen=True):
    """A statement of the nest, by its number in the text, and what its iterators are here."""

    number: int
    iterators: tuple[AffineExpression, ...]


class WrittenLoop(Struct, frozen=True):
    """`for iterator in low..high step step`; `parallel` if it is marked so."""

    iterator: Name
    low: AffineExpression
    high: AffineExpression
    step: int
    body: tuple[WrittenItem, ...]
    parallel: ParallelMark | None = None


class WrittenGuard(Struct, frozen=True):
    """`if condition { then } else { otherwise }`."""

    condition: Condition
    then: tuple[WrittenItem, ...]
    otherwise: tuple[WrittenItem, ...]


class WrittenName(Struct, frozen=True):
    """A name for a bound, to the end of the block."""

    name: Name
    value: AffineExpression


WrittenItem = WrittenStatement | WrittenLoop | WrittenGuard | WrittenName
WrittenBody = tuple[WrittenItem, ...]


def written_statements(body: WrittenBody) -> Iterator[WrittenStatement]:
    """The statements of a body in the order of the text."""
    for item in body:
        match item:
            case WrittenStatement():
                yield item
            case WrittenLoop(body=inner):
                yield from written_statements(inner)
            case WrittenGuard(then=then, otherwise=otherwise):
                yield from written_statements(then)
                yield from written_statements(otherwise)
            case WrittenName():
                pass
            case _:
                assert_never(item)


def written_loops(body: WrittenBody) -> Iterator[WrittenLoop]:
    """The loops of a body in the order of the text, each before those in it."""
    for item in body:
        match item:
            case WrittenLoop(body=inner):
                yield item
                yield from written_loops(inner)
            case WrittenGuard(then=then, otherwise=otherwise):
                yield from written_loops(then)
                yield from written_loops(otherwise)
            case _:
                pass


def with_mark(body: WrittenBody, number: int, mark: ParallelMark) -> WrittenBody:
    """The body with a mark of the loop that has this number in the order of the text."""
    return _Marking(number, mark).body(body)


class _Marking(Struct):
    """The way to a loop: how many loops are before it."""

    before: int
    mark: ParallelMark

    def body(self, body: WrittenBody) -> WrittenBody:
        return tuple(map(self._item, body))

    def _item(self, item: WrittenItem) -> WrittenItem:
        match item:
            case WrittenLoop():
                is_it = self.before == 0
                self.before -= 1
                made = replace(item, body=self.body(item.body))
                return replace(made, parallel=self.mark) if is_it else made
            case WrittenGuard(then=then, otherwise=otherwise):
                first = self.body(then)
                return replace(item, then=first, otherwise=self.body(otherwise))
            case WrittenStatement() | WrittenName():
                return item
            case _:
                assert_never(item)


Values = Mapping[Name, AffineExpression]


def substituted(body: WrittenBody, values: Values) -> WrittenBody:
    """The body with names replaced by expressions."""
    return tuple(_item(each, values) for each in body)


def _item(item: WrittenItem, values: Values) -> WrittenItem:
    match item:
        case WrittenStatement(iterators=iterators):
            return replace(item, iterators=tuple(put_in(each, values) for each in iterators))
        case WrittenLoop(iterator=iterator, low=low, high=high, body=body):
            named = values.get(iterator)
            name = named.name if isinstance(named, AffineVariable) else iterator
            bounds = put_in(low, values), put_in(high, values)
            return WrittenLoop(name, *bounds, item.step, substituted(body, values), item.parallel)
        case WrittenGuard(condition=condition, then=then, otherwise=otherwise):
            return WrittenGuard(
                _condition(condition, values), substituted(then, values), substituted(otherwise, values)
            )
        case WrittenName(name=name, value=value):
            return WrittenName(name, put_in(value, values))
        case _:
            assert_never(item)


def put_in(expression: AffineExpression, values: Values) -> AffineExpression:
    """The expression with names replaced, simplified where it is linear."""
    return simplified(_put_in(expression, values))


def _put_in(expression: AffineExpression, values: Values) -> AffineExpression:
    match expression:
        case AffineVariable(name=name):
            return values.get(name, expression)
        case AffineOperation(operator=operator, left=left, right=right):
            return AffineOperation(operator, _put_in(left, values), _put_in(right, values))
        case AffineNumber():
            return expression
        case _:
            assert_never(expression)


def simplified(expression: AffineExpression) -> AffineExpression:
    """The expression, its linear parts collected, positive terms first."""
    found = linear(expression)
    if found is not None:
        return expression_of(found)
    match expression:
        case AffineOperation(operator=operator, left=left, right=right):
            one, other = simplified(left), simplified(right)
            if operator in ("+", "-") and other == AffineNumber(0):
                return one
            if operator == "+":
                match one:
                    case AffineOperation(operator="-", left=AffineNumber(value=0), right=taken):
                        return AffineOperation("-", other, taken)
                    case _:
                        pass
            if operator == "+" and isinstance(other, AffineNumber) and other.value < 0:
                return AffineOperation("-", one, AffineNumber(-other.value))
            return AffineOperation(operator, one, other)
        case _:
            return expression


def _condition(condition: Condition, values: Values) -> Condition:
    match condition:
        case AffineComparison(operator=operator, left=left, right=right):
            return AffineComparison(operator, put_in(left, values), put_in(right, values))
        case BothHold(left=one, right=other):
            return BothHold(_condition(one, values), _condition(other, values))
        case EitherHolds(left=one, right=other):
            return EitherHolds(_condition(one, values), _condition(other, values))
        case DoesNotHold(operand=operand):
            return DoesNotHold(_condition(operand, values))
        case _:
            assert_never(condition)
