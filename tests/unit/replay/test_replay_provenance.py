"""Where the two elements that differ come from, as the replay traced them."""

from __future__ import annotations

import pytest
from replaying import outcome, question

from rewright.replay.outcomes import Fails, Origins, Sizes
from rewright.replay.provenance import (
    Computed,
    Counted,
    EntryOf,
    FromIndex,
    Origin,
    PaddingOf,
    Reduced,
    Term,
    WrittenConstant,
)

ITEMS = "axis d\nmap n on d\nscalar v: T\ntensor X, Y: T[d: n]\n"


def entry(index: int) -> EntryOf:
    return EntryOf("X", (index,))  # type: ignore[arg-type]


def right_origin(right: str, parameter: str = "T: int") -> Origin:
    """The origin of the first element of `right` that is not 99."""
    asked = question(f"{ITEMS}broadcast(99, d: 2) + 0 * slice(Y, 0, 2) => {right}", parameter)
    found = outcome(asked, {"d": 1}, n=[3], v="7", X=["1", "2", "3"], Y=["1", "1", "1"])
    assert isinstance(found, Fails), found
    assert isinstance(found.parting, Origins)
    assert found.parting.left == Computed("add", (99, 0))
    return found.parting.right


@pytest.mark.parametrize(
    ("right", "origin"),
    [
        ("slice(X, 1, 3)", EntryOf("X", (1,))),  # type: ignore[arg-type]
        ("slice(reverse(X, d), 0, 2)", EntryOf("X", (2,))),  # type: ignore[arg-type]
        ("dynamic_slice(Y, 9, 2)", EntryOf("Y", (1,))),  # type: ignore[arg-type]
        ("dynamic_update_slice(slice(X, 0, 2), slice(Y, 2, 3), 0)", EntryOf("Y", (2,))),  # type: ignore[arg-type]
        ("concatenate(slice(Y, 2, 3), slice(X, 0, 1), d)", EntryOf("Y", (2,))),  # type: ignore[arg-type]
        ("pad(slice(X, 0, 1), v, 1)", PaddingOf(EntryOf("v", ()))),  # type: ignore[arg-type]
        ("pad(slice(X, 0, 1), 5, 1)", PaddingOf(WrittenConstant("5"))),
        ("pad(slice(X, 0, 1), v + 1, 1)", PaddingOf(Computed("add", (7, 1)))),
        ("broadcast(v, d: 2)", EntryOf("v", ())),  # type: ignore[arg-type]
        ("broadcast(4, d: 2)", WrittenConstant("4")),
        ("broadcast(elem(4), d: 2)", FromIndex()),
        ("iota(d, d: 2)", Counted("d")),  # type: ignore[arg-type]
        ("slice(X + Y, 0, 2)", Computed("add", (1, 1))),
        ("select(slice(X < Y, 0, 2), 5, slice(X, 0, 2))", EntryOf("X", (0,))),  # type: ignore[arg-type]
        ("slice(X / (Y - Y), 0, 2)", Computed("divide", (1, 0))),
        ("slice(1 + X / (Y - Y), 0, 2)", Computed("divide", (1, 0))),
        ("broadcast(reduce(add, X, d), d: 2)", Reduced("add", tuple(Term((i,), i + 1, entry(i)) for i in range(3)))),
        ("broadcast(reduce(add, X / (Y - Y), d), d: 2)", Computed("divide", (1, 0))),
    ],
)
def test_the_origin_of_an_element(right: str, origin: Origin) -> None:
    assert right_origin(right) == origin


def test_an_equal_value_elsewhere_changes_no_origin() -> None:
    asked = question(ITEMS + "slice(X, 0, 1) => slice(X, 2, 3)", "T: any")
    found = outcome(asked, {"d": 1}, n=[4], v="b", X=["a", "b", "b", "b"], Y=["b"] * 4)
    assert isinstance(found, Fails)
    assert found.parting == Origins(EntryOf("X", (0,)), EntryOf("X", (2,)))  # type: ignore[arg-type]


def test_the_axis_on_which_shapes_differ() -> None:
    items = "axes A\naxis d\nmap n on A\nmap m on d\ntensor X: T[d: m, A: n]\nX => slice(X, A: (0, 1))"
    found = outcome(question(items), {"A": 2, "d": 1}, n=[1, 2], m=[3], X=((3, 1, 2), "a b c d e f"))
    assert isinstance(found, Fails)
    assert found.parting == Sizes("A", 1, 2, 1)  # type: ignore[arg-type]


def test_the_reverse_claim_names_its_sides_as_they_are_written() -> None:
    asked = question("axis d\nmap n on d\ntensor X: T[d: n]\nX <=> reverse(X, d)", direction="<=")
    found = outcome(asked, {"d": 1}, n=[2], X=["a", "b"])
    assert isinstance(found, Fails)
    assert found.parting == Origins(EntryOf("X", (0,)), EntryOf("X", (1,)))  # type: ignore[arg-type]
