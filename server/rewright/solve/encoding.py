"""Terms at a rank vector, as expressions of the solver.

Owns what each node means once the ranks are known: a schematic unknown is one unknown per axis, a fold a conjunction
over the axes, an access a function of one argument per axis. Keeps a record of the unknowns and reads it met, from
which a model is read back.

Source: TensorRight (POPL 2025), section 6.4, for tensors of any size as uninterpreted functions.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewright.solve import functions
from rewright.solve.builder import Expression, ExpressionBuilder
from rewright.solve.query import (
    AllOf,
    AnyOf,
    Assertion,
    Differ,
    Encoding,
    Query,
    Quotients,
    ReadEncoding,
    TruthFails,
    TruthHolds,
    Unknown,
)
from rewright.terms.interning import subterms
from rewright.terms.node import (
    INDEX,
    INT,
    REAL,
    TRUTH,
    Absolute,
    Access,
    And,
    Applied,
    AxisProduct,
    Choose,
    Coefficient,
    Constant,
    Digit,
    ElementOf,
    Exponential,
    Extremum,
    FloorDivide,
    Fold,
    IndexOf,
    Infinity,
    Logarithm,
    Monomial,
    Negative,
    NonNegative,
    Not,
    Number,
    Opened,
    Polynomial,
    Position,
    RankClass,
    Reciprocal,
    Reduce,
    Root,
    Sort,
    Special,
    Term,
    TruncatedDivide,
    Variable,
    Zero,
)
from rewright.terms.polynomial import collect, expand

Axes = Mapping[str, int]
Point = tuple[tuple[Expression, ...], Expression]
"""A read's arguments and its value."""

NOWHERE: Axes = {}

FUNCTIONS = Reciprocal | TruncatedDivide | Absolute | Exponential | Root | Logarithm | Special | Applied
ELEMENTS = Variable | Access | Number | ElementOf | Polynomial | Reduce | FUNCTIONS
"""What is finite, unless a minimum or maximum of nothing is in it."""


class Encoder:
    """Expressions of terms at the ranks of a query; `side` collects what has to be asserted besides."""

    def __init__(self, builder: ExpressionBuilder, query: Query, encoding: Encoding) -> None:
        self.build = builder
        self.ranks = dict(query.ranks)
        self.expand_to = query.expand_to
        self.side: list[Expression] = []
        self.unknowns: dict[Unknown, Expression] = {}
        self.points: dict[tuple[str, Sort], dict[tuple[int, ...], Point]] = {}
        self.calls: dict[str, dict[tuple[int, ...], Point]] = {}
        self.exponentials: list[tuple[Expression, Expression]] = []
        self.plain: list[Expression] = []
        self.quotients = encoding.quotients
        self._encoding = encoding
        self._sorts = {INDEX: builder.integers, INT: builder.integers, REAL: builder.reals, TRUTH: builder.booleans}
        self._memo: dict[tuple[Term, tuple[int, ...], int], Expression] = {}
        self._infinities: dict[tuple[bool, Sort], Expression] = {}
        self._elements: dict[Sort, list[tuple[Term, Expression]]] = {}
        self.opened: dict[Opened, tuple[int, ...]] = {}
        self.epoch = self.epochs = 0

    def axes(self, rank_class: RankClass) -> list[Axes]:
        """The axes of a class, each as what "the" axis stands for; one nameless axis for a single one."""
        if rank_class is None:
            return [NOWHERE]
        return [{rank_class: axis} for axis in range(self.ranks.get(rank_class, 0))]

    def assertion(self, assertion: Assertion) -> Expression:
        """The expression of an assertion."""
        match assertion:
            case TruthHolds(truth=truth, axes=axes):
                return self(truth, dict(axes))
            case TruthFails(truth=truth, axes=axes):
                return self.build.negation(self(truth, dict(axes)))
            case Differ(left=left, right=right):
                return self.build.negation(self.build.same(self(left), self(right)))
            case AllOf(parts=parts):
                return self.build.every([self.assertion(part) for part in parts])
            case AnyOf(parts=parts):
                return self.build.any([self.assertion(part) for part in parts])

    def __call__(self, term: Term, axes: Axes = NOWHERE) -> Expression:
        """The expression of a term, schematic parts on the axes given."""
        here = tuple(axes[rank_class] for rank_class in sorted(term.classes)) if term.classes else ()
        # what speaks of an opened index is another value at each index at which a reduction is spelled out
        key = (term, here, self.epoch if term.opened else 0)
        if key not in self._memo:
            self._memo[key] = self._number(term, axes)
            if isinstance(term, ELEMENTS) and term.sort in (INT, REAL):
                self._finite(term, self._memo[key])
        return self._memo[key]

    def sort(self, sort: Sort) -> Expression:
        """The solver's sort."""
        if sort not in self._sorts:
            self._sorts[sort] = self.build.uninterpreted(sort)
        return self._sorts[sort]

    def _number(self, term: Term, axes: Axes) -> Expression:
        build = self.build
        match term:
            case Variable(rank_class=rank_class):
                return self._unknown((term, None if rank_class is None else axes[rank_class]))
            case Opened(rank_class=rank_class):
                return build.integer(self.opened[term][0 if rank_class is None else axes[rank_class]])
            case Number(value=value, sort=sort):
                return self.number(value, sort)
            case Polynomial(monomials=monomials, sort=sort):
                return build.total([self._monomial(*item, sort=sort, axes=axes) for item in monomials])
            case FloorDivide(left=left, right=right):
                return self._quotient(self(left, axes), self(right, axes), right)
            case AxisProduct(rank_class=rank_class, factor=factor):
                factors = [self(factor, {**axes, **axis}) for axis in self.axes(rank_class)]
                return build.product(factors) if factors else build.integer(1)
            case Position(rank_class=rank_class, index=index, size=size):
                return self._position(rank_class, (index, size), axes)
            case Digit(rank_class=rank_class, place=place, size=size):
                return self._digit(rank_class, (place, size), axes)
            case Extremum(greatest=greatest, operands=operands):
                return self.extremum([self(operand, axes) for operand in operands], greatest=greatest)
            case ElementOf(index=index, sort=sort):
                return build.real(self(index, axes)) if sort == REAL else self(index, axes)
            case IndexOf(element=element):
                return self(element, axes)
            case Choose(condition=condition, consequent=consequent, alternative=alternative):
                return build.either(self(condition, axes), self(consequent, axes), self(alternative, axes))
            case Access():
                return self._read(term)
            case Infinity(positive=positive, sort=sort):
                return self.infinity(sort, positive=positive)
            case Reduce():
                from rewright.solve.expansion import reduction

                return reduction(self, term)
            case Reciprocal() | TruncatedDivide() | Absolute() | Exponential() | Applied():
                return self._function(term, axes)
            case Root() | Logarithm() | Special():
                return self._function(term, axes)
            case _:
                return self._truth(term, axes)

    def _function(self, term: FUNCTIONS, axes: Axes) -> Expression:
        match term:
            case Reciprocal(operand=operand):
                return functions.reciprocal(self, self(operand, axes))
            case TruncatedDivide(left=left, right=right):
                return functions.truncated(self, self(left, axes), self(right, axes), right)
            case Absolute(operand=operand, sort=sort):
                return functions.absolute(self, self(operand, axes), self.number(0, sort))
            case Exponential(operand=operand):
                return functions.exponential(self, self(operand, axes))
            case Root(operand=operand):
                return functions.root(self, self(operand, axes))
            case Logarithm(operand=operand):
                return functions.logarithm(self, self(operand, axes))
            case Special(operands=operands):
                return functions.special(self, term, tuple(self(operand, axes) for operand in operands))
            case Applied(operands=operands):
                return functions.applied(self, term, tuple(self(operand, axes) for operand in operands))

    def _truth(self, term: Term, axes: Axes) -> Expression:
        build = self.build
        match term:
            case Constant(value=value):
                return build.truth(value)
            case Not(operand=operand):
                return build.negation(self(operand, axes))
            case And(operands=operands):
                return build.every([self(operand, axes) for operand in operands])
            case Fold(rank_class=rank_class, predicate=predicate):
                return build.every([self(predicate, {**axes, **axis}) for axis in self.axes(rank_class)])
            case NonNegative(polynomial=polynomial):
                return build.at_least(self._compared(polynomial, axes), build.integer(0))
            case Negative(polynomial=polynomial):
                return build.less(self._compared(polynomial, axes), build.real_number(0))
            case Zero(polynomial=polynomial):
                return build.same(self._compared(polynomial, axes), self.number(0, polynomial.sort))
            case _:
                raise TypeError(type(term).__name__)

    def number(self, value: Coefficient, sort: Sort) -> Expression:
        """The number in an index or element sort."""
        return self.build.real_number(value) if sort == REAL else self.build.integer(value)

    def _unknown(self, unknown: Unknown) -> Expression:
        variable, axis = unknown
        name = variable.name if axis is None else f"{variable.name}.{axis}"
        self.unknowns[unknown] = self.build.constant(name, self.sort(variable.sort))
        return self.unknowns[unknown]

    def _monomial(self, monomial: Monomial, factor: Coefficient, *, sort: Sort, axes: Axes) -> Expression:
        factors = [self(atom, axes) for atom, power in monomial for _ in range(power)]
        if factor == -1 and factors:
            return self.build.negative(self.build.product(factors))
        if factor != 1 or not factors:
            factors.insert(0, self.number(factor, sort))
        return self.build.product(factors)

    def extremum(self, parts: list[Expression], *, greatest: bool) -> Expression:
        """The greatest or least of some expressions."""
        best = parts[0]
        for part in parts[1:]:
            wins = self.build.at_least(best, part) if greatest else self.build.at_least(part, best)
            best = self.build.either(wins, best, part)
        return best

    def infinity(self, sort: Sort, *, positive: bool) -> Expression:
        """An unknown beyond every finite element that occurs, or its negative."""
        if (positive, sort) not in self._infinities:
            high = self.build.constant(f"highest {sort}", self.sort(sort))
            self._infinities |= {(False, sort): self.build.negative(high), (True, sort): high}
            self.side.append(self.build.less(self.number(0, sort), high))
            for term, element in self._elements.get(sort, ()):
                self._finite_beside_infinities(term, element)
        return self._infinities[positive, sort]

    def _finite(self, term: Term, element: Expression) -> None:
        self._elements.setdefault(term.sort, []).append((term, element))
        if (True, term.sort) in self._infinities:
            self._finite_beside_infinities(term, element)

    def _finite_beside_infinities(self, term: Term, element: Expression) -> None:
        if not _may_be_infinite(term):
            self._bound(element, term.sort)

    def _compared(self, polynomial: Term, axes: Axes) -> Expression:
        """A polynomial to be compared with 0. Where reductions in it may be infinite, they outweigh the rest."""
        compared = self(polynomial, axes)
        if self.expand_to is not None and polynomial.sort in (INT, REAL) and _may_be_infinite(polynomial):
            self.infinity(polynomial.sort, positive=True)
            total = expand(polynomial)
            rest = {
                part: factor for part, factor in total.items() if not any(_may_be_infinite(atom) for atom, _ in part)
            }
            self._bound(self(collect(rest, polynomial.sort), axes), polynomial.sort)
        return compared

    def _bound(self, element: Expression, sort: Sort) -> None:
        self.side.append(self.build.less(self._infinities[False, sort], element))
        self.side.append(self.build.less(element, self._infinities[True, sort]))

    def _quotient(self, left: Expression, right: Expression, divisor: Term) -> Expression:
        build = self.build
        # the solver's quotient leaves a remainder that is never negative: it is rounded down for positive divisors
        # only
        if isinstance(divisor, Number) and divisor.value > 0:
            return build.divided(left, right)
        none = build.integer(0)
        above, below = build.less(none, right), build.less(right, none)
        if self.quotients is Quotients.NATIVE:
            flipped = build.divided(build.negative(left), build.negative(right))
            return build.either(above, build.divided(left, right), build.either(below, flipped, none))
        quotient = build.fresh("quotient", build.integers)
        multiple = build.product([right, quotient])
        following = build.total([multiple, right])
        floor = build.every([build.at_least(left, multiple), build.less(left, following)])
        ceiling = build.every([build.at_least(multiple, left), build.less(following, left)])
        self.side.append(build.implies(above, floor))
        self.side.append(build.implies(below, ceiling))
        self.side.append(build.implies(build.same(right, none), build.same(quotient, none)))
        return quotient

    def _position(self, rank_class: str, parts: tuple[Term, Term], axes: Axes) -> Expression:
        """The row-major position: (i_0·n_1 + i_1)·n_2 + …"""
        index, size = parts
        place = self.build.integer(0)
        for axis in self.axes(rank_class):
            here = {**axes, **axis}
            place = self.build.total([self.build.product([place, self(size, here)]), self(index, here)])
        return place

    def _digit(self, rank_class: str, parts: tuple[Term, Term], axes: Axes) -> Expression:
        """The index on this axis: the position, divided by the sizes of the axes after it, modulo its own."""
        place, size = parts
        later = [self(size, {**axes, **axis}) for axis in self.axes(rank_class) if axis[rank_class] > axes[rank_class]]
        at, own = self(place, axes), self(size, axes)
        whole = at if not later else self._quotient(at, self.build.product(later), size)
        rest = self.build.product([own, self._quotient(whole, own, size)])
        return self.build.total([whole, self.build.negative(rest)])

    def _read(self, term: Access) -> Expression:
        arguments = tuple(self(slot.index, axis) for slot in term.slots for axis in self.axes(slot.rank_class))
        points = self.points.setdefault((term.tensor, term.sort), {})
        key = tuple(argument.value for argument in arguments)
        if key not in points:
            points[key] = (arguments, self._value(term, arguments, points))
        return points[key][1]

    def _value(
        self, term: Access, arguments: tuple[Expression, ...], points: Mapping[tuple[int, ...], Point]
    ) -> Expression:
        build, sort = self.build, self.sort(term.sort)
        if not arguments:
            return build.constant(term.tensor, sort)
        if self._encoding.reads is ReadEncoding.FUNCTIONS:
            domain = [build.integers] * len(arguments)
            return build.apply(build.function(term.tensor, domain, sort), arguments)
        value = build.fresh(term.tensor, sort)
        # Ackermann's reduction: without a function, equal arguments are said to give equal values, pair by pair
        for others, other in points.values():
            same = build.every([build.same(a, b) for a, b in zip(arguments, others, strict=True)])
            self.side.append(build.implies(same, build.same(value, other)))
        return value


def _may_be_infinite(term: Term) -> bool:
    return any(
        isinstance(inner, Infinity) or (isinstance(inner, Reduce) and inner.monoid in ("maximum", "minimum"))
        for inner in subterms(term)
    )
