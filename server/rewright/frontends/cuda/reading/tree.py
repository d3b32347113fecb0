"""Small questions to tree-sitter's nodes. Must not know what any construct means."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter_cuda
from tree_sitter import Language, Node, Parser

LANGUAGE = Language(tree_sitter_cuda.language())


def parse(data: bytes) -> Node:
    """The root of the text's tree."""
    return Parser(LANGUAGE).parse(data).root_node


def text(node: Node) -> str:
    """The text of a node."""
    return (node.text or b"").decode(errors="replace")


def parts(node: Node) -> list[Node]:
    """The named children that are no comments."""
    return [child for child in node.named_children if child.type != "comment"]


def inner(node: Node) -> Node | None:
    """The one named child that is no comment, None if there are several or none."""
    children = parts(node)
    return children[0] if len(children) == 1 else None


def unwrapped(node: Node) -> Node:
    """The expression inside any parentheses around it."""
    while node.type == "parenthesized_expression" and (child := inner(node)) is not None:
        node = child
    return node


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, the outer before the inner."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(current.children))


def broken(node: Node) -> Iterator[Node]:
    """The innermost nodes that are errors or missing, of those that have no other inside."""
    if not node.has_error and not node.is_missing:
        return
    inside = [found for child in node.children for found in broken(child)]
    if inside:
        yield from inside
    elif node.is_error or node.is_missing:
        yield node
