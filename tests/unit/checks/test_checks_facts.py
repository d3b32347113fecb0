"""The sentence of a counterexample: where the sides part, in words, as the message of its finding."""

from __future__ import annotations

import pytest
from test_checks_rule import ask

from rewright.report.codes import sentence
from rewright.verdict import Verdict

ITEMS = "axis d\nmap n on d\nscalar v: T\ntensor X, Y: T[d: n]\n"


def message(items: str, parameter: str = "T: any", direction: str = "=>") -> str:
    """The message without the values in parentheses at its end."""
    found = ask(items, parameter, direction)
    assert found.verdict is Verdict.REFUTED, found
    (finding,) = found.findings
    return sentence(finding.diagnosis).rsplit(" (ranks", 1)[0]


@pytest.mark.parametrize(
    ("sides", "sentence_"),
    [
        ("reverse(X, d) => X", "at [0] the left reads X[1] = 2, the right reads X[0] = 1"),
        ("pad(X, v, 1) => pad(X, v, 0, 1)", "at [0] the left reads the padding v = 0, the right reads X[0] = 1"),
        ("slice(X, 0, 1) => broadcast(v, d: 1)", "at [0] the left reads X[0] = 1, the right reads v = 0"),
        (
            "X => slice(X, 0, n - 1)",
            "the right side is not valid: `slice` start 0 exceeds the limit -1 on axis 0 of d",
        ),
        ("X => pad(X, v, 1)", "the left side has size 0 on axis 0 of d, the right side 1"),
    ],
)
def test_data_that_is_moved(sides: str, sentence_: str) -> None:
    assert message(ITEMS + sides) == sentence_


@pytest.mark.parametrize(
    ("sides", "sentence_"),
    [
        ("X + 1 => X", "at [0] the left is 2 (1 + 1), the right reads X[0] = 1"),
        ("X - X => broadcast(1, d: n)", "at [0] the left is 0 (1 - 1), the right is the constant 1"),
        ("X - X => pad(X, 1, 0 - n, n)", "at [0] the left is 0 (1 - 1), the right reads the padding, 1"),
        ("broadcast(2, d: n) => 1 + iota(int, d, d: n)", "at [0] the left is the constant 2, the right is 1 (1 + 0)"),
        (
            "broadcast(1, d: n) => iota(int, d, d: n)",
            "at [0] the left is the constant 1, the right is 0, the index along d",
        ),
        ("max(X, Y) => -X", "at [0] the left is 2 (max(1, 2)), the right is -1"),
        ("X / Y => X", "at [0] the left is 0 (1 / 2), the right reads X[0] = 1"),
        ("X => X / (Y - Y)", "at [0] the left reads X[0] = 1, the right is undefined (1 / 0)"),
        ("broadcast(elem(7), d: n) => X", "at [0] the left is 7, the right reads X[0] = 1"),
        ("X < Y => X == Y", "at [0] the left is true (1 < 2), the right is false (1 == 2)"),
        ("sign(X) => -sign(X)", "at [0] the left is 1 (sign(1)), the right is -1"),
    ],
)
def test_data_that_is_computed(sides: str, sentence_: str) -> None:
    assert message(ITEMS + sides, "T: int") == sentence_


def test_the_reverse_claim_begins_with_its_premise() -> None:
    found = message(ITEMS + "X <=> reverse(X, d)", direction="<=")
    assert found == "at [0] the right reads X[1] = 2, the left reads X[0] = 1"


def test_at_rank_zero_there_is_no_index_to_show() -> None:
    items = "axes A\nmap n on A\ntensor X, Y: T[A: n]\nX => Y"
    assert message(items) == "the left reads X = 1, the right reads Y = 2"


def test_several_groups_have_an_index_each() -> None:
    items = "axes I ~ J\nmap n on I\ntensor X: T[I: n, J: n]\nX => transpose(X, I -> J, J -> I)"
    assert message(items) == "at I [0], J [1] the left reads X[0, 1] = 2, the right reads X[1, 0] = 3"
