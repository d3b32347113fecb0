"""The normal form of tests of real elements, without what their signs say.

Owns the order of its steps: sums by monomials, logarithms raised to powers, then divisors of known sign multiplied out.
What is known is kept in this form, so what is looked up among facts has to have it, too.
"""

from __future__ import annotations

from rewright.equality.distribution import distributed
from rewright.equality.facts import Facts
from rewright.equality.fractions import cleared_negative, cleared_zero, has_fraction
from rewright.equality.logarithms import raised
from rewright.terms.comparison import negative, zero
from rewright.terms.node import Negative, Term, Zero


def normal_test(test: Zero | Negative, facts: Facts) -> Term:
    """A test of a real element with its sums by monomials, without logarithms and divisors of known sign."""
    found = (zero if isinstance(test, Zero) else negative)(distributed(test.polynomial, facts))
    if isinstance(found, Zero | Negative):
        found = raised(found, facts)
    if not isinstance(found, Zero | Negative) or not has_fraction(found.polynomial):
        return found
    clear = cleared_negative if isinstance(found, Negative) else cleared_zero
    return clear(found.polynomial, facts) or found
