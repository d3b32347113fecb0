"""Index polynomials as linear forms in one unknown."""

from __future__ import annotations

from msgspec import Struct

from rewright.equality.facts import Fact
from rewright.terms.interning import subterms
from rewright.terms.node import INDEX, NonNegative, Number, Term, Variable, Zero
from rewright.terms.polynomial import Sum, collect, expand


class Linear(Struct, frozen=True):
    """factor · unknown + rest, neither of which mentions the unknown."""

    factor: Term
    rest: Term


def linear(polynomial: Term, unknown: Term) -> Linear | None:
    """The polynomial as a linear form; None if the unknown occurs otherwise."""
    factor: Sum = {}
    rest: Sum = {}
    for monomial, value in expand(polynomial).items():
        others = tuple(item for item in monomial if item[0] is not unknown)
        power = next((power for atom, power in monomial if atom is unknown), 0)
        if power > 1 or any(has_unknown(atom, unknown) for atom, _ in others):
            return None
        (factor if power else rest)[others] = value
    return Linear(collect(factor, INDEX), collect(rest, INDEX))


def polynomial_of(fact: Fact) -> Term:
    """The polynomial that a condition compares with 0."""
    assert isinstance(fact[1], NonNegative | Zero)
    return fact[1].polynomial


def linear_form(fact: Fact, unknown: Variable) -> Linear | None:
    """The polynomial that a condition compares with 0 as a linear form; None if there is none."""
    polynomial = polynomial_of(fact)
    return linear(polynomial, unknown) if polynomial.sort == INDEX else None


def sign_of_unit(factor: Term) -> int:
    """1 or −1 for that number, else 0."""
    return int(factor.value) if isinstance(factor, Number) and abs(factor.value) == 1 else 0


def has_unknown(term: Term, unknown: Term) -> bool:
    """Whether an unknown occurs in a term."""
    return unknown in subterms(term)


def unknowns(term: Term) -> list[Variable]:
    """The unknowns of a term."""
    return [inner for inner in subterms(term) if isinstance(inner, Variable)]
