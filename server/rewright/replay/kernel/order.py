"""What happened before what between the threads of one warp: vector clocks, one number per lane.

A thread's own number grows with each barrier of the warp that it passes; what happened at number `n` of a lane happened
before all that others do once they know of `n`. A barrier of the block orders everything, so clocks speak of one
interval. (Fidge and Mattern's clocks, joined among the lanes of a mask.) Must not know memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

Clock = tuple[int, ...]


class ThreadClocks(Struct):
    """The clocks of the threads of a block, by warp and lane, those that are no longer as at the start."""

    size: int
    moved: dict[tuple[int, int], Clock] = field(default_factory=dict)

    def restart(self) -> None:
        """All threads passed a barrier of the block: each knows of itself only."""
        self.moved.clear()

    def meet(self, warp: int, lanes: Sequence[int]) -> None:
        """These lanes pass a barrier of their warp together."""
        joined = [max(numbers) for numbers in zip(*(self.of(warp, lane) for lane in lanes), strict=True)]
        for lane in lanes:
            self.moved[warp, lane] = tuple(number + (other == lane) for other, number in enumerate(joined))

    def of(self, warp: int, lane: int) -> Clock:
        """What a lane knows of, itself included."""
        known = self.moved.get((warp, lane))
        return known if known is not None else tuple(int(other == lane) for other in range(self.size))


def ordered(first: tuple[int, Clock], second: Clock) -> bool:
    """Whether what the lane did first (its number, its clock then) happened before what the clock belongs to."""
    lane, clock = first
    return second[lane] >= clock[lane]
