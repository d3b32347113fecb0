"""What ends the reading of a construct: a sentence, and the node that it is about."""

from __future__ import annotations

from tree_sitter import Node

from rewright.verdict import Diagnosis


class NotAffine(Exception):
    """A construct is not taken: why, and at which node; or `wrong`, which makes the text invalid."""

    def __init__(self, reason: str, node: Node, wrong: Diagnosis | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.node = node
        self.wrong = wrong
