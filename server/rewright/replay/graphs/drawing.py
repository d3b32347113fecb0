"""Random inputs of a refinement: of the sequential graph, and made from them by the placements those of each rank.

Owns what is drawn. The same seed draws the same. Must not know what the inputs are for.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod

from msgspec import Struct

from rewright.model.graph import Gather, Graph, Monoid, Refinement
from rewright.model.index import Name
from rewright.replay.arrays import Data, from_flat
from rewright.replay.elements import Element
from rewright.replay.graphs.collectives import Held
from rewright.replay.graphs.extents import Numbers, Unfit, extents
from rewright.replay.graphs.placing import dealt
from rewright.replay.graphs.ranks import ranks
from rewright.replay.graphs.sizes import inputs_of, unplaceable

TRUTHS = ("pred", "bool", "i1")
"""Element types of truths."""


class Draw(Struct, frozen=True):
    """What reals are drawn from: the whole numbers from `low` to `high`, divided by `denominator`.

    Integers are drawn from those of them that are not negative, truths from both; where a graph looks up parts of a
    tensor by index, integers are indices that it has.
    """

    seed: int
    low: int
    high: int
    denominator: int = 1


DRAWS = (
    Draw(1, -3, 3),
    Draw(2, 1, 4),
    Draw(3, -9, 9),
    Draw(4, 1, 9),
    Draw(5, -4 * 1009, 4 * 1009, 1009),
    Draw(6, 1, 2 * 1009, 1009),
    Draw(7, -127, 127, 1009),
    Draw(8, -997 * 997, 997 * 997, 997),
)
"""Small numbers first, which people can follow; then those whose sums and products are hardly equal by chance.

Those near 0 are for functions such as `tanh`: of large operands no enclosure says how far from 1 their values are.
"""


class RefinementInputs(Struct, frozen=True, eq=False):
    """Inputs of both graphs that are related as the placements say; arrays as `evaluate` takes them."""

    sequential: Mapping[Name, Held]
    distributed: Mapping[Name, Held]


def drawn_inputs(refinement: Refinement, sizes: Numbers, draw: Draw) -> RefinementInputs | None:
    """Random inputs at these sizes; None where no distributed input can be made of a sequential one.

    Raises `NotReplayable` for maps in sizes.
    """
    if unplaceable(refinement, sizes) is not None:
        return None
    whole = inputs_of(refinement.sequential)
    mesh = refinement.distributed.mesh
    sequential: dict[Name, Held] = {}
    distributed: dict[Name, Held] = {}
    try:
        indices = _indices(refinement.sequential, sizes)
        for placed in refinement.inputs:
            declared = whole[placed.name]
            source = _Source(random.Random(f"{draw.seed} {placed.name}"), draw, declared.type, indices)
            data = source.array(extents(declared.shape, sizes))
            sequential[placed.name] = dict.fromkeys(ranks(()), data)
            distributed[placed.name] = dealt(data, placed.placements, mesh, source.parted)
    except Unfit:
        return None
    return RefinementInputs(sequential, distributed)


def _indices(graph: Graph, sizes: Numbers) -> int | None:
    """Of how many parts a graph looks up some, the most that it does; None if it looks up none."""
    looked_up = [node for node in graph.nodes if isinstance(node, Gather)]
    return max((extents(graph.nodes[each.operand].shape, sizes)[each.dimension] for each in looked_up), default=None)


class _Source(Struct, frozen=True):
    rng: random.Random
    draw: Draw
    element_type: str
    indices: int | None

    def array(self, shape: tuple[int, ...]) -> Data:
        return from_flat(shape, (self._element() for _ in range(prod(shape))))

    def _element(self) -> Element:
        if self.element_type in TRUTHS:
            return self._truth()
        if self._is_whole():
            return Fraction(self.rng.randint(0, self._most()))
        return self._real()

    def _is_whole(self) -> bool:
        return self.element_type[:1] in ("i", "s", "u")

    def _most(self) -> int:
        if self.indices is not None:
            return max(self.indices - 1, 0)
        return max(self.draw.high // self.draw.denominator, 1)

    def _real(self) -> Fraction:
        if self._is_whole():
            return Fraction(self.rng.randint(0, self._most()))
        return Fraction(self.rng.randint(self.draw.low, self.draw.high), self.draw.denominator)

    def _truth(self) -> bool:
        return self.rng.random() < 0.5

    def parted(self, monoid: Monoid, whole: Data, ways: int) -> Sequence[Data]:
        columns = list(zip(*(self._parts(monoid, element, ways) for element in whole.ravel()), strict=True))
        return [from_flat(whole.shape, column) for column in columns or [()] * ways]

    def _parts(self, monoid: Monoid, element: Element, ways: int) -> list[Element]:
        """Elements that combine to one, in random order. Raises `Unfit` for a sum or a product of truths."""
        if isinstance(element, bool):
            if monoid in ("add", "multiply"):
                raise Unfit("input")
            deciding = element == (monoid == "maximum")
            return self._shuffled([element, *(self._truth() if deciding else element for _ in range(ways - 1))])
        assert isinstance(element, Fraction)
        others_drawn = [self._real() for _ in range(ways - 1)]
        match monoid:
            case "add":
                return self._shuffled([element - sum(others_drawn), *others_drawn])
            case "multiply":
                nonzero = [each or Fraction(1) for each in others_drawn]
                return self._shuffled([element / prod(nonzero), *nonzero])
            case "maximum":
                return self._shuffled([element, *(element - abs(each) for each in others_drawn)])
            case "minimum":
                return self._shuffled([element, *(element + abs(each) for each in others_drawn)])

    def _shuffled(self, parts: list[Element]) -> list[Element]:
        self.rng.shuffle(parts)
        return parts
