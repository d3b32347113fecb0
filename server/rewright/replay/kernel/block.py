"""One block run by the rule of schedules: the threads with the smallest place in the code together, again and again.

Owns control, barriers and operations of warps. Invariants: a group of threads is in ascending order; every thread is in
one group, waits, or has ended; an observer sees threads just before they execute what it watches, and threads at a
barrier or in an operation of the warp when it opens. Must not know what is looked for.
"""

from __future__ import annotations

from collections.abc import Container
from heapq import heappop, heappush
from operator import itemgetter
from typing import NamedTuple, Protocol

from msgspec import Struct, field

from rewright.model.simt.instructions import (
    ActiveMask,
    Assume,
    Barrier,
    Branch,
    Exit,
    Instruction,
    Jump,
    Shuffle,
    Vote,
    WarpBarrier,
)
from rewright.replay.kernel.code import DecodedCode, Stretch
from rewright.replay.kernel.frame import NUMBER, Row, Rows
from rewright.replay.kernel.numbers import Number
from rewright.replay.kernel.order import ThreadClocks
from rewright.replay.kernel.warps import ShuffleStep, WaitingPlace, WarpOperation, complete, operation, source, voted


class OutOfSteps(Exception):
    """The run takes longer than allowed."""


class ExcludedReplay(Exception):
    """An assumption does not hold."""


class Observer(Protocol):
    """What looks for something; it ends the run by an exception of its own."""

    @property
    def watched(self) -> Container[int]:
        """The places of the code where it looks."""

    def before(self, at: int, rows: Rows) -> None:
        """These threads are about to execute the instruction at a place."""


class Nobody(Struct, frozen=True):
    """An observer that looks at nothing."""

    watched: tuple[int, ...] = ()

    def before(self, at: int, rows: Rows) -> None:
        """Never called."""


class ThreadEnded(NamedTuple):
    """The place of the code at which a thread ended, and the interval."""

    at: int
    interval: int


class ReplayedBlock(Struct):
    """A block under way.

    `waiting` has for each thread that waits the place where it does; `at_barrier` those at barriers of the block, by
    place; `meetings` those in operations of warps, `passing` the lanes that leave one together; `ended` where, and in
    which interval, each thread ended that has.
    """

    code: DecodedCode
    rows: list[Row]
    warp: int
    clocks: ThreadClocks
    steps: int
    interval: int = 0
    opened: int | None = None
    turn: int = 0
    waiting: dict[int, int] = field(default_factory=dict)
    masks: dict[int, int] = field(default_factory=dict)
    at_barrier: dict[int, list[Row]] = field(default_factory=dict)
    meetings: dict[WaitingPlace, list[Row]] = field(default_factory=dict)
    passing: dict[int, Row] = field(default_factory=dict)
    ended: dict[int, ThreadEnded] = field(default_factory=dict)
    _alive: dict[int, int] = field(default_factory=dict)
    _groups: dict[int, list[Row]] = field(default_factory=dict)
    _order: list[int] = field(default_factory=list)

    def run(self, observer: Observer) -> None:
        """Runs until all threads have ended or nobody can go on. Raises `OutOfSteps`, `ExcludedReplay`."""
        for row in self.rows:
            warp, lane = self.warp_of(row)
            self._alive[warp] = self._alive.get(warp, 0) | 1 << lane
        self.code.arrive(self.rows, -1, 0)
        self._join(self.rows, 0)
        while self._order:
            at = heappop(self._order)
            self._execute(at, self._groups.pop(at), observer)

    def _execute(self, at: int | None, rows: list[Row], observer: Observer) -> None:
        """Runs a group until it has to wait, parts, or others are at the same place or before it."""
        code = self.code.at
        while at is not None:
            if at >= len(code):
                self._end(at, rows, observer)
                return
            found = code[at]
            self.turn += 1
            if at in observer.watched and not isinstance(found, Barrier | WarpBarrier | Shuffle | Vote):
                observer.before(at, rows)
            if isinstance(found, Stretch):
                self._spend(len(found.ops) * len(rows))
                for op in found.ops:
                    op(rows)
                at = self._arrived(rows, found.next - 1, found.next)
            else:
                self._spend(len(rows))
                at = self._control(found, at, rows, observer)

    def _spend(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise OutOfSteps

    def _arrived(self, rows: list[Row], source: int, target: int) -> int | None:
        """The target if the group may go on there at once, else None."""
        self.code.arrive(rows, source, target)
        if self._order and self._order[0] <= target:
            self._join(rows, target)
            return None
        return target

    def _join(self, rows: list[Row], at: int) -> None:
        """These threads go on at a place when it is their turn."""
        if at in self._groups:
            self._groups[at] = sorted([*self._groups[at], *rows], key=_BY_NUMBER)
        else:
            self._groups[at] = rows
            heappush(self._order, at)

    def _control(self, instruction: Instruction, at: int, rows: list[Row], observer: Observer) -> int | None:
        """Where the group goes on at once, None if it does not."""
        match instruction:
            case Jump():
                return self._arrived(rows, at, instruction.target)
            case Branch():
                return self._branch(instruction, at, rows)
            case Exit():
                self._end(at, rows, observer)
            case Barrier():
                self._wait_for_block(at, rows, observer)
            case WarpBarrier() | Shuffle() | Vote():
                self._wait_for_warp(instruction, at, rows, observer)
            case ActiveMask():
                self._active(instruction, rows)
                return self._arrived(rows, at, at + 1)
            case Assume():
                condition = self.code.frame.place(instruction.condition)
                if not all(row[condition] for row in rows):
                    raise ExcludedReplay
                return self._arrived(rows, at, at + 1)
            case _:
                raise AssertionError(instruction)
        return None

    def _branch(self, instruction: Branch, at: int, rows: list[Row]) -> int | None:
        condition = self.code.frame.place(instruction.condition)
        taken = [row for row in rows if row[condition]]
        if len(taken) == len(rows):
            return self._arrived(rows, at, at + 1)
        if not taken:
            return self._arrived(rows, at, instruction.otherwise)
        elsewhere = [row for row in rows if not row[condition]]
        for parted, target in ((taken, at + 1), (elsewhere, instruction.otherwise)):
            self.code.arrive(parted, at, target)
            self._join(parted, target)
        return None

    def _end(self, at: int, rows: list[Row], observer: Observer) -> None:
        """Threads end; that may let others of their warps go on, or of their block."""
        ended = set()
        for row in rows:
            warp, lane = self.warp_of(row)
            self._alive[warp] &= ~(1 << lane)
            self.ended[row[NUMBER]] = ThreadEnded(at, self.interval)
            ended.add(warp)
        self._open([meeting for meeting in self.meetings if meeting.warp in ended], observer)
        for barrier in [each for each in self.at_barrier if self._is_complete(each)]:
            self._open_barrier(barrier, observer)

    # --------------------------------------------------------------------------------------- barriers of the block

    def _wait_for_block(self, at: int, rows: list[Row], observer: Observer) -> None:
        here = self.at_barrier.setdefault(at, [])
        here.extend(rows)
        self.waiting.update((row[NUMBER], at) for row in rows)
        if self._is_complete(at):
            self._open_barrier(at, observer)

    def _is_complete(self, at: int) -> bool:
        """Whether all threads wait at a barrier, but for warps that have left before it."""
        missing = len(self.rows) - len(self.at_barrier[at])
        if missing == 0:
            return True
        if missing != len(self.ended):
            return False
        there = {self.warp_of(row)[0] for row in self.at_barrier[at]}
        return all(number // self.warp not in there and self.left(number, at) for number in self.ended)

    def left(self, number: int, at: int) -> bool:
        """Whether a thread has ended by a `return` before a place: further up, or in a loop around both."""
        ended = self.ended[number].at if number in self.ended else len(self.code.at)
        if ended >= len(self.code.at) or not isinstance(self.code.at[ended], Exit):
            return False
        loops = [loop for heads in self.code.heads.values() for _, loop in heads]
        return ended < at or any(loop.head <= min(ended, at) and max(ended, at) < loop.end for loop in loops)

    def _open_barrier(self, at: int, observer: Observer) -> None:
        here = self.at_barrier[at]
        here.sort(key=_BY_NUMBER)
        if at in observer.watched and self.at_barrier:
            observer.before(at, here)
        self._vote_of_block(at, here)
        self.at_barrier.clear()
        self.waiting.clear()
        self.interval, self.opened = self.interval + 1, at
        self.clocks.restart()
        self.code.arrive(here, at, at + 1)
        self._join(here, at + 1)

    def _vote_of_block(self, at: int, rows: list[Row]) -> None:
        match self.code.at[at]:
            case Barrier(vote=kind, result=result, operand=operand) if kind and result and operand:
                truth, place = self.code.frame.place(operand), self.code.frame.place(result)
                value = voted(kind, {row[NUMBER]: row[truth] for row in rows})
                for row in rows:
                    row[place] = value
            case _:
                pass

    # --------------------------------------------------------------------------------------- operations of warps

    def _wait_for_warp(self, instruction: WarpOperation, at: int, rows: list[Row], observer: Observer) -> None:
        mask, what = self.code.frame.place(instruction.mask), operation(instruction)
        reached = []
        for row in rows:
            meeting = WaitingPlace(self.warp_of(row)[0], what, row[mask])
            self.meetings.setdefault(meeting, []).append(row)
            self.waiting[row[NUMBER]], self.masks[row[NUMBER]] = at, row[mask]
            reached.append(meeting)
        self._open(list(dict.fromkeys(reached)), observer)

    def _open(self, meetings: list[WaitingPlace], observer: Observer) -> None:
        """Lets those go on whose operation is complete."""
        going: dict[int, list[Row]] = {}
        for meeting in meetings:
            there = self.meetings[meeting]
            lanes = {self.warp_of(row)[1]: row for row in there}
            chosen = complete(meeting, sum(1 << lane for lane in lanes), self._alive[meeting.warp])
            free = {lane: row for lane, row in lanes.items() if chosen >> lane & 1}
            if free:
                self._perform(meeting, free, observer)
                self.meetings[meeting] = [row for lane, row in lanes.items() if lane not in free]
                for row in free.values():
                    del self.masks[row[NUMBER]]
                    going.setdefault(self.waiting.pop(row[NUMBER]), []).append(row)
            if not self.meetings[meeting]:
                del self.meetings[meeting]
        for at, rows in going.items():
            rows.sort(key=_BY_NUMBER)
            self.code.arrive(rows, at, at + 1)
            self._join(rows, at + 1)

    def _perform(self, meeting: WaitingPlace, lanes: dict[int, Row], observer: Observer) -> None:
        """What the operation does with the lanes that pass it together."""
        self.passing = lanes
        for at in sorted({self.waiting[row[NUMBER]] for row in lanes.values()}):
            if at in observer.watched:
                observer.before(at, [row for row in lanes.values() if self.waiting[row[NUMBER]] == at])
        self._values(lanes)
        if meeting.operation == ("barrier",):
            self.clocks.meet(meeting.warp, sorted(lanes))

    def _values(self, lanes: dict[int, Row]) -> None:
        """The results of a shuffle or vote, all computed before any is set."""
        results: list[tuple[Row, int, Number]] = []
        place = self.code.frame.place
        truths = {lane: row[place(vote.operand)] for lane, row in lanes.items() if (vote := self._vote(row))}
        for lane, row in lanes.items():
            match self.code.at[self.waiting[row[NUMBER]]]:
                case Vote(kind=kind, result=result) if result is not None:
                    results.append((row, place(result), voted(kind, truths)))
                case Shuffle() as shuffle:
                    giver = lanes.get(self.asked(shuffle, lane, row))
                    results.append((row, place(shuffle.result), 0 if giver is None else self._offered(giver)))
                case _:
                    pass
        for row, target, value in results:
            row[target] = value

    def _vote(self, row: Row) -> Vote | None:
        found = self.code.at[self.waiting[row[NUMBER]]]
        return found if isinstance(found, Vote) else None

    def _offered(self, row: Row) -> Number:
        """What a lane gives to a shuffle."""
        found = self.code.at[self.waiting[row[NUMBER]]]
        assert isinstance(found, Shuffle)
        return row[self.code.frame.place(found.value)]

    def asked(self, shuffle: Shuffle, lane: int, row: Row) -> int:
        """The lane whose value a lane asks for."""
        place = self.code.frame.place
        return source(shuffle.kind, ShuffleStep(lane, row[place(shuffle.lane)], row[place(shuffle.width)]), self.warp)

    def _active(self, instruction: ActiveMask, rows: list[Row]) -> None:
        masks: dict[int, int] = {}
        for row in rows:
            warp, lane = self.warp_of(row)
            masks[warp] = masks.get(warp, 0) | 1 << lane
        for row in rows:
            row[self.code.frame.place(instruction.result)] = masks[self.warp_of(row)[0]]

    def warp_of(self, row: Row) -> tuple[int, int]:
        """The number of a thread's warp, and of its lane there."""
        number: int = row[NUMBER]
        return divmod(number, self.warp)


_BY_NUMBER = itemgetter(NUMBER)
