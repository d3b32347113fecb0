"""Syntax errors: one code each, at the place where it is."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from msgspec.structs import asdict

from rewright.syntax.errors import DEEPEST
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Diagnosis
from rewright.verdict.diagnostics.syntax import ChainedComparison, TextTooLong


def found(source: str) -> list[tuple[str, str, str]]:
    """The problems of the text, each with its arguments and the text at its place."""
    parsed = parse(Text.of("file:///a.rw", source))
    return [
        (problem.diagnosis.code, "; ".join(_shown(problem.diagnosis)), parsed.text.slice(problem.span))
        for problem in parsed.problems
    ]


def _shown(diagnosis: Diagnosis) -> Iterator[str]:
    for fact in asdict(diagnosis).values():
        yield ", ".join(fact) if isinstance(fact, tuple) else str(fact)


def inside(source: str) -> list[tuple[str, str, str]]:
    return found(f"rule r {{\n{source}\n}}")


@pytest.mark.parametrize(
    ("source", "code", "arguments", "place"),
    [
        ("axes A )", "RW001", ")", ")"),
        ("X => f(a b)", "RW001", "b", "b"),
        ("X => a b[1]", "RW001", "b", "b"),
        ("where a == = b", "RW001", "=", "="),
        ("map n on", "RW002", "an axis group", "n"),
        ("map n", "RW002", "`on` and an axis group", "n"),
        ("tensor X:", "RW002", "a type", ":"),
        ("tensor", "RW002", "a name", "r"),
        ("let e", "RW002", "`=` and a value", "e"),
        ("where", "RW002", "a predicate", "e"),
        ("check over", "RW002", "an element type", "r"),
        ("X", "RW002", "`=>` and a right side", "X"),
        ("X => f(a, A: )", "RW002", "a value", ":"),
        ("X => f(a + )", "RW002", "an operand of `+`", "+"),
        ("let e = a +", "RW002", "an operand of `+`", "+"),
        ("tensor X: T[A: ]", "RW002", "a size", ":"),
        ("X => f(a, I -> )", "RW002", "a name or a list of names", ">"),
        ("let e = thread.", "RW002", "a name after `.`", "."),
        ("X =>\nwhere 0 <= n", "RW002", "an expression", ">"),
        ("axes A\n@expect(refuted)", "RW004", "@expect(refuted)", "@expect(refuted)"),
        ("axes rule", "RW005", "rule", "rule"),
        ("where 0 <= a <= n", "RW006", "0 <= a, a <= n", "0 <= a <= n"),
        ("where a < b == c < d", "RW006", "a < b, b == c, c < d", "a < b == c < d"),
        ("let e = 1.", "RW007", "1", "1."),
        ("let e = f(1., 2)", "RW007", "1", "1."),
        ('let e = f("a', "RW008", "", '"a'),
    ],
)
def test_problems_of_items(source: str, code: str, arguments: str, place: str) -> None:
    assert (code, arguments, place) in inside(source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("rule", [("RW002", "a name", "e")]),
        ("rule a", [("RW002", "`{`", "a")]),
        ("rule a {\n axes A\n", [("RW003", "rule `a`", "{")]),
        ("rule a { example { A = 1", [("RW003", "rule `a`", "{"), ("RW003", "example", "{")]),
        ("rule a<T: any {\n}", [("RW002", "`>`", "y")]),
        ("kernel k(x: in s32[N] {\n}", [("RW002", "`)`", "]")]),
        ("kernel k {\n if a {\n s[i] = 0\n}", [("RW003", "kernel `k`", "{")]),
        ("kernel k {\n for i {\n }\n}", [("RW002", "`in` and a range", "i")]),
        ("kernel k {\n if a { }\n else { }\n}", [("RW001", "else", "else"), ("RW001", "}", "}")]),
        ("kernel k {\n launch grid(1), x: in f32[n]\n}", [("RW001", ": in", ": in")]),
        ('graph g\n from "a.hlo"', [("RW001", "from", "from")]),
        ("equivalent a ~", [("RW002", "a name", "~")]),
        ("refine a of", [("RW002", "a graph", "f")]),
        ("import", [("RW002", "a path in quotes", "t")]),
        ('import "a', [("RW008", "", '"a')]),
        ("rule a { axes A, 3; X X => Y }", [("RW001", ", 3", ", 3"), ("RW001", "X", "X")]),
        ("rule a {\n tensor X, Y T[A: n]\n}", [("RW001", "T", "T")]),
        ("rule a {\n tensor X: T[A: n\n tensor Y: T[A: n]\n X => Y\n where 0 < n\n}", [("RW002", "`]`", "n")]),
        ("rule a {\n X => f(g(X)\n where 0 < n\n}", [("RW002", "`)`", ")")]),
        ("rule a {\n X => Y)\n where 0 < n < 2\n}", [("RW001", ")", ")"), ("RW006", "0 < n, n < 2", "0 < n < 2")]),
        ("@expect(refuted) rule a { X => X }", [("RW004", "@expect(refuted)", "@expect(refuted)")]),
        ("@expect(refuted)", [("RW004", "@expect(refuted)", "@expect(refuted)")]),
        ("foo", [("RW001", "foo", "foo")]),
        ("rule a { X => X }\n}\n", [("RW001", "}", "}")]),
        ("rule a {\n axes rule\n X => X\n}", [("RW005", "rule", "rule")]),
    ],
)
def test_problems_of_declarations(source: str, expected: list[tuple[str, str, str]]) -> None:
    assert found(source) == expected


def test_an_error_in_one_declaration_is_its_own() -> None:
    parsed = parse(Text.of("u", "rule a {\n axes )\n}\n\nrule b { X => X }\n\nfoo\n"))
    first, second = parsed.file.declarations
    assert [problem.diagnosis.code for problem in first.problems] and second.problems == ()
    assert [(p.diagnosis.code, parsed.text.slice(p.span)) for p in parsed.outside] == [("RW001", "foo")]
    assert set(parsed.problems) > set(parsed.outside)


def test_text_after_an_open_brace_belongs_to_the_declaration() -> None:
    parsed = parse(Text.of("u", "rule a {\n axes A\n X => f(\n"))
    (placed,) = parsed.file.declarations
    assert parsed.outside == () and placed.problems and placed.span.end == len("rule a {\n axes A\n X => f(")


@pytest.mark.parametrize(
    "source",
    [
        "rule a { X => " + "(" * 2 * DEEPEST + "Y" + ")" * 2 * DEEPEST + " }",
        "rule a { X => " + "Y + " * 3 * DEEPEST + "Y }",
        "kernel k {\n" + "if a {\n" * 2 * DEEPEST + "}\n" * 2 * DEEPEST + "}",
    ],
)
def test_what_is_nested_too_deeply_is_reported_and_not_read(source: str) -> None:
    parsed = parse(Text.of("u", source))
    (placed,) = parsed.file.declarations
    assert [problem.diagnosis.code for problem in parsed.problems] == ["RW009"]
    assert placed.node.head.name is not None and getattr(placed.node, "items", None) == ()


@pytest.mark.parametrize(
    "expression",
    [
        "(" * 10_000 + "Y" + ")" * 10_000,
        " + ".join(["Y"] * 10_000),
        "X, Y where " + " < ".join(["n"] * 5000),
        "X where " + "not " * 10_000 + "n == 1",
    ],
)
def test_what_is_nested_without_end_is_answered_at_once(expression: str) -> None:
    started = time.process_time()
    assert parse(Text.of("u", f"rule a {{ X => {expression} }}")).problems
    assert time.process_time() - started < 1.0


def test_a_long_chain_of_comparisons_is_reported_at_its_end() -> None:
    (found,) = parse(Text.of("u", "rule a { X => Y\n where " + " < ".join(["n"] * 2000) + " }")).problems
    assert found.diagnosis == ChainedComparison(("…", *["n < n"] * 10))


LONG = [
    (
        "rule b { " + "concatenate(" + "X, " * 30_000 + "d) => X }\n",
        "b",
        "the declaration has 88 KiB, more than the 64 KiB",
    ),
    ("rule b {\n" + "  tensor X: T[A: n]\n" * 5000 + "}\n", "b", "the declaration has 98 KiB, more than the 64 KiB"),
    ("kernel b() {\n" + "  y[0] = 1\n" * 10_000 + "}\n", "b", "the declaration has 108 KiB, more than the 64 KiB"),
    ("kernel b(" + "x: in f32[4], " * 10_000 + ") {\n}\n", None, "the declaration has 137 KiB, more than the 64 KiB"),
]


@pytest.mark.parametrize(("long", "name", "reason"), LONG)
def test_a_declaration_that_is_too_long_is_reported_at_its_place_and_leaves_the_others(
    long: str, name: str | None, reason: str
) -> None:
    text = Text.of("u", "rule a { X => X }\n" + long + "rule c { X => X }\n")
    started = time.process_time()
    parsed = parse(text)
    assert time.process_time() - started < 1.0
    names = [placed.node.head.name for placed in parsed.file.declarations]
    assert [each.text for each in names if each] == [each for each in ("a", name, "c") if each]
    (found,) = parsed.problems
    said = found.diagnosis
    assert isinstance(said, TextTooLong) and f"{said.what} {said.reason}" == f"{reason} that are read"
    assert text.position(found.span.start).line == 1


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("// " + "x" * (1 << 20), "has 1.1 MiB, more than the 1 MiB that are read"),
        ("rule a {}\n" * 5001, "has more than the 5,000 declarations that are read"),
        ("rule a {} " * 5001, "has more than the 5,000 declarations that are read"),
        ('import "a.rw"\r\n' * 20_000, "has more than the 5,000 declarations that are read"),
        ("((@ " * 30_000, "has 118 KiB, more than the 64 KiB that are read"),
    ],
)
def test_a_text_that_is_too_long_is_reported_at_its_start_and_not_read(source: str, reason: str) -> None:
    parsed = parse(Text.of("u", source), parse(Text.of("u", "rule a {}\n" * 10)))
    (found,) = parsed.outside
    assert parsed.file.declarations == () and parsed.problems == parsed.outside
    assert (found.diagnosis.code, found.diagnosis) == ("RW010", TextTooLong("the text", reason))
    assert found.span.start == 0 and found.span.end <= 120_000


def test_comments_may_be_long() -> None:
    parsed = parse(Text.of("u", "// a licence\n" * 10_000 + "rule a { X => X }\n" + "// the end\n" * 10_000))
    assert len(parsed.file.declarations) == 1 and parsed.problems == ()


def test_deep_text_without_a_declaration_is_read_as_nothing() -> None:
    parsed = parse(Text.of("u", "rule a<T = " + "(" * 50_000))
    assert parsed.problems


def test_too_deep_a_header_leaves_no_declaration() -> None:
    parsed = parse(Text.of("u", "@a(" + "(" * 200 + ")" * 200 + ")\nrule a { X => X }"))
    assert parsed.file.declarations == () and "RW009" in [problem.diagnosis.code for problem in parsed.outside]


def test_a_right_text_has_no_problems() -> None:
    assert inside("axes A+\nmap n on A\ntensor in: T[A: n]\nin => reverse(in, A)\nwhere 0 <= n, n <= 3") == []
