"""The normal form of tests of real elements, without what their signs say.

Owns the order of its steps: sums by monomials, logarithms raised to powers, then divisors of known sign multiplied out
and factors of known sign left out. What is known is kept in this form, so what is looked up among facts has to have it.
"""

from __future__ import annotations

from rewright.equality.distribution import distributed
from rewright.equality.facts import Facts
from rewright.equality.fractions import cleared_negative, cleared_zero, has_fraction
from rewright.equality.logarithms import raised
from rewright.equality.signs import signed_factors
from rewright.terms.comparison import negative, zero
from rewright.terms.functions import parts
from rewright.terms.node import Negative, Number, Term, Zero
from rewright.terms.polynomial import factored, negate
from rewright.terms.truth import complement, conjoin


def normal_test(test: Zero | Negative, facts: Facts) -> Term:
    """A test of a real element, its sums by monomials, without logarithms and without what has a known sign."""
    found = (zero if isinstance(test, Zero) else negative)(distributed(test.polynomial, facts))
    if isinstance(found, Zero | Negative):
        found = raised(found, facts)
    if isinstance(found, Zero | Negative) and has_fraction(found.polynomial):
        clear = cleared_negative if isinstance(found, Negative) else cleared_zero
        found = clear(found.polynomial, facts) or found
    return _without_factors(found, facts) if isinstance(found, Negative) else found


def _without_factors(test: Negative, facts: Facts) -> Term:
    """c·q < 0, for c >= 0, as c ≠ 0 and q < 0; for c <= 0 as c ≠ 0 and −q < 0."""
    _, monomial, rest = factored(test.polynomial)
    if len(parts(monomial, rest)) < 2:
        return test
    outside, turned, inside = signed_factors(test.polynomial, facts, lambda atom: True)
    if isinstance(outside, Number):
        return test
    return conjoin(complement(zero(outside)), negative(negate(inside) if turned else inside))
