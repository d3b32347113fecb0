"""What operators make of tensors in block normal form: linear ones and views move boxes, all others are roots.

Owns elementwise operators, and what tensors come to that are combined over ranks. The laws are true over the reals at
all sizes from 1 wherever both sides are defined: of parts of tensors at one offset an operator gives the part of what
it gives of the whole; a product is linear in both factors, a quotient in its numerator; numbers leave what is linear.
What no operand varies along is no dimension of the root.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from rewright.graphs import contractions, reshapes
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
)
from rewright.graphs.combinations import (
    NOTHING,
    extents,
    from_box,
    into_box,
    placed,
    pulled,
    renumbered,
    scaled,
    varying,
)
from rewright.graphs.contractions import Pairs
from rewright.graphs.roots import MatchedOperand, Root, RootOperation, Roots, agreed, skeleton, through
from rewright.model.graph import Monoid
from rewright.terms import Term

LINEAR_IN = {"multiply": (0, 1), "divide": (0,)}
"""In which operands an elementwise operator is linear, sums apart."""

COMMUTATIVE = frozenset({"multiply", "maximum", "minimum", "and", "or", "xor"})


@dataclass(slots=True)
class Operations:
    """Operators on tensors, with the roots that they made so far."""

    roots: Roots = field(default_factory=Roots)
    _one: RootPart | None = None

    def constant(self, value: Fraction) -> BlockTensor:
        """A number as a tensor of rank 0."""
        return one_piece((), self._number(value))

    def _number(self, value: Fraction) -> Combination:
        if self._one is None:
            self._one = RootPart(self.roots.new(()).number, ())
        return frozenset({(self._one, value)}) if value else NOTHING

    def _constant_value(self, total: Combination) -> Fraction | None:
        """The number that a combination is everywhere, None if it is none."""
        if not total:
            return Fraction(0)
        ((part, factor), *rest) = total
        return factor if part == self._one and not rest else None

    def added(self, terms: Sequence[tuple[Fraction, BlockTensor]]) -> BlockTensor:
        """The linear combination of tensors of one shape. Raises `NotComparable`."""
        return combined(terms, self.roots.extent)

    def elementwise(self, operator: str, operands: Sequence[BlockTensor]) -> BlockTensor:
        """An elementwise operator on tensors of one shape. Raises `NotComparable`."""
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
                    apply = partial(self._element, operator, extents(box))
                    within = [from_box(box, each) for each in sums]
                    total = self.roots.by_parts(within, LINEAR_IN.get(operator, ()), apply)
                    pieces.append(into_box(box, total))
                return merged(BlockTensor(operands[0].shape, tuple(pieces)))

    def _element(self, operator: str, shape: Sequence[Term], sums: list[Combination]) -> Combination:
        """An operator on combinations in a box that begins at 0."""
        values = [self._constant_value(each) for each in sums]
        match operator, values:
            case "multiply", (Fraction() as factor, _):
                return scaled(sums[1], factor)
            case "multiply", (_, Fraction() as factor):
                return scaled(sums[0], factor)
            case "divide", (_, Fraction() as divisor) if divisor:
                return scaled(sums[0], 1 / divisor)
            case "maximum" | "minimum", _ if sums[0] == sums[1]:
                return sums[0]
        used = sorted(frozenset().union(*map(varying, sums)))
        factor = Fraction(1)
        for place in LINEAR_IN.get(operator, ()):
            number, sums[place] = pulled(sums[place])
            factor *= number
        if operator in COMMUTATIVE:
            sums.sort(key=skeleton)
        small = tuple(shape[d] for d in used)
        operands = [one_piece(small, renumbered(each, used)) for each in sums]

        def lift(root: Root, parts: Sequence[MatchedOperand]) -> RootPart | None:
            return _elementwise_part(operator, root, parts)

        part = self.roots.find(RootOperation(operator, tuple(operands), small), lift)
        return scaled(placed(part, used), factor)

    def dot(self, operands: Sequence[BlockTensor], batch: Pairs, contract: Pairs) -> BlockTensor:
        """The sum over contracted dimensions; batch, left free, right free dimensions. Raises `NotComparable`."""
        return contractions.dot(self.roots, operands, batch, contract)

    def reduce(self, monoid: Monoid, operand: BlockTensor, dimensions: Sequence[int]) -> BlockTensor:
        """The tensor combined along dimensions. Raises `NotComparable`."""
        return contractions.reduce(self.roots, monoid, operand, dimensions, self.together)

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
            pieces.append(BoxPiece(box, frozenset({(part, Fraction(1))})))
        return merged(BlockTensor(tensors[0].shape, tuple(pieces)))

    def _joined_parts(self, monoid: Monoid, sums: Sequence[Combination]) -> RootPart | None:
        starts: dict[Term, tuple[RootPart, Restriction]] = {}
        rests = set()
        for each in sums:
            if len(each) != 1:
                return None
            ((part, factor),) = each
            own = [one for one in part.restrictions if one.monoid == monoid and not one.path]
            if factor != 1 or len(own) != 1 or own[0].low in starts:
                return None
            starts[own[0].low] = part, own[0]
            rests.add((part.root, part.axes, part.restrictions - {own[0]}, own[0].dimension))
        for parts, joined in joining(starts, self.roots.extent):
            if len(rests) == 1 and len(parts) == len(sums):
                return joined
        return None

    def reshape(self, operand: BlockTensor, shape: Sequence[Term]) -> BlockTensor:
        """The tensor in another shape of as many elements. Raises `NotComparable`."""
        return reshapes.reshape(self.roots, operand, shape)


def _elementwise_part(operator: str, root: Root, parts: Sequence[MatchedOperand]) -> RootPart | None:
    axes = []
    for d in range(len(root.shape)):
        is_one, offset = agreed([each.offsets[d] for each in parts])
        if not is_one or offset is None:
            return None
        axes.append((d, offset))
    restrictions: frozenset[Restriction] = frozenset()
    for place, each in enumerate(parts):
        found = through(place, each.restrictions)
        if found is None or (found and place not in LINEAR_IN.get(operator, ())):
            return None
        restrictions |= found
    return RootPart(root.number, tuple(axes), restrictions)
