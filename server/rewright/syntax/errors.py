"""Owns syntax errors: what is wrong with a piece of text, at its place.

Invariant: a text that is not of the language has at least one problem, a text that is has none.
It must not know the wording of messages, nor names beyond the reserved words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from rewright.syntax.cut import WORDS
from rewright.syntax.first_errors import ITEM, first_errors
from rewright.syntax.nodes import Problem
from rewright.syntax.places import first_line, last_character, line_end, line_start, opens_more, shown
from rewright.syntax.required import HALF_A_REWRITE, HAVE_PARTS, absent
from rewright.syntax.text import Span
from rewright.syntax.tree import preorder, span_of, text_of
from rewright.verdict.diagnostics.syntax import (
    ChainedComparison,
    MisplacedAttribute,
    NestedTooDeeply,
    NumberEndsInDot,
    SomethingMissing,
    UnclosedBrace,
    UnclosedString,
    UnexpectedText,
    WordAsName,
)

DEEPEST: Final = 100
"""Nodes nested deeper than this are not read: no text by a person is, and every reader may recurse."""

LINKS: Final = 10
"""Comparisons of a chain that are written apart in a message."""

_UNCLOSED: Final = ("body", "block", "example_item")
"""The nodes that end in a brace."""

_OPERATOR: Final = re.compile(r"[-+*/%@&|^~<>]|<<|>>|[<>=!]=|and|or|not|\.\.|=>")

_GOES_ON: Final = re.compile(rb"[ \t]*([-+*/%&|^]|[<>]|[<>=!]=|and\b|or\b)(?![=>/&|])")
"""The start of a line that begins with an operator between operands."""

_NO_RIGHT_SIDE: Final = re.compile(rb"(?:[-+*/%@&|^<>=,(\[:]|\b(?:and|or|not))[ \t\r\n]*\Z")

_NOTHING: Final = "\x01"
"""What the grammar wants behind a name that stands right behind an operand: no text has it."""

_MAY_BE_WRONG: Final = frozenset({*HAVE_PARTS, *_UNCLOSED, "chained_comparison", "attribute", "field", _NOTHING})
"""The nodes that may have a problem though the grammar takes them."""

_JOINT: Final = re.compile(rb"[ \t]*(else|from|of|at)\b")
"""Words that stand on the line of what they belong to; at the start of a line they are the error."""

_ITEM: Final = re.compile(ITEM)

_ENDS_IN_EXPRESSION: Final = re.compile(rb"[ \t]*(let|where|assume|check|define|requires|ensures)\b")
"""The beginning of a line that begins an item at whose end an expression stands."""

_INDENT: Final = re.compile(rb"[ \t]*")


def problems(root: Node, source: bytes) -> tuple[Problem, ...]:
    """Returns the problems of a piece of text in the order of their places, without those that follow from others."""
    found: list[Problem] = []
    silent_until = -1
    brace_lost = False
    is_grammatical = not root.has_error
    for node, depth in preorder(root, DEEPEST):
        if is_grammatical and depth < DEEPEST and node.type not in _MAY_BE_WRONG:
            continue
        if node.start_byte < silent_until:
            continue
        if depth == DEEPEST and node.child_count:  # below it nothing is looked at
            found.append(Problem(NestedTooDeeply(DEEPEST), first_line(node, source)))
            silent_until = node.end_byte
        brace_lost |= node.is_error and b"}" in (node.text or b"")
        for problem in _of(node, source):
            found.append(problem)
            silent_until = node.end_byte if node.type in ("ERROR", "chained_comparison") else silent_until
    reported = {_of_lines(problem, source) for problem in found}
    kept = (problem for problem in reported if not (brace_lost and isinstance(problem.diagnosis, UnclosedBrace)))
    return first_errors(sorted(kept, key=lambda problem: problem.span), source)


def _of_lines(problem: Problem, source: bytes) -> Problem:
    """The problem; of an item that goes on in a line that starts with an operator, that the line before must end in it.

    `+` and `-` may start an item: there it is the problem only if the item, or the one before, is half a rewrite.
    """
    if not isinstance(problem.diagnosis, SomethingMissing | UnexpectedText):
        return problem
    half = problem.diagnosis == SomethingMissing(HALF_A_REWRITE)
    start = line_start(source, problem.span.start)
    for place in (start, line_end(source, problem.span.start) + 1) if half else (start,):
        operator = _GOES_ON.match(source, place)
        if operator and _may_go_on(source, place) and (half or operator[1] not in (b"+", b"-")):
            what = f"`{operator[1].decode()}` at the end of the line before"
            return Problem(SomethingMissing(what), Span(*operator.span(1)))
    return problem


def _may_go_on(source: bytes, start: int) -> bool:
    """Whether the line before a place may be what its operator goes on with.

    Of an item that may have ended, only a line that is indented more goes on.
    """
    before = line_start(source, max(0, start - 1))
    line = source[before:start].strip()
    if line.startswith(b"//") or line[-1:] in (b"", b"{", b"}"):
        return False
    if not _ITEM.match(source, before):
        return True
    return bool(_ENDS_IN_EXPRESSION.match(source, before)) and _indent(source, start) > _indent(source, before)


def _indent(source: bytes, start: int) -> int:
    found = _INDENT.match(source, start)
    return 0 if found is None else len(found[0])


def with_misused_word(found: tuple[Problem, ...], declaration: Node, source: bytes) -> tuple[Problem, ...]:
    """Returns the problems with one of a declaration's word in the middle of a line, without those that follow from it.

    What follows from it: that a name is missing before it, that a brace is not closed, and all that stands after it.
    """
    word = declaration.child_by_field_name("word") or declaration
    start = word.start_byte
    kept = (
        problem
        for problem in found
        if not isinstance(problem.diagnosis, UnclosedBrace)
        and problem.span.start < start
        and source[problem.span.end : start].strip()
    )
    return (*kept, Problem(WordAsName(text_of(word)), span_of(word)))


def _of(node: Node, source: bytes) -> Iterator[Problem]:
    if node.is_missing and node.type in WORDS:
        yield from (_attribute(span_of(child), source) for child in _siblings(node) if child.type == "attribute")
    elif node.type == _NOTHING:
        yield from _juxtaposed(node, source)
    elif node.is_missing:
        yield _missing(node, source)
    elif node.is_error:
        yield _unexpected(node, source)
    elif node.type == "chained_comparison":
        yield _chained(node)
    elif node.type == "attribute" and not _alone(node, source):
        yield _attribute(span_of(node), source)
    elif node.type == "field" and node.child_by_field_name("name") is None:
        yield _ends_in_dot(node)
    elif node.type in _UNCLOSED and _opens(node) and node.children[-1].type != "}":
        yield _not_closed(node)
    else:
        what = absent(node)
        word = node.child_by_field_name("word")
        if what is not None and not (word and word.is_missing):
            yield Problem(SomethingMissing(what), last_character(source, node.end_byte))


def _siblings(node: Node) -> list[Node]:
    return [] if node.parent is None else node.parent.children


def _juxtaposed(node: Node, source: bytes) -> Iterator[Problem]:
    """A name right behind an operand; where something before it could not be read, that was told."""
    before = node.prev_sibling
    if before is not None and not any(child.is_error for child in _siblings(node)):
        yield _out_of_place(span_of(before), source)


def _missing(node: Node, source: bytes) -> Problem:
    what = {"identifier": "a name or an expression"}.get(node.type, f"`{node.type}`")
    return Problem(SomethingMissing(what), last_character(source, node.start_byte))


def _unexpected(node: Node, source: bytes) -> Problem:
    first = node.children[0] if node.children else node
    if first.type in ("attribute", "@"):
        return _attribute(first_line(first if first.type == "attribute" else node, source), source)
    place = first_line(node, source)
    quote = source.find(b'"', place.start, place.end)
    if quote >= 0 and source.count(b'"', quote, place.end) % 2:
        return Problem(UnclosedString(), Span(quote, line_end(source, quote)))
    if source[place.start : place.start + 1] in (b"(", b"[") and opens_more(source, place):
        return Problem(SomethingMissing("`)`" if source[place.start] == ord("(") else "`]`"), place)
    return _out_of_place(place, source)


def _out_of_place(place: Span, source: bytes) -> Problem:
    """Unexpected text; where it begins an item, what is wrong is that the line above goes on."""
    start = line_start(source, place.start)
    item = _ITEM.match(source, start)
    if (
        item
        and _NO_RIGHT_SIDE.search(source, 0, start)
        and not source[item.end() : max(item.end(), place.start)].strip()
    ):
        return Problem(SomethingMissing("an expression"), last_character(source, start))
    joint = _JOINT.match(source, start)
    if joint and start > 0 and joint.start(1) <= place.start:
        return Problem(UnexpectedText(joint[1].decode()), Span(*joint.span(1)))
    text = shown(source, place)
    if _OPERATOR.fullmatch(text):
        return Problem(SomethingMissing(f"an operand of `{text}`"), place)
    return Problem(UnexpectedText(text), place)


def _attribute(place: Span, source: bytes) -> Problem:
    return Problem(MisplacedAttribute(shown(source, place)), place)


def _chained(node: Node) -> Problem:
    return Problem(ChainedComparison(tuple(_links(node))), span_of(node))


def _links(node: Node) -> list[str]:
    """The comparisons of a chain, each with its own two sides; of a long chain the last ones."""
    links: list[str] = []
    while node.type == "chained_comparison" and len(links) < LINKS:
        left, operator, right = (node.child_by_field_name(field) for field in ("left", "operator", "right"))
        shared = left and left.child_by_field_name("right")
        links.append(" ".join("" if part is None else text_of(part) for part in (shared, operator, right)))
        if left is None:
            return links[::-1]
        node = left
    first = "…" if node.type == "chained_comparison" else text_of(node)
    return [first, *links[::-1]]


def _ends_in_dot(node: Node) -> Problem:
    base = node.child_by_field_name("base")
    if base is not None and base.type == "number":
        return Problem(NumberEndsInDot(text_of(base)), span_of(node))
    return Problem(SomethingMissing("a name after `.`"), Span(node.end_byte - 1, node.end_byte))


def _alone(node: Node, source: bytes) -> bool:
    """Whether an attribute has its lines for itself and comments."""
    before = source[line_start(source, node.start_byte) : node.start_byte]
    after = source[node.end_byte : line_end(source, node.end_byte)].strip()
    return not before.strip() and (not after or after.startswith(b"//"))


def _opens(node: Node) -> bool:
    return any(child.type == "{" for child in node.children)


def _not_closed(node: Node) -> Problem:
    brace = next(child for child in node.children if child.type == "{")
    return Problem(UnclosedBrace(_owner(node)), span_of(brace))


def _owner(node: Node) -> str:
    parent = node.parent
    if node.type != "body" or parent is None:
        return "example" if node.type == "example_item" else "block"
    word, name = parent.child_by_field_name("word"), parent.child_by_field_name("name")
    kind = "declaration" if word is None else text_of(word)
    return kind if name is None else f"{kind} `{text_of(name)}`"
