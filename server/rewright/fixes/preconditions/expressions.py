"""The grammar of index expressions over the unknowns of one class, each with its values on the axes of a pool.

Owns which expressions are tried and how simple each is. An expression that divides by zero anywhere is none. Must not
know what they are compared with.
"""

from __future__ import annotations

import contextlib
import itertools
import operator
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from rewright.fixes.preconditions.lanes import Lanes, Values
from rewright.model.index import Index, IndexOperation, IndexOperator, Number
from rewright.replay.index import IndexDivisionByZero, on_axis
from rewright.replay.inputs import Inputs

SITE = 0
"""What is found stands nowhere in the text yet."""

_COMPUTE: dict[IndexOperator, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "min": min,
    "max": max,
}


class Expression(Struct, frozen=True):
    """An index expression with its values; `size` counts its unknowns and constants."""

    index: Index
    values: Values
    size: int
    unknowns: tuple[Index, ...]


class Own(Struct, frozen=True):
    """What a rule itself has: sums and products as attributes, and what may have to be divisible by what."""

    attributes: tuple[Index, ...] = ()
    quotients: tuple[tuple[Index, Index], ...] = ()


NONE = Own()
"""Nothing of the rule's own."""


class Expressions:
    """The expressions over some unknowns."""

    def __init__(self, lanes: Lanes, inputs: Sequence[Inputs], unknowns: Sequence[Index], own: Own = NONE) -> None:
        self._lanes = lanes
        self._inputs = inputs
        self.unknowns = [self._valued(index) for index in unknowns]
        self.constants = [self._valued(Number(value, SITE)) for value in (0, 1, 2, -1)]
        self._zero, self._one, self._two, _ = self.constants
        self._own = own

    def sums(self) -> Iterator[Expression]:
        """Sums and differences of two unknowns, and of an unknown and 1; the double of one, and 1 more."""
        for left, right in itertools.combinations(self.unknowns, 2):
            yield from self._made("+", left, right)
        for left, right in itertools.permutations(self.unknowns, 2):
            yield from self._made("-", left, right)
        for each in self.unknowns:
            yield from self._made("+", each, self._one)
            yield from self._made("-", each, self._one)
            for twice in self._made("*", self._two, each):
                yield twice
                yield from self._made("+", twice, self._one)

    def products(self) -> Iterator[Expression]:
        """Products of two unknowns, alone and added to a third, or a third taken from them."""
        for left, right in itertools.combinations(self.unknowns, 2):
            for product in self._made("*", left, right):
                yield product
                for each in self.unknowns:
                    yield from self._made("+", each, product)
                    yield from self._made("-", product, each)

    def triples(self) -> Iterator[Expression]:
        """Sums of three unknowns, and of two and 1."""
        for three in itertools.combinations((*self.unknowns, self._one), 3):
            for pair in self._made("+", three[0], three[1]):
                yield from self._made("+", pair, three[2])

    def reaches(self) -> Iterator[Expression]:
        """Sums of an unknown and a compound one."""
        compound = [each for each in self.unknowns if isinstance(each.index, IndexOperation)]
        for left, right in itertools.product(self.unknowns, compound):
            if left is not right:
                yield from self._made("+", left, right)

    def everything(self) -> Iterator[Expression]:
        """All expressions, quotients, minima and maxima among them."""
        yield from (*self.constants, *self.unknowns)
        yield from self.sums()
        yield from self.triples()
        yield from self.products()
        for left, right in itertools.combinations((*self.unknowns, *self.constants[:2]), 2):
            yield from self._made("min", left, right)
            yield from self._made("max", left, right)
        for left, right in itertools.permutations((*self.unknowns, *self.constants[2:3]), 2):
            yield from self._made("//", left, right)
        for each in self.unknowns:
            yield from self._made("-", self._zero, each)

    def remainders(self) -> Iterator[tuple[Expression, Expression]]:
        """Remainders by an unknown or by 2, each with 0."""
        for divisor in (*self.unknowns, self.constants[2]):
            for each in self.unknowns:
                if each is not divisor:
                    yield from ((made, self._zero) for made in self._made("%", each, divisor))

    def attributes(self) -> Iterator[Expression]:
        """The rule's own sums and products."""
        for index in self._own.attributes:
            yield from self._computed(index)

    def divided(self) -> Iterator[tuple[Expression, Expression]]:
        """Remainders of the rule's own, each with 0."""
        for index, divisor in self._own.quotients:
            for left, right in itertools.product(self._computed(index), self._computed(divisor)):
                yield from ((made, self._zero) for made in self._made("%", left, right))

    def _computed(self, index: Index) -> Iterator[Expression]:
        """The expression, none where it divides by zero."""
        with contextlib.suppress(IndexDivisionByZero):
            yield self._valued(index)

    def _valued(self, index: Index) -> Expression:
        values = tuple(on_axis(index, axis, self._inputs[place]) for place, axis in self._lanes.positions)
        own = () if isinstance(index, Number) else (index,)
        return Expression(index, Values(self._lanes, values), _size(index), own)

    def _made(self, operation: IndexOperator, left: Expression, right: Expression) -> Iterator[Expression]:
        """The expression, none where it divides by zero."""
        try:
            values = tuple(map(_COMPUTE[operation], left.values.values, right.values.values))
        except ZeroDivisionError:
            return
        index = IndexOperation(operation, left.index, right.index, SITE)
        both = (*left.unknowns, *right.unknowns)
        yield Expression(index, Values(self._lanes, values), left.size + right.size, both)


def _size(index: Index) -> int:
    """How much there is to read; a number other than 0 and 1 is there for a reason that a reader has to guess."""
    if isinstance(index, Number):
        return 1 if index.value in (0, 1) else 3
    return _size(index.left) + _size(index.right) if isinstance(index, IndexOperation) else 1
