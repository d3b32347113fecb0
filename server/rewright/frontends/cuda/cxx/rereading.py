"""Expressions that the grammar takes for something else, because it does not know which names are types: read again.

The name in front is replaced by a number of the same length, then there is one reading left. Invariant: places are
those of the text. Must not know what expressions mean.
"""

from __future__ import annotations

from tree_sitter import Node

from rewright.frontends.cuda.cxx.lowering import NamesInScope
from rewright.frontends.cuda.reading.tree import parse, parts, text, walk


def reread(names: NamesInScope, node: Node, name: Node) -> Node | None:
    """The node as an expression in which `name` is a value, None if it is none."""
    written = node.text or b""
    at = name.start_byte - node.start_byte
    hidden = written[:at] + b"0" * (name.end_byte - name.start_byte) + written[at + name.end_byte - name.start_byte :]
    around = b"void f(){"
    root = parse(around.rjust(node.start_byte) + hidden + b";}")
    body = root.named_children[0].child_by_field_name("body") if root.named_children else None
    statement = parts(body)[0] if body is not None and parts(body) else None
    if root.has_error or statement is None or statement.type != "expression_statement":
        return None
    names.hidden[name.start_byte] = text(name)
    return parts(statement)[0]


def first_name(node: Node) -> Node | None:
    """The first name in a node."""
    return next((found for found in walk(node) if found.type in ("identifier", "type_identifier")), None)
