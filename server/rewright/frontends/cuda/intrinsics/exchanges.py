"""Values that are spread over a warp, fetched by each lane from the lane that has the one it needs.

Element k of those that are spread is with lane 31 - k mod 32, as its value number k div 32. Must not know what for.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from rewright.emit.emitter import Emitter
from rewright.emit.operators import binary, choose, convert, integer
from rewright.frontends.cuda.cxx.names import position
from rewright.frontends.cuda.intrinsics.operands import given
from rewright.frontends.cuda.intrinsics.warps import LANES, WHOLE, ExchangeForm, shuffled
from rewright.model.simt.instructions import Operand, ShuffleKind
from rewright.model.simt.types import BinaryOperator, Coordinate, Scalar
from rewright.verdict import Place


class Exchanged(Struct):
    """What each lane has; what was fetched once is kept, for the code that directly follows."""

    values: Sequence[Operand]
    _fetched: dict[tuple[int, ...], Operand] = field(default_factory=dict)
    _lanes: dict[tuple[int, ...], Operand] = field(default_factory=dict)

    def fetched(self, emitter: Emitter, elements: list[int], place: Place) -> Operand:
        """The element that each lane wants, given by lane."""
        key = tuple(elements)
        if key not in self._fetched:
            self._fetched[key] = self._fetch(emitter, elements, place)
        return self._fetched[key]

    def _fetch(self, emitter: Emitter, elements: list[int], place: Place) -> Operand:
        numbers = [element // LANES for element in elements]
        sources = tuple(LANES - 1 - element % LANES for element in elements)
        if sources not in self._lanes:
            self._lanes[sources] = convert(emitter, _by_lane(emitter, sources, place), Scalar.S32, place)
        how = ExchangeForm(ShuffleKind.INDEX, WHOLE, self._lanes[sources], integer(LANES))
        last, *others = sorted(set(numbers), reverse=True)
        result = shuffled(emitter, how, given(self.values[last]), place).operand
        for number in others:
            other = shuffled(emitter, how, given(self.values[number]), place).operand
            here = _by_lane(emitter, tuple(int(each == number) for each in numbers), place)
            chosen = binary(emitter, BinaryOperator.NOT_EQUAL, (here, integer(0, Scalar.U32)), place)
            result = choose(emitter, chosen, (other, result), place)
        return result


def _by_lane(emitter: Emitter, numbers: tuple[int, ...], place: Place) -> Operand:
    """The number of each lane: a sum of multiples of its quotient and remainder by a power of two, modulo 32."""
    for size in (1, 2, 4, 8, 16, 32):
        inner = numbers[1] - numbers[0] if size > 1 else 0
        outer = numbers[size] - numbers[0] if size < LANES else 0
        made = [(numbers[0] + outer * (lane // size) + inner * (lane % size)) % LANES for lane in range(LANES)]
        if made == list(numbers):
            return _computed(emitter, (size, outer, inner, numbers[0]), place)
    raise AssertionError(numbers)


def _computed(emitter: Emitter, formula: tuple[int, int, int, int], place: Place) -> Operand:
    size, outer, inner, start = formula
    lane = position(emitter, Coordinate.LANE, 0, place).operand
    total: Operand = integer(start, Scalar.U32)
    for operator, factor in ((BinaryOperator.DIVIDE, outer), (BinaryOperator.REMAINDER, inner)):
        if factor:
            part = binary(emitter, operator, (lane, integer(size, Scalar.U32)), place)
            scaled = binary(emitter, BinaryOperator.MULTIPLY, (part, integer(factor, Scalar.U32)), place)
            total = binary(emitter, BinaryOperator.ADD, (total, scaled), place)
    return binary(emitter, BinaryOperator.AND, (total, integer(LANES - 1, Scalar.U32)), place)
