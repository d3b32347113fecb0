"""Positions and indices at them: what undoes what, and under which facts."""

from __future__ import annotations

import pytest

from rewright.equality import EVERYWHERE, Fact, Facts, simplify
from rewright.terms import (
    REAL,
    OpenReduce,
    Range,
    Term,
    axis_product,
    close_reduce,
    digit,
    less,
    non_negative,
    opened_indices,
    position,
    variable,
)
from rewright.terms.node import Slot
from rewright.terms.selection import access

N, AT = variable("n", "A"), variable("i", "A")
P = variable("p", None)
IN_RANGE: list[Fact] = [("A", non_negative(AT)), ("A", less(AT, N))]
SIZES: list[Fact] = [("A", non_negative(N))]
PLACE: list[Fact] = [(EVERYWHERE, non_negative(P)), (EVERYWHERE, less(P, axis_product("A", N)))]


def facts(*given: Fact) -> Facts:
    return Facts.of(given, frozenset())


def test_each_undoes_the_other() -> None:
    assert simplify(digit("A", position("A", AT, N), N), facts(*IN_RANGE)) is AT
    assert simplify(position("A", digit("A", P, N), N), facts(*PLACE, *SIZES)) is P


@pytest.mark.parametrize("left_out", [0, 1])
def test_what_is_out_of_range_is_not_undone(left_out: int) -> None:
    given = [fact for number_, fact in enumerate(IN_RANGE) if number_ != left_out]
    assert simplify(digit("A", position("A", AT, N), N), facts(*given)) is not AT
    given = [fact for number_, fact in enumerate([*PLACE, *SIZES]) if number_ != left_out]
    assert simplify(position("A", digit("A", P, N), N), facts(*given)) is not P


def test_of_other_sizes_nothing_is_undone() -> None:
    other = digit("A", position("A", AT, N), variable("m", "A"))
    assert simplify(other, facts(*IN_RANGE)) is other


def test_sums_over_positions_and_over_indices_are_the_same() -> None:
    assert simplify(_over_positions(), facts(*SIZES)) is simplify(_over_indices(), facts(*SIZES))


def test_sizes_must_not_be_negative() -> None:
    """Of sizes −2 and −3 there are six positions, and no index."""
    assert simplify(_over_positions(), facts()) is not simplify(_over_indices(), facts())


def test_a_position_is_one_for_all_axes() -> None:
    with pytest.raises(ValueError, match="differs from axis to axis"):
        digit("A", AT, N)


def _over_positions() -> Term:
    ranges = (Range(None, axis_product("A", N)),)
    (at,) = opened_indices(ranges, 0)
    return close_reduce(OpenReduce("add", (at,), ranges, _read(digit("A", at, N))))


def _over_indices() -> Term:
    ranges = (Range("A", N),)
    (index,) = opened_indices(ranges, 0)
    return close_reduce(OpenReduce("add", (index,), ranges, _read(index)))


def _read(index: Term) -> Term:
    return access("X", (Slot("A", "A", index),), REAL)
