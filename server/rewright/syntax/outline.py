"""Owns what an editor shows of a file's structure: the outline of its declarations, and what can be folded.

Invariant: all spans are of the file. It must not know names beyond where they are declared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import tree_sitter_rewright
from msgspec import Struct
from tree_sitter import Query, QueryCursor

from rewright.syntax import nodes
from rewright.syntax.nodes import Declaration, Name, Placed
from rewright.syntax.parsed import Parsed
from rewright.syntax.text import Span
from rewright.syntax.tree import LANGUAGE

_FOLDS: Final = Query(LANGUAGE, tree_sitter_rewright.FOLDS_QUERY)


class OutlineSymbol(Struct, frozen=True):
    """A name that the outline shows; `kind` is the word that declares it (`rule`, `tensor`, `parameter`)."""

    name: str
    kind: str
    span: Span
    selection: Span
    children: tuple[OutlineSymbol, ...]


def outline(parsed: Parsed) -> tuple[OutlineSymbol, ...]:
    """Returns the declarations of the file with the names declared in each."""
    return tuple(_symbol(placed) for placed in parsed.file.declarations)


def folds(parsed: Parsed) -> tuple[Span, ...]:
    """Returns what can be folded: bodies, blocks and parameter lists, in the order of their starts."""
    found = (
        Span(start + node.start_byte, start + node.end_byte)
        for start, piece in parsed.pieces
        for node in QueryCursor(_FOLDS).captures(piece.tree.root_node).get("fold", ())
    )
    return tuple(sorted(found))


def _symbol(placed: Placed) -> OutlineSymbol:
    head = placed.node.head
    name, selection = _title(placed.node)
    children = tuple(
        OutlineSymbol(child.text, kind, placed.absolute(span), placed.absolute(child.span), ())
        for kind, child, span in _declared(placed.node)
        if child.text
    )
    return OutlineSymbol(name, head.word.text, placed.span, placed.absolute(selection), children)


def _title(declaration: Declaration) -> tuple[str, Span]:
    head = declaration.head
    match declaration:
        case nodes.EquivalentDecl(left=Name() as left, right=Name() as right):
            return f"{left.text} ~ {right.text}", left.span
        case nodes.ImportDecl(path=nodes.String() as path):
            return path.value or head.word.text, path.span
        case nodes.RefineDecl(head=nodes.Head(name=Name() as name), target=Name() as target):
            return f"{name.text} of {target.text}", name.span
    return (head.word.text, head.word.span) if head.name is None else (head.name.text, head.name.span)


def _declared(declaration: Declaration) -> Iterator[tuple[str, Name, Span]]:
    match declaration:
        case nodes.KernelDecl(parameters=parameters) | nodes.GraphDecl(parameters=parameters):
            yield from (("parameter", parameter.name, parameter.span) for parameter in parameters)
        case nodes.OperatorDecl(parameters=parameters):
            yield from (("parameter", parameter.name, parameter.span) for parameter in parameters)
            return
        case nodes.LoopsDecl(parameters=parameters) | nodes.LemmaDecl(parameters=parameters):
            yield from (("parameter", parameter.name, parameter.span) for parameter in parameters)
        case nodes.EquivalentDecl() | nodes.ImportDecl():
            return
    for item in declaration.items:
        yield from ((kind, name, item.span) for kind, name in _names(item))


def _names(item: nodes.Item) -> Iterator[tuple[str, Name]]:
    match item:
        case nodes.Axes(classes=classes):
            yield from (("axes", group.name) for linked in classes for group in linked.groups)
        case nodes.AxisItem(classes=classes):
            yield from (("axis", group.name) for linked in classes for group in linked.groups)
        case nodes.Let(targets=names):
            yield from (("let", name) for name in names)
        case nodes.ParameterItem(parameters=parameters):
            yield from (("parameter", parameter.name) for parameter in parameters)
        case nodes.Labelled(label=label):
            yield "statement", label
        case nodes.For(body=body):
            for statement in body.statements:
                yield from _names(statement)
        case _ if type(item) in _WORDS:
            yield from ((_WORDS[type(item)], name) for name in getattr(item, "names", ()))


_WORDS: Final[dict[type, str]] = {
    nodes.MapItem: "map",
    nodes.IntItem: "int",
    nodes.ScalarItem: "scalar",
    nodes.TensorItem: "tensor",
    nodes.FnItem: "fn",
    nodes.MonoidItem: "monoid",
    nodes.Shared: "shared",
    nodes.ArrayItem: "array",
}
