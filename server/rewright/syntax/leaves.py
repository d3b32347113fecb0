"""Owns the words of a piece of text in their order, each with what the layout of a text goes by.

Invariant: between two leaves stand blanks and line ends only. It must not know where they should stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from tree_sitter import Node

_BODIES: Final = frozenset({"file", "body", "block", "example_item"})


class TreeLeaf(Struct, frozen=True):
    """A word, a sign or a comment, with the kind of node that it is part of.

    `begins`: an item, a statement, a declaration or one of its attributes begins with it. `inside`: it is part of an
    item that began before it; a comment between items is not.
    """

    start: int
    end: int
    kind: str
    of: str
    begins: bool
    inside: bool

    @property
    def is_comment(self) -> bool:
        """Whether it is a comment, which ends its line."""
        return self.kind in ("comment", "doc_comment")


def leaves(root: Node) -> Iterator[TreeLeaf]:
    """The leaves below a node in order."""
    cursor = root.walk()
    parents = [("", -1)]
    item_end, begins = -1, False
    while True:
        node = cursor.node
        assert node is not None
        start, kind, parent = node.start_byte, node.type, parents[-1][0]
        if (parent in _BODIES and node.is_named and kind not in ("comment", "doc_comment")) or kind == "attribute":
            item_end, begins = node.end_byte, True
        if node.child_count:
            parents.append((kind, item_end))
            cursor.goto_first_child()
            if kind in _BODIES:
                item_end = -1
            continue
        if start < node.end_byte and len(parents) > 1:
            comment = kind in ("comment", "doc_comment")
            yield TreeLeaf(start, node.end_byte, kind, parent, begins and not comment, start < item_end)
            begins = begins and comment
        while not cursor.goto_next_sibling():
            if len(parents) == 1 or not cursor.goto_parent():
                return
            _, item_end = parents.pop()
