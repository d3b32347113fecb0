"""Each operator on arrays small enough to work out by hand, at ranks 0, 1 and 2."""

from __future__ import annotations

import pytest
from replaying import left_value, outcome, question

from rewright.replay.outcomes import NotAnInput

ONE = "axes A\nmap n, s, e, p on A\nscalar v: T\ntensor X: T[A: n]\n"


def one(expression: str, n: int, data: str, **maps: int) -> tuple[tuple[int, ...], str]:
    """The value of an expression in `X` (one axis of size n), `v` (which is `*`) and the maps s, e, p."""
    values = {name: [maps.get(name, 0)] for name in "sep"}
    return left_value(f"{ONE}{expression} => {expression}", {"A": 1}, n=[n], v="*", X=((n,), data), **values)


@pytest.mark.parametrize(
    ("expression", "maps", "shape", "elements"),
    [
        ("slice(X, s, e)", {"s": 1, "e": 3}, (2,), "b c"),
        ("slice(X, s, e, p)", {"s": 0, "e": 4, "p": 3}, (2,), "a d"),
        ("slice(X, s, e)", {"s": 4, "e": 4}, (0,), ""),
        ("dynamic_slice(X, s, e)", {"s": 9, "e": 2}, (2,), "c d"),
        ("dynamic_slice(X, s, e)", {"s": -9, "e": 2}, (2,), "a b"),
        ("dynamic_update_slice(X, slice(X, 0, 2), s)", {"s": 1}, (4,), "a a b d"),
        ("dynamic_update_slice(X, slice(X, 0, 2), s)", {"s": 7}, (4,), "a b a b"),
        ("pad(X, v, s, e)", {"s": 1, "e": 2}, (7,), "* a b c d * *"),
        ("pad(X, v, s, e)", {"s": -1, "e": -2}, (1,), "b"),
        ("pad(X, v, s, e, p)", {"s": 1, "e": 0, "p": 1}, (8,), "* a * b * c * d"),
        ("pad(X, v, s, e, p)", {"s": -3, "e": 1, "p": 2}, (8,), "b * * c * * d *"),
        ("reverse(X, A)", {}, (4,), "d c b a"),
        ("broadcast(v, A: e)", {"e": 2}, (2,), "* *"),
    ],
)
def test_on_one_axis(expression: str, maps: dict[str, int], shape: tuple[int, ...], elements: str) -> None:
    assert one(expression, 4, "a b c d", **maps) == (shape, elements)


@pytest.mark.parametrize(
    "expression",
    [
        "slice(X, s, e, p)",
        "dynamic_slice(X, s, e)",
        "dynamic_update_slice(X, X, s)",
        "pad(X, v, s, e, p)",
        "reverse(X, A)",
        "select(true, X, broadcast(v, A: n))",
    ],
)
def test_at_rank_zero_there_is_one_element_and_no_attribute_matters(expression: str) -> None:
    found = left_value(f"{ONE}{expression} => {expression}", {"A": 0}, n=[], s=[], e=[], p=[], v="*", X=((), "a"))
    assert found == ((), "a")


@pytest.mark.parametrize(
    ("expression", "maps", "why"),
    [
        ("slice(X, s, e)", {"s": 3, "e": 2}, "`slice` start 3 exceeds the limit 2 on axis 0 of A"),
        ("slice(X, s, e)", {"s": -1, "e": 2}, "`slice` start -1 is negative on axis 0 of A"),
        ("slice(X, s, e)", {"s": 0, "e": 5}, "`slice` limit 5 exceeds the size 4 on axis 0 of A"),
        ("slice(X, s, e, p)", {"s": 0, "e": 0, "p": 0}, "`slice` stride 0 is less than 1 on axis 0 of A"),
        ("dynamic_slice(X, s, e)", {"e": 5}, "`dynamic_slice` length 5 exceeds the size 4 on axis 0 of A"),
        ("dynamic_slice(X, s, e)", {"e": -1}, "`dynamic_slice` length -1 is negative on axis 0 of A"),
        (
            "dynamic_update_slice(X, pad(X, v, 1, 0), s)",
            {},
            "`dynamic_update_slice` update of size 5 exceeds the size 4 on axis 0 of A",
        ),
        ("pad(X, v, s, e)", {"s": -5, "e": 0}, "`pad` result has the negative size -1 on axis 0 of A"),
        ("pad(X, v, 0, 0, p)", {"p": -1}, "`pad` interior padding -1 is negative on axis 0 of A"),
        ("broadcast(v, A: s)", {"s": -1}, "`broadcast` size -1 is negative on axis 0 of A"),
        (
            "select(true, X, slice(X, s, e))",
            {"s": 1, "e": 3},
            "`select` operands have the sizes 4 and 2 on axis 0 of A",
        ),
        ("slice(X, 0, n / s)", {"s": 0}, "divides by zero"),
    ],
)
def test_what_is_invalid(expression: str, maps: dict[str, int], why: str) -> None:
    values = {name: [maps.get(name, 0)] for name in "sep"}
    found = outcome(
        question(f"{ONE}{expression} => {expression}"), {"A": 1}, n=[4], v="*", X=((4,), "a b c d"), **values
    )
    assert isinstance(found, NotAnInput)
    assert "the left side is invalid" in found.why
    assert why in found.why


TWO = "axes A\naxis d\nmap n on A\nmap m, k on d\ntensor X: T[A: n, d: m]\ntensor Y: T[A: n, d: k]\n"


def two(expression: str) -> tuple[tuple[int, ...], str]:
    items = f"{TWO}{expression} => {expression}"
    return left_value(items, {"A": 1, "d": 1}, n=[2], m=[2], k=[1], X=((2, 2), "a b c d"), Y=((2, 1), "y z"))


@pytest.mark.parametrize(
    ("expression", "shape", "elements"),
    [
        ("concatenate(X, Y, d)", (2, 3), "a b y c d z"),
        ("concatenate(Y, X, Y, d)", (2, 4), "y a b y z c d z"),
        ("reverse(X, A)", (2, 2), "c d a b"),
        ("reverse(X, [A, d])", (2, 2), "d c b a"),
        ("slice(X, d: (1, 2))", (2, 1), "b d"),
        ("dynamic_update_slice(X, Y, d: 1)", (2, 2), "a y c z"),
    ],
)
def test_on_two_groups(expression: str, shape: tuple[int, ...], elements: str) -> None:
    assert two(expression) == (shape, elements)


def test_broadcast_adds_groups() -> None:
    items = "axes A, B\nmap n on A\nmap m on B\ntensor X: T[A: n]\nbroadcast(X, B: m) => broadcast(X, B: m)"
    shape, elements = left_value(items, {"A": 1, "B": 1}, n=[2], m=[3], X=["a", "b"])
    assert sorted(shape) == [2, 3]
    assert sorted(elements.split()) == ["a"] * 3 + ["b"] * 3


def test_transpose_renames_groups() -> None:
    declarations = "axes I ~ J\nmap n, m on I\ntensor X: T[I: n, J: m]\nlet t = transpose(X, I -> J, J -> I)\n"
    items = declarations + "slice(t, I: (0, 1)) => slice(t, I: (0, 1))"
    found = left_value(items, {"I": 1, "J": 1}, n=[2], m=[3], X=((2, 3), "a b c d e f"))
    assert sorted(found[1].split()) == ["a", "d"]


def test_iota_is_the_index_along_one_axis() -> None:
    items = "axes A\naxis d\nmap n on A\nmap m on d\niota(int, d, A: n, d: m) => iota(int, d, A: n, d: m)"
    assert left_value(items, {"A": 1, "d": 1}, n=[2], m=[3]) == ((2, 3), "0 1 2 0 1 2")
    assert left_value(items, {"A": 0, "d": 1}, n=[], m=[3]) == ((3,), "0 1 2")


REDUCED = "axes A, C\nmap n on A\nmap k on C\ntensor X: T[A: n, C: k]\n"


@pytest.mark.parametrize(
    ("reduction", "elements"),
    [
        ("reduce(add, X, C)", "6 15"),
        ("reduce(add, X, C, init = 10)", "16 25"),
        ("reduce(max, X, C)", "3 6"),
        ("reduce(min, X, C, init = 2)", "1 2"),
    ],
)
def test_reduce_combines_all_of_the_reduced_axes(reduction: str, elements: str) -> None:
    items = f"{REDUCED}{reduction} => {reduction}"
    found = left_value(items, {"A": 1, "C": 1}, n=[2], k=[3], X=((2, 3), "1 2 3 4 5 6"), parameter="T: num")
    assert found == ((2,), elements)


@pytest.mark.parametrize(
    ("reduction", "elements"),
    [
        ("reduce(add, X, C)", "0"),
        ("reduce(add, X, C, init = 7)", "7"),
        ("reduce(max, X, C)", "-inf"),
        ("reduce(min, X, C)", "inf"),
    ],
)
def test_reduce_over_nothing_is_the_initial_value(reduction: str, elements: str) -> None:
    items = f"{REDUCED}{reduction} => {reduction}"
    assert left_value(items, {"A": 0, "C": 1}, n=[], k=[0], X=((0,), ""), parameter="T: num") == ((), elements)
    assert left_value(items, {"A": 0, "C": 2}, n=[], k=[0, 2], X=((0, 2), ""), parameter="T: num") == ((), elements)


def test_reduce_over_a_group_of_rank_zero_is_the_element() -> None:
    items = f"{REDUCED}reduce(add, X, C, init = 1) => reduce(add, X, C, init = 1)"
    assert left_value(items, {"A": 1, "C": 0}, n=[2], k=[], X=["5", "6"], parameter="T: num") == ((2,), "6 7")
