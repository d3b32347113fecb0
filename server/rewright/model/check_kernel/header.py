"""Sizes and parameters of a kernel. Must not know its body."""

from __future__ import annotations

from collections.abc import Sequence

from rewright.model.body import Expression
from rewright.model.check_kernel.bounded import note_value
from rewright.model.check_kernel.expressions import number, truth
from rewright.model.check_kernel.scope import KernelScope
from rewright.model.check_kernel.types import scalar_type
from rewright.model.check_kernel.uniform import array, uniform
from rewright.model.conversions import converted
from rewright.model.declared import SymbolKind
from rewright.model.kernel import ArrayParameter, Direction, Parameter, ScalarParameter, Size
from rewright.model.simt.types import Scalar, Space
from rewright.syntax import nodes
from rewright.verdict.diagnostics.names import CannotStandHere, IncompleteDeclaration, WrongPart


def sizes(scope: KernelScope, written: Sequence[nodes.TypeParameter]) -> tuple[Size, ...]:
    """The sizes, those that are right; each may use the ones before it."""
    found = []
    for each in written:
        if each.bound is not None:
            scope.notes.error(IncompleteDeclaration(each.name.text, WrongPart.SIZE), each.bound.span)
        value = None if each.value is None else uniform(scope, each.value)
        local = scope.uniform(each.name, SymbolKind.SIZE, Scalar.S32)
        if local is not None and (each.value is None or value is not None):
            kept = None if value is None else converted(value, Scalar.S32)
            if each.value is not None and value is not None:
                note_value(scope, local, value, each.value)
            found.append(Size(local.name, kept, scope.notes.site(each.name.span)))
    return tuple(found)


def parameters(scope: KernelScope, written: Sequence[nodes.Parameter]) -> tuple[Parameter, ...]:
    """The parameters, those that are right, in order: an array has a direction, a scalar has none."""
    found = [_scalar(scope, each) if _is_scalar(each) else _array(scope, each) for each in written]
    return tuple(parameter for parameter in found if parameter is not None)


def _is_scalar(node: nodes.Parameter) -> bool:
    return node.mode is None and (node.type is None or node.type.shape is None)


def _scalar(scope: KernelScope, node: nodes.Parameter) -> ScalarParameter | None:
    if node.type is None:
        scope.notes.error(CannotStandHere("a parameter without a type", "one, as in `n: s32`"), node.span)
    scalar = None if node.type is None else scalar_type(scope.notes, node.type)
    value = None if node.value is None else _value(scope, node.value, scalar)
    local = scope.uniform(node.name, SymbolKind.PARAMETER, scalar)
    if local is None or (node.value is not None and value is None):
        return None
    kept = None if value is None else converted(value, local.type)
    if node.value is not None and value is not None:
        note_value(scope, local, value, node.value)
    return ScalarParameter(local.name, local.type, kept, scope.notes.site(node.name.span))


def _value(scope: KernelScope, node: nodes.Expression, scalar: Scalar | None) -> Expression | None:
    """The value of a scalar parameter: an integer over sizes and earlier parameters, a number for a float, a truth."""
    if scalar is Scalar.PRED:
        return truth(scope, node)
    return number(scope, node) if scalar is not None and scalar.is_float else uniform(scope, node)


def _array(scope: KernelScope, node: nodes.Parameter) -> ArrayParameter | None:
    direction = None if node.mode is None else Direction(node.mode)
    if direction is None:
        scope.notes.error(CannotStandHere("an array without a direction", "`in`, `out` or `inout`"), node.span)
    if node.value is not None:
        scope.notes.error(IncompleteDeclaration(node.name.text, WrongPart.ARRAY), node.value.span)
    is_input = direction is not Direction.OUT
    made = None if node.type is None else array(scope, node.name, node.type, (Space.GLOBAL, is_input))
    scope.declare_array(node.name, SymbolKind.PARAMETER, made)
    if made is None or direction is None:
        return None
    return ArrayParameter(made.name, direction, made.type, made.extents, scope.notes.site(node.name.span))
