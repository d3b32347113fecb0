"""All schedules of a tiny kernel, one access at a time: brute force, with code of its own and without clocks.

A schedule runs one thread at a time up to and including its next access; whoever waits goes on as soon as those that it
waits for do (this touches no memory, so when it happens does not matter). What threads did is kept as traces: accesses
and barriers. Two accesses race when some reordering of the traces of some schedule, in which only barriers make threads
wait for each other, has them next to each other: a shuffle makes threads wait but orders no memory, so it is not in a
trace. Nobody can go on, and somebody waits: a deadlock if somebody waits in a warp, else barrier divergence. A barrier
of the block opens without warps all of whose threads have left by a `return` before it: an early exit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from kernel_drafts import SIZE, At, Body, Draft, Expr
from kernel_traces import ACCESSES, NO_VALUE, UNDEFINED, UNWRITTEN, Races, Side, Trace, conflict, races, shape

MOST_STEPS = 12
UNSIZED = 3 * SIZE
"""Elements of an array of unknown size that are looked at."""


class TooMuch(Exception):
    """The kernel takes more steps than wanted, or has too many states."""


class DependsOnUndefined(Exception):
    """Control, an address or a mask depends on a value that was never written."""


@dataclass(eq=False)
class Behaviour:
    """What can happen under some schedule.

    `next_to_each_other`: the pairs of accesses that are so in some schedule itself, no trace reordered. `steady`: under
    each schedule each thread does the same accesses and passes the same barriers. `kept`: constant memory is written.
    `finals` are what the variables outside functions hold in the end, schedule by schedule, where that is defined.
    """

    races: Races = field(default_factory=set)
    next_to_each_other: set[frozenset[Side]] = field(default_factory=set)
    divergent: bool = False
    early: bool = False
    deadlocked: bool = False
    outside: bool = False
    unwritten: bool = False
    inactive: bool = False
    kept: bool = False
    steady: bool = True
    finals: set[Memory] = field(default_factory=set)

    @property
    def fails(self) -> bool:
        """Whether anything goes wrong, writes of equal values aside."""
        return self.unequal or any(
            (self.divergent, self.deadlocked, self.outside, self.unwritten, self.inactive, self.kept)
        )

    @property
    def racy(self) -> bool:
        """Whether two accesses race, be they of equal values."""
        return bool(self.races)

    @property
    def unequal(self) -> bool:
        """Whether two accesses race, and not only two writes of equal values."""
        return not all(equal for _, equal in self.races)


def behaviour(kernel: Draft, most_states: int, contents: Memory = (), at: At | None = None) -> Behaviour:
    """What the kernel does under all schedules, where its variables outside functions hold these contents."""
    return _Explorer(kernel, most_states, contents, at).explore()


# ----------------------------------------------------------------------------------------------------------- the code

Code = list[tuple[Any, ...]]
OF_BLOCK = ("barrier", "poll")
OF_WARP = ("sync", "shuffle", "vote")


def compiled(body: Body) -> Code:
    """Straight code with jumps. The number of an instruction is its place."""
    code: Code = []

    def emit(statements: Body) -> None:
        for statement in statements:
            match statement:
                case ("if", condition, then, otherwise):
                    test = len(code)
                    code.append(())
                    emit(then)
                    leave = len(code)
                    code.append(())
                    code[test] = ("unless", condition, len(code))
                    emit(otherwise)
                    code[leave] = ("jump", len(code))
                case ("loop", name, limit, inner):
                    code.append(("set", name, 0))
                    test = len(code)
                    code.append(())
                    emit(inner)
                    code.append(("set", name, ("+", name, 1)))
                    code.append(("jump", test))
                    code[test] = ("unless", ("<", name, limit), len(code))
                case ("return",):
                    code.append(("end",))
                case other:
                    code.append(other)

    emit(body)
    code.append(("end",))
    return code


# ---------------------------------------------------------------------------------------------------------- schedules


@dataclass(frozen=True)
class Thread:
    """Where a thread is, how many steps it took, its variables, and what it did: accesses and barriers."""

    pc: int
    steps: int
    values: tuple[Any, ...]
    trace: Trace


Memory = tuple[Any, ...]
State = tuple[tuple[Thread, ...], Memory]


_OF_BLOCK = 2 * SIZE
"""Elements of shared memory of a block."""


class _Explorer:
    """Threads are numbered through all blocks. Memory: `a` and `b` of each block, then `g`, then what is outside."""

    def __init__(self, kernel: Draft, most_states: int, contents: Memory, at: At | None = None) -> None:
        self.kernel = kernel
        self.at = at or At(1, kernel.threads)
        size = UNSIZED if self.at.size is None else self.at.size
        self.sizes = {"a": SIZE, "b": SIZE, "g": size} | {each.name: each.size for each in kernel.outside}
        self.constant = {each.name for each in kernel.outside if each.constant}
        self.begins: dict[str, int] = {"a": 0, "b": SIZE}
        end = _OF_BLOCK * self.at.blocks
        for name in ("g", *(each.name for each in kernel.outside)):
            self.begins[name] = end
            end += self.sizes[name]
        self.blank: Memory = (UNWRITTEN,) * (_OF_BLOCK * self.at.blocks + size)
        self.contents = contents
        self.code = compiled(kernel.body)
        self.names = {name: at for at, name in enumerate(kernel.variables)}
        self.most_states = most_states
        self.found = Behaviour()

    def explore(self) -> Behaviour:
        first = Thread(0, 0, (UNDEFINED,) * len(self.names), ())
        threads = tuple(self.to_visible(t, first) for t in range(self.at.blocks * self.at.threads))
        pending: list[State] = [(self.freed(threads), self.blank + self.contents)]
        seen = set(pending)
        traces = set()
        while pending:
            threads, memory = pending.pop()
            ready = [t for t, thread in enumerate(threads) if self.kind(thread) in ACCESSES]
            self.found.next_to_each_other |= self.colliding(threads, ready)
            for t in ready:
                state = self.step(t, threads, memory)
                if state not in seen:
                    seen.add(state)
                    pending.append(state)
            if not ready:
                self.stop(threads)
                traces.add(tuple(thread.trace for thread in threads))
                self.found.finals |= {memory[len(self.blank) :]} - {()}
            if len(seen) > self.most_states:
                raise TooMuch
        self.found.steady = len({tuple(shape(trace) for trace in each) for each in traces}) == 1
        for each in traces:
            self.found.races |= races(each)
        return self.found

    def colliding(self, threads: tuple[Thread, ...], ready: list[int]) -> set[frozenset[Side]]:
        """The threads whose next accesses conflict."""
        cells = {t: frozenset({self.cell(t, threads[t])} - {None}) for t in ready}
        heads = {t: (self.kind(threads[t]), threads[t].pc, cells[t]) for t in ready}
        return {
            frozenset((Side(heads[one][1], one), Side(heads[other][1], other)))
            for one, other in combinations(ready, 2)
            if conflict(heads[one], heads[other])
        }

    def kind(self, thread: Thread) -> str:
        return str(self.code[thread.pc][0])

    def stop(self, threads: tuple[Thread, ...]) -> None:
        """Nobody can go on."""
        kinds = {self.kind(thread) for thread in threads}
        if kinds & set(OF_WARP):
            self.found.deadlocked = True
        elif kinds != {"end"}:
            self.found.divergent = True

    # ------------------------------------------------------------------------------------------------------- memory

    def step(self, t: int, threads: tuple[Thread, ...], memory: Memory) -> State:
        thread = threads[t]
        instruction, values = self.code[thread.pc], thread.values
        cell, value = self.cell(t, thread), None
        if cell is not None:
            match instruction:
                case ("load", name, _, _):
                    values = self.with_value(values, name, memory[cell])
                case ("store", _, _, written):
                    value = self.value(written, t, values)
                    if cell >= _OF_BLOCK * self.at.blocks:
                        self.insist(value)
                    memory = (*memory[:cell], value, *memory[cell + 1 :])
                case ("atomic", operation, name, _, _, operand):
                    old, given = self.insist(memory[cell]), self.insist(self.value(operand, t, values))
                    new = combined(operation, old, given)
                    values = self.with_value(values, name, old)
                    memory = (*memory[:cell], new, *memory[cell + 1 :])
        elif instruction[0] != "store":
            values = self.with_value(values, instruction[1 if instruction[0] == "load" else 2], UNDEFINED)
        trace = thread.trace if cell is None else (*thread.trace, (instruction[0], thread.pc, frozenset({cell}), value))
        moved = self.to_visible(t, Thread(thread.pc + 1, thread.steps + 1, values, trace))
        return self.freed((*threads[:t], moved, *threads[t + 1 :])), memory

    def cell(self, t: int, thread: Thread) -> int | None:
        instruction = self.code[thread.pc]
        array, index = {
            "load": instruction[2:4],
            "store": instruction[1:3],
            "atomic": instruction[3:5],
        }[instruction[0]]
        at = self.defined(index, t, thread.values)
        if array == "g" and self.at.size is None and at >= UNSIZED:
            raise TooMuch
        if not 0 <= at < self.sizes[array]:
            self.found.outside = True
            return None
        if array in self.constant and instruction[0] != "load":
            self.found.kept = True
            return None
        own = _OF_BLOCK * (t // self.at.threads) if array in ("a", "b") else 0
        return own + self.begins[array] + at

    def insist(self, value: Any) -> Any:
        """A value that is read for its own sake."""
        if value == UNWRITTEN:
            self.found.unwritten = True
        return value

    # ------------------------------------------------------------------------------------------------------ waiting

    def freed(self, threads: tuple[Thread, ...]) -> tuple[Thread, ...]:
        """The threads after all went on that wait for nobody any more."""
        while True:
            together = self.complete(threads)
            if together is None:
                return threads
            threads = self.let_go(threads, together)

    def complete(self, threads: tuple[Thread, ...]) -> tuple[int, ...] | None:
        """Threads that have met: all of a block at one barrier, or those of a mask in one operation."""
        for begin in range(0, len(threads), self.at.threads):
            everybody = tuple(range(begin, begin + self.at.threads))
            present = tuple(t for t in everybody if self.kind(threads[t]) != "end")
            places = {threads[t].pc for t in present}
            if len(places) == 1 and self.kind(threads[present[0]]) in OF_BLOCK:
                gone = set(everybody) - set(present)
                warps = {self.warp(t) for t in gone} & {self.warp(t) for t in present}
                if not warps and all(self.is_early(threads[t].pc, *places) for t in gone):
                    self.found.early |= bool(gone)
                    return present
        for t in range(len(threads)):
            met = self.met(t, threads)
            if met is not None:
                return met
        return None

    def warp(self, t: int) -> range:
        """The threads of a thread's warp."""
        begin = t // self.at.threads * self.at.threads
        first = begin + (t - begin) // self.kernel.warp * self.kernel.warp
        return range(first, min(first + self.kernel.warp, begin + self.at.threads))

    def is_early(self, end: int, barrier: int) -> bool:
        """Whether a thread that ended here has left a barrier out: one behind it, or in a loop around both."""
        backwards = [(to[1], at) for at, to in enumerate(self.code) if to[0] == "jump" and to[1] <= at]
        around = any(head <= end < jump and head <= barrier < jump for head, jump in backwards)
        return end < len(self.code) - 1 and (end < barrier or around)

    def met(self, t: int, threads: tuple[Thread, ...]) -> tuple[int, ...] | None:
        """The threads of the mask that this one waits with, if it waits and they are all there."""
        asked = self.asks(t, threads[t])
        if asked is None:
            return None
        members = [
            other
            for lane, other in enumerate(self.warp(t))
            if asked[0] >> lane & 1 and self.kind(threads[other]) != "end"
        ]
        together = all(self.asks(other, threads[other]) == asked for other in members)
        return tuple(members) if t in members and together else None

    def asks(self, t: int, thread: Thread) -> tuple[int, Any] | None:
        """The mask with which a thread waits in its warp, and for what."""
        match self.code[thread.pc]:
            case ("sync", mask):
                return self.defined(mask, t, thread.values), "sync"
            case ("vote", kind, _, mask, _):
                return self.defined(mask, t, thread.values), ("vote", kind)
            case ("shuffle", kind, _, mask, *_):
                return self.defined(mask, t, thread.values), ("shuffle", kind)
        return None

    def let_go(self, threads: tuple[Thread, ...], together: tuple[int, ...]) -> tuple[Thread, ...]:
        moved = list(threads)
        for t in together:
            thread = threads[t]
            if thread.steps >= MOST_STEPS:
                raise TooMuch
            values, trace = thread.values, thread.trace
            instruction = self.code[thread.pc]
            if instruction[0] in ("barrier", "poll", "sync"):
                trace = (*trace, ("meet", together))
            if instruction[0] in ("poll", "vote", "shuffle"):
                values = self.with_value(values, instruction[2], self.exchanged(t, threads, together))
            moved[t] = self.to_visible(t, Thread(thread.pc + 1, thread.steps + 1, values, trace))
        return tuple(moved)

    def exchanged(self, t: int, threads: tuple[Thread, ...], together: tuple[int, ...]) -> Any:
        match self.code[threads[t].pc]:
            case ("shuffle", kind, _, _, _, operand, width):
                first = self.warp(t).start
                other = first + source_of(kind, t - first, operand, min(width, self.kernel.warp))
                if other not in together:
                    self.found.inactive = True
                    return UNDEFINED
                given = self.code[threads[other].pc][4]
                return self.value(given, other, threads[other].values)
            case ("poll", kind, _, _) | ("vote", kind, _, _, _):
                truths = [
                    bool(self.defined(self.code[threads[other].pc][-1], other, threads[other].values))
                    for other in together
                ]
                return combined_truths(kind, truths, [other - self.warp(other).start for other in together])
        raise AssertionError

    # ------------------------------------------------------------------------------------------------------- values

    def to_visible(self, t: int, thread: Thread) -> Thread:
        """Runs a thread to its next access, to where it waits, or to its end."""
        pc, values = thread.pc, thread.values
        for _ in range(1000):
            match self.code[pc]:
                case ("set", name, value):
                    values = self.with_value(values, name, self.value(value, t, values))
                    pc += 1
                case ("unless", condition, target):
                    pc = pc + 1 if self.defined(condition, t, values) else target
                case ("jump", target):
                    pc = target
                case ("end",):
                    return Thread(pc, 0, (), thread.trace)
                case _:
                    if thread.steps >= MOST_STEPS:
                        raise TooMuch
                    return Thread(pc, thread.steps, values, thread.trace)
        raise TooMuch

    def with_value(self, values: tuple[Any, ...], name: str, value: Any) -> tuple[Any, ...]:
        at = self.names[name]
        return (*values[:at], value, *values[at + 1 :])

    def defined(self, expression: Expr, t: int, values: tuple[Any, ...]) -> int:
        value = self.value(expression, t, values)
        if value in NO_VALUE:
            raise DependsOnUndefined
        return int(value)

    def value(self, expression: Expr, t: int, values: tuple[Any, ...]) -> Any:
        if isinstance(expression, int):
            return expression
        if expression == "t":
            return t % self.at.threads
        if expression == "u":
            return t
        if expression == "n":
            return self.at.n
        if isinstance(expression, str):
            return values[self.names[expression]]
        operator, left, right = expression
        x, y = self.value(left, t, values), self.value(right, t, values)
        for each in (x, y):
            if each in NO_VALUE:
                return each
        match operator:
            case "%":
                return abs(x) % y * (-1 if x < 0 else 1)
            case "/":
                return abs(x) // y * (-1 if x < 0 else 1)
            case "<<":
                return x << y
        return {
            "+": wrapped(x + y),
            "-": wrapped(x - y),
            "*": wrapped(x * y),
            "<": int(x < y),
            ">": int(x > y),
            "==": int(x == y),
            "!=": int(x != y),
        }[operator]


def wrapped(value: int) -> int:
    """As an integer of 32 bits."""
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def combined(operation: str, old: Any, operand: Any) -> Any:
    """What an atomic leaves in memory; compare-and-swap compares with 0."""
    if operation == "exch":
        return operand
    for each in (old, operand):
        if each in NO_VALUE:
            return each
    match operation:
        case "add":
            return wrapped(old + operand)
        case "max":
            return max(old, operand)
        case "cas":
            return operand if old == 0 else old
    raise AssertionError(operation)


def source_of(kind: str, lane: int, operand: int, width: int) -> int:
    """The lane whose value a lane gets, by the CUDA C++ Programming Guide."""
    start = lane // width * width
    match kind:
        case "idx":
            return start + operand % width
        case "up":
            return lane - operand if lane - operand >= start else lane
        case "down":
            return lane + operand if lane + operand < start + width else lane
        case "xor":
            return lane ^ operand if lane ^ operand < start + width else lane
    raise AssertionError(kind)


def combined_truths(kind: str, truths: list[bool], lanes: list[int]) -> int:
    """What the truths of some lanes come to."""
    match kind:
        case "all" | "and":
            return int(all(truths))
        case "any" | "or":
            return int(any(truths))
        case "count":
            return sum(truths)
        case "ballot":
            return sum(1 << lane for lane, truth in zip(lanes, truths, strict=True) if truth)
    raise AssertionError(kind)
