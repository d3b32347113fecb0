"""The terms of reductions that differ, and which of them have no partner on the other side."""

from __future__ import annotations

import pytest
from replaying import outcome, question

from rewright.replay.elements import element_text
from rewright.replay.outcomes import Fails
from rewright.replay.terms import Terms

ITEMS = "axis c, d\nmap n on c\nmap m on d\nscalar v: T\ntensor X: T[c: n, d: m]\ntensor Y: T[d: m]\n"


def terms(sides: str) -> tuple[str, str]:
    """The terms of both sides on an input with X = [[1, 2, 3], [4, 5, 6]], Y = [7, 0, 9], v = 10."""
    asked = question(ITEMS + sides, "T: int")
    found = outcome(asked, {"c": 1, "d": 1}, n=[2], m=[3], v=10, X=((2, 3), "1 2 3 4 5 6"), Y=["7", "0", "9"])
    assert isinstance(found, Fails), found
    assert found.terms is not None
    left, right = map(_text, found.terms)
    return left, right


def _text(found: Terms) -> str:
    return " ".join(
        ("*" if place in found.alone else "")
        + ("init" if term.index is None else ",".join(map(str, term.index)))
        + f":{element_text(term.element)}"
        for place, term in enumerate(found.terms)
    )


@pytest.mark.parametrize(
    ("sides", "left", "right"),
    [
        ("reduce(add, Y, d) => reduce(add, slice(Y, 1, m), d)", "*0:7 1:0 2:9", "0:0 1:9"),
        ("reduce(add, slice(Y, 1, m), d) => reduce(add, Y, d)", "0:0 1:9", "*0:7 1:0 2:9"),
        ("reduce(add, Y, d) => reduce(add, Y, d, init = v)", "0:7 1:0 2:9", "*init:10 0:7 1:0 2:9"),
        ("reduce(add, X, [c, d]) => reduce(add, reduce(add, slice(X, d: (0, 2)), c), d)",
         "0,0:1 0,1:2 *0,2:3 1,0:4 1,1:5 *1,2:6", "0,0:1 0,1:4 1,0:2 1,1:5"),
        ("reduce(add, Y, d) + v => v - reduce(add, Y, d)", "*0:7 1:0 *2:9 :10", ":10 *0:-7 1:0 *2:-9"),
        ("v * reduce(add, Y, d) => reduce(add, Y, d)", "*0:70 1:0 *2:90", "*0:7 1:0 *2:9"),
        ("reduce(add, Y, d) => v", "*0:7 1:0 *2:9", "*:10"),
        ("reduce(max, Y, d) => reduce(max, slice(Y, 0, 2), d)", "0:7 1:0 *2:9", "0:7 1:0"),
        ("dot(X, Y, contract = d) => dot(X, reverse(Y, d), contract = d)", "*0:7 1:0 *2:27", "*0:9 1:0 *2:21"),
        ("reduce_window(add, Y, d: (size = 2, low = 1), init = 0) => reduce_window(add, Y, d: (size = 2, high = 1))",
         "init:0 *0:7 1:0", "0:0 *1:9"),
    ],
)  # fmt: skip
def test_the_terms_of_both_sides(sides: str, left: str, right: str) -> None:
    assert terms(sides) == (left, right)


def test_repeated_terms_have_as_many_partners_as_there_are() -> None:
    assert terms("reduce(add, broadcast(v, c: 3), c) => reduce(add, broadcast(v, c: 2), c)") == (
        "0:10 1:10 *2:10",
        "0:10 1:10",
    )


def test_what_is_no_reduction_has_no_terms() -> None:
    asked = question("axis d\nmap n on d\ntensor X: T[d: n]\nreverse(X, d) => X")
    found = outcome(asked, {"d": 1}, n=[2], X=["a", "b"])
    assert isinstance(found, Fails)
    assert found.terms is None
