"""What is written to the bytes over which a race is said to be harmless: whether all who collide write the same.

Looks at every write at the places of the race. Must not know who is in the race.
"""

from __future__ import annotations

from msgspec import Struct, field

from rewright.model.simt.program import Program
from rewright.model.simt.violation import Race
from rewright.replay.kernel.accesses import Reach, stored
from rewright.replay.kernel.block import ReplayedBlock
from rewright.replay.kernel.frame import Row, Rows
from rewright.replay.kernel.order import Clock, ordered
from rewright.verdict import AccessKind, Place

Byte = tuple[int, int]


class Disagree(Exception):
    """Two writes that nothing orders are not equal."""


class _Write(Struct, frozen=True):
    lane: tuple[int, int]
    clock: Clock
    place: Place
    value: int


class Written(Struct):
    """The writes of one block at the places of a race, by byte: those of the interval under way, and all values."""

    race: Race
    program: Program
    block: ReplayedBlock
    reaches: dict[int, Reach]
    values: dict[tuple[Byte, Place], set[int]] = field(default_factory=dict)
    _interval: int = 0
    _writes: dict[Byte, dict[int, set[_Write]]] = field(default_factory=dict)

    def before(self, at: int, rows: Rows) -> None:
        """Notes the writes of these threads. Raises `Disagree`."""
        place = self.program.code[at].place
        if at not in self.reaches or place not in (self.race.first.place, self.race.second.place):
            return
        if self._interval != self.block.interval:
            self._writes, self._interval = {}, self.block.interval
        if self.reaches[at].kind is AccessKind.WRITE:
            for row in rows:
                self._note(self.reaches[at], row, place)

    def _note(self, of: Reach, row: Row, place: Place) -> None:
        number, offset = of.target(row)
        if number != self.race.first.object or not of.inside(row):
            return
        lane = self.block.warp_of(row)
        clock = self.block.clocks.of(*lane)
        for byte, value in enumerate(stored(of, row)):
            key = number, offset + byte
            self.values.setdefault((key, place), set()).add(value)
            known = self._writes.setdefault(key, {})
            here = _Write(lane, clock, place, value)
            others = (write for other, writes in known.items() if other != value for write in writes)
            if any(self._collide(write, here) for write in others):
                raise Disagree
            known.setdefault(value, set()).add(here)

    def _collide(self, first: _Write, second: _Write) -> bool:
        places = (self.race.first.place, self.race.second.place)
        if first.lane == second.lane or (first.place, second.place) not in (places, places[::-1]):
            return False
        return first.lane[0] != second.lane[0] or not ordered((first.lane[1], first.clock), second.clock)
