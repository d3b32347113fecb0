"""All schedules of a tiny kernel, one access at a time: brute force, with code of its own.

A schedule runs one thread at a time up to and including its next access. Two threads race when in some reachable state
both are about to access one cell, one of them to write; they diverge when in some reachable state nobody can go on,
somebody waits, and not everybody waits at the same barrier.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kernel_drafts import ARRAYS, SIZE, Body, Draft, Expr

MOST_STEPS = 12
UNDEFINED = "undefined"


class TooMuch(Exception):
    """The kernel takes more steps than wanted, or has too many states."""


class DependsOnUndefined(Exception):
    """Control or an address depends on a value that was never written."""


@dataclass(frozen=True)
class Behaviour:
    """What can happen under some schedule."""

    racy: bool
    divergent: bool
    outside: bool


def behaviour(kernel: Draft, most_states: int) -> Behaviour:
    """What the kernel does under all schedules."""
    return _Explorer(kernel, most_states).explore()


Code = list[tuple[Any, ...]]


def compiled(body: Body) -> Code:
    """Straight code with jumps."""
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


Thread = tuple[int, int, tuple[Any, ...]]
"""Instruction, steps taken, values of the variables."""
State = tuple[tuple[Thread, ...], tuple[Any, ...]]


class _Explorer:
    def __init__(self, kernel: Draft, most_states: int) -> None:
        self.kernel = kernel
        self.code = compiled(kernel.body)
        self.names = kernel.variables
        self.most_states = most_states
        self.outside = False

    def explore(self) -> Behaviour:
        start = tuple(self.to_visible(t, (0, 0, (UNDEFINED,) * len(self.names))) for t in range(self.kernel.threads))
        pending: list[State] = [(start, (UNDEFINED,) * (SIZE * len(ARRAYS)))]
        seen = set(pending)
        racy = divergent = False
        while pending:
            threads, memory = pending.pop()
            racy = racy or self.conflict(threads)
            successors = [
                self.step(t, threads, memory) for t in range(len(threads)) if self.is_at(threads[t], "load", "store")
            ]
            if not successors:
                released = self.release(threads)
                divergent = divergent or released is None
                successors = [(released, memory)] if released else []
            for state in successors:
                if state not in seen:
                    seen.add(state)
                    pending.append(state)
            if len(seen) > self.most_states:
                raise TooMuch
        return Behaviour(racy, divergent, self.outside)

    def is_at(self, thread: Thread, *kinds: str) -> bool:
        return self.code[thread[0]][0] in kinds

    def conflict(self, threads: tuple[Thread, ...]) -> bool:
        touched: dict[int, list[str]] = {}
        for t, thread in enumerate(threads):
            if self.is_at(thread, "load", "store"):
                cell = self.cell(t, thread)
                if cell is not None:
                    touched.setdefault(cell, []).append(self.code[thread[0]][0])
        return any(len(kinds) > 1 and "store" in kinds for kinds in touched.values())

    def cell(self, t: int, thread: Thread) -> int | None:
        instruction = self.code[thread[0]]
        array, index = (instruction[2], instruction[3]) if instruction[0] == "load" else instruction[1:3]
        at = self.defined(index, t, thread)
        if not 0 <= at < SIZE:
            self.outside = True
            return None
        return ARRAYS.index(array) * SIZE + at

    def step(self, t: int, threads: tuple[Thread, ...], memory: tuple[Any, ...]) -> State:
        pc, steps, values = thread = threads[t]
        if steps >= MOST_STEPS:
            raise TooMuch
        instruction, cell = self.code[pc], self.cell(t, thread)
        if instruction[0] == "load":
            read = UNDEFINED if cell is None else memory[cell]
            values = self.with_value(values, instruction[1], read)
        elif cell is not None:
            memory = (*memory[:cell], self.value(instruction[3], t, values), *memory[cell + 1 :])
        moved = self.to_visible(t, (pc + 1, steps + 1, values))
        return (*threads[:t], moved, *threads[t + 1 :]), memory

    def release(self, threads: tuple[Thread, ...]) -> tuple[Thread, ...] | None:
        """The threads after the barrier they all wait at; () if all have ended, None if they are stuck."""
        places = {thread[0] for thread in threads}
        if all(self.is_at(thread, "end") for thread in threads):
            return ()
        if len(places) > 1:
            return None
        if threads[0][1] >= MOST_STEPS:
            raise TooMuch
        return tuple(self.to_visible(t, (pc + 1, steps + 1, values)) for t, (pc, steps, values) in enumerate(threads))

    def to_visible(self, t: int, thread: Thread) -> Thread:
        """Runs a thread to its next access, barrier or end."""
        pc, steps, values = thread
        for _ in range(1000):
            match self.code[pc]:
                case ("set", name, value):
                    values = self.with_value(values, name, self.value(value, t, values))
                    pc += 1
                case ("unless", condition, target):
                    pc = pc + 1 if self.defined(condition, t, (pc, steps, values)) else target
                case ("jump", target):
                    pc = target
                case ("end",):
                    return pc, 0, ()
                case _:
                    return pc, steps, values
        raise TooMuch

    def with_value(self, values: tuple[Any, ...], name: str, value: Any) -> tuple[Any, ...]:
        at = self.names.index(name)
        return (*values[:at], value, *values[at + 1 :])

    def defined(self, expression: Expr, t: int, thread: Thread) -> int:
        value = self.value(expression, t, thread[2])
        if value == UNDEFINED:
            raise DependsOnUndefined
        return int(value)

    def value(self, expression: Expr, t: int, values: tuple[Any, ...]) -> Any:
        if isinstance(expression, int):
            return expression
        if expression == "t":
            return t
        if isinstance(expression, str):
            return values[self.names.index(expression)]
        operator, left, right = expression
        x, y = self.value(left, t, values), self.value(right, t, values)
        if UNDEFINED in (x, y):
            return UNDEFINED
        remainder = abs(x) % y * (-1 if x < 0 else 1) if operator == "%" else 0
        return {
            "+": x + y,
            "-": x - y,
            "*": x * y,
            "%": remainder,
            "<": int(x < y),
            ">": int(x > y),
            "==": int(x == y),
            "!=": int(x != y),
        }[operator]
