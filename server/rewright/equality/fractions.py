"""Fractions under facts: what is known not to be 0 is cancelled.

Owns the cancelling of reciprocals over the reals. Invariant: the result equals the term wherever the facts hold. A
divisor of which nothing is known stays, since its reciprocal may be that of 0.
"""

from __future__ import annotations

from rewright.equality.definitions import sign_of
from rewright.equality.facts import Facts, decided
from rewright.terms.comparison import negative, zero
from rewright.terms.division import divide_rationally
from rewright.terms.node import REAL, Polynomial, Reciprocal, Term
from rewright.terms.polynomial import Sum, add, collect, combine, expand, multiply, negate, number, product
from rewright.terms.truth import FALSE, complement, conjoin, conjuncts


def cancelled(term: Term, facts: Facts) -> Term:
    """The sum with p·inv(p) = 1 for each p that is known not to be 0."""
    for divisor in reciprocals(term):
        if not_zero(divisor.operand, facts):
            term = _cancel(term, divisor)
    return term


def reciprocals(term: Term) -> list[Reciprocal]:
    """The reciprocals that are factors of a sum's monomials."""
    found = {atom for monomial in expand(term) for atom, _ in monomial if isinstance(atom, Reciprocal)}
    return sorted(found, key=lambda atom: atom.digest)


def not_zero(term: Term, facts: Facts) -> bool:
    """Whether a term is known not to be 0."""
    return all(facts.holds(part) or decided(facts, complement(part)) is FALSE for part in _apart(term))


def _apart(term: Term) -> tuple[Term, ...]:
    return conjuncts(conjoin(complement(zero(term))))


def _cancel(term: Term, divisor: Reciprocal) -> Term:
    """The sum as a polynomial in inv(p), the coefficient of each power divided by p."""
    by_power: dict[int, Sum] = {}
    for monomial, factor in expand(term).items():
        powers = dict(monomial)
        power = powers.pop(divisor, 0)
        rest = tuple((atom, exponent) for atom, exponent in monomial if atom is not divisor)
        by_power[power] = combine(by_power.get(power, {}), {rest: factor})
    whole = number(0, REAL)
    carried = number(0, REAL)
    for power in range(max(by_power), 0, -1):
        coefficient = add(collect(by_power.get(power, {}), REAL), carried)
        carried, left = divide_rationally(coefficient, divisor.operand)
        whole = add(whole, collect(product(expand(left), {((divisor, power),): 1}), REAL))
    return add(whole, carried, collect(by_power.get(0, {}), REAL))


def cleared_zero(term: Term, facts: Facts) -> Term | None:
    """term == 0, multiplied by the divisors that are known not to be 0; None if there are none."""
    known = [divisor for divisor in reciprocals(term) if not_zero(divisor.operand, facts)]
    return zero(_without(term, known, facts)) if known else None


def cleared_negative(term: Term, facts: Facts) -> Term | None:
    """term < 0, multiplied by the divisors whose sign is known; None if there are none."""
    signs = {divisor: sign_of(divisor.operand, facts) for divisor in reciprocals(term)}
    known = [divisor for divisor, sign in signs.items() if sign]
    if not known:
        return None
    changes = sum(signs[divisor] < 0 and _power(term, divisor) % 2 for divisor in known)
    whole = _without(term, known, facts)
    return negative(negate(whole) if changes % 2 else whole)


def _without(term: Term, divisors: list[Reciprocal], facts: Facts) -> Term:
    for divisor in divisors:
        for _ in range(_power(term, divisor)):
            term = cancelled(multiply(term, divisor.operand), facts)
    return term


def _power(term: Term, divisor: Reciprocal) -> int:
    return max((power for monomial in expand(term) for atom, power in monomial if atom is divisor), default=0)


def has_fraction(term: Term) -> bool:
    """Whether a real term has a reciprocal among the factors of its monomials."""
    if term.sort != REAL or not isinstance(term, Polynomial | Reciprocal):
        return False
    return any(isinstance(atom, Reciprocal) for monomial in expand(term) for atom, _ in monomial)
