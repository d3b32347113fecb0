"""A text in top-level pieces: a half-typed function must not swallow those after it.

A piece begins where, at the start of a line, something stands that only begins a declaration outside functions.
Invariant: bytes keep their places. Must not know what is declared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from rewright.frontends.cuda.reading.tree import parse

_BEGINS = re.compile(
    rb"^(?:template\s*<|extern\s+\"C\"|__global__|__device__|__host__|__constant__|static\s+(?:inline\s+)?__\w+__"
    rb"|inline\s+__\w+__|namespace\b|using\s|typedef\s|enum\s|(?:struct|union|class)\s+\w+\s*\{"
    rb"|#\s*include|(?:void|int|float)\s+\w+\s*\()",
    re.MULTILINE,
)

_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)

_AROUND = (
    "translation_unit",
    "template_declaration",
    "namespace_definition",
    "linkage_specification",
    "declaration_list",
)


def roots(data: bytes) -> list[Node]:
    """The roots of the trees that declare what the text declares, in the order of the text."""
    whole = parse(data)
    if not any(_is_large(node, data) for node in _broken_parts(whole)):
        return [whole]
    return [parse(piece) for piece in _pieces(data)]


def broken_outside(root: Node) -> Iterator[Node]:
    """The outermost broken nodes."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error:
            yield node
        elif node.has_error:
            waiting.extend(reversed(node.children))


def _broken_parts(root: Node) -> Iterator[Node]:
    """The outermost errors and declarations with errors."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type in _AROUND:
            waiting.extend(child for child in node.children if child.has_error)
        else:
            yield node


def _is_large(node: Node, data: bytes) -> bool:
    """Whether something broken holds the beginning of a declaration after its own first line."""
    return _BEGINS.search(data, data.find(b"\n", node.start_byte, node.end_byte) + 1, node.end_byte) is not None


def _pieces(data: bytes) -> Iterator[bytes]:
    """Each piece with blanks in the place of everything before it."""
    starts = [0, *(found.start() for found in _BEGINS.finditer(data) if found.start()), len(data)]
    blank = re.sub(rb"[^\n]", b" ", data)
    begin = 0
    for end in starts[1:]:
        if end < len(data) and _continues(data[begin:end]):
            continue
        yield blank[:begin] + data[begin:end]
        begin = end


def _continues(piece: bytes) -> bool:
    """Whether what follows is still part of the piece: a template's head, or qualifiers on a line of their own."""
    stripped = _COMMENT.sub(b"", piece).rstrip()
    return bool(stripped) and stripped[-1:] not in (b"}", b";") and not _has_open_bracket(stripped)


def _has_open_bracket(piece: bytes) -> bool:
    """Whether more braces or parentheses are opened than closed."""
    return any(piece.count(opening) > piece.count(closing) for opening, closing in ((b"{", b"}"), (b"(", b")")))
