"""Owns the step from concrete nodes of expressions, arguments and types to typed ones.

Invariant: it reads what is there. An expression that is not there becomes `Missing`, an argument that is not readable
is left out, and `errors` reports both. The nesting of what it is given is bounded (`parse` sees to that).
It must not know in which item an expression stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, cast

from tree_sitter import Node

from rewright.syntax import nodes
from rewright.syntax.nodes import Argument, Expression, FnType, Missing, Selector, ShapeEntry, TypeRef
from rewright.syntax.text import Span
from rewright.syntax.tree import content, name_of, named, span_of, text_of


def expression(node: Node) -> Expression:
    """Returns the expression at the node."""
    reader = None if node.is_missing else _EXPRESSIONS.get(node.type)
    return reader(node) if reader else Missing(Span(node.start_byte, node.start_byte))


def expression_in(node: Node, field: str) -> Expression:
    """Returns the expression in a field; one that is not written is missing at the node's end."""
    child = node.child_by_field_name(field)
    return Missing(Span(node.end_byte, node.end_byte)) if child is None else expression(child)


def optional_in(node: Node, field: str) -> Expression | None:
    """Returns the expression in a field, None where there is none."""
    child = node.child_by_field_name(field)
    return None if child is None else expression(child)


def expressions(found: Iterable[Node]) -> tuple[Expression, ...]:
    """Returns the expressions at the nodes."""
    return tuple(expression(node) for node in found)


def arguments(found: Iterable[Node]) -> tuple[Argument, ...]:
    """Returns the arguments at the nodes."""
    return tuple(_argument(node) for node in found)


def type_in(node: Node, field: str) -> TypeRef | None:
    """Returns the type in a field, None where there is none."""
    child = node.child_by_field_name(field)
    return None if child is None else type_ref(child)


def type_ref(node: Node) -> TypeRef:
    """Returns the type at the node."""
    entries = tuple(_shape_entry(child) for child in content(node) if child.type == "shape_entry")
    bracketed = any(child.type == "[" for child in node.children)
    return TypeRef(span_of(node), named(node, "element"), entries if bracketed else None)


def fn_type(node: Node) -> FnType:
    """Returns the function type at the node."""
    result = node.child_by_field_name("result")
    parameters = tuple(type_ref(child) for child in content(node) if child != result)
    return FnType(span_of(node), parameters, None if result is None else type_ref(result))


def keyed(node: Node) -> nodes.Keyed:
    """Returns the `name = value` at the node."""
    return nodes.Keyed(span_of(node), _required_name(node, "name"), expression_in(node, "value"))


def call(node: Node) -> nodes.Call:
    """Returns the call at the node."""
    callee = _required_name(node, "callee")
    return nodes.Call(span_of(node), callee, arguments(content(node)[1:]))


def _argument(node: Node) -> Argument:
    match node.type:
        case "keyed_argument":
            return keyed(node)
        case "grouped_argument":
            return nodes.Grouped(span_of(node), _required_name(node, "name"), expression_in(node, "value"))
        case "renaming":
            return nodes.Renaming(span_of(node), _selector(node, "source"), _selector(node, "target"))
        case _:
            return nodes.Positional(span_of(node), expression(node))


def _selector(node: Node, field: str) -> Selector:
    found = expression_in(node, field)
    return found if isinstance(found, nodes.Name | nodes.ListExpr) else Missing(found.span)


def _required_name(node: Node, field: str) -> nodes.Name:
    """The identifier in a field that the grammar does not let go without; an inserted one has no text."""
    return named(node, field) or nodes.Name(Span(node.start_byte, node.start_byte), "")


def _shape_entry(node: Node) -> ShapeEntry:
    return ShapeEntry(span_of(node), named(node, "axis"), expression_in(node, "size"))


def _name(node: Node) -> Expression:
    return nodes.Name(span_of(node), text_of(node))


def _number(node: Node) -> Expression:
    return nodes.Number(span_of(node), text_of(node))


def string(node: Node) -> nodes.String:
    """Returns the string at the node; a backslash stands for the character after it."""
    characters = iter(text_of(node)[1:-1])
    value = "".join(next(characters, "") if character == "\\" else character for character in characters)
    return nodes.String(span_of(node), value)


def _hole(node: Node) -> Expression:
    return nodes.Hole(span_of(node))


def _index(node: Node) -> Expression:
    return nodes.Index(span_of(node), expression_in(node, "base"), arguments(content(node)[1:]))


def _field(node: Node) -> Expression:
    absent = nodes.Name(Span(node.end_byte, node.end_byte), "")
    return nodes.Field(span_of(node), expression_in(node, "base"), named(node, "name") or absent)


def _list(node: Node) -> Expression:
    return nodes.ListExpr(span_of(node), arguments(content(node)))


def _tuple(node: Node) -> Expression:
    entries = arguments(content(node))
    comma = any(child.type == "," for child in node.children)
    match entries:
        case (nodes.Positional(value=value),) if not comma:
            return value
        case _:
            return nodes.Tuple(span_of(node), entries)


def _operator(node: Node) -> str:
    operator = node.child_by_field_name("operator")
    return "" if operator is None else operator.type


def _unary(node: Node) -> Expression:
    operator, operand = _operator(node), expression_in(node, "operand")
    if operator == "not":
        return nodes.Not(span_of(node), operand)
    return nodes.Unary(span_of(node), cast(nodes.SignOperator, operator), operand)


def _binary(node: Node) -> Expression:
    operator, place = _operator(node), span_of(node)
    left, right = expression_in(node, "left"), expression_in(node, "right")
    match operator:
        case "and":
            return nodes.And(place, left, right)
        case "or":
            return nodes.Or(place, left, right)
        case _:
            return nodes.Binary(place, left, cast(nodes.ArithmeticOperator, operator), right)


def _comparison(node: Node) -> nodes.Compare:
    operator = cast(nodes.CompareOperator, _operator(node))
    return nodes.Compare(span_of(node), expression_in(node, "left"), operator, expression_in(node, "right"))


def _chained(node: Node) -> Expression:
    """`a <= b <= c` as `a <= b and b <= c`, which is what its error asks for."""
    earlier = expression_in(node, "left")
    middle = earlier.right if isinstance(earlier, nodes.And | nodes.Compare) else earlier
    shared = middle.right if isinstance(middle, nodes.Compare) else middle
    operator = cast(nodes.CompareOperator, _operator(node))
    last = nodes.Compare(Span(shared.span.start, node.end_byte), shared, operator, expression_in(node, "right"))
    return nodes.And(span_of(node), earlier, last)


def _range(node: Node) -> Expression:
    return nodes.Range(
        span_of(node), expression_in(node, "low"), expression_in(node, "high"), optional_in(node, "step")
    )


def _quantified(node: Node) -> Expression:
    word = node.child_by_field_name("word")
    return nodes.Quantified(
        span_of(node),
        cast(nodes.Quantifier, "" if word is None else word.type),
        tuple(_binder(child) for child in content(node) if child.type == "binder"),
        expression_in(node, "body"),
    )


def _binder(node: Node) -> nodes.Binder:
    within, on = optional_in(node, "within"), name_of(node.child_by_field_name("on"))
    return nodes.Binder(span_of(node), named(node, "name"), within, on)


def _spread(node: Node) -> Expression:
    return nodes.Spread(span_of(node), expression_in(node, "value"))


_EXPRESSIONS: Final[dict[str, Callable[[Node], Expression]]] = {
    "identifier": _name,
    "number": _number,
    "string": string,
    "hole": _hole,
    "call": call,
    "index": _index,
    "field": _field,
    "list": _list,
    "tuple": _tuple,
    "unary": _unary,
    "binary": _binary,
    "comparison": _comparison,
    "chained_comparison": _chained,
    "range": _range,
    "quantified": _quantified,
    "spread": _spread,
}
