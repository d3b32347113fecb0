"""What a rule spreads out: sizes of padded operands, which preconditions speak of as often as of an unknown.

Owns which compound expressions of a rule count as one in the grammar. Must not know their values.
"""

from __future__ import annotations

from dataclasses import fields

from rewright.fixes.preconditions.expressions import SITE
from rewright.model.index import Index, IndexOperation, Name, Number
from rewright.model.rule import Rule
from rewright.model.tensor import Pad, TensorReference
from rewright.model.walk import nodes


def extents(rule: Rule, rank_class: Name) -> tuple[Index, ...]:
    """For each padding of a declared tensor between its elements, how far these reach: `n + (n - 1) * interior`."""
    classes = {group.name: group.rank_class for group in rule.groups}
    sizes = {tensor.name: dict(tensor.shape) for tensor in rule.tensors}
    found: dict[Index, None] = {}
    for pad in (node for node in nodes((rule.left, rule.right)) if isinstance(node, Pad)):
        for group, padding in pad.paddings if isinstance(pad.operand, TensorReference) else ():
            if classes[group] == rank_class and not isinstance(padding.interior, Number):
                found[_extent(_bare(sizes[_name(pad)][group]), _bare(padding.interior))] = None
    return tuple(found)


def _name(pad: Pad) -> Name:
    assert isinstance(pad.operand, TensorReference)
    return pad.operand.name


def _extent(size: Index, interior: Index) -> Index:
    between = IndexOperation("*", IndexOperation("-", size, Number(1, SITE), SITE), interior, SITE)
    return IndexOperation("+", size, between, SITE)


def _bare(index: Index) -> Index:
    """The expression as it would be written."""
    match index:
        case IndexOperation(operator=operator, left=left, right=right):
            return IndexOperation(operator, _bare(left), _bare(right), SITE)
        case _:
            return type(index)(**{part.name: getattr(index, part.name) for part in fields(index)} | {"site": SITE})
