"""The one layout: what a text becomes, and that nothing but blanks and empty lines changes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from grammar_corpus import Case, cases

from rewright.syntax.formatting import formatted, formatting
from rewright.syntax.leaves import leaves
from rewright.syntax.parsed import parse
from rewright.syntax.text import Span, Text
from rewright.syntax.tree import tree_of

SPEC = Path(__file__).parents[2] / "spec"
BLOCKS = [
    block
    for page in sorted(SPEC.glob("*.md"))
    for block in re.findall(r"^```rw.*?\n(.*?)^```", page.read_text(), re.S | re.M)
]


def laid_out(text: str) -> str:
    """A text in its layout, which has the words and the tree that the text has, and is its own layout."""
    result = formatted(Text.of("a.rw", text))
    assert formatted(Text.of("a.rw", result)) == result
    assert words(result) == words(text)
    assert str(tree_of(result.encode()).root_node) == str(tree_of(text.encode()).root_node)
    return result


def words(text: str) -> list[tuple[bytes, str]]:
    """All words of a text, comments among them, without the blanks that end a comment."""
    data = text.encode()
    return [(data[leaf.start : leaf.end].rstrip(), leaf.kind) for leaf in leaves(tree_of(data).root_node)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("\n\n", "\n\n"),
        ("rule r{}", "rule r {}\n"),
        ("rule  r < T:any > {X=>X}", "rule r<T: any> { X => X }\n"),
        ("rule r {\n\n\naxes A\n\n\n\nX => X\n\n}\n\n\n", "rule r {\n  axes A\n\n  X => X\n}\n"),
        ("rule r {\naxes A+~B ,C\n X\n=> X\n}", "rule r {\n  axes A+ ~ B, C\n  X\n    => X\n}\n"),
        (
            "rule r {\n  f(X)\n    => g(X,\n Y) +\n h( - X )\n}",
            "rule r {\n  f(X)\n    => g(X,\n      Y) +\n      h(-X)\n}\n",
        ),
        ("rule r {\n where a<=b,\nnot(c==d)\n}", "rule r {\n  where a <= b,\n    not (c == d)\n}\n"),
        (
            '@expect ( refuted ,over=f32 )\n/// d\nkernel k<N=4>( x :in f32[ N ],\n y: f32\n)from "a" :: k < N >{}',
            '@expect(refuted, over = f32)\n/// d\nkernel k<N = 4>(x: in f32[N],\n  y: f32\n) from "a"::k<N> {}\n',
        ),
        (
            "kernel k() {\nfor i in 0 .. 4,j in 1..2 step 2 {\nif i<j {\nx [i]+=thread . x\n} else {\nreturn\n}\n}\n}",
            "kernel k() {\n  for i in 0..4, j in 1..2 step 2 {\n    if i < j {\n      x[i] += thread.x\n    } else {\n"
            "      return\n    }\n  }\n}\n",
        ),
        (
            "rule r {\naxes A// one\naxis longer   // two\n\nint k //three\n  // four\n}",
            "rule r {\n  axes A       // one\n  axis longer  // two\n\n  int k  //three\n  // four\n}\n",
        ),
        ("rule a {}\r\n\r\n\r\nrule b {\r\nX=>X\r\n}", "rule a {}\r\n\r\nrule b {\r\n  X => X\r\n}\r\n"),
        (
            "rule bad { axes 1 2 (\n}\n\n\nrule   good   {}\n",
            "rule bad { axes 1 2 (\n}\n\n\nrule good {}\n",
        ),
        (
            "rule r {\n  let ( a,b )=reduce( (add,max),[ X ],C )\n}",
            "rule r {\n  let (a, b) = reduce((add, max), [X], C)\n}\n",
        ),
        (
            "rule r {\n  tensor Xs ... k,Y:T[d:n]\n  add( Xs+Y ... ,Y)=>Y\n}",
            "rule r {\n  tensor Xs...k, Y: T[d: n]\n  add(Xs + Y..., Y) => Y\n}\n",
        ),
        (
            "rule r {\n  assume forall i on A,j in 0..2:X[i]==0\n}",
            "rule r {\n  assume forall i on A, j in 0..2: X[i] == 0\n}\n",
        ),
        ("rule r {\n  transpose(X,[I,J]->[J,I])=>X@Y\n}", "rule r {\n  transpose(X, [I, J] -> [J, I]) => X @ Y\n}\n"),
        ("rule r {\n  tensor 𝒳 :T[ A:n ]   \n}", "rule r {\n  tensor 𝒳: T[A: n]\n}\n"),
    ],
)
def test_a_text_has_one_layout(text: str, expected: str) -> None:
    assert formatted(Text.of("a.rw", text)) == expected
    assert formatted(Text.of("a.rw", expected)) == expected


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_the_grammar_s_corpus_keeps_its_trees(case: Case) -> None:
    laid_out(case.source.decode())


def test_the_blocks_of_the_pages_keep_their_trees_and_comments() -> None:
    for block in BLOCKS:
        laid_out(block)


def test_only_declarations_in_a_range_are_formatted() -> None:
    text = Text.of("a.rw", "rule  a {}\n\nrule  b {}\n\nrule  c {}\n")
    changes = formatting(parse(text), Span(text.data.index(b"b"), text.data.index(b"b")))
    assert [text.slice(change.span) for change in changes] == ["  "]
