"""Elementwise operators and matrix products of a graph; operands align from the right, as in NumPy."""

from __future__ import annotations

from collections.abc import Sequence

from rewright.model.check_graph.scope import Dimensions, GraphScope, ShapedNode, TensorDimension
from rewright.model.check_graph.sizes import ONE, shape_text, text
from rewright.model.graph import Dot, Elementwise, Spread
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.graphs import SizesDiffer
from rewright.verdict.diagnostics.names import CannotStandHere


def elementwise(
    scope: GraphScope, operator: tuple[str, str], operands: Sequence[ShapedNode], span: Span
) -> ShapedNode | None:
    """The operator, by its name and as it is written, on operands of one shape; None, noted, if theirs do not fit."""
    name, written = operator
    dimensions = common(scope, written, [each.dimensions for each in operands], span)
    if dimensions is None:
        return None
    spread = tuple(spread_to(scope, each, dimensions, span).number for each in operands)
    return scope.add(Elementwise(name, spread, scope.shape(dimensions, span), scope.notes.site(span)), dimensions)


def common(scope: GraphScope, written: str, shapes: Sequence[Dimensions], span: Span) -> Dimensions | None:
    """The dimensions that all of these can be spread to; None, noted, if there are none."""
    found: Dimensions = ()
    for shape in shapes:
        rank = max(len(found), len(shape))
        one = (TensorDimension(ONE),)
        pairs = zip(one * (rank - len(found)) + found, one * (rank - len(shape)) + shape, strict=True)
        joined = [_joined(left, right) for left, right in pairs]
        complete = tuple(each for each in joined if each is not None)
        if len(complete) < rank:
            left, right = (shape_text([each.size for each in some]) for some in (found, shape))
            scope.notes.error(SizesDiffer(written, left, right), span)
            return None
        found = complete
    return found


def _joined(left: TensorDimension, right: TensorDimension) -> TensorDimension | None:
    if left.size == right.size:
        return left if left.label else right
    if right.size == ONE:
        return left
    return right if left.size == ONE else None


def spread_to(scope: GraphScope, operand: ShapedNode, dimensions: Dimensions, span: Span) -> ShapedNode:
    """The operand in a shape that it can be spread to."""
    if [each.size for each in operand.dimensions] == [each.size for each in dimensions]:
        return operand
    first = len(dimensions) - len(operand.dimensions)
    along = tuple(range(first, len(dimensions)))
    node = Spread(operand.number, along, scope.shape(dimensions, span), scope.notes.site(span))
    return scope.add(node, dimensions)


def matmul(scope: GraphScope, left: ShapedNode, right: ShapedNode, span: Span) -> ShapedNode | None:
    """NumPy's `matmul`; None, noted, if the shapes do not fit."""
    first, second = left.dimensions, right.dimensions
    if not first or not second:
        scope.notes.error(CannotStandHere("a number", "tensors of rank 1 or more on both sides of `@`"), span)
        return None
    contracted = (len(first) - 1, max(len(second) - 2, 0))
    sizes = first[contracted[0]].size, second[contracted[1]].size
    if sizes[0] != sizes[1]:
        scope.notes.error(SizesDiffer("@", text(sizes[0]), text(sizes[1])), span)
        return None
    batch = 0
    if len(first) >= 2 and len(second) > 2:
        leading = common(scope, "@", [first[:-2], second[:-2]], span)
        if leading is None:
            return None
        batch = len(leading)
        left = spread_to(scope, left, leading + first[-2:], span)
        right = spread_to(scope, right, leading + second[-2:], span)
        contracted = (batch + 1, batch)
    # On the left all but the last dimension are kept; on the right all but the contracted one, batches once.
    kept = left.dimensions[:-1] + tuple(
        each for number, each in enumerate(right.dimensions) if number >= batch and number != contracted[1]
    )
    pairs = tuple((number, number) for number in range(batch))
    node = Dot((left.number, right.number), pairs, (contracted,), scope.shape(kept, span), scope.notes.site(span))
    return scope.add(node, kept)
