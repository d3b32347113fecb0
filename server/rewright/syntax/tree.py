"""Owns the concrete tree: the parser, and the few questions that the readers ask of its nodes.

Invariant: every text has a tree; what does not fit is in it as an ERROR or MISSING node.
It must not know the typed nodes, except names, which are text with a span.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import tree_sitter_rewright
from tree_sitter import Language, Node, Parser, Tree

from rewright.syntax.nodes import Name
from rewright.syntax.text import Span

LANGUAGE: Final = Language(tree_sitter_rewright.language())

_NOT_READ: Final = frozenset({"ERROR", "comment", "doc_comment"})


def tree_of(source: bytes) -> Tree:
    """Returns the concrete tree of UTF-8 text."""
    return Parser(LANGUAGE).parse(source)


def span_of(node: Node) -> Span:
    """Returns the bytes that the node covers."""
    return Span(node.start_byte, node.end_byte)


def text_of(node: Node) -> str:
    """Returns the text that the node covers."""
    return (node.text or b"").decode(errors="replace")


def name_of(node: Node | None) -> Name | None:
    """Returns the identifier at the node, None where there is none."""
    if node is None or node.is_missing:
        return None
    return Name(span_of(node), text_of(node))


def named(node: Node, field: str) -> Name | None:
    """Returns the identifier in a field of the node, None where there is none."""
    return name_of(node.child_by_field_name(field))


def all_named(node: Node, field: str) -> tuple[Name, ...]:
    """Returns all identifiers in a field of the node."""
    found = (name_of(child) for child in node.children_by_field_name(field))
    return tuple(name for name in found if name is not None)


def content(node: Node) -> list[Node]:
    """Returns the named children that mean something: no errors, no comments."""
    return [child for child in node.named_children if child.type not in _NOT_READ]


def content_of_list(node: Node) -> list[Node]:
    """Returns the content of a list of items, with the items that were read whole inside an error."""
    parts = (child.named_children if child.is_error else [child] for child in node.named_children)
    return [child for part in parts for child in part if child.type not in _NOT_READ]


def preorder(root: Node, deepest: int) -> Iterator[tuple[Node, int]]:
    """Yields every node below the root down to a depth, with its depth, a node before its children."""
    # A cursor's own depth is counted again each time it is asked for.
    cursor, depth = root.walk(), 0
    while True:
        node = cursor.node
        assert node is not None
        yield node, depth
        if depth < deepest and cursor.goto_first_child():
            depth += 1
            continue
        while not cursor.goto_next_sibling():
            if depth == 0 or not cursor.goto_parent():
                return
            depth -= 1
