"""The cells that an element came through, value by value, as the replay traced them."""

from __future__ import annotations

import pytest
from replaying import instance, question

from rewright.replay.route import routes

ITEMS = "axis d\nmap n on d\nscalar v: T\ntensor X, Y: T[d: n]\n"


def route(right: str, at: int = 0) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """From which index to which the element of `right` at an index goes, the last step, to itself, left out."""
    asked = question(f"{ITEMS}X => {right}", "T: int")
    given = instance(asked.rule, {"d": 1}, n=[3], v="7", X=["1", "1", "1"], Y=["1", "1", "1"])
    found = routes(asked, given, (("d", (at,)),))
    return {(each.index, each.at) for each in found if each.side == "right" and each.into is not None}


@pytest.mark.parametrize(
    ("right", "at", "expected"),
    [
        ("reverse(X, d)", 0, {((2,), (0,))}),
        ("slice(pad(X, v, 1), 1, 4)", 1, {((1,), (2,)), ((2,), (1,))}),
        ("pad(slice(X, 0, 2), v, 1)", 0, {((), (0,))}),
        ("X + reverse(Y, d)", 0, {((0,), (0,)), ((2,), (0,))}),
        ("broadcast(reduce(add, X, d), d: n)", 2, {((), (2,)), ((0,), ()), ((1,), ()), ((2,), ())}),
        ("select(X < Y, X, Y)", 1, {((1,), (1,))}),
    ],
)
def test_equal_elements_beside_the_way_are_not_on_it(
    right: str, at: int, expected: set[tuple[tuple[int, ...], tuple[int, ...]]]
) -> None:
    assert route(right, at) == expected
