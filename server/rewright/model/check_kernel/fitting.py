"""A value where one of a type is kept: converted, or an error if that would lose its meaning.

Must not know where it is kept.
"""

from __future__ import annotations

from rewright.model.body import Expression
from rewright.model.check_kernel.scope import KernelScope
from rewright.model.conversions import converted
from rewright.model.simt.types import Scalar
from rewright.syntax import nodes
from rewright.verdict.diagnostics.names import CannotStandHere


def fitting(scope: KernelScope, value: Expression, scalar: Scalar, written: nodes.Expression) -> Expression | None:
    """The value in the type that it is kept in; what would lose its meaning is an error."""
    is_truth = value.type is Scalar.PRED
    if is_truth != (scalar is Scalar.PRED) or (value.type.is_float and not scalar.is_float):
        what = "a truth" if is_truth else f"a number of type {value.type}"
        expected = f"{scalar}, as in `convert(…, {scalar})`"
        scope.notes.error(CannotStandHere(what, expected), written.span)
        return None
    return converted(value, scalar)
