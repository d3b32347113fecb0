"""What an editor shows of a file's structure."""

from __future__ import annotations

from itertools import pairwise

from rewright.syntax.outline import OutlineSymbol, folds, outline
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.syntax.tokens import tokens

SOURCE = """/// A rule.
@expect(refuted)
rule r<T: any> {
  axes A ~ B
  map n on A
  tensor X: T[A: n]   // the operand
  reverse(X, A) => X
  where 0 <= n
}

kernel k(x: in s32[N]) {
  shared s: s32[4]
  for i in 0..N {
    s[i] = "é"
  }
}
equivalent k ~ l
refine a of b
import "other.rw"
loops l(T) {
  for t in 0..T { S: A[t] = 0 }
}
"""


def children(symbol: OutlineSymbol) -> list[tuple[str, str]]:
    return [(child.kind, child.name) for child in symbol.children]


def test_outline() -> None:
    parsed = parse(Text.of("u", SOURCE))
    rule, kernel, *others = outline(parsed)
    assert (rule.kind, rule.name, parsed.text.slice(rule.selection)) == ("rule", "r", "r")
    assert children(rule) == [("axes", "A"), ("axes", "B"), ("map", "n"), ("tensor", "X")]
    assert children(kernel) == [("parameter", "x"), ("shared", "s")]
    assert [(s.kind, s.name) for s in others] == [
        ("equivalent", "k ~ l"),
        ("refine", "a of b"),
        ("import", "other.rw"),
        ("loops", "l"),
    ]
    assert children(others[-1]) == [("parameter", "T"), ("statement", "S")]
    for symbol in outline(parsed):
        assert symbol.span.start <= symbol.selection.start <= symbol.selection.end <= symbol.span.end
        for child in symbol.children:
            assert parsed.text.slice(child.selection) == child.name
            assert child.span.start <= child.selection.start <= child.selection.end <= child.span.end


def test_an_outline_of_half_typed_text() -> None:
    names = [
        (s.kind, s.name) for s in outline(parse(Text.of("u", "rule\nrule a {\n tensor\n map n\nequivalent\nimport")))
    ]
    assert names == [("rule", "rule"), ("rule", "a"), ("equivalent", "equivalent"), ("import", "import")]


def test_folds() -> None:
    parsed = parse(Text.of("u", SOURCE))
    first = [parsed.text.slice(span).split("\n")[0] for span in folds(parsed)]
    assert first == ["{", "(x: in s32[N])", "{", "{", "(T)", "{", "{ S: A[t] = 0 }"]


def test_tokens() -> None:
    parsed = parse(Text.of("u", SOURCE))
    found = [(token.span.shifted(start), token.capture) for start, group in tokens(parsed) for token in group]
    shown = [(parsed.text.slice(span), capture) for span, capture in found]
    for expected in [
        ("/// A rule.", "comment.documentation"),
        ("@", "attribute"),
        ("expect", "attribute"),
        ("rule", "keyword"),
        ("r", "function.definition"),
        ("any", "type"),
        ("A", "namespace"),
        ("reverse", "function"),
        ("=>", "operator"),
        ("// the operand", "comment"),
        ("0", "number"),
        ("in", "keyword.modifier"),
        ("x", "variable.parameter"),
        ("s32", "type"),
        ("for", "keyword.control"),
        ('"é"', "string"),
        ("S", "label"),
    ]:
        assert expected in shown
    assert all(before.end <= after.start for (before, _), (after, _) in pairwise(found))


def test_tokens_of_an_untouched_piece_are_kept() -> None:
    before = parse(Text.of("u", SOURCE))
    kept = dict.fromkeys(id(group) for _, group in tokens(before))
    after = parse(Text.of("u", SOURCE.replace("reverse", "revers")), before)
    assert sum(id(group) in kept for _, group in tokens(after)) == len(tokens(after)) - 1
