"""Owns the step from concrete nodes of rule items and statements to typed ones.

Invariant: an item whose keyword was read is read, with whatever of it is there.
It must not know which declaration holds an item.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from msgspec.structs import replace
from tree_sitter import Node

from rewright.syntax import nodes
from rewright.syntax.nodes import Block, Item, Missing, Name, Statement
from rewright.syntax.read_expressions import (
    expression,
    expression_in,
    expressions,
    fn_type,
    keyed,
    optional_in,
    type_in,
)
from rewright.syntax.text import Span
from rewright.syntax.tree import all_named, content, content_of_list, name_of, named, span_of


def items(body: Node | None) -> tuple[Item, ...]:
    """Returns the items between the braces of a declaration."""
    found = [] if body is None else content_of_list(body)
    return tuple(_ITEMS[child.type](child) for child in found if child.type in _ITEMS)


def parameter(node: Node) -> nodes.Parameter:
    """Returns the parameter at the node."""
    mode = node.child_by_field_name("mode")
    return nodes.Parameter(
        span_of(node),
        _name(node, "name"),
        None if mode is None else cast(nodes.Mode, mode.type),
        type_in(node, "type"),
        optional_in(node, "value"),
    )


def _name(node: Node, field: str) -> Name:
    return named(node, field) or Name(Span(node.start_byte, node.start_byte), "")


def _first_name(node: Node) -> Name | None:
    return named(node, "name")


# ----------------------------------------------------------------------------------------------------- rules


def _axes(node: Node) -> Item:
    return nodes.Axes(span_of(node), tuple(_rank_class(child) for child in content(node)))


def _rank_class(node: Node) -> nodes.RankClass:
    groups = tuple(
        nodes.GroupDecl(span_of(group), _name(group, "name"), any(child.type == "+" for child in group.children))
        for group in content(node)
    )
    return nodes.RankClass(span_of(node), groups)


def _axis(node: Node) -> Item:
    return nodes.AxisItem(span_of(node), tuple(_rank_class(child) for child in content(node)))


def _map(node: Node) -> Item:
    return nodes.MapItem(span_of(node), all_named(node, "name"), named(node, "on"))


def _int(node: Node) -> Item:
    return nodes.IntItem(span_of(node), all_named(node, "name"))


def _scalar(node: Node) -> Item:
    return nodes.ScalarItem(span_of(node), all_named(node, "name"), type_in(node, "type"))


def _tensor(node: Node) -> Item:
    families = tuple(_family(child) for child in content(node) if child.type == "family")
    names = (*all_named(node, "name"), *(family.name for family in families))
    in_order = tuple(sorted(names, key=lambda name: name.span.start))
    return nodes.TensorItem(span_of(node), in_order, type_in(node, "type"), families)


def _family(node: Node) -> nodes.Family:
    return nodes.Family(span_of(node), _name(node, "name"), named(node, "count"))


def _fn(node: Node) -> Item:
    written = node.child_by_field_name("type")
    return nodes.FnItem(span_of(node), all_named(node, "name"), None if written is None else fn_type(written))


def _monoid(node: Node) -> Item:
    return nodes.MonoidItem(span_of(node), all_named(node, "name"), type_in(node, "type"))


def _rewrite(node: Node) -> Item:
    arrow = name_of(node.child_by_field_name("arrow"))
    return nodes.Rewrite(span_of(node), expression_in(node, "left"), arrow, expression_in(node, "right"))


def _where(node: Node) -> Item:
    return nodes.Where(span_of(node), expressions(content(node)))


def _check(node: Node) -> Item:
    return nodes.CheckOver(span_of(node), all_named(node, "type"))


def _example(node: Node) -> Item:
    return nodes.Example(span_of(node), tuple(keyed(child) for child in content(node)))


# ------------------------------------------------------------------------------------------------- statements


def _let(node: Node) -> nodes.Let:
    return nodes.Let(span_of(node), all_named(node, "name"), type_in(node, "type"), expression_in(node, "value"))


def _var(node: Node) -> nodes.Var:
    return nodes.Var(span_of(node), _first_name(node), type_in(node, "type"), optional_in(node, "value"))


def _assume(node: Node) -> nodes.Assume:
    return nodes.Assume(span_of(node), expressions(content(node)))


def _assert(node: Node) -> nodes.Assert:
    return nodes.Assert(span_of(node), expressions(content(node)))


def _assignment(node: Node) -> nodes.Assign:
    operator = node.child_by_field_name("operator")
    return nodes.Assign(
        span_of(node),
        expression_in(node, "target"),
        cast(nodes.AssignOperator, "=" if operator is None else operator.type),
        expression_in(node, "value"),
    )


def _if(node: Node) -> nodes.If:
    otherwise = node.child_by_field_name("otherwise")
    return nodes.If(
        span_of(node),
        expression_in(node, "condition"),
        _block_in(node, "then"),
        None if otherwise is None else _if(otherwise) if otherwise.type == "if_statement" else _block(otherwise),
    )


def _for(node: Node) -> nodes.For:
    heads = tuple(
        nodes.ForHead(span_of(head), named(head, "name"), expression_in(head, "range"))
        for head in content(node)
        if head.type == "for_head"
    )
    return nodes.For(span_of(node), heads, _block_in(node, "body"), parallel=None)


def _parallel(node: Node) -> nodes.For:
    end = Span(node.end_byte, node.end_byte)
    word = Span(node.start_byte, node.start_byte + len("parallel"))
    loops = [_for(child) for child in content(node) if child.type == "for_statement"]
    loop = loops[0] if loops else nodes.For(end, (), Block(end, ()), parallel=None)
    return replace(loop, span=span_of(node), parallel=word)


def _while(node: Node) -> nodes.While:
    return nodes.While(span_of(node), expression_in(node, "condition"), _block_in(node, "body"))


def _return(node: Node) -> nodes.Return:
    return nodes.Return(span_of(node))


def _expression_statement(node: Node) -> nodes.ExprStatement:
    found = content(node)
    value = expression(found[0]) if found else Missing(Span(node.end_byte, node.end_byte))
    return nodes.ExprStatement(span_of(node), value)


def _labelled(node: Node) -> nodes.Labelled:
    end = Span(node.end_byte, node.end_byte)
    inner = [_STATEMENTS[child.type](child) for child in content(node) if child.type in _STATEMENTS]
    statement = inner[0] if inner else nodes.ExprStatement(end, Missing(end))
    return nodes.Labelled(span_of(node), _name(node, "label"), statement)


def _block_in(node: Node, field: str) -> Block:
    child = node.child_by_field_name(field)
    return Block(Span(node.end_byte, node.end_byte), ()) if child is None else _block(child)


def _block(node: Node) -> Block:
    found = (_STATEMENTS[child.type](child) for child in content_of_list(node) if child.type in _STATEMENTS)
    return Block(span_of(node), tuple(found))


# --------------------------------------------------------------- what only kernels, loops, refinements, lifts have


def _requires(node: Node) -> Item:
    return nodes.Requires(span_of(node), expressions(content(node)))


def _ensures(node: Node) -> Item:
    return nodes.Ensures(span_of(node), expressions(content(node)))


def _launch(node: Node) -> Item:
    return nodes.Launch(span_of(node), expressions(content(node)))


def _shared(node: Node) -> Item:
    return nodes.Shared(span_of(node), all_named(node, "name"), type_in(node, "type"))


def _define(node: Node) -> Item:
    return nodes.Define(span_of(node), _first_name(node), expression_in(node, "value"))


def _array(node: Node) -> Item:
    return nodes.ArrayItem(span_of(node), all_named(node, "name"), type_in(node, "type"))


def _private(node: Node) -> Item:
    return nodes.Private(span_of(node), all_named(node, "name"))


def _reduction(node: Node) -> Item:
    return nodes.Reduction(span_of(node), all_named(node, "name"))


def _using(node: Node) -> Item:
    return nodes.Using(span_of(node), all_named(node, "name"))


def _parameters(node: Node) -> Item:
    return nodes.ParameterItem(span_of(node), tuple(parameter(child) for child in content(node)))


def _placement(node: Node) -> nodes.Placement:
    return nodes.Placement(span_of(node), _name(node, "name"), expressions(content(node)[1:]))


def _expect(node: Node) -> Item:
    match content(node):
        case [Node(type="placement") as found, *_]:
            return nodes.Expect(span_of(node), _placement(found))
        case [Node(type="assignment") as found, *_]:
            return nodes.Expect(span_of(node), _assignment(found))
        case _:
            return nodes.Expect(span_of(node), None)


_STATEMENTS: Final[dict[str, Callable[[Node], Statement]]] = {
    "let_item": _let,
    "var_item": _var,
    "assume_item": _assume,
    "assert_item": _assert,
    "assignment": _assignment,
    "if_statement": _if,
    "for_statement": _for,
    "parallel_statement": _parallel,
    "while_statement": _while,
    "return_statement": _return,
    "expression_statement": _expression_statement,
    "labelled_statement": _labelled,
}

_ITEMS: Final[dict[str, Callable[[Node], Item]]] = {
    **_STATEMENTS,
    "axes_item": _axes,
    "axis_item": _axis,
    "map_item": _map,
    "int_item": _int,
    "scalar_item": _scalar,
    "tensor_item": _tensor,
    "fn_item": _fn,
    "monoid_item": _monoid,
    "rewrite": _rewrite,
    "where_item": _where,
    "check_item": _check,
    "example_item": _example,
    "requires_item": _requires,
    "ensures_item": _ensures,
    "launch_item": _launch,
    "shared_item": _shared,
    "define_item": _define,
    "array_item": _array,
    "private_item": _private,
    "reduction_item": _reduction,
    "using_item": _using,
    "parameter_item": _parameters,
    "placement": _placement,
    "expect_item": _expect,
}
