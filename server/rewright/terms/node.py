"""The nodes of terms: sorted, generic in the rank, hash-consed.

Owns what a term is made of. Two terms are equal iff they are the same object (`interning`). Nodes are made by the
constructors of the other modules of this package, which keep terms normalised. Must not know where terms come from.

A term has no rank in it. A variable of rank class c speaks of "the" axis of c; `Fold(c, p)` says that p holds on every
axis of c; an access has one index per group, again on "the" axis. So a rank vector is a substitution.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NewType

Sort = NewType("Sort", str)
"""INDEX, TRUTH, or an element domain: INT, REAL or the name of an uninterpreted one."""

INDEX = Sort("index")
TRUTH = Sort("truth")
INT = Sort("int")
REAL = Sort("real")

RankClass = str | None
"""A class of axis groups of one rank; None is a single axis, whose unknowns are plain ones."""

Coefficient = int | Fraction
NO_CLASSES: frozenset[str] = frozenset()
NO_LEVELS: frozenset[int] = frozenset()

SpecialFunction = Literal["sine", "cosine", "erf", "floor", "power"]
"""The functions of `Special`: total, and the same everywhere; `special` says what they are."""


class Term:
    """A node. `classes`: rank classes whose axis it speaks of; `loose`: levels of binders that are not in it;
    `height`: the greatest level of a binder in it; `opened`: the greatest number of an opened binder in it."""

    __slots__ = ("__weakref__", "classes", "digest", "height", "loose", "opened")
    classes: frozenset[str]
    digest: bytes
    height: int
    loose: frozenset[int]
    opened: int
    sort: Sort

    def __repr__(self) -> str:
        from rewright.terms.text import show

        return show(self)


Monomial = tuple[tuple[Term, int], ...]
"""Atoms with their exponents, sorted by digest; () is the constant monomial."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Variable(Term):
    """An unknown: one value on each axis of `rank_class`, or a single one."""

    name: str
    rank_class: RankClass
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Bound(Term):
    """The index that the enclosing `Reduce` of level `level` binds at `position`."""

    level: int
    position: int
    rank_class: RankClass
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Opened(Term):
    """An index of a binder while work is done below it."""

    number: int
    position: int
    rank_class: RankClass
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Number(Term):
    """A number; a `Fraction` only if it is no integer."""

    value: Coefficient
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Infinity(Term):
    """The bound above (`positive`) or below every element of an ordered domain."""

    positive: bool
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Polynomial(Term):
    """A sum of at least two monomials, or of one with a coefficient or a degree other than 1."""

    monomials: tuple[tuple[Monomial, Coefficient], ...]
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FloorDivide(Term):
    """⌊left / right⌋ over the integers; 0 where the divisor is 0."""

    left: Term
    right: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AxisProduct(Term):
    """The product of `factor` over every axis of the rank class; 1 at rank 0, whatever the factor."""

    rank_class: str
    factor: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Position(Term):
    """The row-major position of `index` among indices of sizes `size` along every axis of the rank class."""

    rank_class: str
    index: Term
    size: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Digit(Term):
    """The index on an axis of the rank class that is at row-major position `place`; `size` is that of every axis."""

    rank_class: str
    place: Term
    size: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Extremum(Term):
    """The minimum or maximum of at least two operands."""

    greatest: bool
    operands: tuple[Term, ...]
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ElementOf(Term):
    """The element of an index atom, in the domain `sort`."""

    index: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class IndexOf(Term):
    """The index of an integer element."""

    element: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Choose(Term):
    """`consequent` where the condition holds, else `alternative`; never of sort TRUTH."""

    condition: Term
    consequent: Term
    alternative: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reciprocal(Term):
    """1 / operand over the reals; 0 where the operand is 0."""

    operand: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TruncatedDivide(Term):
    """left / right over the integers, rounded towards 0; 0 where the divisor is 0."""

    left: Term
    right: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Absolute(Term):
    """|operand|, of an element."""

    operand: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Exponential(Term):
    """e to the power operand, over the reals."""

    operand: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Root(Term):
    """√|operand|, over the reals."""

    operand: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Logarithm(Term):
    """ln |operand| over the reals; 0 where the operand is 0."""

    operand: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Special(Term):
    """A function of the language of which few laws are known, at these operands."""

    function: SpecialFunction
    operands: tuple[Term, ...]
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Applied(Term):
    """A function of elements of which nothing is known, at these operands."""

    function: str
    operands: tuple[Term, ...]
    sort: Sort


@dataclass(frozen=True, slots=True)
class Slot:
    """One argument of an access: the axis group (or dimension), its rank class, and the index on "the" axis of it."""

    group: str
    rank_class: RankClass
    index: Term


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Access(Term):
    """The entry of a tensor at one index per group; it binds the axes."""

    tensor: str
    slots: tuple[Slot, ...]
    sort: Sort


@dataclass(frozen=True, slots=True)
class Range:
    """A binder's range, 0 up to `size`, on every axis of the rank class."""

    rank_class: RankClass
    size: Term


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reduce(Term):
    """`body` combined over all indices in the ranges, starting from the monoid's identity.

    Position k of level `level` in the body is the index that runs through `ranges[k]`.
    """

    monoid: str
    level: int
    ranges: tuple[Range, ...]
    body: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Constant(Term):
    """True or false."""

    value: bool
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Not(Term):
    """Negation of an atom, a conjunction or a fold."""

    operand: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class And(Term):
    """A conjunction of at least two, flat, sorted, without repetitions."""

    operands: tuple[Term, ...]
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fold(Term):
    """`predicate` holds on every axis of the rank class; true at rank 0, whatever the predicate."""

    rank_class: str
    predicate: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NonNegative(Term):
    """polynomial >= 0, over the integers (of sort INDEX or INT)."""

    polynomial: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Negative(Term):
    """polynomial < 0, over the reals."""

    polynomial: Term
    sort: Sort


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Zero(Term):
    """polynomial == 0."""

    polynomial: Term
    sort: Sort
