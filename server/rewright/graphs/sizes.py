"""Sizes and offsets as polynomials over sizes that are at least 1.

Owns how they are divided and compared. A size `h` of which a graph takes `h / 4` is written as 4·h, whose new symbol
stands for the quotient: that `/` has no rest is then true by the way sizes are written, and no assumption is lost,
because every size of which a graph can be run is such a multiple.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cmp_to_key, lru_cache
from itertools import product as product_of
from math import gcd
from typing import assert_never

from msgspec import Struct, field

from rewright.model.graph import Graph, Refinement, SizeFact, Slice
from rewright.model.index import Index, IndexOperation, IntegerReference, Name
from rewright.model.index import Number as Literal
from rewright.terms import Term, Variable, add, multiply, number, plus, scale, subtract, variable
from rewright.terms.polynomial import Sum, collect, expand

ZERO = number(0)
ONE = number(1)


class NotComparable(Exception):
    """Two sizes of which neither is at most the other at all sizes."""


class NotDivided(Exception):
    """A size that is no multiple of what it is divided by, whatever the sizes are."""


class NotPolynomial(Exception):
    """A size that is no polynomial, or whose divisibility says nothing of single sizes."""


class NotWithin(Exception):
    """A slice of which it is not known that it lies within its operand at all sizes."""


class SizeTerms(Struct, frozen=True, eq=False):
    """How index expressions are read: `multiples` says of which number each size is a multiple; some are `bound`."""

    multiples: Mapping[Name, int]
    bound: Mapping[Name, Term] = field(default_factory=dict)
    _known: dict[tuple[Index, tuple[int, ...]], Term] = field(default_factory=dict)

    def term(self, index: Index, coordinates: Mapping[Name, int] | None = None) -> Term:
        """The polynomial that an index expression is; a name among `coordinates` is a rank's coordinate.

        Raises `NotDivided` and `NotPolynomial`.
        """
        match index:
            case Literal(value=value):
                return number(value)
            case IntegerReference(name=name) if coordinates is not None and name in coordinates:
                return number(coordinates[name])
            case IntegerReference(name=name) if name in self.bound:
                return self.bound[name]
            case IntegerReference(name=name):
                return scale(self.multiples.get(name, 1), variable(name, None))
            case IndexOperation(operator=operator, left=left, right=right):
                return _operated(operator, self.term(left, coordinates), self.term(right, coordinates))
            case _:
                raise NotPolynomial("a size is made of numbers, names, `+`, `-`, `*` and `/`")

    def terms(self, indices: Iterable[Index], coordinates: Mapping[Name, int] | None = None) -> tuple[Term, ...]:
        """The polynomials of several index expressions. Raises as `term` does."""
        rank = tuple((coordinates or {}).values())
        found = []
        for index in indices:
            term = self._known.get((index, rank))
            if term is None:
                term = self._known[index, rank] = self.term(index, coordinates)
            found.append(term)
        return tuple(found)


def sizes_of(asked: Refinement) -> SizeTerms:
    """How the sizes of both graphs are read, each as a multiple of what the graphs divide it by and of what is known.

    Raises `NotDivided` and `NotPolynomial`.
    """
    found: dict[Name, int] = {}
    written = [each for each in _without_rest(asked) if isinstance(each[0], IndexOperation)]
    written += [each for graph in (asked.sequential, asked.distributed) for each in dict.fromkeys(_written(graph))]
    products = [each for each in written if not _divided(each, found)]
    if not all(_divided(each, found) for each in products):
        raise NotPolynomial("a sum or a product of sizes is divided, which says nothing of each of them")
    return SizeTerms(found)


_Written = tuple[Index, tuple[tuple[Name, int], ...]]
"""An index expression, with the rank's coordinates that stand in it."""


def _without_rest(asked: Refinement) -> Iterator[_Written]:
    """The quotients of which it is known that they have no rest: `t / 8` where `t % 8 == 0`."""
    for fact in asked.facts:
        match fact:
            case SizeFact(IndexOperation("%", IntegerReference() as left, Literal() as right, site), "==", Literal(0)):
                yield IndexOperation("//", left, right, site), ()


def _written(graph: Graph) -> Iterator[_Written]:
    for node in graph.nodes:
        yield from ((size, ()) for size in node.shape)
        if isinstance(node, Slice):
            for rank in product_of(*(range(axis.size) for axis in graph.mesh)):
                coordinates = tuple((axis.name, at) for axis, at in zip(graph.mesh, rank, strict=True))
                yield from ((offset, coordinates) for offset in node.start)


def _divided(written: _Written, found: dict[Name, int]) -> bool:
    """Makes `found` such that no quotient within an index has a rest; False if a sum or a product is divided."""
    index, coordinates = written
    if not isinstance(index, IndexOperation):
        return True
    if not (_divided((index.left, coordinates), found) and _divided((index.right, coordinates), found)):
        return False
    if index.operator != "//":
        return True
    divisor = _constant(SizeTerms(found).term(index.right, dict(coordinates)))
    total = expand(SizeTerms(found).term(index.left, dict(coordinates)))
    if divisor is None or divisor < 1:
        raise NotPolynomial("a size is divided by something else than a number")
    uneven = [(monomial, int(value)) for monomial, value in total.items() if int(value) % divisor]
    if not uneven:
        return True
    if set(total) == {()}:
        raise NotDivided("a size is no multiple of what it is divided by")
    ((monomial, value), *others) = uneven
    if others or len(monomial) != 1 or monomial[0][1] > 1:
        return False
    ((atom, _),) = monomial
    assert isinstance(atom, Variable)
    name = Name(atom.name)
    found[name] = found.get(name, 1) * (divisor // gcd(value, divisor))
    return True


def _operated(operator: str, left: Term, right: Term) -> Term:
    match operator:
        case "+":
            return add(left, right)
        case "-":
            return subtract(left, right)
        case "*":
            return multiply(left, right)
        case "//":
            return quotient(left, right)
        case _:
            raise NotPolynomial(f"`{operator}` of sizes")


def quotient(left: Term, right: Term) -> Term:
    """The polynomial that times `right`, a single monomial, is `left`.

    Raises `NotDivided` if there is none, `NotPolynomial` if that is known of some sizes only.
    """
    divisor = expand(right)
    fault = NotDivided if _constant(left) is not None else NotPolynomial
    if len(divisor) != 1:
        raise fault("a size is divided by a sum")
    ((monomial, factor),) = divisor.items()
    below = dict(monomial)
    total: Sum = {}
    for each, value in expand(left).items():
        powers = dict(each)
        rest = {atom: powers.get(atom, 0) - below.get(atom, 0) for atom in {**powers, **below}}
        if int(value) % int(factor) or min(rest.values(), default=0) < 0:
            raise fault("a size is no multiple of what it is divided by")
        left_over = sorted(((atom, power) for atom, power in rest.items() if power), key=lambda it: it[0].digest)
        total[tuple(left_over)] = int(value) // int(factor)
    return collect(total, left.sort)


def _constant(term: Term) -> int | None:
    total = expand(term)
    return int(total.get((), 0)) if set(total) <= {()} else None


def never(fact: SizeFact, sizes: SizeTerms) -> bool:
    """Whether a fact holds at no sizes; False says nothing."""
    try:
        left, right = sizes.terms((fact.left, fact.right))
    except (NotPolynomial, NotDivided):
        return False
    match fact.operator:
        case "<":
            return at_most(right, left)
        case "<=":
            return at_most(plus(right, 1), left)
        case ">":
            return at_most(left, right)
        case ">=":
            return at_most(plus(left, 1), right)
        case "==":
            return at_most(plus(left, 1), right) or at_most(plus(right, 1), left)
        case "!=":
            return left is right
        case _:
            assert_never(fact.operator)


def product(sizes: Iterable[Term]) -> Term:
    """The product."""
    result = ONE
    for size in sizes:
        result = multiply(result, size)
    return result


@lru_cache(1 << 16)
def plus_size(left: Term, right: Term) -> Term:
    """The sum. A graph asks for the same few over and over, on every rank."""
    return add(left, right)


@lru_cache(1 << 16)
def less_size(left: Term, right: Term) -> Term:
    """The difference."""
    return subtract(left, right)


@lru_cache(1 << 16)
def at_most(left: Term, right: Term) -> bool:
    """Whether left <= right at all sizes from 1; False says nothing."""
    return left is right or _never_negative(subtract(right, left))


def _never_negative(term: Term) -> bool:
    """Whether a polynomial is not negative where each variable is at least 1: with x = 1 + u no coefficient is."""
    return all(value >= 0 for value in expand(_above_one(term)).values())


def _above_one(term: Term) -> Term:
    total = ZERO
    for monomial, value in expand(term).items():
        part = number(value)
        for atom, power in monomial:
            for _ in range(power):
                part = multiply(part, plus(atom, 1))
        total = add(total, part)
    return total


def ordered(points: Iterable[Term]) -> list[Term]:
    """The points in ascending order, each once. Raises `NotComparable`."""
    return sorted(dict.fromkeys(points), key=cmp_to_key(_compare))


def _compare(left: Term, right: Term) -> int:
    if left is right:
        return 0
    if at_most(left, right):
        return -1
    if at_most(right, left):
        return 1
    raise NotComparable
