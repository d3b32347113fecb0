"""Assumptions on contents, instantiated where the tensors that they link are read.

Owns which indices are looked at. Invariant: every instance follows from its assumption at every rank; and contents that
meet the instances at the entries that are read can be completed so that they meet the assumptions everywhere.

Source: Bradley, Manna and Sipma, What's Decidable About Arrays? (VMCAI 2006), for instances at the indices read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from rewright.meaning.scope import NotCovered
from rewright.rules.bound import open_reads
from rewright.rules.claim import Linked
from rewright.terms import Term, implies, number, substitute, subterms
from rewright.terms.binding import OpenReduce, close_reduce, open_reduce
from rewright.terms.interning import children
from rewright.terms.node import Access, Reduce

PLACES = 64
"""At so many indices at most is an assumption instantiated whose tensors have different axis groups: they are all
combinations of the indices along each group, and a formula for each is given to the solver."""


def instances(linked: Iterable[Linked], terms: Iterable[Term]) -> list[Term]:
    """What the assumptions say about the reads in the terms: at each index in range, the body.

    Below a reduction they say it for every index of its ranges. What one assumption says may read a tensor of which
    another speaks; then that one is instantiated there, too. Raises `NotCovered` for tensors with different groups that
    are reduced, or read at many places.
    """
    assumptions = tuple(linked)
    found: dict[Term, None] = {}
    latest = list(terms)
    everything = list(latest)
    while latest:
        said = [
            instance for term in latest for item in assumptions if not item.uneven for instance in _below(item, term)
        ]
        said += (instance for item in assumptions if item.uneven for instance in _everywhere(item, everything))
        latest = [instance for instance in dict.fromkeys(said) if instance not in found]
        found.update(dict.fromkeys(latest))
        everything += latest
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


def _everywhere(linked: Linked, terms: Sequence[Term]) -> Iterator[Term]:
    """What an assumption says at every index made of indices at which its tensors are read along each group, and of 0.

    An entry that is not read can then be what stands at the index with 0 along each group where its own is none of
    those: where the assumption speaks of such an entry, it was met there.
    """
    reads = [read for read in open_reads(terms) if read.tensor in linked.tensors]
    if not reads and not _reduced(linked, terms):
        return
    if _reduced(linked, terms):
        raise NotCovered(
            "an assumption that relates tensors with different axis groups is not decided where one is reduced"
        )
    along: dict[str, dict[Term, None]] = {group: {number(0): None} for group in linked.at}
    for read in reads:
        for slot in read.slots:
            along[slot.group][slot.index] = None
    places = list(product(*along.values()))
    if len(places) > PLACES:
        raise NotCovered("an assumption that relates tensors with different axis groups is read at too many places")
    for place in places:
        yield at_index(linked, dict(zip(along, place, strict=True)))


def _reduced(linked: Linked, terms: Sequence[Term]) -> bool:
    bodies = [inner.body for inner in subterms(*terms) if isinstance(inner, Reduce)]
    return any(isinstance(inner, Access) and inner.tensor in linked.tensors for inner in subterms(*bodies))


def at_index(linked: Linked, index: dict[str, Term]) -> Term:
    """What an assumption says at one index."""
    places: dict[Term, Term] = {variable: index[group] for group, variable in linked.at.items()}
    return implies(substitute(linked.inside, places), substitute(linked.body, places))


def at_origin(linked: Linked) -> Term:
    """What an assumption says at index 0, if the tensors have entries: it can be met at all."""
    places: dict[Term, Term] = {variable: number(0) for variable in linked.at.values()}
    return implies(linked.nonempty, substitute(linked.body, places))
