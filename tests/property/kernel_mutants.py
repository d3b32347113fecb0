"""Mutants of CUDA texts: a barrier dropped, an index shifted by one, a guard that always holds.

Found in the text by tree-sitter and a pattern, so they share nothing with the front end but the grammar. Each changes
one place and leaves the lines as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter_cuda
from tree_sitter import Language, Node, Parser

BARRIER = re.compile(rb"__sync(?:threads|warp)\(\);?")
COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
LANGUAGE = Language(tree_sitter_cuda.language())


@dataclass(frozen=True)
class Mutant:
    """One change of a text: what was done at which line (from 1) to which words, and the text after it."""

    change: str
    line: int
    words: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.line}: {self.change} {self.words}"


def mutants(source: str) -> Iterator[Mutant]:
    """All mutants of a CUDA text, in no particular order."""
    data = source.encode()
    bare = COMMENT.sub(lambda found: b" " * len(found.group()), data)
    for found in BARRIER.finditer(bare):
        yield _mutant(data, "drop", (found.start(), found.end()), b";" if found.group().endswith(b";") else b"")
    root = Parser(LANGUAGE).parse(data).root_node
    for node in _nodes(root):
        match node.type:
            case "subscript_expression":
                index = _inner(node.child_by_field_name("indices"))
                if index is not None:
                    yield _mutant(data, "shift", (index.start_byte, index.end_byte), b"(%s) + 1" % (index.text or b""))
            case "if_statement" if not any(child.type == "constexpr" for child in node.children):
                condition = _inner(node.child_by_field_name("condition"))
                if condition is not None:
                    yield _mutant(data, "always", (condition.start_byte, condition.end_byte), b"true")
            case "conditional_expression":
                condition = node.child_by_field_name("condition")
                if condition is not None:
                    yield _mutant(data, "always", (condition.start_byte, condition.end_byte), b"true")
            case _:
                pass


def _mutant(data: bytes, change: str, span: tuple[int, int], text: bytes) -> Mutant:
    start, end = span
    line = data.count(b"\n", 0, start) + 1
    return Mutant(change, line, data[start:end].decode(), (data[:start] + text + data[end:]).decode())


def _inner(node: Node | None) -> Node | None:
    """What stands between the brackets."""
    named = [] if node is None else [child for child in node.named_children if child.type != "comment"]
    return named[0] if len(named) == 1 else None


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _nodes(child)
