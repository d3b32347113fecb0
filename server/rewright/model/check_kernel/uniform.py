"""Expressions that are the same for all threads, and the arrays whose extents they are. Must not know statements."""

from __future__ import annotations

from rewright.model.body import Array, Atomic, Expression, Load, Position, Shuffle, Variable, Vote, parts
from rewright.model.check_kernel.expressions import integer
from rewright.model.check_kernel.scope import KernelScope
from rewright.model.check_kernel.types import scalar_type
from rewright.model.simt.types import Space
from rewright.syntax import nodes
from rewright.verdict.diagnostics.names import CannotStandHere


def uniform(scope: KernelScope, node: nodes.Expression) -> Expression | None:
    """The value of an integer expression over sizes and scalar parameters, None (noted) if it is none."""
    value = integer(scope, node)
    if value is None:
        return None
    variables = {local.name for local in scope.locals}
    for part in parts(value):
        if isinstance(part, Load | Position | Atomic | Shuffle | Vote) or (
            isinstance(part, Variable) and part.name in variables
        ):
            scope.notes.error(CannotStandHere("a value that threads differ in", "sizes and parameters"), node.span)
            return None
    return value


def array(scope: KernelScope, name: nodes.Name, written: nodes.TypeRef, what: tuple[Space, bool]) -> Array | None:
    """The array `name: type[extents]` in a space, an input or not; None (noted) if its type or an extent is wrong."""
    space, is_input = what
    scalar = scalar_type(scope.notes, written)
    if not written.shape:
        scope.notes.error(CannotStandHere("a type without sizes", "an array, as in `f32[N]`"), written.span)
        return None
    extents = []
    for entry in written.shape:
        if entry.axis is not None:
            scope.notes.error(CannotStandHere("the name of an axis", "a size"), entry.axis.span)
        extents.append(uniform(scope, entry.size))
    complete = tuple(extent for extent in extents if extent is not None)
    if scalar is None or len(complete) != len(extents):
        return None
    return Array(scope.unique(name.text), space, scalar, complete, is_input, scope.place(name.span))
