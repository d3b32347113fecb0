"""The tree of a text in C, and small questions to its nodes. Must not know what any construct means."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter_c
from tree_sitter import Language, Node, Parser

_LANGUAGE = Language(tree_sitter_c.language())


def parse(data: bytes) -> Node:
    """The root of the text's tree."""
    return Parser(_LANGUAGE).parse(data).root_node


def text(node: Node) -> str:
    """The text of a node."""
    return (node.text or b"").decode(errors="replace")


def without_blanks(written: str) -> str:
    """A text without blanks."""
    return "".join(written.split())


def parts(node: Node) -> list[Node]:
    """The named children that are no comments."""
    return [child for child in node.named_children if child.type != "comment"]


def field(node: Node, name: str) -> Node:
    """The child of a field that a node without an error has; the node itself where half-typed text lacks it."""
    return node.child_by_field_name(name) or node


def unwrapped(node: Node) -> Node:
    """The expression inside any parentheses around it."""
    while node.type == "parenthesized_expression" and len(parts(node)) == 1:
        node = parts(node)[0]
    return node


def operator(node: Node) -> str:
    """The operator of a binary or unary expression, of an assignment, or of `++` and `--`."""
    found = node.child_by_field_name("operator")
    return text(found) if found is not None else ""


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, in the order of the text."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(current.children))


def first_error(node: Node) -> Node | None:
    """The first place below a node that is no C, None if there is none."""
    if not node.has_error:
        return None
    return next((each for each in walk(node) if each.is_error or each.is_missing), None)
