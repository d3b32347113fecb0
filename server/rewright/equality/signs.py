"""Signs that elements have by what they are made of, reductions included, and where exactly they are 0.

Owns the signs of real elements and, of one that is at least 0, the truth that it is 0 as tests of sizes and of smaller
elements. A sum of positive terms is 0 iff it has no terms: it has none iff some axis that it runs along has size 0, and
one at rank 0. Each step is an equivalence wherever the facts hold, at every rank. No range is taken to have an index,
and minima and maxima of ranges have no sign, since over nothing they are infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum

from rewright.equality.facts import Facts, may_be_infinite
from rewright.terms.binding import OpenReduce, close_reduce, open_reduce
from rewright.terms.comparison import negative, non_negative, zero
from rewright.terms.interning import subterms
from rewright.terms.node import (
    REAL,
    Absolute,
    Choose,
    ElementOf,
    Exponential,
    Extremum,
    Logarithm,
    Monomial,
    Negative,
    Number,
    Polynomial,
    Range,
    Reciprocal,
    Reduce,
    Root,
    Term,
    Zero,
)
from rewright.terms.polynomial import collect, factored, multiply, negate, number, plus
from rewright.terms.truth import FALSE, TRUE, complement, conjoin, conjuncts, disjoin, every_axis


class Sign(IntEnum):
    """What is seen of a sign. Of two factors, the lesser holds of the product; of two summands, the greater."""

    AT_LEAST_ZERO = 1
    ABOVE_ZERO = 2


def sign_of(term: Term, facts: Facts) -> Sign | None:
    """The sign of a real element wherever the facts hold; None if none is seen."""
    if term not in facts.signs:
        # while it is looked for none is seen: the form of a test of the term may ask for the same again
        facts.signs[term] = None
        facts.signs[term] = _sign_of(term, facts)
    found = facts.signs[term]
    return None if found is None else Sign(found)


def _sign_of(term: Term, facts: Facts) -> Sign | None:
    match term:
        case Number(value=value):
            return None if value < 0 else Sign.ABOVE_ZERO if value else Sign.AT_LEAST_ZERO
        case Exponential():
            return Sign.ABOVE_ZERO
        case Reciprocal(operand=operand):
            return sign_of(operand, facts)
        case Root(operand=Number()) | Logarithm(operand=Number()):
            # of a whole number above 1
            return Sign.ABOVE_ZERO
        case Absolute(operand=operand) | Root(operand=operand):
            return Sign.ABOVE_ZERO if is_apart(operand, facts) else Sign.AT_LEAST_ZERO
        case ElementOf(index=index):
            if facts.non_negative(plus(index, -1)):
                return Sign.ABOVE_ZERO
            return Sign.AT_LEAST_ZERO if facts.non_negative(index) else None
        case Polynomial(monomials=monomials):
            signs = [_of_monomial(monomial, facts) if factor > 0 else None for monomial, factor in monomials]
            return _known(term, facts) if None in signs else _unless_zero(term, max(filter(None, signs)), facts)
        case Extremum(greatest=greatest, operands=operands):
            return _of_extremum([sign_of(operand, facts) for operand in operands], greatest=greatest)
        case Choose(condition=condition, consequent=consequent, alternative=alternative):
            within, without = _branches(condition, facts)
            return _least(sign_of(consequent, within), sign_of(alternative, without))
        case Reduce(monoid="add"):
            sign = _of_reduction(term, facts)
            return sign and _unless_zero(term, sign, facts)
        case Reduce(monoid="multiply"):
            return _of_reduction(term, facts)
        case _:
            return _known(term, facts)


def _unless_zero(term: Term, sign: Sign, facts: Facts) -> Sign:
    """The sign of a sum of things that are at least 0: above 0 also where it is known that not all of them are 0."""
    return Sign.ABOVE_ZERO if facts.holds(complement(vanishing(term, facts))) else sign


def vanishing(term: Term, facts: Facts) -> Term:
    """The truth that an element that is at least 0 is 0."""
    match term:
        case Exponential():
            return FALSE
        case Polynomial(monomials=monomials) if all(
            factor > 0 and _of_monomial(monomial, facts) for monomial, factor in monomials
        ):
            products = ((atom for atom, _ in monomial) for monomial, _ in monomials)
            return conjoin(*(disjoin(*(_zero(atom, facts) for atom in product)) for product in products))
        case Choose(condition=condition, consequent=consequent, alternative=alternative):
            within, without = _branches(condition, facts)
            yes, no = _zero(consequent, within), _zero(alternative, without)
            return disjoin(conjoin(condition, yes), conjoin(complement(condition), no))
        case Reduce(monoid="add") if _of_reduction(term, facts):
            part, inside = _below(term, facts)
            body = _zero(part.body, inside)
            if body is FALSE:
                return complement(occupied(term.ranges))
            return close_reduce(OpenReduce("and", part.indices, part.ranges, body))
        case _:
            return FALSE if sign_of(term, facts) is Sign.ABOVE_ZERO else zero(term)


def _zero(term: Term, facts: Facts) -> Term:
    """The truth that an element is 0, in other words where its sign is seen."""
    return vanishing(term, facts) if sign_of(term, facts) else zero(term)


def decided_zero(term: Term, facts: Facts) -> Term | None:
    """term == 0 in other words; None where its sign is not seen."""
    for one in (term, negate(term)):
        if sign_of(one, facts):
            return vanishing(one, facts)
    return None


def decided_negative(term: Term, facts: Facts) -> Term | None:
    """term < 0 in other words; None where its sign is not seen."""
    if sign_of(term, facts):
        return FALSE
    opposite = negate(term)
    sign = sign_of(opposite, facts)
    if sign is None:
        return None
    return TRUE if sign is Sign.ABOVE_ZERO else complement(vanishing(opposite, facts))


def signed_factors(term: Term, facts: Facts, usable: Callable[[Term], bool]) -> tuple[Term, bool, Term]:
    """Of a term, not 0, the usable factors that have a sign, with its number; whether they are at most 0; the rest."""
    factor, monomial, rest = factored(term)
    outside, inside, turned = number(factor, REAL), rest, factor < 0
    for atom, power in monomial:
        part = collect({((atom, power),): 1}, REAL)
        above, below = (sign_of(one, facts) is not None for one in (atom, negate(atom)))
        if usable(atom) and (above or below or power % 2 == 0):
            outside = multiply(outside, part)
            turned ^= not above and power % 2 == 1
        else:
            inside = multiply(inside, part)
    return outside, turned, inside


def occupied(ranges: tuple[Range, ...]) -> Term:
    """The truth that a reduction has terms: each axis has a size above 0. Without axes there is one term."""
    return conjoin(*(every_axis(item.rank_class, non_negative(plus(item.size, -1))) for item in ranges))


def is_occupied(ranges: tuple[Range, ...], facts: Facts) -> bool:
    """Whether a reduction is known to have terms."""
    return all(facts.on_axis(item.rank_class).non_negative(plus(item.size, -1)) for item in ranges)


def is_apart(term: Term, facts: Facts) -> bool:
    """Whether a term is known not to be 0 because a test of it is."""
    return _fails(zero(term), facts)


def _branches(condition: Term, facts: Facts) -> tuple[Facts, Facts]:
    """What is known where a choice is made and where it is not; of one axis nothing is, as a fold takes it for all."""
    if condition.classes or condition.loose:
        return facts, facts
    return facts.also(condition), facts.also(complement(condition))


def _least(left: Sign | None, right: Sign | None) -> Sign | None:
    return None if left is None or right is None else min(left, right)


def _of_extremum(signs: list[Sign | None], *, greatest: bool) -> Sign | None:
    """A maximum is at least each of its operands, a minimum is one of them."""
    seen = [sign for sign in signs if sign]
    if greatest:
        return max(seen, default=None)
    return min(seen) if len(seen) == len(signs) else None


def _of_monomial(monomial: Monomial, facts: Facts) -> Sign | None:
    least = Sign.ABOVE_ZERO
    for atom, power in monomial:
        sign = sign_of(atom, facts)
        if sign is None and power % 2:
            return None
        least = min(least, sign or (Sign.ABOVE_ZERO if is_apart(atom, facts) else Sign.AT_LEAST_ZERO))
    return least


def _of_reduction(term: Reduce, facts: Facts) -> Sign | None:
    part, inside = _below(term, facts)
    sign = sign_of(part.body, inside)
    # a product of nothing is 1, a sum of nothing 0
    if sign is Sign.ABOVE_ZERO and term.monoid == "add" and not is_occupied(term.ranges, facts):
        return Sign.AT_LEAST_ZERO
    return sign


def _below(term: Reduce, facts: Facts) -> tuple[OpenReduce, Facts]:
    """The reduction opened, and the facts with its indices in range."""
    part = open_reduce(term, facts.opened)
    return part, facts.below(part)


def _known(term: Term, facts: Facts) -> Sign | None:
    """What facts say of an element that is finite."""
    if term.sort != REAL or any(may_be_infinite(inner) for inner in subterms(term)):
        return None
    if _holds(negative(negate(term)), facts) or facts.positive(term):
        return Sign.ABOVE_ZERO
    if _fails(negative(term), facts) or facts.non_negative(term):
        return Sign.ABOVE_ZERO if is_apart(term, facts) else Sign.AT_LEAST_ZERO
    return None


def _holds(test: Term, facts: Facts) -> bool:
    """Whether a test is known, as it stands or in normal form."""
    return any(all(facts.holds(part) for part in conjuncts(form)) for form in _forms(test, facts))


def _fails(test: Term, facts: Facts) -> bool:
    return any(all(facts.holds(part) for part in conjuncts(complement(form))) for form in _forms(test, facts))


def _forms(test: Term, facts: Facts) -> Iterator[Term]:
    """The test, and the form that it has among the facts, which asks for signs of smaller elements."""
    yield test
    if isinstance(test, Zero | Negative) and any(isinstance(inner, Reduce) for inner in subterms(test)):
        from rewright.equality.element_tests import normal_test

        form = normal_test(test, facts)
        if form is not test:
            yield form
