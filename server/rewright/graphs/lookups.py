"""Parts of a table that are looked up by index, and masks of them.

Owns two laws, of a lookup f(i) = Σ k: [i = k] · table(k), which is 0 where i is no index of the table. What an index is
where a mask is 0 does not matter to the masked lookup: P · f(select(P, i, j)) = P · f(i). And a mask that is 1 wherever
the index is one of the table's leaves nothing out: P · f(i) = f(i). So a rank that looks up the rows that it has, and
masks the others, has its terms of the sum over the whole table. Must not know graphs or ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct, field

from rewright.graphs.blocks import SPREAD, BlockTensor, Combination, is_zero, one_piece, spread, summed, with_axes
from rewright.graphs.combinations import varying
from rewright.graphs.products import COMPARISON, Products
from rewright.graphs.roots import only
from rewright.graphs.sizes import ONE, ZERO, at_most, less_size, plus_size
from rewright.graphs.truths import MIRRORED, negated, where
from rewright.terms import Term


class Lookup(Struct, frozen=True):
    """The parts of a table along a dimension at indices."""

    table: BlockTensor
    indices: BlockTensor
    dimension: int


Masked = tuple[BlockTensor | None, Lookup]
"""A product of a mask, which is None if nothing is left of it, and a lookup."""


class Lookups(Struct):
    """Which tensors are lookups."""

    products: Products
    _known: dict[BlockTensor, Lookup] = field(default_factory=dict)

    def enter(self, result: BlockTensor, lookup: Lookup) -> None:
        """From here on a tensor is known to be this lookup."""
        if len(lookup.indices.pieces) == 1:
            self._known.setdefault(result, lookup)

    def masked(self, operator: str, operands: Sequence[BlockTensor]) -> Masked | None:
        """What an operator that masks a lookup comes to; None if it is none, or by no law another than is written."""
        if not self._known:
            return None
        match operator, operands:
            case "select", (mask, then, otherwise) if is_zero(otherwise) and then in self._known:
                return self._under(mask, then, is_kept=True)
            case "select", (mask, then, otherwise) if is_zero(then) and otherwise in self._known:
                return self._under(mask, otherwise, is_kept=False)
            case "multiply", (left, right) if right in self._known:
                return self._under(left, right, is_kept=True)
            case "multiply", (left, right) if left in self._known:
                return self._under(right, left, is_kept=True)
            case _:
                return None

    def _under(self, mask: BlockTensor, looked_up: BlockTensor, *, is_kept: bool) -> Masked | None:
        """A lookup where a mask is 1, or where it is 0 unless it `is_kept`; None if that simplifies nothing."""
        lookup = self._known[looked_up]
        rank, first = len(lookup.indices.shape), lookup.dimension
        places = range(first, first + rank)
        if len(mask.pieces) != 1 or not varying(only(mask)) <= set(places):
            return None
        shape = lookup.indices.shape
        total: Combination | None = with_axes(only(mask), lambda d, at: (d if d == SPREAD else d - first, at))
        if not is_kept and total is not None:
            total = negated(self.products, total, shape)
        if not total:
            return None
        truths = self.products.truth_factors(total, shape)
        if truths == {total} and self.products.operands(total) is None:
            return None
        index = where(self.products, only(lookup.indices), truths, shape)
        size = lookup.table.shape[first]
        rest = [each for each in truths if not self._holds(each, index, size)]
        if len(rest) == len(truths) and index == only(lookup.indices):
            return None
        found = Lookup(lookup.table, one_piece(shape, index), first)
        if not rest:
            return None, found
        left = self.products.product(rest, [1] * len(rest), shape)
        return spread(one_piece(shape, left), places, looked_up.shape), found

    def _holds(self, truth: Combination, index: Combination, size: Term) -> bool:
        """Whether a comparison is true of every index from 0 to before `size`."""
        match self.products.operands(truth):
            case ((key, str() as operator), (difference,)) if key == COMPARISON:
                pass
            case _:
                return False
        terms = dict(difference)
        varies = [(part, factor) for part, factor in index if self.products.polynomial(part, factor) is None]
        scales = {terms.get(part, Fraction(0)) / factor for part, factor in varies}
        if len(scales) != 1 or 0 in scales:
            return False
        (by,) = scales
        rest = summed([(1 / abs(by), difference), (Fraction(-1 if by > 0 else 1), index)], self.products.roots.extent)
        added = [self.products.polynomial(part, factor) for part, factor in rest]
        total = ZERO
        for each in added:
            if each is None:
                return False
            total = plus_size(total, each)
        if by > 0:
            return _is_true_of_indices(operator, total, size)
        # total - index, compared with 0, is index - total compared the other way round
        return _is_true_of_indices(MIRRORED.get(operator, operator), less_size(ZERO, total), size)


def _is_true_of_indices(operator: str, added: Term, size: Term) -> bool:
    """Whether index + `added` compares so to 0 at every whole index from 0 to before `size`."""
    match operator:
        case "ge":
            return at_most(ZERO, added)
        case "gt":
            return at_most(ONE, added)
        case "lt":
            return at_most(plus_size(size, added), ZERO)
        case "le":
            return at_most(plus_size(size, added), ONE)
        case _:
            return False
