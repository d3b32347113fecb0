"""Fractions under facts: what is known not to be 0 is cancelled.

Owns the cancelling of reciprocals over the reals. Invariant: the result equals the term wherever the facts hold. A
divisor of which nothing is known stays, since its reciprocal may be that of 0.
"""

from __future__ import annotations

from rewright.equality.facts import Facts, decided
from rewright.equality.signs import Sign, sign_of
from rewright.terms.comparison import negative, zero
from rewright.terms.division import divide_rationally
from rewright.terms.node import REAL, Polynomial, Reciprocal, Term
from rewright.terms.polynomial import Sum, add, collect, combine, expand, multiply, negate, number, product
from rewright.terms.truth import FALSE, complement, conjuncts


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
    """Whether a term is known not to be 0, as it stands or by its sign."""
    apart = conjuncts(complement(zero(term)))
    if all(facts.holds(part) or decided(facts, complement(part)) is FALSE for part in apart):
        return True
    return turn(term, facts) != 0


def turn(term: Term, facts: Facts) -> int:
    """1 or −1 for a real term that is above or below 0 by what it is made of, or by what is known of it; else 0."""
    if sign_of(term, facts) is Sign.ABOVE_ZERO:
        return 1
    return -1 if sign_of(negate(term), facts) is Sign.ABOVE_ZERO else 0


def _cancel(term: Term, divisor: Reciprocal) -> Term:
    """The sum, the coefficient of each power of inv(p) divided by p."""
    parts = _by_power(term, divisor)
    whole = carried = number(0, REAL)
    for power in range(max(parts, default=0), 0, -1):
        carried, left = divide_rationally(add(parts.get(power, number(0, REAL)), carried), divisor.operand)
        whole = add(whole, collect(product(expand(left), {((divisor, power),): 1}), REAL))
    return add(whole, carried, parts.get(0, number(0, REAL)))


def _by_power(term: Term, divisor: Reciprocal) -> dict[int, Term]:
    """The coefficients of the sum as a polynomial in inv(p)."""
    parts: dict[int, Sum] = {}
    for monomial, factor in expand(term).items():
        power = dict(monomial).get(divisor, 0)
        rest = tuple((atom, exponent) for atom, exponent in monomial if atom is not divisor)
        parts[power] = combine(parts.get(power, {}), {rest: factor})
    return {power: collect(part, REAL) for power, part in parts.items()}


def cleared_zero(term: Term, facts: Facts) -> Term | None:
    """term == 0, multiplied by the divisors that are known not to be 0; None if there are none."""
    known = [divisor for divisor in reciprocals(term) if not_zero(divisor.operand, facts)]
    for divisor in known:
        term = _multiplied(term, divisor)
    return zero(term) if known else None


def cleared_negative(term: Term, facts: Facts) -> Term | None:
    """term < 0, multiplied by the divisors whose sign is known; None if there are none."""
    signs = {divisor: turn(divisor.operand, facts) for divisor in reciprocals(term)}
    known = [divisor for divisor, sign in signs.items() if sign]
    for divisor in known:
        turned = signs[divisor] < 0 and max(_by_power(term, divisor), default=0) % 2
        term = _multiplied(negate(term) if turned else term, divisor)
    return negative(term) if known else None


def _multiplied(term: Term, divisor: Reciprocal) -> Term:
    """The sum times the least power of p that leaves no inv(p)."""
    parts = _by_power(term, divisor)
    highest = max(parts, default=0)
    whole = number(0, REAL)
    for power, part in parts.items():
        for _ in range(highest - power):
            part = multiply(part, divisor.operand)
        whole = add(whole, part)
    return whole


def has_fraction(term: Term) -> bool:
    """Whether a real term has a reciprocal among the factors of its monomials."""
    if term.sort != REAL or not isinstance(term, Polynomial | Reciprocal):
        return False
    return any(isinstance(atom, Reciprocal) for monomial in expand(term) for atom, _ in monomial)
