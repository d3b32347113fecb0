"""Reductions of real elements by monomials: what does not depend on an index leaves them, what is alike is counted.

Owns the laws of finite sums among the factors of an element: Σ (f + g) = Σ f + Σ g; Σ c·f = c·Σ f, where exp(p + q) is
exp(p)·exp(q); an index that a term does not depend on counts the term as often as the range has indices, which is the
product of its sizes, once at rank 0. Powers of the index of a single axis, and such powers beside those of a base that
is not 1, are summed (`closed`). What runs along an axis and tests k < t is split there. Products are split by factors;
summands, and factors of known sign, leave minima and maxima of ranges that have an index. Each law holds at every rank
and, but for the last, of empty ranges.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from msgspec.structs import replace

from rewright.equality.closed_forms import exact_quotient
from rewright.equality.closed_sums import closed
from rewright.equality.facts import Facts
from rewright.equality.signs import is_occupied, signed_factors
from rewright.equality.whole_powers import is_power, whole_power
from rewright.terms.axis_product import axis_product
from rewright.terms.binding import OpenReduce, apply, close_reduce, open_reduce, substitute
from rewright.terms.conversion import element_of
from rewright.terms.extremum import maximum, minimum
from rewright.terms.functions import absolute, exponential, parts, reciprocal
from rewright.terms.interning import subterms
from rewright.terms.node import (
    REAL,
    Absolute,
    ElementOf,
    Exponential,
    Extremum,
    FloorDivide,
    Infinity,
    Logarithm,
    Monomial,
    NonNegative,
    Number,
    Opened,
    Range,
    Reciprocal,
    Reduce,
    Root,
    Special,
    Term,
)
from rewright.terms.polynomial import Sum, add, collect, expand, factored, multiply, negate, number, plus, subtract
from rewright.terms.roots import logarithm, square_root
from rewright.terms.truth import complement, truth

ONE = number(1, REAL)


def distributed(term: Term, facts: Facts) -> Term:
    """The real element with each sum among its factors, and in functions of sums, by monomials."""
    known = facts.by_monomials.get(term)
    if known is None:
        concerned = any(isinstance(inner, Reduce) or is_power(inner) for inner in subterms(term))
        known = facts.by_monomials[term] = add(number(0, REAL), *_monomials(term, facts)) if concerned else term
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
        case Reduce():
            return _fold(atom, facts)
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
        case Special(operands=(base, exponent)) if is_power(atom):
            return whole_power(distributed(base, facts), exponent, facts)
        case ElementOf(index=FloorDivide(left=left, right=right)):
            exact = exact_quotient(left, right)
            return atom if exact is None else element_of(exact, REAL)
        case _:
            return atom


def _fold(term: Reduce, facts: Facts) -> Term:
    """A reduction by its laws; one with an infinity in it stays, as there are laws of finite elements only."""
    if any(isinstance(inner, Infinity) for inner in subterms(term)):
        return term
    part = open_reduce(term, facts.opened)
    halves = _halves(part, facts)
    if halves is not None:
        low, high = (distributed(close_reduce(half), facts) for half in halves)
        return apply(part.monoid, low, high)
    # whether an exponent is at least 0 depends on the range of the index
    inside = facts.below(part) if any(is_power(inner) for inner in subterms(part.body)) else facts
    part = replace(part, body=distributed(part.body, inside))
    match part.monoid:
        case "add":
            return _sum(part, facts)
        case "multiply":
            return _product(part, facts)
        case _:
            return _extremum(part, facts)


def _sum(part: OpenReduce, facts: Facts) -> Term:
    indices = frozenset(part.indices)
    terms = (_term(part, *_split(monomial, indices), facts) for monomial in _each(expand(part.body)))
    return add(number(0, REAL), *terms)


def _product(part: OpenReduce, facts: Facts) -> Term:
    """Π (f·g) = Π f · Π g; of nothing, all are 1."""
    if isinstance(part.body, Number):
        return _product_of(part, part.body, facts)
    factor, monomial, rest = factored(part.body)
    result = _product_of(part, number(factor, REAL), facts)
    for atom, power in parts(monomial, rest):
        each = _product_of(part, atom, facts)
        for _ in range(power):
            result = multiply(result, each)
    return result


def _product_of(part: OpenReduce, atom: Term, facts: Facts) -> Term:
    """Π f for one factor: cⁿ of c free of the index, x to the sum of exponents of x, if they are at least 0."""
    counts = [_count(item, facts) for item in part.ranges]
    if _is_free(atom, frozenset(part.indices)) and None not in counts:
        return whole_power(atom, element_of(reduce(multiply, filter(None, counts), number(1)), REAL), facts)
    each = close_reduce(replace(part, body=atom))
    if isinstance(each, Exponential):
        # of a sum, in which there may be something to take apart
        return exponential(distributed(each.operand, facts))
    if isinstance(atom, Special) and is_power(atom) and _is_free(atom.operands[0], frozenset(part.indices)):
        base, exponent = atom.operands
        total = distributed(close_reduce(OpenReduce("add", part.indices, part.ranges, exponent)), facts)
        # of base 0, both are 1 iff all exponents are 0, which are at least 0
        if not any(isinstance(inner, Reduce) for inner in subterms(total)) and facts.below(part).non_negative(exponent):
            return whole_power(base, total, facts)
    return each


def _extremum(part: OpenReduce, facts: Facts) -> Term:
    """max (c + s·f) = c + s·max f, for c and s free of the index and s >= 0, over a range that has an index.

    s <= 0 turns the maximum into a minimum. The maximum of nothing is infinite, and stays.
    """
    if isinstance(part.body, Extremum) and part.body.greatest == (part.monoid == "maximum"):
        folded = [_extremum(replace(part, body=operand), facts) for operand in part.body.operands]
        return maximum(*folded) if part.body.greatest else minimum(*folded)
    if not is_occupied(part.ranges, facts):
        return close_reduce(part)
    indices = frozenset(part.indices)
    total = expand(part.body)
    free = {monomial: factor for monomial, factor in total.items() if _is_free_monomial(monomial, indices)}
    bound = {monomial: factor for monomial, factor in total.items() if monomial not in free}
    if not bound:
        return part.body
    outside, turned, inside = signed_factors(collect(bound, REAL), facts, lambda atom: _is_free(atom, indices))
    monoid = TURNED[part.monoid] if turned else part.monoid
    return add(collect(free, REAL), multiply(outside, close_reduce(replace(part, monoid=monoid, body=inside))))


TURNED = {"maximum": "minimum", "minimum": "maximum"}


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
        count = _count(item, facts)
        summed = (
            None if count is None else closed(inside, index, frozenset(part.indices), element_of(count, REAL), facts)
        )
        if summed is None:
            kept.append((index, item))
        else:
            outside, inside = multiply(outside, summed.total), summed.rest
    if not kept:
        return multiply(outside, inside)
    indices, ranges = zip(*kept, strict=True)
    return multiply(outside, close_reduce(OpenReduce("add", indices, ranges, inside)))


def _count(item: Range, facts: Facts) -> Term | None:
    """How many indices a range has; None if a size is not known to be at least 0."""
    if not facts.on_axis(item.rank_class).non_negative(item.size):
        return None
    return item.size if item.rank_class is None else axis_product(item.rank_class, item.size)


def _halves(part: OpenReduce, facts: Facts) -> tuple[OpenReduce, OpenReduce] | None:
    """What runs over k < n as what runs over k < t and over k < n − t, if k < t is tested, and 0 <= t <= n is known.

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
    return replace(part, ranges=ranges, body=body)
