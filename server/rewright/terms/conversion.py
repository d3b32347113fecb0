"""From indices to elements and back.

Owns the embedding of the integers into an element domain. Invariant: the embedding is pushed down to index atoms, so
the element of a sum is a sum of elements; a term whose atoms all come from indices can be read back as an index, and
whatever is known about indices then applies to it.
"""

from __future__ import annotations

from rewright.terms.interning import intern
from rewright.terms.node import INDEX, ElementOf, IndexOf, Number, Sort, Term
from rewright.terms.polynomial import Sum, collect, combine, expand, number, reduced, times


def element_of(index: Term, sort: Sort) -> Term:
    """The element of an index, in a domain that contains the integers."""
    if isinstance(index, Number):
        return number(index.value, sort)
    total: Sum = {}
    for monomial, factor in expand(index).items():
        image: tuple[tuple[Term, int], ...] = ()
        for atom, power in monomial:
            image = times(image, ((_element(atom, sort), power),))
        total = combine(total, reduced(image), factor)
    return collect(total, sort)


def _element(atom: Term, sort: Sort) -> Term:
    if isinstance(atom, IndexOf) and atom.element.sort == sort:
        return atom.element
    return intern(ElementOf, atom, sort)


def index_of(element: Term) -> Term:
    """The index of an integer element."""
    known = as_index(element)
    return intern(IndexOf, element, INDEX) if known is None else known


def as_index(element: Term) -> Term | None:
    """The index whose element a term is, if its atoms all come from indices and its coefficients are integers."""
    if element.sort == INDEX:
        return element
    total: Sum = {}
    for monomial, factor in expand(element).items():
        if not isinstance(factor, int):
            return None
        image: tuple[tuple[Term, int], ...] = ()
        for atom, power in monomial:
            if not isinstance(atom, ElementOf):
                return None
            image = times(image, ((atom.index, power),))
        total = combine(total, {image: factor})
    return collect(total, INDEX)
