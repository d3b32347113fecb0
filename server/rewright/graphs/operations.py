"""What operators make of tensors in block normal form: linear ones and views move boxes, all others are roots.

Owns elementwise operators, and what tensors come to that are combined over ranks. The laws are true over the reals at
all sizes from 1 wherever both sides are defined: of parts of tensors at one offset an operator gives the part of what
it gives of the whole; a product is linear in both factors, a quotient in its numerator; numbers leave what is linear.
What no operand varies along is no dimension of the root.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial, reduce

from rewright.graphs import contractions, reshapes, truths
from rewright.graphs.blocks import (
    BlockTensor,
    BoxPiece,
    Combination,
    Restriction,
    RootPart,
    cells,
    combined,
    joining,
    merged,
    one_piece,
    spread,
    summed,
    transposed,
    without_elements,
)
from rewright.graphs.combinations import NOTHING, extents, from_box, into_box
from rewright.graphs.contractions import Pairs
from rewright.graphs.elementwise import elementwise_root
from rewright.graphs.lookups import Lookup, Lookups
from rewright.graphs.opaque import OpaqueRoots
from rewright.graphs.products import HIGHEST, Products
from rewright.graphs.roots import Root, Roots, skeleton
from rewright.graphs.sizes import ZERO, at_most, less_size, plus_size
from rewright.model.graph import Monoid
from rewright.terms import Term, scale

LINEAR_IN = {"multiply": (0, 1), "divide": (0,)}
"""In which operands an elementwise operator is linear, sums apart."""

COMMUTATIVE = frozenset({"multiply", "maximum", "minimum", "or", "xor"})


class Operations:
    """Operators on tensors, with the roots that they made so far."""

    def __init__(self) -> None:
        self.products = Products(Roots())
        self.iotas: list[Root] = []
        self.lookups = Lookups(self.products)
        self.opaques = OpaqueRoots(self.products.roots)

    @property
    def roots(self) -> Roots:
        """The roots."""
        return self.products.roots

    def constant(self, value: Fraction) -> BlockTensor:
        """A number as a tensor of rank 0."""
        return one_piece((), self.products.number(value))

    def added(self, terms: Sequence[tuple[Fraction, BlockTensor]]) -> BlockTensor:
        """The linear combination of tensors of one shape. Raises `NotComparable`."""
        found = combined(terms, self.roots.extent)
        if not self.iotas:
            return found
        return merged(
            BlockTensor(found.shape, tuple(BoxPiece(each.box, self._shifted(each.sum)) for each in found.pieces))
        )

    def iota(self, dimension: int, shape: Sequence[Term]) -> BlockTensor:
        """The tensor of which each element is its index along a dimension."""
        size = shape[dimension]
        root = next((each for each in self.iotas if at_most(size, each.shape[0])), None)
        if root is None:
            root = self.roots.new((size,))
            self.iotas.append(root)
        return one_piece(shape, frozenset({(RootPart(root.number, ((dimension, ZERO),)), Fraction(1))}))

    def _shifted(self, total: Combination) -> Combination:
        """A combination in which a size that is added to an index is a shift of it."""
        numbers = {root.number for root in self.iotas}
        total = self._one_index(total, numbers)
        indices = [(part, factor) for part, factor in total if part.root in numbers and abs(factor) == 1]
        if not indices:
            return total
        index, sign = min(indices, key=lambda term: term[0].axes[0][0])
        added = {term: self.products.polynomial(*term) for term in total if term[0].root not in numbers}
        by = reduce(plus_size, (each for each in added.values() if each is not None), ZERO)
        d, offset = index.axes[0]
        shifted = index._replace(axes=((d, plus_size(offset, scale(int(sign), by))),))
        rest = {term for term in total if added.get(term) is None and term[0] != index}
        return frozenset({*rest, (shifted, sign)})

    def _one_index(self, total: Combination, numbers: set[int]) -> Combination:
        """A combination in which indices along one dimension are multiples of the one that is shifted least."""
        along: dict[int, list[tuple[RootPart, Fraction]]] = {}
        for part, factor in sorted(
            (term for term in total if term[0].root in numbers),
            key=lambda term: (term[0].root, term[1], term[0].axes[0][1].digest),
        ):
            along.setdefault(part.axes[0][0], []).append((part, factor))
        terms = [(Fraction(1), frozenset(term for term in total if term[0].root not in numbers))]
        for alike in along.values():
            least, _ = alike[0]
            for part, _ in alike[1:]:
                least = part if at_most(part.axes[0][1], least.axes[0][1]) else least
            for part, factor in alike:
                by = less_size(part.axes[0][1], least.axes[0][1])
                terms += [(factor, frozenset({(least, Fraction(1))})), (factor, self.products.size(by))]
        return summed(terms, self.roots.extent)

    def _difference(self, sums: Sequence[Combination]) -> Combination:
        found = summed([(Fraction(1), sums[0]), (Fraction(-1), sums[1])], self.roots.extent)
        return self._shifted(found) if self.iotas else found

    def gather(self, table: BlockTensor, indices: BlockTensor, dimension: int) -> BlockTensor:
        """The parts of a table along a dimension at the indices: the sum over the dimension of those at the index that
        is looked up, which is 0 where there is none. Raises `NotComparable`."""
        rank = len(indices.shape)
        shape = (*indices.shape, table.shape[dimension])
        chosen = self.elementwise("eq", (spread(indices, range(rank), shape), self.iota(rank, shape)))
        found = self.dot((chosen, table), (), ((rank, dimension),))
        order = [*range(rank, rank + dimension), *range(rank), *range(rank + dimension, len(found.shape))]
        result = transposed(found, order)
        self.lookups.enter(result, Lookup(table, indices, dimension))
        return result

    def elementwise(self, operator: str, operands: Sequence[BlockTensor]) -> BlockTensor:
        """An elementwise operator on tensors of one shape. Raises `NotComparable`."""
        masked = self.lookups.masked(operator, operands)
        if masked is not None:
            rest, lookup = masked
            found = self.gather(lookup.table, lookup.indices, lookup.dimension)
            return self.elementwise("multiply", (rest, found)) if rest is not None else found
        match operator, operands:
            case "add", (left, right):
                return self.added(((Fraction(1), left), (Fraction(1), right)))
            case "subtract", (left, right):
                return self.added(((Fraction(1), left), (Fraction(-1), right)))
            case "negate", (operand,):
                return self.added(((Fraction(-1), operand),))
            case "convert", (operand,):
                return operand
            case _:
                pieces = []
                for box, sums in cells(operands):
                    total = self._in_box(operator, extents(box), [from_box(box, each) for each in sums])
                    pieces.append(into_box(box, total))
                return merged(BlockTensor(operands[0].shape, tuple(pieces)))

    def _in_box(self, operator: str, shape: tuple[Term, ...], sums: list[Combination]) -> Combination:
        """An operator on combinations in a box that begins at 0."""

        def apply() -> Combination:
            alone = partial(self._element, operator, shape)
            return self.roots.by_parts(sums, LINEAR_IN.get(operator, ()), alone)

        dimensions = range(len(shape))
        return self.products.translations.applied(
            (operator, shape), [(each, dimensions) for each in sums], shape, apply
        )

    def _element(self, operator: str, shape: Sequence[Term], sums: list[Combination]) -> Combination:
        """`_in_box` of combinations of which all terms are restricted alike."""
        values = [self.products.constant_value(each) for each in sums]
        match operator, values:
            case "multiply", _:
                return self.products.product(sums, (1, 1), shape)
            case "divide", (_, divisor) if divisor != 0:
                return self.products.product(sums, (1, -1), shape)
            case "eq" | "ne" | "lt" | "le" | "gt" | "ge", _:
                return truths.compared(self.products, operator, self._difference(sums), shape)
            case "and", _:
                return self.products.product(sums, (1, 1), shape)
            case "select", _:
                return truths.selected(self.products, sums, shape)
            case "power", (_, Fraction(denominator=1) as power) if 0 < abs(power) <= HIGHEST and sums[0]:
                return self.products.product(sums[:1], (int(power),), shape)
            case "exponential", _:
                return self.products.exponential(sums[0], shape)
            case "log", (value,) if value != 0:
                return self.products.logarithm(sums[0], shape)
            case "rsqrt", (value,) if value != 0:
                root = elementwise_root(self.roots, "sqrt", sums, shape)
                return self.products.product([root], (-1,), shape)
            case "sqrt", (value,) if value == 0:
                return NOTHING
            case "maximum" | "minimum", _ if sums[0] == sums[1]:
                return sums[0]
        if operator in COMMUTATIVE:
            sums.sort(key=skeleton)
        return elementwise_root(self.roots, operator, sums, shape)

    def dot(self, operands: Sequence[BlockTensor], batch: Pairs, contract: Pairs) -> BlockTensor:
        """The sum over contracted dimensions; batch, left free, right free dimensions. Raises `NotComparable`."""
        return contractions.dot(self.products, operands, batch, contract)

    def reduce(self, monoid: Monoid, operand: BlockTensor, dimensions: Sequence[int]) -> BlockTensor:
        """The tensor combined along dimensions. Raises `NotComparable`."""
        return contractions.reduce(self.products, monoid, operand, dimensions, self.together)

    def together(self, monoid: Monoid, tensors: Sequence[BlockTensor]) -> BlockTensor:
        """Tensors of one shape combined, element by element. Raises `NotComparable`."""
        if monoid == "add":
            return self.added([(Fraction(1), each) for each in tensors])
        rest = list(dict.fromkeys(tensors)) if monoid in ("maximum", "minimum") else list(tensors)
        joined = self._joined(monoid, rest)
        if joined is not None:
            return joined
        result = rest[0]
        for each in rest[1:]:
            result = self.elementwise(monoid, (result, each))
        return result

    def _joined(self, monoid: Monoid, tensors: Sequence[BlockTensor]) -> BlockTensor | None:
        """The tensor of which, in each box, the given ones combine adjoining ranges of terms; None if they do not."""
        pieces = []
        for box, sums in cells(tensors):
            part = self._joined_parts(monoid, sums)
            if part is None:
                return None
            pieces.append(BoxPiece(box, frozenset({part})))
        return merged(BlockTensor(tensors[0].shape, tuple(pieces)))

    def _joined_parts(self, monoid: Monoid, sums: Sequence[Combination]) -> tuple[RootPart, Fraction] | None:
        starts: dict[Term, tuple[RootPart, Restriction]] = {}
        rests = set()
        for each in sums:
            if len(each) != 1:
                return None
            ((part, factor),) = each
            own = [one for one in part.restrictions if one.monoid == monoid and not one.path]
            if factor <= 0 or len(own) != 1 or own[0].low in starts:
                return None
            starts[own[0].low] = part, own[0]
            rests.add((part.root, part.axes, part.restrictions - {own[0]}, own[0].dimension, factor))
        for parts, joined in joining(starts, self.roots.extent):
            if len(rests) == 1 and len(parts) == len(sums):
                return joined, factor
        return None

    def reshape(self, operand: BlockTensor, shape: Sequence[Term]) -> BlockTensor:
        """The tensor in another shape of as many elements. Raises `NotComparable`."""
        if ZERO in shape:
            return without_elements(shape)
        return reshapes.reshape(self.roots, operand, shape)
