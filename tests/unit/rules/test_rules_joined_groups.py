"""Rules about groups joined into axes: what is proved at every rank, and what is asked up to one."""

from __future__ import annotations

from rewright.rules.requirement import beyond
from rewright.terms import REAL, digit, equal, position, variable
from rewright.terms.node import Slot
from rewright.terms.selection import access

N, AT = variable("n", "A"), variable("i", "A")
P = variable("p", None)


def test_what_ties_the_axes_is_beyond_the_bound() -> None:
    """An index at a position depends on the sizes of the axes after it, a position on all of them."""
    read = access("X", (Slot("A", "A", digit("A", P, N)),), REAL)
    assert beyond([("", equal(read, variable("c", None, REAL)))]) == {"A"}
    assert beyond([("", equal(position("A", AT, N), P))]) == {"A"}
    assert beyond([("A", equal(AT, N))]) == frozenset()
