"""Assumptions on contents, instantiated where the tensors that they link are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rewright.rules.claim import Linked
from rewright.terms import Term, implies, number, substitute
from rewright.terms.binding import OpenReduce, close_reduce, open_reduce
from rewright.terms.node import Access, Reduce, children


def instances(linked: Iterable[Linked], terms: Iterable[Term]) -> list[Term]:
    """What the assumptions say about the reads in the terms: at each index in range, the body.

    Below a reduction they say it for every index of its ranges. What one assumption says may read a tensor of which
    another speaks; then that one is instantiated there, too.
    """
    assumptions = tuple(linked)
    found: dict[Term, None] = {}
    latest = list(terms)
    while latest:
        said = (instance for term in latest for item in assumptions for instance in _below(item, term))
        latest = [instance for instance in dict.fromkeys(said) if instance not in found]
        found.update(dict.fromkeys(latest))
    return list(found)


def _below(linked: Linked, term: Term) -> Iterator[Term]:
    if isinstance(term, Reduce):
        part = open_reduce(term)
        for instance in _below(linked, part.body):
            yield close_reduce(OpenReduce("and", part.indices, part.ranges, instance))
        return
    if isinstance(term, Access) and term.tensor in linked.tensors:
        yield at_index(linked, {slot.group: slot.index for slot in term.slots})
    for child in children(term):
        yield from _below(linked, child)


def at_index(linked: Linked, index: dict[str, Term]) -> Term:
    """What an assumption says at one index."""
    places: dict[Term, Term] = {variable: index[group] for group, variable in linked.at.items()}
    return implies(substitute(linked.inside, places), substitute(linked.body, places))


def at_origin(linked: Linked) -> Term:
    """What an assumption says at index 0, if the tensors have entries: it can be met at all."""
    places: dict[Term, Term] = {variable: number(0) for variable in linked.at.values()}
    return implies(linked.nonempty, substitute(linked.body, places))
