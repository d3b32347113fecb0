"""Sizes and offsets as polynomials with rational coefficients, so that two of them are one size if they are equal.

A size of a graph is whole in every instance; a coefficient that is not says that something divides: `h/4`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from math import lcm, prod

from msgspec import Struct

from rewright.model.index import Index, IndexOperation, IntegerReference, Name, Number

Monomial = tuple[str, ...]
"""A product of symbols, in order."""


class SizePolynomial(Struct, frozen=True):
    """A polynomial; `terms` are by monomials, in order, without zeros."""

    terms: tuple[tuple[Monomial, Fraction], ...]

    @property
    def number(self) -> Fraction | None:
        """Its value if it is a number."""
        if not self.terms:
            return Fraction(0)
        ((monomial, factor), *others) = self.terms
        return factor if not monomial and not others else None

    @property
    def symbols(self) -> frozenset[str]:
        """The symbols in it."""
        return frozenset(symbol for monomial, _ in self.terms for symbol in monomial)

    @property
    def symbol(self) -> str | None:
        """The symbol that it is a part or a multiple of, as `h/4` is of `h`; None if there is no such."""
        return self.terms[0][0][0] if len(self.terms) == 1 and len(self.terms[0][0]) == 1 else None

    @property
    def is_below_zero(self) -> bool:
        """Whether it is below 0 for all symbols of at least 1, as far as its signs say."""
        return bool(self.terms) and all(factor < 0 for _, factor in self.terms)


MOST_TERMS = 512
"""Of a product: powers of long sums would fill the memory while somebody types."""


def is_long(sizes: Iterable[SizePolynomial]) -> bool:
    """Whether a product has, before equal ones are joined, too many terms."""
    return prod(len(size.terms) for size in sizes) > MOST_TERMS


ONE = SizePolynomial((((), Fraction(1)),))


def constant(value: int | Fraction) -> SizePolynomial:
    """A number."""
    return _size([((), Fraction(value))])


def symbolic(name: str) -> SizePolynomial:
    """A symbol."""
    return SizePolynomial((((name,), Fraction(1)),))


def total(sizes: Iterable[SizePolynomial]) -> SizePolynomial:
    """The sum."""
    return _size(term for size in sizes for term in size.terms)


def difference(left: SizePolynomial, right: SizePolynomial) -> SizePolynomial:
    """The left less the right."""
    return total((left, scaled(right, Fraction(-1))))


def product(sizes: Iterable[SizePolynomial]) -> SizePolynomial:
    """The product."""
    return reduce(_product, sizes, ONE)


def scaled(size: SizePolynomial, factor: Fraction) -> SizePolynomial:
    """The size times a number."""
    return _size((monomial, each * factor) for monomial, each in size.terms)


def _product(left: SizePolynomial, right: SizePolynomial) -> SizePolynomial:
    return _size(
        (tuple(sorted((*first, *second))), one * other) for first, one in left.terms for second, other in right.terms
    )


def _size(terms: Iterable[tuple[Monomial, Fraction]]) -> SizePolynomial:
    summed: dict[Monomial, Fraction] = {}
    for monomial, factor in terms:
        summed[monomial] = summed.get(monomial, Fraction(0)) + factor
    return SizePolynomial(tuple(sorted((monomial, factor) for monomial, factor in summed.items() if factor)))


def index_of(size: SizePolynomial, site: int) -> Index:
    """The size as an index expression; one division, of the whole, says what has to divide."""
    common = lcm(*(factor.denominator for _, factor in size.terms))
    summed: Index | None = None
    for monomial, factor in sorted(size.terms, key=lambda term: term[1] < 0):
        times = int(factor * common)
        term = _term(monomial, abs(times), site)
        if summed is None and times > 0:
            summed = term
        else:
            summed = IndexOperation("+" if times > 0 else "-", summed or Number(0, site), term, site)
    whole = summed or Number(0, site)
    return whole if common == 1 else IndexOperation("//", whole, Number(common, site), site)


def _term(monomial: Monomial, times: int, site: int) -> Index:
    factors: list[Index] = [IntegerReference(Name(symbol), site) for symbol in monomial]
    if times != 1 or not factors:
        factors.insert(0, Number(times, site))
    return reduce(lambda left, right: IndexOperation("*", left, right, site), factors)


def size_of(index: Index) -> SizePolynomial:
    """The polynomial of an index expression that `index_of` made. Raises `ValueError` for another one."""
    match index:
        case Number(value):
            return constant(value)
        case IntegerReference(name):
            return symbolic(name)
        case IndexOperation("+", left, right):
            return total((size_of(left), size_of(right)))
        case IndexOperation("-", left, right):
            return difference(size_of(left), size_of(right))
        case IndexOperation("*", left, right):
            return _product(size_of(left), size_of(right))
        case IndexOperation("//", left, Number(value)):
            return scaled(size_of(left), Fraction(1, value))
        case _:
            raise ValueError(f"{index} is no size of a graph")


def text(size: SizePolynomial) -> str:
    """The size as it is written: `t/2`, `2*d + 1`."""
    words = ""
    for monomial, factor in sorted(size.terms, key=lambda term: (term[1] < 0, not term[0])):
        sign = ("-" if factor < 0 else "") if not words else (" - " if factor < 0 else " + ")
        words += sign + _term_text(monomial, abs(factor))
    return words or "0"


def _term_text(monomial: Monomial, factor: Fraction) -> str:
    over = f"/{factor.denominator}" if factor.denominator != 1 else ""
    names = [str(factor.numerator)] if factor.numerator != 1 or not monomial else []
    return "*".join([*names, *monomial]) + over


def shape_text(sizes: Sequence[SizePolynomial]) -> str:
    """A shape: `[t/2, d]`."""
    return f"[{', '.join(map(text, sizes))}]"
