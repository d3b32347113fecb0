"""What the bound on ranks asks of terms, and which rank classes are beyond it.

Owns the requirement of docs/soundness.md, section 2: every test on all axes and every index of a read speaks of one
axis of its own class and of what depends on no axis. It is looked up in the terms themselves, whatever made them.
"""

from __future__ import annotations

from collections.abc import Iterable

from rewright.equality import EVERYWHERE, Fact
from rewright.rules.bound import outside_reductions
from rewright.terms import Term
from rewright.terms.node import Access, AxisProduct, Digit, Fold, Position

_OF_ALL_AXES = (Access, AxisProduct, Position, Digit, Fold)
"""Terms whose value on one axis depends on what stands on others."""

NOTHING: frozenset[str] = frozenset()


def beyond(facts: Iterable[Fact]) -> frozenset[str]:
    """The rank classes for which no rank is known to suffice; none if the bound covers the truths and elements given.

    Each comes with the class of whose axis it may speak. A product over the axes of a class depends on how many there
    are. What speaks of axes of two classes ties them: neither axis may be dropped or repeated for itself.
    """
    return NOTHING.union(*(_beyond(home, term) for home, term in facts))


def _beyond(home: str, term: Term) -> frozenset[str]:
    tied = term.classes - {home}
    own = tied | {home} if tied and home != EVERYWHERE else tied
    return own.union(*map(_tied, outside_reductions((term,))))


def _tied(term: Term) -> frozenset[str]:
    match term:
        case AxisProduct(rank_class=rank_class) | Position(rank_class=rank_class) | Digit(rank_class=rank_class):
            return term.classes | {rank_class}
        case Fold(rank_class=rank_class) if term.classes:
            return term.classes | {rank_class}
        case Access(slots=slots):
            return NOTHING.union(*(_crossing(slot.rank_class, slot.index) for slot in slots))
        case _:
            return NOTHING


def _crossing(rank_class: str | None, index: Term) -> frozenset[str]:
    """The classes that an index along a class ties to it."""
    others = index.classes - {rank_class}
    return NOTHING if not others else others | ({rank_class} if rank_class is not None else NOTHING)


def of_one_axis(term: Term, rank_class: str) -> bool:
    """Whether a term has the same value at every rank, once what it speaks of on one axis of the class is known."""
    inside = outside_reductions((term,))
    return term.classes <= {rank_class} and not any(isinstance(part, _OF_ALL_AXES) for part in inside)
