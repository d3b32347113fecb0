"""How much of an input is a special case: sizes of 0 and 1 among the values of both sides, and starts that are clamped.

Owns which inputs count as typical of a rule. On a special one a rule often holds by coincidence, and who states a
precondition seldom has it in mind. Must not know how inputs are drawn.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from rewright.model.index import Index, Name, Number
from rewright.model.rule import Rule
from rewright.model.tensor import DynamicSlice, DynamicUpdateSlice
from rewright.replay.arrays import Array, positions
from rewright.replay.index import along
from rewright.replay.inputs import Inputs
from rewright.replay.rule import Observer, SideName

Started = DynamicSlice | DynamicUpdateSlice
"""The operators that have a start which is clamped so that a window fits."""


class Special(Struct):
    """Counts what is special while an input is replayed: `observe` hears every value, and `further` after it."""

    inputs: Inputs
    further: Observer
    _values: dict[tuple[str, int], Array] = field(default_factory=dict)

    def observe(self, side: SideName, site: int, value: Array) -> None:
        """Remembers a value."""
        self._values[side, site] = value
        self.further(side, site, value)

    def count(self, starts: Iterable[tuple[str, Started]]) -> int:
        """How many sizes are 0 or 1, and on how many axes a start is clamped, of the operators that have one."""
        thin = sum(1 for value in self._values.values() for size in value.data.shape if size < 2)
        return thin + sum(self._clamped(side, node) for side, node in starts)

    def agreement(self, rule: Rule) -> float:
        """The share of elements of the two results that are equal at the same index."""
        left, right = self._values["left", rule.left.site].data, self._values["right", rule.right.site].data
        common = positions(tuple(map(min, left.shape, right.shape)))
        return sum(1 for at in common if left[at] == right[at]) / max(left.size, right.size, 1)

    def _clamped(self, side: str, node: Started) -> int:
        match node:
            case DynamicSlice(ranges=ranges):
                window, starts = node.site, tuple((group, each.start) for group, each in ranges)
            case DynamicUpdateSlice(update=update, starts=given):
                window, starts = update.site, given
        whole, part = self._values.get((side, node.operand.site)), self._values.get((side, window))
        if whole is None or part is None:
            return 0
        return sum(self._outside(whole, part, each) for each in starts)

    def _outside(self, whole: Array, part: Array, start: tuple[Name, Index]) -> int:
        """On how many axes of a group a part that starts there is not inside the whole."""
        group, index = start
        if isinstance(index, Number) and index.value == 0:
            return 0
        room = zip(_sizes(whole, group, self.inputs), _sizes(part, group, self.inputs), strict=True)
        first = along(index, self.inputs.ranks[group], self.inputs)
        return sum(not 0 <= each <= size - length for each, (size, length) in zip(first, room, strict=True))


def _sizes(value: Array, group: Name, inputs: Inputs) -> tuple[int, ...]:
    before = sum(inputs.ranks[other] for other in value.groups[: value.groups.index(group)])
    return value.data.shape[before : before + inputs.ranks[group]]
