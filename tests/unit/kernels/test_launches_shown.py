"""Launches as they are shown: no more parentheses than C needs, and the same value."""

from __future__ import annotations

import random

import pytest

from rewright.frontends.cuda.launches.shown import launch_shown, shown

EXPRESSIONS = {
    "(((n + 256) - 1) / 256)": "(n + 255) / 256",
    "((((rows * cols) / 4) + 256) - 1)": "rows * cols / 4 + 255",
    "(n - (m - 1))": "n - (m - 1)",
    "((n + 1) - 1)": "n",
    "((n + 1) - 2)": "n + 1 - 2",
    "(n / (m * 2))": "n / (m * 2)",
    "(-(n + 1))": "-(n + 1)",
    "(n * (-4))": "n * (-4)",
    "min(((n + 3) / 4), p.shape)": "min((n + 3) / 4, p.shape)",
    "select((n > 4), (n << 1), 8)": "select(n > 4, n << 1, 8)",
    "(n % 4) + $": "(n % 4) + $",
    "(n": "(n",
}


@pytest.mark.parametrize(("written", "expected"), EXPRESSIONS.items())
def test_parentheses_are_those_that_are_needed(written: str, expected: str) -> None:
    assert shown(written) == expected


def test_what_is_shown_has_the_same_value() -> None:
    chosen = random.Random(7)

    def made(depth: int) -> str:
        if depth == 0 or chosen.random() < 0.2:
            return chosen.choice(["1", "3", "n", "m"])
        operator = chosen.choice(["+", "-", "*", "//", "%", "<<", "|", "&"])
        right = made(depth - 1) if operator != "<<" else "2"
        return f"({made(depth - 1)} {operator} {right})"

    for _ in range(500):
        written = made(4).replace("//", "/")
        values = {"n": 12, "m": 5}
        pair = [eval_or_none(each.replace("/", "//"), values) for each in (written, shown(written))]
        assert pair[0] == pair[1], written


def eval_or_none(written: str, values: dict[str, int]) -> int | None:
    """The value of an expression, None where it divides by zero."""
    try:
        return int(eval(written, {}, values))
    except ZeroDivisionError:
        return None


def test_axes_and_shared_memory() -> None:
    assert launch_shown(["8"], ["(n * 2)", "4"], None) == "<<<8, (n * 2, 4)>>>"
    assert launch_shown(["8"], ["32"], "0") == "<<<8, 32>>>"
    assert launch_shown(["8"], ["32"], "(4 * n)") == "<<<8, 32, 4 * n>>>"
