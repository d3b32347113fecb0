"""Mutants of CUDA texts: a barrier dropped, an index shifted by one, a guard that always holds or lets all pass.

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
    """One change of a text: what was done at which line (from 1) to which words; the line before, the text after."""

    change: str
    line: int
    words: str
    original: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.line}: {self.change} {self.words}"


def mutants(source: str) -> Iterator[Mutant]:
    """All mutants of a CUDA text, in the order of the text for each kind."""
    data = source.encode()
    bare = COMMENT.sub(lambda found: b" " * len(found.group()), data)
    for found in BARRIER.finditer(bare):
        yield _mutant(data, "drop", (found.start(), found.end()), b";" if found.group().endswith(b";") else b"")
    for node in _nodes(Parser(LANGUAGE).parse(data).root_node):
        index, guard, early = _index(node), _guard(node), _early(node)
        if index is not None:
            yield _mutant(data, "shift", (index.start_byte, index.end_byte), b"(%s) + 1" % (index.text or b""))
        if guard is not None:
            yield _mutant(data, "always", (guard.start_byte, guard.end_byte), b"true")
        if early is not None:
            yield _mutant(data, "never", (early.start_byte, early.end_byte), b"false")


def _index(node: Node) -> Node | None:
    """The index, unless it is a number, of an element that is written or that lies in global memory."""
    if node.type != "subscript_expression":
        return None
    index = _inner(node.child_by_field_name("indices"))
    if index is None or index.type == "number_literal":
        return None
    return index if _is_written(node) or _is_of_parameter(node) else None


def _is_written(node: Node) -> bool:
    """Whether an element is what an assignment, an increment or an atomic changes; of a row, if its element is."""
    outer = node.parent
    if outer is None:
        return False
    match outer.type:
        case "subscript_expression":
            return outer.child_by_field_name("argument") == node and _is_written(outer)
        case "assignment_expression":
            return outer.child_by_field_name("left") == node
        case "update_expression":
            return True
        case "pointer_expression":
            return (outer.text or b"").startswith(b"&")
        case _:
            return False


def _is_of_parameter(node: Node) -> bool:
    """Whether an element is one of a pointer that the kernel around is given."""
    name, outer = node.child_by_field_name("argument"), node.parent
    while outer is not None and outer.type != "function_definition":
        outer = outer.parent
    declarator = None if outer is None else outer.child_by_field_name("declarator")
    head = (outer.text or b"").split(b"{")[0] if outer is not None else b""
    if name is None or declarator is None or b"__global__" not in head:
        return False
    pointer = rb"\*\s*(?:__restrict__\s+)?%s\b" % re.escape(name.text or b"")
    return re.search(pointer, declarator.text or b"") is not None


def _guard(node: Node) -> Node | None:
    """The condition under which memory is accessed."""
    match node.type:
        case "if_statement" if not any(child.type == "constexpr" for child in node.children):
            guarded = node.child_by_field_name("consequence")
            return _inner(node.child_by_field_name("condition")) if _accesses(guarded) else None
        case "conditional_expression":
            guarded = node.child_by_field_name("consequence")
            return node.child_by_field_name("condition") if _accesses(guarded) else None
        case _:
            return None


def _early(node: Node) -> Node | None:
    """The condition under which a thread leaves."""
    if node.type != "if_statement":
        return None
    left = node.child_by_field_name("consequence")
    return (
        _inner(node.child_by_field_name("condition")) if left is not None and left.type == "return_statement" else None
    )


def _accesses(node: Node | None) -> bool:
    return node is not None and any(each.type == "subscript_expression" for each in _nodes(node))


def _mutant(data: bytes, change: str, span: tuple[int, int], text: bytes) -> Mutant:
    start, end = span
    line = data.count(b"\n", 0, start)
    original = data.split(b"\n")[line].decode()
    return Mutant(change, line + 1, data[start:end].decode(), original, (data[:start] + text + data[end:]).decode())


def _inner(node: Node | None) -> Node | None:
    """What stands between the brackets."""
    named = [] if node is None else [child for child in node.named_children if child.type != "comment"]
    return named[0] if len(named) == 1 else None


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _nodes(child)
