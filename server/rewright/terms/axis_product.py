"""Products over the axes of a rank class.

Owns the law that holds at every rank, 0 included: the product of a product is the product of the products. So whole
factors leave, prime by prime where they are numbers; what is left are sums, single atoms and primes. The product of a
number is a power with the unknown rank as its exponent, never the number.
"""

from __future__ import annotations

from functools import reduce
from math import gcd

from rewright.terms.interning import intern
from rewright.terms.node import INDEX, AxisProduct, Monomial, RankClass, Term
from rewright.terms.polynomial import Sum, collect, expand, multiply, number

PRIMES_BELOW = 1000
"""Divisors that are tried. A greater prime stays inside what is left, and then fewer products are seen to be equal."""


def axis_product(rank_class: RankClass, factor: Term) -> Term:
    """The product of an index term over every axis of the class; the term itself for a single axis."""
    if rank_class is None:
        return factor
    total = expand(factor)
    if not total:
        return intern(AxisProduct, rank_class, factor, INDEX)
    common, shared = _content(total), _shared(total)
    rest = collect({_without(monomial, shared): value // common for monomial, value in total.items()}, INDEX)
    parts = [
        *(number(prime) for prime in _primes(common)),
        *(atom for atom, power in shared for _ in range(power)),
        rest,
    ]
    return reduce(multiply, (_single(rank_class, part) for part in parts))


def _single(rank_class: str, part: Term) -> Term:
    return part if part is number(1) else intern(AxisProduct, rank_class, part, INDEX)


def _content(total: Sum) -> int:
    """The greatest common divisor of the coefficients."""
    return reduce(gcd, (int(value) for value in total.values()), 0)


def _shared(total: Sum) -> Monomial:
    """The greatest monomial that divides all of them."""
    first, *others = (dict(monomial) for monomial in total)
    least = ((atom, min([power, *(other.get(atom, 0) for other in others)])) for atom, power in first.items())
    return tuple((atom, power) for atom, power in least if power)


def _without(monomial: Monomial, shared: Monomial) -> Monomial:
    taken = dict(shared)
    return tuple((atom, power - taken.get(atom, 0)) for atom, power in monomial if power > taken.get(atom, 0))


def _primes(value: int) -> list[int]:
    """The prime factors of a positive number; what has none below `PRIMES_BELOW` stays whole."""
    found = []
    for candidate in range(2, PRIMES_BELOW):
        while value % candidate == 0:
            value //= candidate
            found.append(candidate)
        if value == 1:
            return found
    return [*found, value]
