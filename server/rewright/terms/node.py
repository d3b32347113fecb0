"""The nodes of terms: sorted, generic in the rank, hash-consed.

Owns what a term is made of and its identity: two terms are equal iff they are the same object. Every node has a digest
that depends on its structure alone, never on the order of creation, and everything sorted is sorted by it. The intern
table holds nodes weakly. Nodes are made by the constructors of the other modules of this package, which keep terms
normalised; `intern` itself normalises nothing. Must not know where terms come from.

A term has no rank in it. A variable of rank class c speaks of "the" axis of c; `Fold(c, p)` says that p holds on every
axis of c; an access has one index per group, again on "the" axis. So a rank vector is a substitution.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from sys import maxsize
from typing import Any, Literal, NewType, TypeVar
from weakref import WeakValueDictionary

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


_table: WeakValueDictionary[tuple[Any, ...], Term] = WeakValueDictionary()
_set = object.__setattr__
_asked_for = 0
_allowed = maxsize
N = TypeVar("N", bound=Term)


def intern(cls: type[N], *fields: Any) -> N:
    """The one node of class `cls` with these fields. Raises `OutOfNodes` if no more may be asked for."""
    global _asked_for
    _asked_for += 1
    if _asked_for > _allowed:
        raise OutOfNodes
    key = (cls, fields)
    node = _table.get(key)
    if node is None:
        node = cls(*fields)
        wire = _polynomial_wire(node) if isinstance(node, Polynomial) else _wire(fields)
        _set(node, "digest", blake2b(cls.__name__.encode() + wire, digest_size=16).digest())
        _annotate(node)
        _table[key] = node
    return node  # type: ignore[return-value]


def count_nodes(nodes: int) -> None:
    """Counts nodes as asked for that were asked for before. Raises `OutOfNodes` if they are too many."""
    global _asked_for
    _asked_for += nodes
    if _asked_for > _allowed:
        raise OutOfNodes


def interned() -> int:
    """How often this process has asked for a node: the work done on terms, the same on every machine."""
    return _asked_for


class OutOfNodes(Exception):
    """As many nodes were asked for as are allowed."""


@contextmanager
def allowing(nodes: int) -> Iterator[None]:
    """Lets at most so many nodes be asked for inside. What goes beyond that raises `OutOfNodes`."""
    global _allowed
    before = _allowed
    _allowed = min(before, _asked_for + nodes)
    try:
        yield
    finally:
        _allowed = before


def _wire(field: Any) -> bytes:
    """What a field adds to a digest."""
    if isinstance(field, Term):
        return field.digest
    kind = type(field)
    if kind is tuple:
        return b"(%b)" % b"".join(map(_wire, field))
    if kind is str:
        return b"'%b'" % field.encode()
    if kind is Slot:
        return b"[%b,%b,%b]" % (_wire(field.group), _wire(field.rank_class), field.index.digest)
    if kind is Range:
        return b"[%b,%b]" % (_wire(field.rank_class), field.size.digest)
    return b"<%b>" % repr(field).encode()


def _polynomial_wire(node: Polynomial) -> bytes:
    parts = [node.sort.encode()]
    for monomial, factor in node.monomials:
        parts.append(b" %s" % str(factor).encode())
        parts += (b"%b^%d" % (atom.digest, power) for atom, power in monomial)
    return b"".join(parts)


def _annotate(node: Term) -> None:
    classes, loose, height, opened = NO_CLASSES, NO_LEVELS, 0, 0
    for child in children(node):
        classes, loose = classes | child.classes, loose | child.loose
        height, opened = max(height, child.height), max(opened, child.opened)
    match node:
        case Variable(rank_class=str(name)):
            classes = frozenset((name,))
        case Bound(level=level, rank_class=rank_class):
            classes, loose = _axis(rank_class), frozenset((level,))
        case Opened(number=opened, rank_class=rank_class):
            classes = _axis(rank_class)
        case Access():
            classes = NO_CLASSES
        case Fold(rank_class=name) | AxisProduct(rank_class=name) | Position(rank_class=name):
            classes -= {name}
        case Digit(rank_class=name):
            classes |= {name}
        case Reduce(level=level, body=body):
            classes, loose, height = body.classes, loose - {level}, max(height, level)
        case _:
            pass
    for slot, value in (("classes", classes), ("loose", loose), ("height", height), ("opened", opened)):
        _set(node, slot, value)


def _axis(rank_class: RankClass) -> frozenset[str]:
    return NO_CLASSES if rank_class is None else frozenset((rank_class,))


def children(node: Term) -> tuple[Term, ...]:
    """The immediate subterms of a node."""
    match node:
        case Polynomial(monomials=monomials):
            return tuple(atom for monomial, _ in monomials for atom, _ in monomial)
        case Access(slots=slots):
            return tuple(slot.index for slot in slots)
        case NonNegative(polynomial=polynomial) | Negative(polynomial=polynomial) | Zero(polynomial=polynomial):
            return (polynomial,)
        case And(operands=operands) | Extremum(operands=operands):
            return operands
        case Applied(operands=operands) | Special(operands=operands):
            return operands
        case Not(operand=operand) | Reciprocal(operand=operand):
            return (operand,)
        case Absolute(operand=operand) | Exponential(operand=operand):
            return (operand,)
        case Root(operand=operand) | Logarithm(operand=operand):
            return (operand,)
        case Choose(condition=condition, consequent=consequent, alternative=alternative):
            return (condition, consequent, alternative)
        case Fold(predicate=predicate):
            return (predicate,)
        case AxisProduct(factor=factor):
            return (factor,)
        case Position(index=index, size=size) | Digit(place=index, size=size):
            return (index, size)
        case FloorDivide(left=left, right=right) | TruncatedDivide(left=left, right=right):
            return (left, right)
        case ElementOf(index=inner) | IndexOf(element=inner):
            return (inner,)
        case Reduce(ranges=ranges, body=body):
            return (*(item.size for item in ranges), body)
        case _:
            return ()


def subterms(*roots: Term) -> dict[Term, None]:
    """Every term in the roots, each once, in an order that depends on the terms alone."""
    seen: dict[Term, None] = {}
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        if node not in seen:
            seen[node] = None
            stack.extend(reversed(children(node)))
    return seen
