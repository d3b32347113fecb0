"""Dot products, windows and convolutions on arrays small enough to work out by hand."""

from __future__ import annotations

import pytest
from replaying import left_value, outcome, question

from rewright.replay.outcomes import NotAnInput

PAIR = "axes A, B, C\nmap n on A\nmap m on B\nmap k on C\ntensor X: T[A: n, C: k]\ntensor Y: T[B: m, C: k]\n"


def pair(expression: str, k: int = 3) -> tuple[tuple[int, ...], str]:
    """The value of an expression in X, rows 1 2 3 and 4 5 6 cut to k, and Y, one row 1 10 100 cut to k."""
    rows = " ".join(" ".join("123456"[start : start + k]) for start in (0, 3))
    values = {"X": ((2, k), rows), "Y": ((1, k), " ".join(["1", "10", "100"][:k])), "n": [2], "m": [1], "k": [k]}
    ranks = {"A": 1, "B": 1, "C": 1}
    return left_value(f"{PAIR}{expression} => {expression}", ranks, parameter="T: num", **values)


def test_dot_is_a_matrix_product() -> None:
    assert pair("dot(X, Y, contract = C)") == ((2, 1), "321 654")
    assert pair("dot(Y, X, contract = C)") == ((1, 2), "321 654")


def test_dot_over_nothing_is_zero() -> None:
    assert pair("dot(X, Y, contract = C)", 0) == ((2, 1), "0 0")


def test_a_batch_group_is_kept() -> None:
    assert pair("dot(X, Y, batch = C)") == ((2, 3, 1), "1 20 300 4 50 600")


LINE = "axis d\nint n\nscalar z: T\ntensor X: T[d: n]\n"


def line(expression: str) -> tuple[tuple[int, ...], str]:
    """The value of an expression in X, which is 1 2 3 4, and z, which is 7."""
    items = f"{LINE}{expression} => {expression}"
    return left_value(items, {"d": 1}, n=4, z="7", X=((4,), "1 2 3 4"), parameter="T: num")


@pytest.mark.parametrize(
    ("attributes", "elements"),
    [
        ("2", "3 5 7"),
        ("2, 2", "3 7"),
        ("3, 1, 1, 1", "3 6 9 7"),
        ("2, 1, 1, -2", "1 3"),
        ("2, 1, -2", "7"),
        ("2, 1, 0, 0, 2", "1 2 2 3 3 4"),
        ("2, 1, 0, 0, 1, 3", "5"),
        ("5", ""),
        ("1, 1, -2, -3", ""),
        ("4, low = 3", "1 3 6 10"),
        ("2, low = 1, init = z", "15 10 12 14"),
    ],
)
def test_windows(attributes: str, elements: str) -> None:
    assert line(f"reduce_window(add, X, {attributes})") == ((len(elements.split()),), elements)


def test_a_window_of_maxima_of_padding_alone_is_lowest() -> None:
    assert line("reduce_window(max, X, 2, 3, 2)") == ((2,), "-inf 3")


IMAGES = "axis b, f, o, d\nint g\ntensor X: T[b: 2, f: 2, d: 3]\ntensor W: T[o: 2, f: g, d: 2]\n"
X = ((2, 2, 3), "1 2 3 4 5 6 1 1 1 2 2 2")


def convolution(attributes: str, kernel: str) -> tuple[str, dict[str, object]]:
    """A rule that says nothing of a convolution, and the values of its names; the kernel has two output features."""
    expression = f"convolution(X, W, batch = b, feature = f, output = o, {attributes})"
    channels = len(kernel.split()) // 4
    return f"{IMAGES}{expression} => {expression}", {"X": X, "W": ((2, channels, 2), kernel), "g": channels}


@pytest.mark.parametrize(
    ("attributes", "kernel", "shape", "elements"),
    [
        ("stride = 1", "1 10 100 1000 2 0 0 0", (2, 2, 2), "5421 2 6532 4 2211 2 2211 2"),
        ("stride = 2", "1 10 100 1000 2 0 0 0", (2, 1, 2), "5421 2 2211 2"),
        ("reversal = true", "1 10 100 1000 2 0 0 0", (2, 2, 2), "4512 4 5623 6 2211 2 2211 2"),
        ("feature_groups = 2", "1 10 100 1000", (2, 2, 2), "21 5400 32 6500 11 2200 11 2200"),
        ("batch_groups = 2", "1 10 100 1000 2 0 0 0", (1, 2, 2), "5421 2 6532 2"),
    ],
)
def test_convolutions(attributes: str, kernel: str, shape: tuple[int, ...], elements: str) -> None:
    items, values = convolution(attributes, kernel)
    assert left_value(items, dict.fromkeys("bfod", 1), parameter="T: num", **values) == (shape, elements)


@pytest.mark.parametrize(
    ("attributes", "why"),
    [
        ("feature_groups = 0", "`convolution` feature_groups 0 is less than 1"),
        ("feature_groups = 2, batch_groups = 2", "`convolution` has both 2 feature_groups and 2 batch_groups"),
        ("batch_groups = 3", "`convolution` cannot cut an axis of size 2 into 3 parts"),
        ("feature_groups = 2", "`convolution` operands have 1 and 2 features"),
        ("window = 0", "`convolution` window 0 is less than 1 on axis 0 of d"),
    ],
)
def test_what_no_convolution_takes(attributes: str, why: str) -> None:
    items, values = convolution(attributes, "1 10 100 1000 2 0 0 0")
    found = outcome(question(items, "T: num"), dict.fromkeys("bfod", 1), **values)
    assert isinstance(found, NotAnInput)
    assert why in found.why
