"""Owns the step from the concrete node of a declaration to the typed one.

Invariant: the declaration starts at byte 0 of the text that was parsed, so every span is relative to it.
It must not know the rest of the file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from tree_sitter import Node

from rewright.syntax import nodes
from rewright.syntax.nodes import Declaration, Head, Item, Name
from rewright.syntax.read_expressions import arguments, call, expressions, keyed, optional_in, string, type_in
from rewright.syntax.read_items import items, parameter
from rewright.syntax.text import Span
from rewright.syntax.tree import all_named, content, named, span_of, text_of


def is_declaration(node: Node) -> bool:
    """Returns whether the node is a declaration of any kind, not mere attributes of one that is not there."""
    if node.type not in _DECLARATIONS:
        return False
    word = node.child_by_field_name("word")
    return word is not None and not word.is_missing


def declaration(node: Node, end: int) -> Declaration:
    """Returns the declaration at the node, from the documentation that stands before it up to the end given."""
    return _DECLARATIONS[node.type](node, Span(0, end), _head(node))


def _head(node: Node) -> Head:
    word, body = node.child_by_field_name("word"), node.child_by_field_name("body")
    return Head(
        Name(Span(node.start_byte, node.start_byte), "") if word is None else Name(span_of(word), text_of(word)),
        named(node, "name"),
        _documentation(node),
        tuple(_attribute(child) for child in content(node) if child.type == "attribute"),
        None if body is None else span_of(body),
    )


def _documentation(node: Node) -> str:
    """The lines above the declaration and those between its attributes."""
    lines = [child for child in node.children if child.type == "doc_comment" and _above_body(child, node)]
    before = node.prev_sibling
    while before is not None and before.type in ("doc_comment", "comment", "\n"):
        lines += [before] if before.type == "doc_comment" else []
        before = before.prev_sibling
    lines.sort(key=lambda line: line.start_byte)
    return "\n".join(text_of(line).removeprefix("///").removeprefix(" ").rstrip() for line in lines)


def _above_body(line: Node, node: Node) -> bool:
    word = node.child_by_field_name("word")
    return word is None or line.start_byte < word.start_byte


def _attribute(node: Node) -> nodes.Attribute:
    name = node.child_by_field_name("name")
    return nodes.Attribute(
        span_of(node), named(node, "name"), arguments(child for child in content(node) if child != name)
    )


def _items(node: Node) -> tuple[Item, ...]:
    """The items of the body; the grammar lets only those of the declaration's own kind in, so callers may cast."""
    return items(node.child_by_field_name("body"))


def _type_parameters(node: Node) -> tuple[nodes.TypeParameter, ...]:
    found = node.child_by_field_name("type_parameters")
    return () if found is None else tuple(_type_parameter(child) for child in content(found))


def _type_parameter(node: Node) -> nodes.TypeParameter:
    name = named(node, "name") or Name(Span(node.start_byte, node.start_byte), "")
    return nodes.TypeParameter(span_of(node), name, named(node, "bound"), optional_in(node, "value"))


def _parameters(node: Node) -> tuple[nodes.Parameter, ...]:
    found = node.child_by_field_name("parameters")
    return () if found is None else tuple(parameter(child) for child in content(found))


def _source(node: Node) -> nodes.SourceRef | None:
    found = node.child_by_field_name("source")
    path = None if found is None else found.child_by_field_name("path")
    if found is None or path is None:
        return None
    given = expressions(found.children_by_field_name("argument"))
    return nodes.SourceRef(Span(path.start_byte, found.end_byte), string(path), named(found, "entry"), given)


def _rule(node: Node, span: Span, head: Head) -> Declaration:
    items = cast(tuple[nodes.RuleItem, ...], _items(node))
    if node.child_by_field_name("parameters") is not None:
        return nodes.LemmaDecl(span, head, _parameters(node), items)
    return nodes.RuleDecl(span, head, _type_parameters(node), items)


def _operator(node: Node, span: Span, head: Head) -> Declaration:
    return nodes.OperatorDecl(span, head, _parameters(node), type_in(node, "type"))


def _kernel(node: Node, span: Span, head: Head) -> Declaration:
    return nodes.KernelDecl(
        span,
        head,
        _type_parameters(node),
        _parameters(node),
        _source(node),
        cast(tuple[nodes.KernelItem, ...], _items(node)),
    )


def _equivalent(node: Node, span: Span, head: Head) -> Declaration:
    return nodes.EquivalentDecl(span, head, named(node, "left"), named(node, "right"))


def _graph(node: Node, span: Span, head: Head) -> Declaration:
    mesh = node.child_by_field_name("mesh")
    return nodes.GraphDecl(
        span,
        head,
        _parameters(node),
        all_named(node, "result"),
        None if mesh is None else call(mesh),
        _source(node),
        cast(tuple[nodes.GraphItem, ...], _items(node)),
    )


def _refine(node: Node, span: Span, head: Head) -> Declaration:
    return nodes.RefineDecl(
        span,
        head,
        named(node, "target"),
        _at(node),
        cast(tuple[nodes.RefineItem, ...], _items(node)),
    )


def _at(node: Node) -> tuple[nodes.Keyed | nodes.Number, ...]:
    return tuple(
        keyed(child) if child.type == "keyed_argument" else nodes.Number(span_of(child), text_of(child))
        for child in node.children_by_field_name("at")
        if child.is_named
    )


def _loops(node: Node, span: Span, head: Head) -> Declaration:
    items = cast(tuple[nodes.LoopsItem, ...], _items(node))
    return nodes.LoopsDecl(span, head, _parameters(node), _source(node), items)


def _transform(node: Node, span: Span, head: Head) -> Declaration:
    return nodes.TransformDecl(
        span,
        head,
        _parameters(node),
        named(node, "target"),
        _source(node),
        _at(node),
        cast(tuple[nodes.LoopsItem, ...], _items(node)),
    )


def _lift(node: Node, span: Span, head: Head) -> Declaration:
    return nodes.LiftDecl(span, head, _source(node), cast(tuple[nodes.LiftItem, ...], _items(node)))


def _import(node: Node, span: Span, head: Head) -> Declaration:
    path = node.child_by_field_name("path")
    return nodes.ImportDecl(span, head, None if path is None else string(path))


_DECLARATIONS: Final[dict[str, Callable[[Node, Span, Head], Declaration]]] = {
    "rule_declaration": _rule,
    "kernel_declaration": _kernel,
    "equivalent_declaration": _equivalent,
    "graph_declaration": _graph,
    "operator_declaration": _operator,
    "refine_declaration": _refine,
    "loops_declaration": _loops,
    "transform_declaration": _transform,
    "lift_declaration": _lift,
    "import_declaration": _import,
}
