"""Sums over the index of a single axis in closed form, under facts.

Owns what is read off a product: powers of the index, and powers and exponentials whose exponents are multiples of it.
Those are powers of one base, by which a sum is divided only where the base is known not to be 1.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.equality.closed_forms import beside_a_base, sum_of_powers
from rewright.equality.facts import Facts
from rewright.equality.fractions import not_zero
from rewright.equality.logarithms import as_product
from rewright.equality.whole_powers import is_power, whole_power
from rewright.terms.functions import exponential, reciprocal
from rewright.terms.interning import subterms
from rewright.terms.node import REAL, ElementOf, Exponential, Opened, Special, Term
from rewright.terms.polynomial import add, collect, expand, multiply, number, plus, subtract

ONE = number(1, REAL)


class ClosedSum(Struct, frozen=True):
    """Σ f over an index is total · rest; `rest` does not speak of the index."""

    total: Term
    rest: Term


class _Product(Struct, frozen=True):
    """indexᵖ · baseⁱⁿᵈᵉˣ · rest; `whole` is the base to the power of how many indices there are."""

    power: int
    base: Term
    whole: Term
    rest: Term


def closed(inside: Term, index: Opened, indices: frozenset[Term], count: Term, facts: Facts) -> ClosedSum | None:
    """The sum of a product over index < count, where count >= 0; None if there is no closed form for it.

    An index of a class is an index on every axis of it: what is free of it is counted, and nothing else is summed.
    `indices` are those of all ranges: a base has to be free of them.
    """
    if index not in subterms(inside):
        return ClosedSum(count, inside)
    read = None if index.rank_class is not None else _read(inside, index, indices, count, facts)
    if read is None:
        return None
    alone = read.base is ONE
    total = sum_of_powers(read.power, plus(count, -1)) if alone else _beside(read, count, facts)
    return None if total is None else ClosedSum(total, read.rest)


def _beside(read: _Product, count: Term, facts: Facts) -> Term | None:
    """Σ kᵖ·rᵏ, for r ≠ 1."""
    divisor = plus(read.base, -1)
    if not not_zero(divisor, facts):
        return None
    last, first = (beside_a_base(read.power, read.base, reciprocal(divisor), at) for at in (count, number(0, REAL)))
    return None if last is None or first is None else subtract(multiply(read.whole, last), first)


def _read(inside: Term, index: Opened, indices: frozenset[Term], count: Term, facts: Facts) -> _Product | None:
    total = expand(inside)
    if len(total) != 1:
        return None
    ((monomial, factor),) = total.items()
    power, base, whole, rest = 0, ONE, ONE, number(factor, REAL)
    for atom, times in monomial:
        if index not in subterms(atom):
            rest = multiply(rest, collect({((atom, times),): 1}, REAL))
        elif isinstance(atom, ElementOf) and atom.index is index:
            power = times
        elif isinstance(atom, Exponential):
            found = _multiple(atom.operand, index, indices)
            if found is None:
                return None
            slope, others = found
            base = multiply(base, _exp(slope, facts))
            whole = multiply(whole, _exp(multiply(slope, count), facts))
            rest = multiply(rest, exponential(others))
        elif isinstance(atom, Special) and is_power(atom) and indices.isdisjoint(subterms(atom.operands[0])):
            found = _multiple(atom.operands[1], index, indices)
            if found is None or found[1] is not number(0, REAL):
                return None
            slope = found[0]
            for _ in range(times):
                base = multiply(base, whole_power(atom.operands[0], slope, facts))
                whole = multiply(whole, whole_power(atom.operands[0], multiply(slope, count), facts))
        else:
            return None
    return _Product(power, base, whole, rest)


def _exp(exponent: Term, facts: Facts) -> Term:
    found = exponential(exponent)
    return as_product(found, facts) if isinstance(found, Exponential) else found


def _multiple(exponent: Term, index: Opened, indices: frozenset[Term]) -> tuple[Term, Term] | None:
    """s and t of s · index + t, of which s is free of all indices and t of this one; None if it is no such sum."""
    slopes, others = number(0, REAL), number(0, REAL)
    for monomial, factor in expand(exponent).items():
        part = collect({monomial: factor}, REAL)
        if index not in subterms(part):
            others = add(others, part)
            continue
        rest = tuple(
            (atom, power) for atom, power in monomial if not (isinstance(atom, ElementOf) and atom.index is index)
        )
        left = collect({rest: factor}, REAL)
        linear = any(isinstance(atom, ElementOf) and atom.index is index and power == 1 for atom, power in monomial)
        if not linear or not indices.isdisjoint(subterms(left)):
            return None
        slopes = add(slopes, left)
    return slopes, others
