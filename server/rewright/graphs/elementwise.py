"""Elementwise operators as roots: of parts of its operands at one offset an operator gives that part of the root.

Owns which part that is. What no operand varies along is no dimension of the root. Must not know operators.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

from rewright.graphs.blocks import Combination, Restriction, RootPart, one_piece
from rewright.graphs.combinations import placed, renumbered, varying
from rewright.graphs.roots import MatchedOperand, Root, RootOperation, Roots, agreed, through
from rewright.terms import Term


def elementwise_root(
    roots: Roots, key: Hashable, sums: Sequence[Combination], shape: Sequence[Term], linear_in: Collection[int] = ()
) -> Combination:
    """The part of a root that an operator gives of combinations in a box of this shape that begins at 0.

    The operator is linear in the operands `linear_in`, each by itself.
    """
    used = sorted(frozenset[int]().union(*map(varying, sums)))
    small = tuple(shape[d] for d in used)
    operands = tuple(one_piece(small, renumbered(each, used)) for each in sums)

    def lift(root: Root, parts: Sequence[MatchedOperand]) -> RootPart | None:
        return _part(root, parts, linear_in)

    return placed(roots.find(RootOperation(key, operands, small), lift), used)


def _part(root: Root, parts: Sequence[MatchedOperand], linear_in: Collection[int]) -> RootPart | None:
    axes = []
    for d in range(len(root.shape)):
        is_one, offset = agreed([each.offsets[d] for each in parts])
        if not is_one or offset is None:
            return None
        axes.append((d, offset))
    restrictions: frozenset[Restriction] = frozenset()
    for place, each in enumerate(parts):
        found = through(place, each.restrictions)
        if found is None or (found and place not in linear_in):
            return None
        restrictions |= found
    return RootPart(root.number, tuple(axes), restrictions)
