"""What terms at a rank vector mean to cvc5: a second encoding, written from the definitions of the nodes alone.

Shares with the encoding for z3 the terms and the query, nothing else. Infinities are exact: a number is `times`·M +
`rest` with M beyond every number, compared by `times` first. The exponential is cvc5's own function on the reals; a
reduction is spelled out by giving its bound indices values. Must not know why anything is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce as fold_left
from itertools import product
from typing import Any

import cvc5
from cvc5 import Kind
from msgspec import Struct, field

from rewright.solve.query import AllOf, AnyOf, Assertion, Differ, Query, TruthFails, TruthHolds
from rewright.terms import node as t

Expression = Any
"""A term or sort of cvc5."""


class Inexpressible(Exception):
    """A term has no meaning here; the text says which."""


class ExtendedValue(Struct, frozen=True):
    """`times`·M + `rest`; `times` is None for what is finite, and for truths and elements that are no numbers."""

    rest: Expression
    times: Expression = None


class AxisPlace(Struct, frozen=True):
    """The axis that "the" axis of each class is; the values of bound indices, on each axis, by level and position."""

    axes: Mapping[str, int] = field(default_factory=dict)
    bound: Mapping[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)

    def on(self, rank_class: str, axis: int) -> AxisPlace:
        """The same place with "the" axis of the class fixed."""
        return AxisPlace({**self.axes, rank_class: axis}, self.bound)

    def key(self, term: t.Term) -> tuple[object, ...]:
        """The part of the place on which the term depends."""
        axes = tuple((name, self.axes[name]) for name in sorted(term.classes))
        bound = tuple(sorted(item for item in self.bound.items() if item[0][0] in term.loose)) if term.loose else ()
        return axes, bound


ANYWHERE = AxisPlace()


class SecondMeaning:
    """The expressions of one query. `assertions` says it all; `symbols` are the constants and functions declared.

    `unknown` are functions of the language of which nothing is said: a model need not be one of theirs. On its own sine
    and cosine cvc5 1.4.2 goes on without end, whatever its limits.
    """

    def __init__(self, query: Query) -> None:
        self.manager = cvc5.TermManager()
        self.symbols: dict[object, Expression] = {}
        self._ranks = dict(query.ranks)
        self._expand_to = query.expand_to
        self._memo: dict[tuple[object, ...], ExtendedValue] = {}
        self._sorts: dict[str, Expression] = {
            t.INDEX: self.manager.getIntegerSort(),
            t.INT: self.manager.getIntegerSort(),
            t.REAL: self.manager.getRealSort(),
            t.TRUTH: self.manager.getBooleanSort(),
        }
        self.unknown: set[str] = set()
        self._besides: list[Expression] = []
        asserted = [self._assertion(assertion) for assertion in query.assertions]
        self.assertions: list[Expression] = [*self._besides, *asserted]

    @property
    def sorts(self) -> list[Expression]:
        """The sorts of which only equality is known."""
        return [sort for sort in self._sorts.values() if sort.isUninterpretedSort()]

    # ---- assertions and truths

    def _assertion(self, assertion: Assertion) -> Expression:
        match assertion:
            case TruthHolds(truth=truth, axes=axes):
                return self._of(truth, AxisPlace(dict(axes))).rest
            case TruthFails(truth=truth, axes=axes):
                return self._not(self._of(truth, AxisPlace(dict(axes))).rest)
            case Differ(left=left, right=right):
                return self._not(self._same(self._of(left, ANYWHERE), self._of(right, ANYWHERE)))
            case AllOf(parts=parts):
                return self._and([self._assertion(part) for part in parts])
            case AnyOf(parts=parts):
                return self._not(self._and([self._not(self._assertion(part)) for part in parts]))

    def _truth(self, term: t.Term, place: AxisPlace) -> Expression:
        match term:
            case t.Constant(value=value):
                return self.manager.mkBoolean(value)
            case t.Not(operand=operand):
                return self._not(self._of(operand, place).rest)
            case t.And(operands=operands):
                return self._and([self._of(operand, place).rest for operand in operands])
            case t.Fold(rank_class=name, predicate=predicate):
                return self._and([self._of(predicate, place.on(name, axis)).rest for axis in range(self._rank(name))])
            case t.NonNegative(polynomial=inner):
                return self._not(self._below_zero(inner, place))
            case t.Negative(polynomial=inner):
                return self._below_zero(inner, place)
            case t.Zero(polynomial=inner):
                return self._same(self._of(inner, place), ExtendedValue(self._number(0, inner.sort)))
            case _:
                raise Inexpressible(type(term).__name__)

    def _below_zero(self, term: t.Term, place: AxisPlace) -> Expression:
        return self._less(self._of(term, place), ExtendedValue(self._number(0, term.sort)))

    def _less(self, left: ExtendedValue, right: ExtendedValue) -> Expression:
        rests = self._term(Kind.LT, left.rest, right.rest)
        if left.times is None and right.times is None:
            return rests
        first, second = self._times(left), self._times(right)
        level = self._and([self._term(Kind.EQUAL, first, second), rests])
        return self._term(Kind.OR, self._term(Kind.LT, first, second), level)

    def _same(self, left: ExtendedValue, right: ExtendedValue) -> Expression:
        rests = self._term(Kind.EQUAL, left.rest, right.rest)
        if left.times is None and right.times is None:
            return rests
        return self._and([self._term(Kind.EQUAL, self._times(left), self._times(right)), rests])

    # ---- elements and indices

    def _of(self, term: t.Term, place: AxisPlace) -> ExtendedValue:
        key = (term, place.key(term))
        if key not in self._memo:
            self._memo[key] = self._value(term, place)
        return self._memo[key]

    def _value(self, term: t.Term, place: AxisPlace) -> ExtendedValue:
        match term:
            case t.Variable(name=name, rank_class=rank_class, sort=sort):
                axis = None if rank_class is None else place.axes[rank_class]
                return ExtendedValue(self._symbol(name if axis is None else f"{name}.{axis}", self._sort(sort), term))
            case t.Bound(level=level, position=position, rank_class=rank_class):
                return ExtendedValue(self._number(self._index(place, (level, position), rank_class), t.INDEX))
            case t.Number(value=value, sort=sort):
                return ExtendedValue(self._number(value, sort))
            case t.Infinity(positive=positive, sort=sort):
                return ExtendedValue(self._number(0, sort), self._number(1 if positive else -1, sort))
            case t.Polynomial(monomials=monomials, sort=sort):
                return fold_left(self._plus, (self._monomial(*item, sort, place) for item in monomials))
            case t.Extremum(greatest=greatest, operands=operands):
                return self._extremum([self._of(operand, place) for operand in operands], greatest=greatest)
            case t.Choose(condition=condition, consequent=consequent, alternative=alternative):
                chosen = self._of(condition, place).rest
                return self._either(chosen, self._of(consequent, place), self._of(alternative, place))
            case t.Access(tensor=tensor, slots=slots, sort=sort):
                places = [(slot, axis) for slot in slots for axis in self._axes(slot.rank_class, place)]
                return ExtendedValue(
                    self._applied(tensor, [self._finite(slot.index, axis) for slot, axis in places], sort)
                )
            case t.Reduce():
                return self._reduce(term, place)
            case _ if term.sort == t.TRUTH:
                return ExtendedValue(self._truth(term, place))
            case _:
                return ExtendedValue(self._function(term, place))

    def _function(self, term: t.Term, place: AxisPlace) -> Expression:
        """What is a function of finite numbers."""
        match term:
            case t.FloorDivide(left=left, right=right):
                if isinstance(right, t.Number):
                    return self._floor_by(self._finite(left, place), right.value)
                return self._floor(self._finite(left, place), self._finite(right, place))
            case t.AxisProduct(rank_class=name, factor=factor):
                factors = [self._finite(factor, place.on(name, axis)) for axis in range(self._rank(name))]
                return fold_left(
                    lambda one, other: self._term(Kind.MULT, one, other), factors, self._number(1, t.INDEX)
                )
            case t.Position(rank_class=name, index=index, size=size):
                place_of = self._number(0, t.INDEX)
                for axis in range(self._rank(name)):
                    here = place.on(name, axis)
                    passed = self._term(Kind.MULT, place_of, self._finite(size, here))
                    place_of = self._term(Kind.ADD, passed, self._finite(index, here))
                return place_of
            case t.Digit(rank_class=name, place=at, size=size):
                return self._digit(name, (at, size), place)
            case t.TruncatedDivide(left=left, right=right):
                return self._truncated(self._finite(left, place), self._finite(right, place))
            case t.Reciprocal(operand=operand):
                return self._term(Kind.DIVISION_TOTAL, self._number(1, t.REAL), self._finite(operand, place))
            case t.Absolute(operand=operand):
                return self._term(Kind.ABS, self._finite(operand, place))
            case t.Exponential(operand=operand):
                return self._term(Kind.EXPONENTIAL, self._finite(operand, place))
            case t.Root(operand=operand):
                return self._root(self._finite(operand, place))
            case t.Logarithm(operand=operand):
                return self._logarithm(self._finite(operand, place))
            case t.Special(operands=operands):
                return self._special(term, [self._finite(operand, place) for operand in operands])
            case t.Applied(function=name, operands=operands, sort=sort):
                return self._applied(name, [self._finite(operand, place) for operand in operands], sort)
            case t.ElementOf(index=index, sort=sort):
                inner = self._finite(index, place)
                return self._term(Kind.TO_REAL, inner) if sort == t.REAL else inner
            case t.IndexOf(element=element):
                return self._finite(element, place)
            case _:
                raise Inexpressible(type(term).__name__)

    def _root(self, operand: Expression) -> Expression:
        """What is at least 0 and has the operand's absolute value as its square."""
        root = self._applied("sqrt", [operand], t.REAL)
        square = self._term(Kind.EQUAL, self._term(Kind.MULT, root, root), self._term(Kind.ABS, operand))
        self._besides += [self._term(Kind.GEQ, root, self._number(0, t.REAL)), square]
        return root

    def _logarithm(self, operand: Expression) -> Expression:
        """What the operand's absolute value is the power of; 0 where it is 0."""
        zero, power = self._number(0, t.REAL), self._applied("log", [operand], t.REAL)
        inverse = self._term(Kind.EQUAL, self._term(Kind.EXPONENTIAL, power), self._term(Kind.ABS, operand))
        at_zero = self._term(Kind.EQUAL, power, zero)
        self._besides.append(self._term(Kind.ITE, self._term(Kind.EQUAL, operand, zero), at_zero, inverse))
        return power

    def _special(self, term: t.Special, operands: list[Expression]) -> Expression:
        if term.function == "floor":
            return self._term(Kind.TO_REAL, self._term(Kind.TO_INTEGER, *operands))
        self.unknown.add(term.function)
        return self._applied(term.function, operands, term.sort)

    def _finite(self, term: t.Term, place: AxisPlace) -> Expression:
        value = self._of(term, place)
        if value.times is not None:
            raise Inexpressible(f"{type(term).__name__}, which may be infinite, as an argument")
        return value.rest

    def _index(self, place: AxisPlace, binder: tuple[int, int], rank_class: t.RankClass) -> int:
        values = place.bound[binder]
        return values[0 if rank_class is None else place.axes[rank_class]]

    def _digit(self, rank_class: str, parts: tuple[t.Term, t.Term], place: AxisPlace) -> Expression:
        """The index on this axis of the class that is at a row-major position."""
        at, size = parts
        axis = place.axes[rank_class]
        later = [self._finite(size, place.on(rank_class, each)) for each in range(axis + 1, self._rank(rank_class))]
        whole = self._finite(at, place)
        for passed in later:
            whole = self._floor(whole, passed)
        own = self._finite(size, place)
        return self._term(Kind.SUB, whole, self._term(Kind.MULT, own, self._floor(whole, own)))

    def _floor_by(self, left: Expression, divisor: t.Coefficient) -> Expression:
        """cvc5's division leaves a remainder that is not negative; ⌊x / y⌋ is ⌊−x / −y⌋."""
        if divisor < 0:
            left, divisor = self._term(Kind.NEG, left), -divisor
        return self._term(Kind.INTS_DIVISION_TOTAL, left, self._number(divisor, t.INDEX))

    def _floor(self, left: Expression, right: Expression) -> Expression:
        """left = right · quotient + rest, the rest on the divisor's side of 0; 0 where the divisor is 0.

        cvc5's own division by what is no number is not used: release 1.4.2 has models in which j div j is 2.
        """
        zero, name = self._number(0, t.INDEX), f"quotient {len(self.symbols)}"
        quotient = self._symbol(name, self.manager.getIntegerSort(), (left, right))
        rest = self._term(Kind.SUB, left, self._term(Kind.MULT, right, quotient))
        up = self._and([self._term(Kind.LEQ, zero, rest), self._term(Kind.LT, rest, right)])
        down = self._and([self._term(Kind.LT, right, rest), self._term(Kind.LEQ, rest, zero)])
        none = self._and([self._term(Kind.EQUAL, right, zero), self._term(Kind.EQUAL, quotient, zero)])
        self._besides.append(self._term(Kind.OR, up, down, none))
        return quotient

    def _truncated(self, left: Expression, right: Expression) -> Expression:
        """The quotient of the absolute values with the sign of the product; 0 where the divisor is 0."""
        zero = self._number(0, t.INT)
        whole = self._floor(self._term(Kind.ABS, left), self._term(Kind.ABS, right))
        apart = self._term(Kind.XOR, self._term(Kind.LT, left, zero), self._term(Kind.LT, right, zero))
        return self._term(Kind.ITE, apart, self._term(Kind.NEG, whole), whole)

    def _monomial(self, monomial: t.Monomial, factor: t.Coefficient, sort: t.Sort, place: AxisPlace) -> ExtendedValue:
        factors = [self._of(atom, place) for atom, power in monomial for _ in range(power)]
        return fold_left(self._product, factors, ExtendedValue(self._number(factor, sort)))

    def _plus(self, left: ExtendedValue, right: ExtendedValue) -> ExtendedValue:
        rest = self._term(Kind.ADD, left.rest, right.rest)
        if left.times is None and right.times is None:
            return ExtendedValue(rest)
        return ExtendedValue(rest, self._term(Kind.ADD, self._times(left), self._times(right)))

    def _product(self, left: ExtendedValue, right: ExtendedValue) -> ExtendedValue:
        rest = self._term(Kind.MULT, left.rest, right.rest)
        match left.times, right.times:
            case None, None:
                return ExtendedValue(rest)
            case times, None:
                return ExtendedValue(rest, self._term(Kind.MULT, times, right.rest))
            case None, times:
                return ExtendedValue(rest, self._term(Kind.MULT, left.rest, times))
            case _:
                raise Inexpressible("a product of what may be infinite")

    def _extremum(self, values: Sequence[ExtendedValue], *, greatest: bool) -> ExtendedValue:
        def better(one: ExtendedValue, other: ExtendedValue) -> ExtendedValue:
            loses = self._less(one, other) if greatest else self._less(other, one)
            return self._either(loses, other, one)

        return fold_left(better, values)

    def _either(self, condition: Expression, left: ExtendedValue, right: ExtendedValue) -> ExtendedValue:
        rest = self._term(Kind.ITE, condition, left.rest, right.rest)
        if left.times is None and right.times is None:
            return ExtendedValue(rest)
        return ExtendedValue(rest, self._term(Kind.ITE, condition, self._times(left), self._times(right)))

    # ---- reductions

    def _reduce(self, term: t.Reduce, place: AxisPlace) -> ExtendedValue:
        if self._expand_to is None:
            return self._unknown(term)
        limit = self._number(self._expand_to, t.INDEX)
        axes = [(item, axis) for item in term.ranges for axis in self._axes(item.rank_class, place)]
        sizes = [self._finite(item.size, axis) for item, axis in axes]
        self._besides += (self._term(Kind.LEQ, size, limit) for size in sizes)
        result = self._start(term)
        for index in product(range(self._expand_to), repeat=len(sizes)):
            inside = self._and(
                [self._term(Kind.LT, self._number(at, t.INDEX), size) for at, size in zip(index, sizes, strict=True)]
            )
            body = self._of(term.body, AxisPlace(place.axes, {**place.bound, **self._bindings(term, index)}))
            result = self._either(inside, self._combined(term.monoid, result, body), result)
        return result

    def _unknown(self, term: t.Reduce) -> ExtendedValue:
        """An unknown of its own; one of min or max may be infinite."""
        name = f"reduce {term.digest.hex()}"
        rest = self._symbol(name, self._sort(term.sort), term)
        if term.monoid not in ("maximum", "minimum"):
            return ExtendedValue(rest)
        times = self._symbol(f"{name} infinite", self._sort(term.sort), (term, "infinite"))
        low, none, high = (self._number(number, term.sort) for number in (-1, 0, 1))
        finite = self._term(Kind.EQUAL, times, none)
        ends = [self._term(Kind.EQUAL, times, end) for end in (low, high)]
        infinite = self._and([self._term(Kind.EQUAL, rest, none), self._term(Kind.OR, *ends)])
        self._besides.append(self._term(Kind.OR, finite, infinite))
        return ExtendedValue(rest, times)

    def _bindings(self, term: t.Reduce, index: tuple[int, ...]) -> dict[tuple[int, int], tuple[int, ...]]:
        bindings, rest = {}, list(index)
        for position, item in enumerate(term.ranges):
            width = self._rank(item.rank_class)
            bindings[term.level, position], rest = tuple(rest[:width]), rest[width:]
        return bindings

    def _start(self, term: t.Reduce) -> ExtendedValue:
        none = self._number(0, term.sort) if term.sort != t.TRUTH else None
        match term.monoid:
            case "add":
                return ExtendedValue(none)
            case "multiply":
                return ExtendedValue(self._number(1, term.sort))
            case "maximum" | "minimum":
                return ExtendedValue(none, self._number(-1 if term.monoid == "maximum" else 1, term.sort))
            case _:
                return ExtendedValue(self.manager.mkBoolean(term.monoid == "and"))

    def _combined(self, monoid: str, left: ExtendedValue, right: ExtendedValue) -> ExtendedValue:
        match monoid:
            case "add":
                return self._plus(left, right)
            case "multiply":
                return self._product(left, right)
            case "maximum" | "minimum":
                return self._extremum((left, right), greatest=monoid == "maximum")
            case _:
                return ExtendedValue(self._term(Kind.AND if monoid == "and" else Kind.OR, left.rest, right.rest))

    # ---- expressions

    def _rank(self, rank_class: t.RankClass) -> int:
        return 1 if rank_class is None else self._ranks.get(rank_class, 0)

    def _axes(self, rank_class: t.RankClass, place: AxisPlace) -> list[AxisPlace]:
        return [place] if rank_class is None else [place.on(rank_class, k) for k in range(self._rank(rank_class))]

    def _times(self, value: ExtendedValue) -> Expression:
        if value.times is not None:
            return value.times
        return self._number(0, t.REAL if value.rest.getSort().isReal() else t.INT)

    def _number(self, value: t.Coefficient, sort: t.Sort) -> Expression:
        return self.manager.mkReal(str(value)) if sort == t.REAL else self.manager.mkInteger(str(value))

    def _sort(self, sort: t.Sort) -> Expression:
        if sort not in self._sorts:
            self._sorts[sort] = self.manager.mkUninterpretedSort(str(sort))
        return self._sorts[sort]

    def _symbol(self, name: str, sort: Expression, owner: object) -> Expression:
        key = (name, owner)
        if key not in self.symbols:
            self.symbols[key] = self.manager.mkConst(sort, name)
        return self.symbols[key]

    def _applied(self, name: str, arguments: list[Expression], sort: t.Sort) -> Expression:
        if not arguments:
            return self._symbol(name, self._sort(sort), sort)
        domain = [argument.getSort() for argument in arguments]
        function = self._symbol(name, self.manager.mkFunctionSort(domain, self._sort(sort)), (sort, *domain))
        return self._term(Kind.APPLY_UF, function, *arguments)

    def _not(self, operand: Expression) -> Expression:
        return self._term(Kind.NOT, operand)

    def _and(self, operands: Sequence[Expression]) -> Expression:
        if len(operands) < 2:
            return operands[0] if operands else self.manager.mkBoolean(True)
        return self._term(Kind.AND, *operands)

    def _term(self, kind: Kind, *children: Expression) -> Expression:
        return self.manager.mkTerm(kind, *children)
