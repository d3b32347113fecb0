"""What a rule says of an axis in more than one name: sizes of padded operands, attributes, and what strides leave over.

Owns which compound expressions of a rule the grammar has besides those that it makes. Must not know their values.
"""

from __future__ import annotations

from rewright.fixes.preconditions.expressions import SITE
from rewright.model.index import Index, IndexOperation, IntegerReference, MapReference, Name, Number
from rewright.model.rule import Rule
from rewright.model.tensor import Pad, Slice, TensorReference
from rewright.model.walk import nodes

MOST = 10
"""Expressions of a rule that are looked at; the library's rules have up to 7."""


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


def attributes(rule: Rule, rank_class: Name) -> tuple[Index, ...]:
    """The sums, products and quotients that a rule has as attributes on a class, shortest first; of many, not all.

    Where a side is not valid, the condition that is missing most often speaks of them.
    """
    found = {_bare(node): None for node in nodes((rule.left, rule.right)) if isinstance(node, IndexOperation)}
    own = [index for index in found if _is_on(index, rank_class)]
    return tuple(sorted(own, key=lambda index: sum(1 for _ in nodes(index)))[:MOST])


def lengths_by_strides(rule: Rule, rank_class: Name) -> tuple[tuple[Index, Index], ...]:
    """For each slice with a stride on a class how far its last index may be from its first one, and the stride."""
    classes = {group.name: group.rank_class for group in rule.groups}
    found: dict[tuple[Index, Index], None] = {}
    for part in (node for node in nodes((rule.left, rule.right)) if isinstance(node, Slice)):
        for group, each in part.ranges:
            if classes[group] == rank_class and each.limit is not None and not isinstance(each.stride, Number):
                length = IndexOperation("-", _bare(each.limit), _bare(each.start), SITE)
                last = IndexOperation("-", length, Number(1, SITE), SITE)
                found |= {(length, _bare(each.stride)): None, (last, _bare(each.stride)): None}
    return tuple(found)[:MOST]


def _is_on(index: Index, rank_class: Name) -> bool:
    """Whether an expression has names alone, and a map of this class among them."""
    leaves = [leaf for leaf in nodes(index) if not isinstance(leaf, IndexOperation | Number)]
    maps = [leaf for leaf in leaves if isinstance(leaf, MapReference)]
    plain = all(isinstance(leaf, MapReference | IntegerReference) for leaf in leaves)
    return plain and bool(maps) and all(leaf.rank_class == rank_class for leaf in maps)


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
            return type(index)(**{name: getattr(index, name) for name in index.__struct_fields__} | {"site": SITE})
