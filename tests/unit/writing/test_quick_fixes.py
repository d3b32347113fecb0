"""What mends a name or a word: each finding has its fix, and with it the declaration is right."""

from __future__ import annotations

import pytest
from written import problems, read

from rewright.syntax.formatting import formatted
from rewright.syntax.text import Span, Text
from rewright.verdict import Severity
from rewright.writing.quick_fixes import quick_fixes
from rewright.writing.unneeded import without

RIGHT = """\
@expect(proved)
rule r<T: num> {
  axes A
  map n, low on A
  tensor X: T[A: n]

  pad(X, 0, low = low) => max(pad(X, 0, low), X) - elem(1)
}
"""


@pytest.mark.parametrize(
    ("old", "new", "title"),
    [
        ("max(pad", "maxx(pad", "Change `maxx` to `max`"),
        ("low = low", "lo = low", "Change `lo` to `low`"),
        ("tensor X", "tensor Xs", "Change `X` to `Xs`"),
        ("tensor X", "tensor x", "Change `X` to `x`"),
        ("  axes A\n", "", "Declare `axes A`"),
        ("map n, low", "map n", "Declare `map low on A`"),
        ("=> max", "-> max", "Write `=>` for `->`"),
        ("=> max", "= max", "Write `=>` for `=`"),
        ("@expect", "@expekt", "Change to `@expect`"),
        ("=> max", "== max", "Write `=>` for `==`"),
        ("elem(1)", "elem(k)", "Declare `int k`"),
        ("- elem(1)", "- dot(X, X)", "Add `contract = A`"),
        ("- elem(1)", "- c", "Declare `scalar c: T`"),
        ("<T: num>", "", "Declare `T: num`"),
    ],
)
def test_a_mistake_has_its_fix(old: str, new: str, title: str) -> None:
    text = RIGHT.replace(old, new, 1)
    before = len(problems(text))
    parsed, model = read(text)
    placed, declared = parsed.file.declarations[0], model.declarations[0]
    wrong = [each for each in declared.findings if each.severity is Severity.ERROR]
    found = [fix for each in wrong for fix in quick_fixes(parsed.text, placed, declared, each)]
    chosen = next((fix for fix in found if fix.title == title), None)
    assert chosen is not None, [fix.title for fix in found]
    data = parsed.text.data
    for span, text_there in sorted(chosen.changes, reverse=True):
        data = data[: span.start] + text_there.encode() + data[span.end :]
    assert len(problems(data.decode())) < before
    assert formatted(Text.of("", data.decode())) == data.decode()


@pytest.mark.parametrize(
    ("text", "unneeded", "left"),
    [
        ("  where p, q, r\n", ["p"], "  where q, r\n"),
        ("  where p, q, r\n", ["q"], "  where p, r\n"),
        ("  where p, q, r\n", ["r"], "  where p, q\n"),
        ("  where p, q, r\n", ["p", "q"], "  where r\n"),
        ("  where p, q, r\n", ["q", "r"], "  where p\n"),
        ("  where p, q, r\n", ["p", "r"], "  where q\n"),
        ("  where p,\n    q\n", ["p", "q"], ""),
        ("  where p and q, r\n", ["q"], "  where p, r\n"),
        ("  where p and q, r\n", ["p", "r"], "  where q\n"),
        ("  where p and q\n  where r\n", ["p", "q"], "  where r\n"),
        ("  assume p, q\n", ["p"], "  assume q\n"),
    ],
)
def test_what_is_not_needed_is_left_out(text: str, unneeded: list[str], left: str) -> None:
    head = "rule s {\n  X => X\n"
    parsed, _ = read(head + text + "}\n")
    data = parsed.text.data
    starts = [
        data.index(name.encode(), data.index(b"where" if b"where" in data else b"assume") + 6) for name in unneeded
    ]
    spans = [Span(start, start + 1) for start in starts]
    for span in sorted(without(parsed.text, parsed.file.declarations[0], spans), reverse=True):
        data = data[: span.start] + data[span.end :]
    assert data.decode() == f"{head}{left}}}\n"
