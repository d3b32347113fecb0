"""The identity of terms: one node for each structure, with its digest and what is known of it from its parts.

Every node has a digest that depends on its structure alone, never on the order of creation, and everything sorted is
sorted by it. The table holds nodes weakly. `intern` normalises nothing. Must not know where terms come from.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from sys import maxsize
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from rewright.terms.node import (
    NO_CLASSES,
    NO_LEVELS,
    Absolute,
    Access,
    And,
    Applied,
    AxisProduct,
    Bound,
    Choose,
    Digit,
    ElementOf,
    Exponential,
    Extremum,
    FloorDivide,
    Fold,
    IndexOf,
    Logarithm,
    Negative,
    NonNegative,
    Not,
    Opened,
    Polynomial,
    Position,
    Range,
    RankClass,
    Reciprocal,
    Reduce,
    Root,
    Slot,
    Special,
    Term,
    TruncatedDivide,
    Variable,
    Zero,
)

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
