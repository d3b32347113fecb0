"""The grammar of preconditions: comparisons of small expressions over the unknowns of one class, and their joins.

Owns which formulas are tried and how simple each is. Each comes with the inputs of a pool on which it holds. In tiers:
a later one is larger and is only looked at where the ones before it leave something to be wished for.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cached_property

from msgspec import Struct

from rewright.fixes.preconditions.drawing import integers_of
from rewright.fixes.preconditions.expressions import SITE, Expression, Expressions, Own
from rewright.fixes.preconditions.extents import attributes, extents, lengths_by_strides
from rewright.fixes.preconditions.lanes import Bits, Lanes, lanes_of
from rewright.fixes.preconditions.scalars import comparisons_of_scalars
from rewright.model.formula import Conjunction, Disjunction, Formula, IndexComparison, Quantified
from rewright.model.index import Index, IndexOperation, MapReference
from rewright.model.rule import Extent, RuleQuestion
from rewright.replay.inputs import Inputs

LITERALS = 130
"""Comparisons of which two are joined in a split."""

CHOICES = 900
"""Comparisons that are tried as an alternative."""

SEVERAL = 7
"""Unknowns up to which an unknown is compared with sums of three."""

FEW = 4
"""Unknowns up to which the signs of their sums are tried in splits."""


class Tier(IntEnum):
    """How far the grammar reaches: constants, two unknowns, sums, either of two, some axis, products."""

    CONSTANTS = 0
    SIMPLE = 1
    SUMS = 2
    SPLITS = 3
    SOME = 4
    PRODUCTS = 5


class Comparison(Struct, frozen=True):
    """A comparison on one axis, where it holds, and how much there is to read."""

    formula: IndexComparison
    truth: Bits
    size: int


class Atom(Struct, frozen=True):
    """A formula, the inputs on which it holds, and how much there is to read."""

    formula: Formula
    holds: Bits
    size: int


class Grammar:
    """The formulas over the unknowns of a question, with the inputs of a pool on which they hold; each is made once."""

    def __init__(self, question: RuleQuestion, inputs: Sequence[Inputs]) -> None:
        self.question = question
        self.inputs = inputs
        self._atoms: dict[Tier, Sequence[Atom]] = {}

    def atoms(self, tier: Tier) -> Sequence[Atom]:
        """The formulas of a tier."""
        if tier not in self._atoms:
            self._atoms[tier] = tuple(self._made(tier))
        return self._atoms[tier]

    @cached_property
    def literals(self) -> Sequence[tuple[Lanes, Sequence[Comparison]]]:
        """For each class, and for the integers alone, the simplest comparisons, with the axes on which they hold."""
        return tuple((lanes, tuple(_simplest(lanes, expressions))) for lanes, expressions in self._scopes)

    def _made(self, tier: Tier) -> Iterator[Atom]:
        single = {group.name for group in self.question.rule.groups if group.extent is Extent.SINGLE}
        for lanes, expressions in self._scopes:
            make = _on_one_axis if lanes.rank_class is None or lanes.rank_class in single else _on_axes
            yield from make(lanes, _comparisons(lanes, expressions, tier), tier)
        if tier in (Tier.CONSTANTS, Tier.SIMPLE):
            with_constants = tier is Tier.CONSTANTS
            for formula, holds, size in comparisons_of_scalars(self.question, self.inputs, with_constants):
                yield Atom(formula, holds, size)

    @cached_property
    def _scopes(self) -> Sequence[tuple[Lanes, Expressions]]:
        return tuple(_scopes(self.question, self.inputs))


def _scopes(question: RuleQuestion, inputs: Sequence[Inputs]) -> Iterator[tuple[Lanes, Expressions]]:
    """The expressions of each class that has maps, and of the integers alone."""
    rule, integers = question.rule, integers_of(question)
    for group in rule.groups:
        name = group.rank_class
        maps: list[Index] = [MapReference(m.name, name, SITE) for m in rule.maps if m.rank_class == name]
        if group.name == name and maps:
            lanes = lanes_of(name, inputs)
            own = Own(attributes(rule, name), lengths_by_strides(rule, name))
            yield lanes, Expressions(lanes, inputs, (*maps, *integers, *extents(rule, name)), own)
    if integers:
        lanes = lanes_of(None, inputs)
        yield lanes, Expressions(lanes, inputs, integers)


def _simplest(lanes: Lanes, expressions: Expressions) -> Iterator[Comparison]:
    found = itertools.chain(*(_comparisons(lanes, expressions, tier) for tier in (Tier.SPLITS, Tier.SOME)))
    return itertools.islice(_distinct(found), CHOICES)


def conjoined(parts: Sequence[Formula]) -> Formula:
    """All of some formulas as one."""
    first, *others = parts
    for other in others:
        first = Conjunction(first, other, SITE)
    return first


# ---------------------------------------------------------------------------------------------------- comparisons


def _comparisons(lanes: Lanes, expressions: Expressions, tier: Tier) -> Iterator[Comparison]:
    unknowns = expressions.unknowns
    match tier:
        case Tier.CONSTANTS:
            yield from _with_constants(lanes, expressions)
        case Tier.SIMPLE:
            yield from _simple(lanes, expressions)
        case Tier.SUMS:
            yield from _with_compound(lanes, expressions)
            for each in expressions.triples():
                yield from _sign(lanes, expressions, each)
            for right, left in itertools.product((*expressions.sums(), *_few(expressions)), unknowns):
                if left.index not in right.unknowns:
                    yield from _ordered(lanes, left, right)
            for right, left in itertools.product(expressions.attributes(), (*unknowns, *expressions.constants[:2])):
                yield from _ordered(lanes, left, right)
            for divided, divisor in itertools.chain(expressions.remainders(), expressions.divided()):
                yield from _divides(lanes, expressions, divided, divisor)
        case Tier.PRODUCTS:
            for right, left in itertools.product(expressions.products(), unknowns):
                if left.index not in right.unknowns:
                    yield from _ordered(lanes, left, right)
        case Tier.SPLITS:
            yield from _simple(lanes, expressions)
            for each in expressions.sums() if len(unknowns) <= FEW else ():
                yield from _sign(lanes, expressions, each)
        case Tier.SOME:
            pairs = itertools.product(unknowns, expressions.constants[:2])
            for left, right in itertools.chain(pairs, itertools.combinations(unknowns, 2)):
                yield from _ordered(lanes, left, right)
            for right, left in itertools.product(expressions.reaches(), unknowns):
                if left.index not in right.unknowns:
                    yield from _ordered(lanes, left, right)


def _with_constants(lanes: Lanes, expressions: Expressions) -> Iterator[Comparison]:
    """Comparisons of an unknown with 0 or 1."""
    bare = [each for each in expressions.unknowns if not isinstance(each.index, IndexOperation)]
    for left, right in itertools.product(bare, expressions.constants[:2]):
        yield from _ordered(lanes, left, right)


def _simple(lanes: Lanes, expressions: Expressions) -> Iterator[Comparison]:
    """Comparisons of an unknown with a constant, and of two unknowns."""
    bare = [each for each in expressions.unknowns if not isinstance(each.index, IndexOperation)]
    for left, right in itertools.chain(itertools.product(bare, expressions.constants), itertools.combinations(bare, 2)):
        yield from _ordered(lanes, left, right)
        equal = left.values.equal_to(right.values)
        yield Comparison(_compare(lanes, "!=", left, right), lanes.present & ~equal, left.size + right.size + 2)


def _with_compound(lanes: Lanes, expressions: Expressions) -> Iterator[Comparison]:
    """The same with an unknown that is written as several."""
    pairs = itertools.product(expressions.unknowns, expressions.constants[:2])
    for left, right in itertools.chain(pairs, itertools.combinations(expressions.unknowns, 2)):
        if isinstance(left.index, IndexOperation) or isinstance(right.index, IndexOperation):
            yield from _ordered(lanes, left, right)


def _few(expressions: Expressions) -> Iterator[Expression]:
    """Sums of three, where there are not too many."""
    return expressions.triples() if len(expressions.unknowns) <= SEVERAL else iter(())


def _sign(lanes: Lanes, expressions: Expressions, each: Expression) -> Iterator[Comparison]:
    """The sign of a sum."""
    zero = expressions.constants[0]
    at_least = zero.values.at_most(each.values)
    yield Comparison(_compare(lanes, ">=", each, zero), at_least, each.size + 1)
    yield Comparison(_compare(lanes, "<", each, zero), lanes.present & ~at_least, each.size + 1)


def _ordered(lanes: Lanes, left: Expression, right: Expression) -> Iterator[Comparison]:
    equal, at_most = left.values.equal_to(right.values), left.values.at_most(right.values)
    size = left.size + right.size
    yield Comparison(_compare(lanes, "==", left, right), equal, size)
    yield Comparison(_compare(lanes, "<=", left, right), at_most, size)
    yield Comparison(_compare(lanes, ">=", left, right), lanes.present & ~at_most | equal, size)
    yield Comparison(_compare(lanes, "<", left, right), at_most & ~equal, size)
    yield Comparison(_compare(lanes, ">", left, right), lanes.present & ~at_most, size)


def _divides(lanes: Lanes, expressions: Expressions, remainder: Expression, zero: Expression) -> Iterator[Comparison]:
    equal = remainder.values.equal_to(zero.values)
    yield Comparison(_compare(lanes, "==", remainder, zero), equal, remainder.size + 1)


def _compare(lanes: Lanes, operator: str, left: Expression, right: Expression) -> IndexComparison:
    return IndexComparison(operator, left.index, right.index, lanes.rank_class, SITE)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------------- formulas


def _on_axes(lanes: Lanes, found: Iterable[Comparison], tier: Tier) -> Iterator[Atom]:
    """Formulas about every axis of a class, and about some."""
    name = lanes.rank_class
    assert name is not None
    if tier is Tier.SOME:
        kept = list(found)
        simple: Iterator[tuple[Formula, Bits, int]] = ((each.formula, each.truth, each.size) for each in kept)
        for formula, truth, size in itertools.chain(simple, _splits(lanes, kept)):
            yield Atom(Quantified("some", name, formula, SITE), lanes.on_some_axis(truth), size + 1)
    elif tier is Tier.SPLITS:
        for either, truth, size in _splits(lanes, found):
            yield Atom(Quantified("every", name, either, SITE), lanes.on_every_axis(truth), size)
    else:
        for each in found:
            yield Atom(each.formula, lanes.on_every_axis(each.truth), each.size)


def _on_one_axis(lanes: Lanes, found: Iterable[Comparison], tier: Tier) -> Iterator[Atom]:
    """Formulas about a single axis, or about integers alone."""
    if tier is Tier.SPLITS:
        for either, truth, size in _splits(lanes, found):
            yield Atom(either, lanes.on_every_axis(truth), size)
    elif tier is not Tier.SOME:
        for each in found:
            yield Atom(each.formula, lanes.on_every_axis(each.truth), each.size)


def _splits(lanes: Lanes, found: Iterable[Comparison]) -> Iterator[tuple[Formula, Bits, int]]:
    """Either of two comparisons, of the simplest there are."""
    for first, second in itertools.combinations(itertools.islice(_distinct(found), LITERALS), 2):
        truth = first.truth | second.truth
        if truth not in (first.truth, second.truth, lanes.present):
            yield Disjunction(first.formula, second.formula, SITE), truth, first.size + second.size + 1


def _distinct(found: Iterable[Comparison]) -> Iterable[Comparison]:
    """The simplest comparison for each truth, the simplest first; an equality is the less likely one."""
    by_truth: dict[Bits, Comparison] = {}
    for each in sorted(found, key=lambda each: (each.size, each.formula.operator == "==")):
        by_truth.setdefault(each.truth, each)
    return by_truth.values()
