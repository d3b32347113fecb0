"""Looks out for what single threads do: what each is about to do in the interval in question, before it does it.

Invariant: what is sought is compared with what happens in every part: thread, interval, place and facts. Must not know
how threads are scheduled.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Container, Mapping
from operator import itemgetter

from msgspec import Struct, field

from rewright.model.simt.instructions import Instruction
from rewright.model.simt.program import Program
from rewright.model.simt.violation import Thread
from rewright.replay.kernel.accesses import Access, Reach, reach
from rewright.replay.kernel.block import ReplayedBlock
from rewright.replay.kernel.frame import NUMBER, Row, Rows
from rewright.replay.kernel.local_code import BlockSurroundings, index_of, number_of
from rewright.replay.kernel.outcome import Pass, ReplayedAccess
from rewright.verdict import Place

_MOST_MOMENTS = 64
"""Accesses to the watched bytes that are kept, the last ones."""


class Confirmed(Exception):
    """What was sought has happened, in these passes of loops."""

    def __init__(self, *iterations: tuple[Pass, ...]) -> None:
        super().__init__()
        self.iterations = iterations


class Event(Struct, frozen=True):
    """A thread is about to execute an instruction."""

    block: ReplayedBlock
    reaches: Mapping[int, Reach]
    instruction: Instruction
    at: int
    row: Row

    @property
    def reach(self) -> Reach:
        """What is known of this access."""
        return self.reaches[self.at]


class Sought(Struct, frozen=True):
    """What a thread is said to do in an interval, and what to do when it does."""

    thread: Thread
    interval: int
    place: Place
    fits: Callable[[Event], bool]
    seen: Callable[[Event], None]


class Watchpoint(Struct):
    """An observer of a run: `watched` is where in the code it looks, `opened` the barrier before what it saw."""

    program: Program
    around: BlockSurroundings
    block: ReplayedBlock
    watched: Container[int]
    sought: tuple[Sought, ...]
    opened: int | None = None
    reaches: dict[int, Reach] = field(default_factory=dict)
    moments: deque[ReplayedAccess] = field(default_factory=lambda: deque(maxlen=_MOST_MOMENTS))

    def __post_init__(self) -> None:
        frame = self.block.code.frame
        for at, instruction in enumerate(self.program.code):
            if isinstance(instruction, Access):
                self.reaches[at] = reach(instruction, frame)

    def before(self, at: int, rows: Rows) -> None:
        """These threads are about to execute the instruction at a place."""
        for each in self.sought:
            if each.interval == self.block.interval:
                row = among(rows, number_of(self.around.setting, each.thread.index))
                if row is not None:
                    self.opened = self.block.opened
                    self._look(each, Event(self.block, self.reaches, self.program.code[at], at, row))

    def _look(self, sought: Sought, event: Event) -> None:
        if event.at in self.reaches:
            self._note(event)
        if event.instruction.place == sought.place and sought.fits(event):
            sought.seen(event)

    def _note(self, event: Event) -> None:
        of = event.reach
        number, offset = of.target(event.row)
        thread = Thread(self.around.block, index_of(self.around.setting, event.row[NUMBER]))
        place = event.instruction.place
        self.moments.append(ReplayedAccess(thread, of.kind, number, offset, of.width, place, self.block.turn))


def passes(event: Event) -> tuple[Pass, ...]:
    """The loops around an event, the outermost first."""
    return passes_at(event.block, event.row, event.at)


def passes_at(block: ReplayedBlock, row: Row, at: int) -> tuple[Pass, ...]:
    """The loops around a place of the code, the outermost first, with the pass that a thread is in."""
    return tuple(Pass(loop.place, number) for loop, number in block.code.passes(row, at))


def among(rows: Rows, number: int) -> Row | None:
    """The thread with this number, if it is one of them."""
    at = bisect_left(rows, number, key=itemgetter(NUMBER))
    return rows[at] if at < len(rows) and rows[at][NUMBER] == number else None
