"""Sums of real elements by monomials: what does not depend on an index leaves its sum, and what is alike is counted.

Owns the laws of finite sums for reductions by `add` among the factors of an element: Σ (f + g) = Σ f + Σ g;
Σ c·f = c·Σ f, where exp(p + q) is exp(p)·exp(q); an index that a term does not depend on counts the term as often as
the range has indices, which is the product of its sizes, once at rank 0; a sum along an axis whose terms choose by
k < t is a sum up to t and one from there. Each holds at every rank and of empty ranges.
"""

from __future__ import annotations

from collections.abc import Iterator

from rewright.equality.facts import Facts
from rewright.terms.axis_product import axis_product
from rewright.terms.binding import OpenReduce, close_reduce, open_reduce, substitute
from rewright.terms.conversion import element_of
from rewright.terms.functions import absolute, exponential, reciprocal
from rewright.terms.node import (
    REAL,
    Absolute,
    Exponential,
    Infinity,
    Logarithm,
    Monomial,
    NonNegative,
    Opened,
    Range,
    Reciprocal,
    Reduce,
    Root,
    Term,
    subterms,
)
from rewright.terms.polynomial import Sum, add, collect, expand, multiply, negate, number, plus, subtract
from rewright.terms.roots import logarithm, square_root
from rewright.terms.truth import complement, truth

ONE = number(1, REAL)


def distributed(term: Term, facts: Facts) -> Term:
    """The real element with each sum among its factors, and in functions of sums, by monomials."""
    known = facts.by_monomials.get(term)
    if known is None:
        has_sums = any(isinstance(inner, Reduce) and inner.monoid == "add" for inner in subterms(term))
        known = facts.by_monomials[term] = add(number(0, REAL), *_monomials(term, facts)) if has_sums else term
    return known


def _monomials(term: Term, facts: Facts) -> Iterator[Term]:
    for monomial, factor in expand(term).items():
        image = number(factor, REAL)
        for atom, power in monomial:
            part = _atom(atom, facts)
            for _ in range(power):
                image = multiply(image, part)
        yield image


def _atom(atom: Term, facts: Facts) -> Term:
    match atom:
        case Reduce(monoid="add"):
            return _sum(atom, facts)
        case Reciprocal(operand=operand):
            return reciprocal(distributed(operand, facts))
        case Exponential(operand=operand):
            return exponential(distributed(operand, facts))
        case Absolute(operand=operand):
            return absolute(distributed(operand, facts))
        case Root(operand=operand):
            return square_root(distributed(operand, facts))
        case Logarithm(operand=operand):
            return logarithm(distributed(operand, facts))
        case _:
            return atom


def _sum(term: Reduce, facts: Facts) -> Term:
    """A sum by monomials; one with an infinity in it stays, as there are laws of finite elements only."""
    if any(isinstance(inner, Infinity) for inner in subterms(term)):
        return term
    part = open_reduce(term, facts.opened)
    halves = _halves(part, facts)
    if halves is not None:
        return add(*(distributed(close_reduce(half), facts) for half in halves))
    indices = frozenset(part.indices)
    monomials = expand(distributed(part.body, facts))
    return add(number(0, REAL), *(_term(part, *_split(monomials, indices), facts) for monomials in _each(monomials)))


def _each(total: Sum) -> Iterator[Sum]:
    return ({monomial: factor} for monomial, factor in total.items())


def _split(total: Sum, indices: frozenset[Term]) -> tuple[Term, Term]:
    """A monomial with its number as what is free of the indices, times the rest."""
    ((monomial, factor),) = total.items()
    outside, inside = number(factor, REAL), ONE
    for atom, power in monomial:
        if isinstance(atom, Exponential):
            # exponentials of a monomial are one, with power 1
            free, bound = _exponents(expand(atom.operand), indices)
            outside, inside = multiply(outside, exponential(free)), multiply(inside, exponential(bound))
        elif _is_free(atom, indices):
            outside = multiply(outside, _power(atom, power))
        else:
            inside = multiply(inside, _power(atom, power))
    return outside, inside


def _exponents(exponent: Sum, indices: frozenset[Term]) -> tuple[Term, Term]:
    """The monomials of an exponent that are free of the indices, and the others."""
    free = {monomial: factor for monomial, factor in exponent.items() if _is_free_monomial(monomial, indices)}
    bound = {monomial: factor for monomial, factor in exponent.items() if monomial not in free}
    return collect(free, REAL), collect(bound, REAL)


def _is_free_monomial(monomial: Monomial, indices: frozenset[Term]) -> bool:
    return all(_is_free(atom, indices) for atom, _ in monomial)


def _is_free(term: Term, indices: frozenset[Term]) -> bool:
    return indices.isdisjoint(subterms(term))


def _power(atom: Term, power: int) -> Term:
    return collect({((atom, power),): 1}, REAL)


def _term(part: OpenReduce, outside: Term, inside: Term, facts: Facts) -> Term:
    """The sum of outside · inside, of which `outside` is free of the indices."""
    kept: list[tuple[Opened, Range]] = []
    for index, item in zip(part.indices, part.ranges, strict=True):
        if _is_free(inside, frozenset([index])) and facts.on_axis(item.rank_class).non_negative(item.size):
            count = item.size if item.rank_class is None else axis_product(item.rank_class, item.size)
            outside = multiply(outside, element_of(count, REAL))
        else:
            kept.append((index, item))
    if not kept:
        return multiply(outside, inside)
    indices, ranges = zip(*kept, strict=True)
    return multiply(outside, close_reduce(OpenReduce("add", indices, ranges, inside)))


def _halves(part: OpenReduce, facts: Facts) -> tuple[OpenReduce, OpenReduce] | None:
    """A sum over k < n as one over k < t and one over k < n − t, if its terms test k < t, and 0 <= t <= n is known.

    Of single axes only: where a test on an axis of a class holds on some axes and not on others, there is no joint.
    """
    for test in subterms(part.body):
        if not isinstance(test, NonNegative) or test.loose or test.classes:
            continue
        for place, (index, item) in enumerate(zip(part.indices, part.ranges, strict=True)):
            joint = _joint(test, index) if item.rank_class is None else None
            if joint is None or not _is_free(joint, frozenset(part.indices)):
                continue
            rest = subtract(item.size, joint)
            if facts.non_negative(joint) and facts.non_negative(rest):
                is_below = expand(test.polynomial)[((index, 1),)] == -1
                low = substitute(part.body, {test: truth(is_below), complement(test): truth(not is_below)})
                high = substitute(part.body, {test: truth(not is_below), complement(test): truth(is_below)})
                moved = substitute(high, {index: add(index, joint)})
                return _along(part, place, joint, low), _along(part, place, rest, moved)
    return None


def _joint(test: NonNegative, index: Opened) -> Term | None:
    """The t of a test that is k < t, or the opposite of it."""
    factor = expand(test.polynomial).get(((index, 1),))
    if test.polynomial.sort != index.sort or factor not in (1, -1):
        return None
    # k < t is t − k − 1 >= 0, its opposite k − t >= 0
    return plus(add(test.polynomial, index), 1) if factor == -1 else negate(subtract(test.polynomial, index))


def _along(part: OpenReduce, place: int, size: Term, body: Term) -> OpenReduce:
    ranges = tuple(Range(i.rank_class, size) if at == place else i for at, i in enumerate(part.ranges))
    return OpenReduce(part.monoid, part.indices, ranges, body)
