"""All schedules of a tiny kernel with fences and flags: which accesses race, by release and acquire.

After the memory consistency model of PTX, simplified: what a thread did before a fence precedes what another does after
a fence, if the first performs an atomic after its fence from which the other reads, directly or by way of further
atomics on the element, before its own. Clocks of its own: vectors in the states of an explorer, so that equal states
are met once. Shares nothing with execution.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kernel_drafts import ARRAYS, SIZE, Draft
from kernel_interleaver import Memory, State, Thread, TooMuch, _Explorer, combined
from kernel_traces import ACCESSES, UNDEFINED, Side

Clock = tuple[int, ...]
Pair = frozenset[Side]


def racing(kernel: Draft, most_states: int) -> set[Pair]:
    """The pairs of accesses that race under some schedule. Raises `TooMuch`."""
    return _Ordered(kernel, most_states, ()).pairs()


def joined(*clocks: Clock) -> Clock:
    """What is known by somebody."""
    return tuple(map(max, zip(*clocks, strict=True)))


class _Ordered(_Explorer):
    """A thread's trace is (what it knows, what it knew at its last fence, what a fence would make it know).

    Memory has two further entries: by cell what an atomic on it hands over, and the accesses so far.
    """

    def pairs(self) -> set[Pair]:
        count = self.kernel.threads
        nothing: Clock = (0,) * count
        begun = []
        for t in range(count):
            own = tuple(int(other == t) for other in range(count))
            begun.append(self.to_visible(t, Thread(0, 0, (UNDEFINED,) * len(self.names), (own, nothing, nothing))))
        handed = (nothing,) * (SIZE * len(ARRAYS))
        start: Memory = (*(UNDEFINED for _ in handed), handed, frozenset())
        found: set[Pair] = set()
        pending: list[State] = [(self.freed(tuple(begun)), start)]
        seen = set(pending)
        while pending:
            threads, memory = pending.pop()
            for t, thread in enumerate(threads):
                if self.kind(thread) == "fence":
                    state = self.fence(t, threads, memory)
                elif self.kind(thread) in ACCESSES:
                    found |= self.collisions(t, thread, memory)
                    state = self.step(t, threads, memory)
                else:
                    continue
                if state not in seen:
                    seen.add(state)
                    pending.append(state)
            if len(seen) > self.most_states:
                raise TooMuch
        return found

    def fence(self, t: int, threads: tuple[Thread, ...], memory: Memory) -> State:
        thread = threads[t]
        knows, _, taken = thread.trace
        known = joined(knows, taken)
        moved = replace(thread, pc=thread.pc + 1, steps=thread.steps + 1, trace=(known, known, taken))
        return self.freed((*threads[:t], self.to_visible(t, moved), *threads[t + 1 :])), memory

    def collisions(self, t: int, thread: Thread, memory: Memory) -> set[Pair]:
        """The earlier accesses of the cell that a thread's next one conflicts with and does not know of."""
        cell, kind, knows = self.cell(t, thread), self.kind(thread), thread.trace[0]
        return {
            frozenset((Side(thread.pc, t), Side(pc, other)))
            for there, before, pc, other, count in memory[-1]
            if there == cell and other != t and ("store" in (kind, before) or kind != before)
            if knows[other] < count
        }

    def step(self, t: int, threads: tuple[Thread, ...], memory: Memory) -> State:
        thread, cell = threads[t], self.cell(t, threads[t])
        assert cell is not None
        instruction, values = self.code[thread.pc], thread.values
        knows, released, taken = thread.trace
        *cells, handed, done = memory
        match instruction:
            case ("load", name, _, _):
                values = self.with_value(values, name, cells[cell])
            case ("store", _, _, written):
                cells[cell] = self.value(written, t, values)
            case ("atomic", operation, name, _, _, operand):
                values = self.with_value(values, name, cells[cell])
                cells[cell] = combined(operation, cells[cell], self.value(operand, t, values))
                taken = joined(taken, handed[cell])
                handed = (*handed[:cell], joined(handed[cell], released), *handed[cell + 1 :])
        done |= {(cell, instruction[0], thread.pc, t, knows[t])}
        knows = tuple(count + (other == t) for other, count in enumerate(knows))
        moved = Thread(thread.pc + 1, thread.steps + 1, values, (knows, released, taken))
        threads = (*threads[:t], self.to_visible(t, moved), *threads[t + 1 :])
        return self.freed(threads), (*cells, handed, done)

    def let_go(self, threads: tuple[Thread, ...], together: tuple[int, ...]) -> tuple[Thread, ...]:
        """Those that meet at a barrier know what any of them knew."""
        known = joined(*(threads[t].trace[0] for t in together))
        moved: list[Any] = list(super().let_go(threads, together))
        for t in together:
            _, released, taken = moved[t].trace[:3]
            knows = tuple(count + (other == t) for other, count in enumerate(known))
            moved[t] = replace(moved[t], trace=(knows, released, taken))
        return tuple(moved)
