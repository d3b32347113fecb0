"""Parsing under random text and random edits: it never fails, and what came before does not matter."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rewright.syntax.outline import folds, outline
from rewright.syntax.parsed import Parsed, parse
from rewright.syntax.text import PositionEncoding, Span, Text
from rewright.syntax.tokens import tokens
from rewright.syntax.tree import tree_of

PAGE = (Path(__file__).parents[2] / "tests" / "spec" / "declarations.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```rw\n(.*?)^```", PAGE, re.S | re.M)
SCRAPS = [
    "rule",
    "}",
    "{",
    "(",
    ")",
    "\n",
    "\r\n",
    "\r",
    "@a(",
    "///",
    '"',
    "=>",
    "..",
    "1.",
    "<=",
    "é",
    "e\u0301",
    "𝔸",
    "\0",
]

scraps = st.sampled_from(SCRAPS) | st.text(max_size=4)
random_text = st.lists(scraps | st.sampled_from(["axes A\n", "kernel k {\n", "for i in 0..N {", "[A: n]", " "])).map(
    "".join
)
edits = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), scraps), min_size=1, max_size=4)
quick = settings(max_examples=60)


def of(source: str) -> Text:
    return Text.of("file:///a.rw", source)


def edited(source: str, at: float, removed: int, inserted: str) -> str:
    start = int(at * len(source))
    return source[:start] + inserted + source[start + removed :]


def said(parsed: Parsed) -> object:
    """Everything that was read, without the trees."""
    pieces = tuple((start, replace(piece, tree=None)) for start, piece in parsed.pieces)
    return parsed.file, parsed.problems, parsed.outside, [(s, p.source, p.digest, p.declaration) for s, p in pieces]


def check(parsed: Parsed) -> None:
    """What holds of every text."""
    size = len(parsed.text.data)
    assert b"".join(piece.source for _, piece in parsed.pieces) == parsed.text.data
    ends = [0]
    for placed in parsed.file.declarations:
        assert ends[-1] <= placed.start <= placed.span.end <= size
        ends.append(placed.span.end)
    for problem in parsed.problems:
        assert 0 <= problem.span.start <= problem.span.end <= size
        assert problem.span.start < problem.span.end or size == 0
    spans = [token.span.shifted(start) for start, group in tokens(parsed) for token in group]
    assert all(0 <= span.start < span.end <= size for span in (*spans, *folds(parsed)))
    assert len(outline(parsed)) == len(parsed.file.declarations)


@quick
@given(random_text)
def test_random_text_is_read(source: str) -> None:
    parsed = parse(of(source))
    check(parsed)
    if parsed.text.data.strip() and not parsed.problems:
        assert not any(piece.tree.root_node.has_error for _, piece in parsed.pieces)


@quick
@given(st.sampled_from(BLOCKS), edits)
def test_an_edited_text_reads_as_if_it_were_new(source: str, changes: list[tuple[float, int, str]]) -> None:
    parsed = parse(of(source))
    for at, removed, inserted in changes:
        source = edited(source, at, removed, inserted)
        parsed = parse(of(source), parsed)
        check(parsed)
    assert said(parsed) == said(parse(of(source)))


@quick
@given(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=3), st.sampled_from(["\n", "\r\n", "\r"]))
def test_pieces_of_right_text_are_those_of_the_whole_tree(blocks: list[str], line_end: str) -> None:
    source = "".join(blocks).replace("\n", line_end)
    parsed = parse(of(source))
    whole = [child for child in tree_of(source.encode()).root_node.children if child.type.endswith("_declaration")]
    assert parsed.problems == ()
    assert [placed.span.end for placed in parsed.file.declarations] == [child.end_byte for child in whole]
    shown = [str(child) for _, piece in parsed.pieces for child in piece.tree.root_node.children]
    assert [text for text in shown if "_declaration" in text] == [str(child) for child in whole]


@quick
@given(st.sampled_from(BLOCKS), st.floats(0, 1), st.integers(0, 5), scraps)
def test_declarations_above_and_below_an_edit_are_the_same(source: str, at: float, removed: int, inserted: str) -> None:
    # what is put at the very end, as a comment or an attribute, belongs to the next declaration
    above, below = "rule above { X => X }\n", "\nrule next { X => X }\nrule below { X => X }\n"
    before = parse(of(above + source + below))
    after = parse(of(above + "\n" + edited(source, at, removed, inserted) + below), before)
    assert after.file.declarations[-1].node is before.file.declarations[-1].node
    assert after.file.declarations[0].node == before.file.declarations[0].node


@quick
@given(random_text, st.sampled_from(list(PositionEncoding)))
def test_positions_go_there_and_back(source: str, encoding: PositionEncoding) -> None:
    text = of(source)
    for offset in range(len(text.data) + 1):
        position = text.position(offset, encoding)
        back = text.offset(position, encoding)
        assert back <= offset and text.position(back, encoding) == position
        assert text.slice(Span(back, offset)).strip("\r\n\ufffd") == "" or offset == back


def test_a_huge_file() -> None:
    source = "".join(f"/// {n}\n{BLOCKS[0]}\n".replace("dynamic_slice_to_slice", f"r{n}") for n in range(800))
    assert source.count("\n") > 10_000
    before = parse(of(source))
    after = parse(of(source.replace("rule r400<", "rule q400<")), before)
    assert len(before.file.declarations) == 800 and before.problems == ()
    kept = sum(a.node is b.node for a, b in zip(before.file.declarations, after.file.declarations, strict=True))
    assert kept == 799


def test_the_empty_file() -> None:
    parsed = parse(of(""))
    check(parsed)
    assert parsed.file.declarations == () and parsed.problems == ()
