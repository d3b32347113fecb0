"""Minimum and maximum: flat, sorted, idempotent, with the infinities as unit and zero."""

from __future__ import annotations

from rewright.terms.conversion import as_index, element_of
from rewright.terms.interning import intern
from rewright.terms.node import INDEX, Extremum, Infinity, Number, Sort, Term
from rewright.terms.polynomial import number


def minimum(first: Term, *others: Term) -> Term:
    """The least of the operands."""
    return _extremum((first, *others), first.sort, greatest=False)


def maximum(first: Term, *others: Term) -> Term:
    """The greatest of the operands."""
    return _extremum((first, *others), first.sort, greatest=True)


def extremum_of(term: Extremum, operands: tuple[Term, ...]) -> Term:
    """The extremum of other operands: the greatest if the term is that of its own; of none, the infinity."""
    return _extremum(operands, term.sort, greatest=term.greatest)


def _extremum(terms: tuple[Term, ...], sort: Sort, *, greatest: bool) -> Term:
    flat: dict[Term, None] = {}
    for term in terms:
        inner = term.operands if isinstance(term, Extremum) and term.greatest is greatest else (term,)
        flat.update(dict.fromkeys(inner))
    infinite = {term.positive for term in flat if isinstance(term, Infinity)}
    if greatest in infinite:
        return intern(Infinity, greatest, sort)
    rest = [term for term in flat if not isinstance(term, Infinity | Number)]
    values = [term.value for term in flat if isinstance(term, Number)]
    if values:
        rest.append(number(max(values) if greatest else min(values), sort))
    if not rest:
        return intern(Infinity, not greatest, sort)
    return rest[0] if len(rest) == 1 else _make(rest, sort, greatest=greatest)


def _make(rest: list[Term], sort: Sort, *, greatest: bool) -> Term:
    if sort != INDEX:
        indices = [as_index(term) for term in rest]
        known = tuple(index for index in indices if index is not None)
        if len(known) == len(rest):
            return element_of(_extremum(known, INDEX, greatest=greatest), sort)
    return intern(Extremum, greatest, tuple(sorted(rest, key=lambda term: term.digest)), sort)
