"""Operators of graphs of which only the shapes are declared: from a declaration's node to its value.

Invariant: each size of the result, and each name in a size of an operand, is known from the operands at every call.
"""

from __future__ import annotations

from msgspec.structs import replace

from rewright.model.check_attributes import attributes, check_quantified
from rewright.model.check_graph.declaration import check_element_type, declare_parameter
from rewright.model.check_graph.extents import size
from rewright.model.check_graph.scope import GraphScope, TensorDimension
from rewright.model.check_graph.sizes import index_of, size_of
from rewright.model.conclusion import concluded
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared, SymbolKind
from rewright.model.graph import INTEGERS, GraphInput, OpaqueOperator, Shape
from rewright.model.index import Name
from rewright.model.notes import notes_for
from rewright.model.operator_table import OPERATOR_NAMES
from rewright.syntax.nodes import OperatorDecl
from rewright.verdict.diagnostics.names import CannotStandHere, IncompleteDeclaration, NameTaken, TakenBy, WrongPart


def check_operator(node: OperatorDecl) -> Declared:
    """The operator as the model understands it."""
    notes = notes_for(node.head)
    scope = GraphScope(notes)
    written = attributes(notes, node.head.attributes)
    check_quantified(notes, written, [])
    for parameter in node.parameters:
        declare_parameter(scope, parameter)
    inputs = [each for each in scope.computed if isinstance(each, GraphInput)]
    result = _result(scope, node)
    name = node.head.name
    if name is not None and name.text in OPERATOR_NAMES:
        notes.error(NameTaken(name.text, TakenBy.BUILT_IN), name.span)
    elif name is not None:
        notes.define(name, SymbolKind.DECLARATION, f"operator {name.text}")
    if not node.parameters and name is not None:
        notes.error(CannotStandHere("an operator without operands", "operands, as in `(x: f32[n])`"), name.span)
    value = None
    if name is not None and result is not None and not notes.has_errors and not notes.unsupported:
        operands = tuple(_placeless(each.shape) for each in inputs)
        value = OpaqueOperator(Name(name.text), operands, tuple(index_of(each.size, 0) for each in result))
        found = {size_of(each).symbol for shape in operands for each in shape}
        lost = sorted(scope.sizes - found)
        if lost:
            expected = f"a size `{lost[0]}` of some operand, by which it is known"
            notes.error(CannotStandHere(f"`{lost[0]}` in other sizes alone", expected), name.span)
            value = None
    return replace(concluded(notes, node.head, written, DeclarationKind.OPERATOR), value=value)


def _result(scope: GraphScope, node: OperatorDecl) -> tuple[TensorDimension, ...] | None:
    type_ = node.result
    if type_ is None or type_.element is None:
        if type_ is not None and node.head.name is not None:
            scope.notes.error(IncompleteDeclaration(node.head.name.text, WrongPart.SHAPE), type_.span)
        return None
    check_element_type(scope, type_.element)
    if type_.element.text in INTEGERS:
        scope.notes.not_supported("an operator that gives integers", type_.element.span)
    sizes = [size(scope, entry.size) for entry in type_.shape or ()]
    made = tuple(TensorDimension(each) for each in sizes if each is not None)
    return made if len(made) == len(sizes) and scope.whole(made, type_.span) else None


def _placeless(shape: Shape) -> Shape:
    return tuple(index_of(size_of(each), 0) for each in shape)
