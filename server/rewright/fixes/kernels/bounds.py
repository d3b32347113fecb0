"""Changes for an access out of bounds: a guard around it, or a larger shared array."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from rewright.fixes.kernels.arrays import DeclaredArray, IndexedElement, access_at, parameter_extents, shared_arrays
from rewright.fixes.kernels.tree import CUDA, ParsedText, statements_around, zeros
from rewright.syntax.text import Span
from rewright.verdict import Edit

_SIMPLE = frozenset(
    {
        *("identifier", "number_literal", "number", "field", "field_expression", "subscript_expression", "index"),
        *("call", "call_expression", "parenthesized_expression", "parenthesized"),
    }
)
_ARITHMETIC = ("+", "-", "*", "/", "%")


def guards(source: ParsedText, place: Span, dimension: int, bounds: Sequence[str]) -> list[tuple[Edit, ...]]:
    """The edits after which the access is made only where its index lies below one of the bounds.

    A statement that is more than a declaration is guarded whole, else the value read is replaced.
    """
    return _with_conditions(source, place, dimension, [f"< {bound}" for bound in bounds])


def guards_below(source: ParsedText, place: Span, dimension: int) -> list[tuple[Edit, ...]]:
    """The edits after which the access is made only where its index is not negative."""
    return _with_conditions(source, place, dimension, [">= 0"])


def _with_conditions(source: ParsedText, place: Span, dimension: int, tests: Sequence[str]) -> list[tuple[Edit, ...]]:
    access = access_at(source, place)
    if access is None or dimension >= len(access.indices):
        return []
    index = _operand(source, access.indices[dimension])
    return [edits for test in tests for edits in _guarded(source, access, f"{index} {test}")]


def _guarded(source: ParsedText, access: IndexedElement, condition: str) -> Iterator[tuple[Edit, ...]]:
    around = statements_around(source, Span(access.node.start_byte, access.node.end_byte))
    if around and around[0].type in {"expression_statement", "assignment"}:
        yield (_around(source, around[0], condition),)
    if _is_read(access.node):
        yield from ((_chosen(source, access.node, condition, zero),) for zero in zeros(source))


def _around(source: ParsedText, statement: Node, condition: str) -> Edit:
    text = source.text(statement)
    held = statement.parent is not None and statement.parent.type in source.dialect.holders
    if source.dialect is not CUDA:
        guarded = f"if {condition} {{ {text} }}"
    else:
        guarded = f"if ({condition}) {text}" if held else f"{{ if ({condition}) {text} }}"
    return source.replaced(statement.start_byte, statement.end_byte, guarded)


def _chosen(source: ParsedText, access: Node, condition: str, zero: str) -> Edit:
    text = source.text(access)
    chosen = f"({condition} ? {text} : {zero})" if source.dialect is CUDA else f"select({condition}, {text}, {zero})"
    return source.replaced(access.start_byte, access.end_byte, chosen)


def _is_read(access: Node) -> bool:
    """Whether the access only gives a value: it is not assigned to, and its address is not taken."""
    parent = access.parent
    if parent is None or _is_assigned(parent, access):
        return False
    return parent.type not in {"pointer_expression", "update_expression", "field_expression"}


def _is_assigned(parent: Node, node: Node) -> bool:
    """Whether a node is what its parent assigns to."""
    return node in (parent.child_by_field_name("left"), parent.child_by_field_name("target"))


def _operand(source: ParsedText, node: Node) -> str:
    """The text of an index as an operand of a comparison."""
    text = source.text(node)
    operator = node.child_by_field_name("operator")
    arithmetic = operator is not None and source.text(operator) in _ARITHMETIC and "assign" not in node.type
    return text if node.type in _SIMPLE or arithmetic else f"({text})"


def extent_texts(source: ParsedText, place: Span, array: str, dimension: int) -> list[str]:
    """How the text around a place writes an extent of a shared array, or of a parameter in our own syntax."""
    shapes = [each.extents for each in shared_arrays(source, place) if each.name == array]
    shapes.append(parameter_extents(source, place, array))
    return [_operand(source, shape[dimension]) for shape in shapes if dimension < len(shape)]


def declared_at(source: ParsedText, place: Span, array: str) -> DeclaredArray | None:
    """The declaration of the shared array with this name in the function around a place."""
    return next((each for each in shared_arrays(source, place) if each.name == array), None)


def widened(source: ParsedText, declared: DeclaredArray, dimension: int, by: int) -> tuple[Edit, ...]:
    """The edit that gives a shared array so many more elements in a dimension."""
    extent = declared.extents[dimension]
    text = source.text(extent)
    wider = str(int(text) + by) if text.isdecimal() else f"{_operand(source, extent)} + {by}"
    return (source.replaced(extent.start_byte, extent.end_byte, wider),)
