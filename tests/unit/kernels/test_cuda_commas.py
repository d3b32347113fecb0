"""Assignments in lists with commas: where parentheses are put around them, and that places stay where they were."""

from __future__ import annotations

import pytest
from test_cuda_places import accesses

from rewright.frontends.cuda.reading.commas import grouped
from rewright.frontends.preprocessor import preprocess
from rewright.frontends.preset import NO_PRESET

READ = {
    "y = (f = a, g);": "y = ((f = a), g);",
    "(a = 1, b += 2, c);": "((a = 1), (b += 2), c);",
    "y = ((a = 1, b), c = d, e);": "y = (((a = 1), b), (c = d), e);",
    "return(a <<= 1, b >>= 2);": "return((a <<= 1), (b >>= 2));",
    "do { } while (a = 1, b);": "do { } while ((a = 1), b);",
    "y = (f = g<int, 2>(x), a < b, c > (d));": "y = ((f = g<int, 2>(x)), a < b, c > (d));",
    'y = (f = "(a = 1, b)"[0], c /* (d = 1, e) */);': 'y = ((f = "(a = 1, b)"[0]), c /* (d = 1, e) */);',
    "y = (f = ',', c = 1'000);": "y = ((f = ','), (c = 1'000));",
    "y = (f = T{1, 2}, f.x);": "y = ((f = T{1, 2}), f.x);",
    "y = (c ? x : z = 3, 1);": "y = ((c ? x : z = 3), 1);",
}


@pytest.mark.parametrize(("text", "spelled"), READ.items(), ids=READ)
def test_assignments_beside_commas_are_put_in_parentheses(text: str, spelled: str) -> None:
    assert _grouped(text) == spelled


@pytest.mark.parametrize(
    "text",
    [
        "f(a = 1, b);",
        "int f(int a = 1, int b = 2);",
        "int operator()(int = 1, int = 2);",
        "auto f = [](int a = 1, T *p = 0) { return a; };",
        "int (f)(int a = 1, T b = 2);",
        "int (f)(const T &a = x, A<int> b = y);",
        "for (i = 0, j = 1; i < n; i += 1, j -= 1) { }",
        "if (a = 1, b) { }",
        "y = (a == 1, b <= 2, c != 3, d >= 4);",
        "y = (a, b);",
        "y = (a = 1);",
        "y = (a = 1, b",
        "y = (a = 1, b]);",
        "int list[] = {(1), x = 2, y};",
    ],
)
def test_other_lists_stay_as_they_are(text: str) -> None:
    assert _grouped(text) == text


def test_a_text_full_of_nested_lists_is_read_in_one_pass() -> None:
    deep = "(a = 1, " * 20_000 + "b" + ")" * 20_000
    assert len(_grouped(deep)) == len(deep) + 2 * 20_000


def test_accesses_beside_commas_stand_where_they_are_written() -> None:
    before = "#define BOTH(i) (ints[i] = 1, reals[i] = 2, n)"
    assert accesses("reals[n] = (ints[n] = in[1], in[n]) + BOTH(3);", before) == [
        ("Load", "in[1]"),
        ("Store", "ints[n]"),
        ("Store", "BOTH(3)"),
        ("Store", "BOTH(3)"),
        ("Load", "(ints[n] = in[1], in[n])"),
        ("Store", "reals[n]"),
    ]
    lines = "\\\r\n(ints[n]\\\r\n = in[1],\r\n in[n])"
    assert accesses(f"reals[0] = {lines};")[0] == ("Load", "in[1]")
    assert accesses(f"reals[0] = {lines};")[1] == ("Store", "ints[n]")


def _grouped(text: str) -> str:
    return grouped(preprocess("a.cu", {"a.cu": text}, {}, NO_PRESET)).text.decode()
