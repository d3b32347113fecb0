"""Sizes and offsets as they are written, as polynomials; a mesh axis in a size is how many ranks there are along it."""

from __future__ import annotations

from fractions import Fraction

from rewright.model.check_graph.scope import GraphScope
from rewright.model.check_graph.sizes import (
    SizePolynomial,
    constant,
    difference,
    is_long,
    product,
    scaled,
    symbolic,
    total,
)
from rewright.model.declared import SymbolKind
from rewright.model.written import integer_of, kind_of
from rewright.syntax import nodes
from rewright.verdict.diagnostics.names import CannotStandHere


def declaring_size(scope: GraphScope, written: nodes.Expression) -> SizePolynomial | None:
    """A size in the shape of a parameter, whose new names are sizes from then on; None, noted, if it is none."""
    for name in _names(written):
        if name.text not in scope.mesh and name.text not in scope.sizes:
            if not scope.declare(name, SymbolKind.SIZE, f"size {name.text}"):
                return None
            scope.sizes.add(name.text)
    return size(scope, written)


def _names(written: nodes.Expression) -> list[nodes.Name]:
    match written:
        case nodes.Name():
            return [written]
        case nodes.Binary(left=left, right=right):
            return _names(left) + _names(right)
        case _:
            return []


def size(scope: GraphScope, written: nodes.Expression) -> SizePolynomial | None:
    """A size of declared names; None, noted, if it is none."""
    match written:
        case nodes.Call(callee=nodes.Name(text="rank")):
            scope.notes.error(CannotStandHere("a coordinate", "a size, the same on each rank"), written.span)
            return None
        case _:
            return offset(scope, written)


def offset(scope: GraphScope, written: nodes.Expression) -> SizePolynomial | None:
    """A size or an offset, in which `rank(a)` is the coordinate on a mesh axis, under the axis' name."""
    match written:
        case nodes.Number(text=text):
            value = integer_of(text)
            if value is not None:
                return constant(value)
        case nodes.Name(text=text) if text in scope.mesh:
            scope.used(written)
            return constant(scope.mesh[text].size)
        case nodes.Name(text=text) if text in scope.steps:
            scope.used(written)
            return constant(scope.steps[text])
        case nodes.Name(text=text) if text in scope.sizes:
            scope.used(written)
            return symbolic(text)
        case nodes.Name():
            scope.unknown("size", written, [*scope.sizes, *scope.mesh, *scope.steps])
            return None
        case nodes.Call(callee=nodes.Name(text="rank"), arguments=(nodes.Positional(value=nodes.Name() as name),)):
            axis = scope.axis(name)
            return symbolic(axis.name) if axis is not None else None
        case nodes.Binary(left=left, operator="+" | "-" | "*" | "/" as operator, right=right):
            first, second = offset(scope, left), offset(scope, right)
            return None if first is None or second is None else _combined(scope, written, operator, (first, second))
        case nodes.Missing():
            return None
        case _:
            pass
    _no_size(scope, written)
    return None


def _combined(
    scope: GraphScope, written: nodes.Binary, operator: str, operands: tuple[SizePolynomial, SizePolynomial]
) -> SizePolynomial | None:
    left, right = operands
    match operator:
        case "+":
            return total(operands)
        case "-":
            return difference(left, right)
        case "*" if is_long(operands):
            scope.notes.not_supported("a size of so many terms", written.span)
            return None
        case "*":
            return product(operands)
        case _:
            divisor = right.number
            if divisor is None:
                scope.notes.not_supported("division by a size that is no number", written.right.span)
                return None
            if divisor <= 0:
                _no_size(scope, written.right)
                return None
            return scaled(left, Fraction(1) / divisor)


def _no_size(scope: GraphScope, written: nodes.Expression) -> None:
    scope.notes.error(CannotStandHere(kind_of(written), "a size"), written.span)
