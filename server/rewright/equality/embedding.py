"""Integer elements taken for real ones.

The integers lie among the reals with the same sums, products, order, absolute values and extrema. So where the images
of two integer elements are shown to be equal, of all real values of what they are made of, the elements are equal; and
a test of integer elements says what the test of the images says. What rounds, and what is taken for an index, has no
image.
"""

from __future__ import annotations

from rewright.terms.binding import rebuild
from rewright.terms.comparison import negative
from rewright.terms.conversion import element_of
from rewright.terms.extremum import maximum, minimum
from rewright.terms.functions import applied
from rewright.terms.interning import intern, subterms
from rewright.terms.node import (
    INDEX,
    INT,
    REAL,
    Absolute,
    Access,
    Applied,
    Choose,
    ElementOf,
    Extremum,
    IndexOf,
    Infinity,
    NonNegative,
    Number,
    Polynomial,
    Reduce,
    Slot,
    Sort,
    Term,
    Variable,
)
from rewright.terms.polynomial import add, multiply, number
from rewright.terms.selection import access
from rewright.terms.truth import complement

ALIKE = Absolute | Access | Applied | Choose | ElementOf | Extremum | Infinity | Number | Polynomial | Reduce | Variable
"""What is made of integers as it is of reals."""


def among_reals(term: Term) -> Term | None:
    """The term with real elements for its integer ones; None where one of them has no image."""
    integers = [inner for inner in subterms(term) if inner.sort == INT or isinstance(inner, IndexOf)]
    if not all(isinstance(inner, ALIKE) for inner in integers):
        return None
    return _image(term) if integers else term


def _image(term: Term) -> Term:
    match term:
        case Variable(name=name, rank_class=rank_class):
            return intern(Variable, name, rank_class, _sort(term.sort))
        case Number(value=value):
            return number(value, _sort(term.sort))
        case Infinity(positive=positive):
            return intern(Infinity, positive, _sort(term.sort))
        case Polynomial(monomials=monomials) if term.sort == INT:
            total = number(0, REAL)
            for monomial, factor in monomials:
                image = number(factor, REAL)
                for atom, power in monomial:
                    for _ in range(power):
                        image = multiply(image, _image(atom))
                total = add(total, image)
            return total
        case Access(tensor=tensor, slots=slots):
            images = tuple(Slot(slot.group, slot.rank_class, _image(slot.index)) for slot in slots)
            return access(tensor, images, _sort(term.sort))
        case Extremum(greatest=greatest, operands=operands):
            return (maximum if greatest else minimum)(*map(_image, operands))
        case ElementOf(index=index):
            return element_of(_image(index), _sort(term.sort))
        case Applied(function=function, operands=operands):
            return applied(function, tuple(map(_image, operands)), _sort(term.sort))
        case NonNegative(polynomial=polynomial) if polynomial.sort != INDEX:
            return complement(negative(_image(polynomial)))
        case _:
            return rebuild(term, _image)


def _sort(sort: Sort) -> Sort:
    return REAL if sort == INT else sort
