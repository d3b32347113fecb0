"""Two accesses that collide: both are seen to happen, one of them writes, and nothing orders them.

Owns what is kept of an access that was seen, and what decides about two of them. Must not know scheduling.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rewright.model.simt.violation import Access, AccessKind, Race, Scope
from rewright.replay.kernel.accesses import stored
from rewright.replay.kernel.claims import does
from rewright.replay.kernel.lookout import Confirmed, Event, Sought, passes
from rewright.replay.kernel.order import Clock, ordered
from rewright.replay.kernel.outcome import Pass


def may_collide(race: Race) -> bool:
    """Whether two such accesses are a race: of two threads, to a common byte, not both reading or both atomic."""
    first, second = race.first, race.second
    kinds = {first.kind, second.kind}
    conflict = AccessKind.WRITE in kinds or len(kinds) == 2
    low, high = max(first.offset, second.offset), min(first.offset + first.width, second.offset + second.width)
    same_block = first.thread.block == second.thread.block
    if same_block == (race.scope is Scope.GRID) or first.thread == second.thread:
        return False
    return conflict and first.object == second.object >= 0 and low < high


@dataclass(frozen=True, slots=True)
class Sighting:
    """An access that happened: when, what its lane knew of, what it wrote, the loops around it."""

    turn: int
    lane: tuple[int, int]
    clock: Clock
    data: bytes | None
    passes: tuple[Pass, ...]


@dataclass(slots=True)
class Pair:
    """The accesses of a race as far as they were seen, by side; `found` is told of two that collide."""

    race: Race
    found: Callable[[Sighting, Sighting], None]
    seen: tuple[list[Sighting], list[Sighting]] = field(default_factory=lambda: ([], []))

    def sought(self) -> tuple[Sought, Sought]:
        """What to look out for: the access of each side."""
        return self._side(0, self.race.first), self._side(1, self.race.second)

    def _side(self, side: int, access: Access) -> Sought:
        def seen(event: Event) -> None:
            here = sighting(event)
            self.seen[side].append(here)
            for there in self.seen[1 - side]:
                first, second = (here, there) if side == 0 else (there, here)
                if self._collide(first, second):
                    self.found(first, second)

        return Sought(access.thread, access.interval, access.place, lambda event: does(access, event), seen)

    def _collide(self, first: Sighting, second: Sighting) -> bool:
        """Whether the first one, which ran first, may as well have run second."""
        if first.turn > second.turn or (self.race.equal and not agree(self.race, first, second)):
            return False
        same_warp = first.lane[0] == second.lane[0]
        if self.race.scope is Scope.WARP and not (same_warp and first.turn != second.turn):
            return False
        return not same_warp or not ordered((first.lane[1], first.clock), second.clock)


def sighting(event: Event) -> Sighting:
    """What is kept of an access."""
    block, of = event.block, event.reach
    lane = block.warp_of(event.row)
    data = stored(of, event.row) if of.kind is AccessKind.WRITE else None
    return Sighting(block.turn, lane, block.clocks.of(*lane), data, passes(event))


def agree(race: Race, first: Sighting, second: Sighting) -> bool:
    """Whether both write, and the same to every byte that they share."""
    if first.data is None or second.data is None:
        return False
    low = max(race.first.offset, race.second.offset)
    high = min(race.first.offset + race.first.width, race.second.offset + race.second.width)
    one = first.data[low - race.first.offset : high - race.first.offset]
    return one == second.data[low - race.second.offset : high - race.second.offset]


def confirm(first: Sighting, second: Sighting) -> None:
    """Ends the run: the race is there."""
    raise Confirmed(first.passes, second.passes)
