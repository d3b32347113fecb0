"""Two accesses that collide: both are seen to happen, one of them writes, and nothing orders them.

Owns what is kept of an access that was seen, and what decides about two of them. Must not know scheduling.

Source: "Equivalence Checking of ML GPU Kernels", section 4.2: a race is two accesses that occur in either order.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field

from rewright.model.simt.violation import Access, CollisionScope, Race
from rewright.replay.kernel.accesses import stored
from rewright.replay.kernel.claims import does
from rewright.replay.kernel.frame import NUMBER
from rewright.replay.kernel.order import Clock, ordered
from rewright.replay.kernel.outcome import Pass
from rewright.replay.kernel.watchpoint import Confirmed, Event, Sought, passes
from rewright.verdict import AccessKind


def may_collide(race: Race) -> bool:
    """Whether two such accesses are a race: of two threads, to a common byte, not both reading or both atomic."""
    first, second = race.first, race.second
    kinds = {first.kind, second.kind}
    if race.scope is CollisionScope.GRID:
        conflict = kinds not in ({AccessKind.READ}, {AccessKind.ATOMIC})
    else:
        conflict = AccessKind.WRITE in kinds or (AccessKind.READ in kinds and len(kinds) == 2)
    low, high = max(first.offset, second.offset), min(first.offset + first.width, second.offset + second.width)
    same_block = first.thread.block == second.thread.block
    if same_block == (race.scope is CollisionScope.GRID) or first.thread == second.thread:
        return False
    if race.equal and kinds != {AccessKind.WRITE}:
        return False
    return conflict and first.object == second.object >= 0 and low < high


class Sighting(Struct, frozen=True):
    """An access that happened: when, by which thread, what its lane knew of, what it wrote, the loops around it."""

    turn: int
    interval: int
    number: int
    lane: tuple[int, int]
    clock: Clock
    data: bytes | None
    passes: tuple[Pass, ...]


class Pair(Struct):
    """The accesses of a race as far as they were seen; `found` is called with the first two that collide.

    Of the first one the last two sightings are kept (for each value, if values are to be equal): a later one passed no
    fewer barriers of its warp, so it is ordered before nothing that an earlier one is not ordered before; but the last
    one may be part of the same step as the second access.
    """

    race: Race
    found: Callable[[Sighting, Sighting], None]
    first: dict[bytes, tuple[Sighting, ...]] = field(default_factory=dict)
    is_found: bool = False

    def sought(self) -> tuple[Sought, Sought]:
        """What to look out for: the access of each side, the first one first."""
        return self._side(self.race.first, self._see_first), self._side(self.race.second, self._see_second)

    def _side(self, access: Access, seen: Callable[[Event], None]) -> Sought:
        return Sought(access.thread, access.interval, access.place, lambda event: does(access, event), seen)

    def _see_first(self, event: Event) -> None:
        here = sighting(event)
        value = self._value(self.race.first, here)
        self.first[value] = (*self.first.get(value, ())[-1:], here)

    def _see_second(self, event: Event) -> None:
        if self.is_found:
            return
        here = sighting(event)
        known = self.first.get(self._value(self.race.second, here), ())
        for there in reversed(known):
            if not self.is_found and _same_interval(event, there, here) and self._collide(there, here):
                self.is_found = True
                self.found(there, here)

    def _value(self, access: Access, seen: Sighting) -> bytes:
        """What has to be the same of both: the bytes written to what they share, if the race is one of equal values."""
        return common(self.race, access, seen) if self.race.equal else b""

    def _collide(self, first: Sighting, second: Sighting) -> bool:
        """Whether the first one, which ran first, may as well have run second."""
        same_warp = first.lane[0] == second.lane[0]
        if self.race.scope is CollisionScope.WARP and not (same_warp and first.turn != second.turn):
            return False
        return not same_warp or not ordered((first.lane[1], first.clock), second.clock)


def _same_interval(event: Event, first: Sighting, second: Sighting) -> bool:
    """Whether no barrier of the block stands between, or the first thread had left, and its warp, before that."""
    if first.interval == second.interval:
        return True
    ended = event.block.ended.get(first.number)
    return ended is not None and ended.interval == first.interval and first.lane[0] != second.lane[0]


def sighting(event: Event) -> Sighting:
    """What is kept of an access."""
    block, of = event.block, event.reach
    lane = block.warp_of(event.row)
    data = stored(of, event.row) if of.kind is AccessKind.WRITE else None
    return Sighting(block.turn, block.interval, event.row[NUMBER], lane, block.clocks.of(*lane), data, passes(event))


def common(race: Race, access: Access, seen: Sighting) -> bytes:
    """What an access wrote to the bytes that both touch."""
    low = max(race.first.offset, race.second.offset)
    high = min(race.first.offset + race.first.width, race.second.offset + race.second.width)
    return (seen.data or b"")[low - access.offset : high - access.offset]


def confirm(first: Sighting, second: Sighting) -> None:
    """Ends the run: the race is there. Raises `Confirmed`."""
    raise Confirmed(first.passes, second.passes)
