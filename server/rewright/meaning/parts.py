"""Axes of a convolution that are cut into parts: `feature_groups` and `batch_groups`.

Owns what makes the cuts valid, and which part of the operand an output feature sees. Must not know windows.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from rewright.equality import EVERYWHERE
from rewright.meaning.forms import Indices, Meaning, RuleSide
from rewright.model.index import Name
from rewright.model.tensor import Convolution
from rewright.terms import (
    TRUE,
    Term,
    at_most,
    disjoin,
    equal,
    floor_divide,
    multiply,
    number,
    remainder,
    zero,
)

ONE = number(1)


class Cut(Struct, frozen=True):
    """An axis of the operand of which the output features, cut into as many parts, see one part each of this size."""

    axis: Name
    size: Term
    output: Name
    outputs: Term

    def shift(self, indices: Indices) -> Term:
        """Where the part begins that an output feature sees."""
        return multiply(self.size, floor_divide(indices[self.output], self.outputs))


class Parts(Struct, frozen=True):
    """The cuts of a convolution, and the sizes that they leave of axes of the operand."""

    cuts: tuple[Cut, ...]
    sizes: Mapping[Name, Term]

    def shifts(self, indices: Indices) -> dict[Name, Term]:
        """How far the operand's indices are moved."""
        return {cut.axis: cut.shift(indices) for cut in self.cuts}


def parts_of(node: Convolution, operand: Meaning, kernel: Meaning, side: RuleSide) -> Parts:
    """The cuts; valid only where they divide, where at most one number of parts is not 1 and features agree."""
    features, batches = side.integer(node.feature_groups), side.integer(node.batch_groups)
    _everywhere(side, at_most(ONE, features), at_most(ONE, batches), disjoin(equal(features, ONE), equal(batches, ONE)))
    for group in node.feature:
        side.need(group, equal(operand.shape[group], multiply(features, kernel.shape[group])))
    cuts: list[Cut] = []
    sizes: dict[Name, Term] = {}
    if features is not ONE:
        (axis,) = node.feature
        cuts.append(_cut((axis, kernel.shape[axis]), features, _only(kernel, operand), side))
    if batches is not ONE:
        axis, whole = _only(operand, kernel)
        side.need(axis, zero(remainder(whole, batches)))
        sizes[axis] = floor_divide(whole, batches)
        cuts.append(_cut((axis, sizes[axis]), batches, _only(kernel, operand), side))
    return Parts(tuple(cuts), sizes)


def _only(meaning: Meaning, other: Meaning) -> tuple[Name, Term]:
    """The one axis that the other does not have, with its size."""
    ((axis, size),) = ((group, size) for group, size in meaning.shape.items() if group not in other.shape)
    return axis, size


def _cut(part: tuple[Name, Term], count: Term, kernel: tuple[Name, Term], side: RuleSide) -> Cut:
    """The cut of an axis of the operand into parts of a size, and of the output features into that many."""
    axis, size = part
    output, outputs = kernel
    side.need(output, zero(remainder(outputs, count)))
    return Cut(axis, size, output, floor_divide(outputs, count))


def _everywhere(side: RuleSide, *truths: Term) -> None:
    side.facts += ((EVERYWHERE, truth) for truth in truths if truth is not TRUE)
