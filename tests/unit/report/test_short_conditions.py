"""Conditions in fewer words: what they are, and that they hold where the written ones do."""

from __future__ import annotations

import random
from itertools import product

import pytest

from rewright.model.file import check_file
from rewright.model.formula import Formula
from rewright.model.rule import Rule
from rewright.report.formulas.conditions import shortened
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

SHORT = {
    "n - 1 + 2 * k < n + k + 1": "k <= 1",
    "0 <= n - m": "m <= n",
    "n - m - 1 >= 0": "m < n",
    "n + 1 <= 0": "n <= -1",
    "2 * n - 3 > 2 * m + 2": "m + 3 <= n",
    "3 * n <= 7": "n <= 2",
    "-n < 0": "n >= 1",
    "n - 4 == m - 2": "n == m + 2",
    "2 * n != 2 * m": "n != m",
    "2 * n != 2 * m + 1": "true",
    "n * (m - 1) <= n * m": "n >= 0",
    "m - n < n - m": "m < n",
    "n >= n": "true",
}
NONE = ["n / 2 <= m", "n < n", "2 * n == 3", "min(n, m) >= 0", "not (n == 1)", "n == 1 or m == 2"]


@pytest.mark.parametrize("written", SHORT)
def test_what_is_shorter(written: str) -> None:
    assert shortened(_condition(written)) == SHORT[written]


@pytest.mark.parametrize("written", NONE)
def test_what_has_no_shorter_form(written: str) -> None:
    assert shortened(_condition(written)) is None


def test_a_short_condition_holds_where_the_written_one_does() -> None:
    rng = random.Random(4)
    compared = 0
    for _ in range(400):
        sides = (_side(rng) for _ in range(2))
        written = f" {rng.choice(['<=', '<', '>=', '>', '==', '!='])} ".join(sides)
        short = shortened(_condition(written))
        for n, m, k in product(range(-3, 4), repeat=3):
            values = {"n": n, "m": m, "k": k, "true": True}
            assert short is None or eval(short, {}, values) == eval(written, {}, values), (written, short)
            assert short is not None or not eval(written, {}, values), written
        compared += short is not None
    assert compared > 300


def _side(rng: random.Random) -> str:
    parts = [
        rng.choice(["n", "m", "k", "2 * n", "3 * m", "n * m", "2 * (k - n)", "1", "4"])
        for _ in range(rng.randint(1, 3))
    ]
    return "".join(f" {rng.choice('+-')} {part}" if place else part for place, part in enumerate(parts))


def _condition(written: str) -> Formula:
    text = f"rule asked<T: any> {{\naxis d\nint n, m, k\nscalar c: T\nc => c\nwhere {written}\n}}\n"
    (declared,) = check_file(parse(Text.of("asked.rw", text)), lambda path: None).declarations
    assert isinstance(declared.value, Rule), declared.findings
    (condition,) = declared.value.where
    return condition
