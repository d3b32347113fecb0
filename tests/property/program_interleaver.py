"""All schedules of a program in the SIMT form, one access at a time, for a block of very few threads.

For programs that front ends make, where `kernel_interleaver` runs drafts. What one instruction does in one thread is
the replay's; who runs when, who waits for whom and what races is here, and nothing of lock-step execution. Reads of
memory that nobody ever writes are no steps of their own: they are the same whenever they happen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kernel_interleaver import TooMuch
from kernel_traces import Races, Trace, races

from rewright.model.simt.instructions import (
    Assume,
    Atomic,
    Barrier,
    Branch,
    Exit,
    Instruction,
    Jump,
    Load,
    Shuffle,
    Store,
    Vote,
    WarpBarrier,
)
from rewright.model.simt.program import Program
from rewright.model.simt.types import Space
from rewright.model.simt.violation import Setting
from rewright.replay.kernel.accesses import Reach, reach, stored
from rewright.replay.kernel.code import Stretch
from rewright.replay.kernel.frame import OBJECTS, Row
from rewright.replay.kernel.local_code import BlockSurroundings
from rewright.replay.kernel.start import start
from rewright.replay.kernel.warps import ShuffleStep, source, voted

MOST_TURNS = 100_000
"""Stretches of code that a thread runs between two accesses."""

_KINDS = {Load: "load", Store: "store", Atomic: "atomic"}


@dataclass(eq=False)
class Schedules:
    """What happens under some schedule. `finals` are the contents of global memory at the end, by schedule."""

    races: Races = field(default_factory=set)
    stuck: bool = False
    outside: bool = False
    finals: set[tuple[bytes, ...]] = field(default_factory=set)

    @property
    def is_harmless(self) -> bool:
        """Whether nothing goes wrong, and all schedules compute the same."""
        return not (self.races or self.stuck or self.outside) and len(self.finals) == 1


def all_schedules(program: Program, setting: Setting, most_states: int) -> Schedules:
    """What the only block of a setting does under all schedules. Raises `TooMuch`."""
    written: frozenset[int] = frozenset()
    while True:
        explorer = _Explorer(program, setting, written)
        found = explorer.explore(most_states)
        if explorer.written <= written:
            return found
        written |= explorer.written


@dataclass(frozen=True)
class Thread:
    """Where a thread is, its row from its first register on, its own memory, and what it did."""

    pc: int
    values: tuple[Any, ...]
    memory: tuple[bytes, ...]
    trace: Trace


Memory = tuple[bytes, ...]
State = tuple[tuple[Thread, ...], Memory]
_VALUES = OBJECTS + 1


class _Explorer:
    """`shared` are the objects whose accesses are steps, `written` those that were written."""

    def __init__(self, program: Program, setting: Setting, shared: frozenset[int]) -> None:
        accesses = [at for at, each in enumerate(program.code) if isinstance(each, Load | Store | Atomic)]
        self.program, self.setting, self.shared = program, setting, shared
        self.block = start(program, BlockSurroundings(setting, (0, 0, 0)), accesses, 0)
        self.place = self.block.code.frame.place
        self.reaches = {at: self.reach(program.code[at]) for at in accesses}
        self.own = [number for number, made in enumerate(program.objects) if made.space is Space.LOCAL]
        self.common = [number for number, made in enumerate(program.objects) if made.space is not Space.LOCAL]
        self.written: frozenset[int] = frozenset()
        self.found = Schedules()

    def reach(self, access: Instruction) -> Reach:
        assert isinstance(access, Load | Store | Atomic)
        return reach(access, self.block.code.frame)

    def explore(self, most_states: int) -> Schedules:
        memory = self.memory_of(self.block.rows[0], self.common)
        begun = []
        for row in self.block.rows:
            first = Thread(0, tuple(row[_VALUES:]), self.memory_of(row, self.own), ())
            moved, memory = self.to_visible(row, first, memory)
            begun.append(moved)
        pending: list[State] = [(self.freed(tuple(begun), memory), memory)]
        seen = set(pending)
        traces = set()
        while pending:
            threads, memory = pending.pop()
            ready = [t for t, thread in enumerate(threads) if thread.pc in self.reaches]
            for t in ready:
                state = self.step(t, threads, memory)
                if state not in seen:
                    seen.add(state)
                    pending.append(state)
            if not ready:
                self.found.stuck |= any(not self.has_ended(thread) for thread in threads)
                traces.add(tuple(thread.trace for thread in threads))
                self.found.finals.add(memory)
            if len(seen) > most_states:
                raise TooMuch
        for each in traces:
            self.found.races |= races(each)
        return self.found

    # ------------------------------------------------------------------------------------------------------- memory

    def memory_of(self, row: Row, objects: list[int]) -> Memory:
        return tuple(bytes(row[OBJECTS][number + 1].data) for number in objects)

    def bind(self, row: Row, thread: Thread, memory: Memory) -> None:
        """Gives a row and the memory that it sees the contents of a state."""
        row[_VALUES:] = thread.values
        for numbers, contents in ((self.common, memory), (self.own, thread.memory)):
            for number, data in zip(numbers, contents, strict=True):
                row[OBJECTS][number + 1].data[:] = data

    def step(self, t: int, threads: tuple[Thread, ...], memory: Memory) -> State:
        """A thread does the access that it is at, and goes on to its next one."""
        thread, row = threads[t], self.block.rows[t]
        self.bind(row, thread, memory)
        event = self.access(thread.pc, row)
        after = Thread(thread.pc + 1, tuple(row[_VALUES:]), self.memory_of(row, self.own), (*thread.trace, *event))
        moved, memory = self.to_visible(row, after, self.memory_of(row, self.common))
        return self.freed((*threads[:t], moved, *threads[t + 1 :]), memory), memory

    def access(self, at: int, row: Row) -> Trace:
        """Does an access; what the trace has of it."""
        of, access = self.reaches[at], self.program.code[at]
        number, offset = of.target(row)
        self.found.outside |= not of.inside(row) or bool(offset % of.width)
        cells = frozenset((number, offset + byte) for byte in range(of.width))
        value = stored(of, row) if isinstance(access, Store) else None
        if not isinstance(access, Load):
            self.written |= {number}
        self.run(at, row)
        return ((_KINDS[type(access)], at, cells, value),)

    def run(self, at: int, row: Row) -> int:
        """Runs a stretch; where it ends."""
        stretch = self.block.code.at[at]
        assert isinstance(stretch, Stretch)
        for op in stretch.ops:
            op([row])
        return stretch.next

    # ------------------------------------------------------------------------------------------------------ control

    def to_visible(self, row: Row, thread: Thread, memory: Memory) -> tuple[Thread, Memory]:
        """Runs a thread to its next access that is a step, to where it waits, or to its end."""
        self.bind(row, thread, memory)
        pc = thread.pc
        for _ in range(MOST_TURNS):
            after = self.turn(pc, row)
            if after is None:
                values, own = tuple(row[_VALUES:]), self.memory_of(row, self.own)
                return Thread(pc, values, own, thread.trace), self.memory_of(row, self.common)
            pc = after
        raise TooMuch

    def turn(self, pc: int, row: Row) -> int | None:
        """Where a thread goes on by itself, if it does."""
        code = self.block.code.at
        if pc >= len(code):
            return None
        match code[pc]:
            case Stretch():
                if pc in self.reaches and self.reaches[pc].target(row)[0] in self.shared:
                    return None
                if pc in self.reaches:
                    self.access(pc, row)
                    return pc + 1
                return self.run(pc, row)
            case Branch() as branch:
                return pc + 1 if row[self.place(branch.condition)] else branch.otherwise
            case Jump() as jump:
                return jump.target
            case Assume():
                return pc + 1
            case Exit() | Barrier() | WarpBarrier() | Shuffle() | Vote():
                return None
            case other:
                raise AssertionError(other)

    def has_ended(self, thread: Thread) -> bool:
        code = self.block.code.at
        return thread.pc >= len(code) or isinstance(code[thread.pc], Exit)

    def has_left(self, end: int, barrier: int) -> bool:
        """Whether a `return` ended a thread before a barrier, in the text or in a loop around both."""
        if end >= len(self.program.code):
            return False
        around = any(loop.head <= end < loop.end and loop.head <= barrier < loop.end for loop in self.program.loops)
        return end < barrier or around

    # ------------------------------------------------------------------------------------------------------ waiting

    def freed(self, threads: tuple[Thread, ...], memory: Memory) -> tuple[Thread, ...]:
        """The threads after all went on that wait for nobody any more."""
        while True:
            together = self.complete(threads)
            if together is None:
                return threads
            moved = list(threads)
            for t in together:
                passed = self.passed(threads[t], self.given(t, threads, together), together)
                moved[t], _ = self.to_visible(self.block.rows[t], passed, memory)
            threads = tuple(moved)

    def complete(self, threads: tuple[Thread, ...]) -> tuple[int, ...] | None:
        """Threads that have met: all of the block at one barrier, or those of a mask in one operation."""
        everybody = tuple(range(len(threads)))
        present = tuple(t for t in everybody if not self.has_ended(threads[t]))
        places = {threads[t].pc for t in present}
        if len(places) == 1 and isinstance(self.at(threads[present[0]]), Barrier):
            gone, size = set(everybody) - set(present), self.setting.warp
            split = {t // size for t in gone} & {t // size for t in present}
            if not split and all(self.has_left(threads[t].pc, *places) for t in gone):
                return present
        for t in everybody:
            asked = self.asks(threads[t])
            first = t // self.setting.warp * self.setting.warp
            if asked is None or not asked[0] >> (t - first) & 1:
                continue
            warp = range(first, min(first + self.setting.warp, len(threads)))
            members = [m for m in warp if asked[0] >> (m - first) & 1 and not self.has_ended(threads[m])]
            if all(self.asks(threads[member]) == asked for member in members):
                return tuple(members)
        return None

    def at(self, thread: Thread) -> object:
        code = self.block.code.at
        return code[thread.pc] if thread.pc < len(code) else None

    def value(self, thread: Thread, operand: Any) -> Any:
        return thread.values[self.place(operand) - _VALUES]

    def asks(self, thread: Thread) -> tuple[int, Any] | None:
        """The mask with which a thread waits in its warp, and for what."""
        match self.at(thread):
            case WarpBarrier() as found:
                return self.value(thread, found.mask), "barrier"
            case Shuffle() as found:
                return self.value(thread, found.mask), ("shuffle", found.kind, found.result.type.bits)
            case Vote() as found:
                return self.value(thread, found.mask), ("vote", found.kind)
        return None

    def given(self, t: int, threads: tuple[Thread, ...], together: tuple[int, ...]) -> Any:
        """What a thread gets from those that it meets."""
        size, thread = self.setting.warp, threads[t]
        match self.at(thread):
            case Barrier(operand=operand, vote=kind) if kind is not None:
                return voted(kind, {other: self.value(threads[other], operand) for other in together})
            case Vote(kind=kind):
                return voted(
                    kind, {other % size: self.value(threads[other], self.operand(threads[other])) for other in together}
                )
            case Shuffle() as shuffle:
                asked = ShuffleStep(t % size, self.value(thread, shuffle.lane), self.value(thread, shuffle.width))
                other = t // size * size + source(shuffle.kind, asked, size)
                self.found.outside |= other not in together
                return self.value(threads[other], self.operand(threads[other])) if other in together else 0
        return None

    def operand(self, thread: Thread) -> Any:
        match self.at(thread):
            case Vote(operand=operand):
                return operand
            case Shuffle(value=value):
                return value
        raise AssertionError(thread)

    def passed(self, thread: Thread, result: Any, together: tuple[int, ...]) -> Thread:
        """A thread after it met others."""
        values, found = list(thread.values), self.at(thread)
        if isinstance(found, Barrier | Shuffle | Vote) and found.result is not None:
            values[self.place(found.result) - _VALUES] = result
        ordered = isinstance(found, Barrier | WarpBarrier)
        trace = (*thread.trace, ("meet", together)) if ordered else thread.trace
        return Thread(thread.pc + 1, tuple(values), thread.memory, trace)
