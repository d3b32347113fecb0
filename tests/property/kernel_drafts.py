"""Random tiny kernels: a form of their own, which is printed in both languages and lowered by `kernel_programs`.

An expression is a number, a name, or (operator, left, right); `t` is the thread. Statements are tuples:
("set", variable, e), ("load", variable, array, e), ("store", array, e, e),
("atomic", operation, variable, array, e, e), ("if", e, body, body), ("loop", variable, e, body), ("barrier",),
("poll", kind, variable, e), ("sync", mask), ("shuffle", kind, variable, mask, e, e, width),
("vote", kind, variable, mask, e), ("return",).
Masks are expressions too. Every statement that accesses memory or waits is a place of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

SIZE = 4
ARRAYS = ("a", "b", "g")
FULL = 0xFFFFFFFF
Expr = Any
Stmt = tuple[Any, ...]
Body = tuple[Stmt, ...]


@dataclass(frozen=True)
class Outside:
    """A variable outside functions: so many integers in device or constant memory, with a first value or none."""

    name: str
    size: int
    constant: bool
    initial: tuple[int, ...] | None


@dataclass(frozen=True)
class At:
    """A launch: so many blocks of so many threads, what `n` is, how many elements `g` has (None: nobody says)."""

    blocks: int
    threads: int
    n: int = 0
    size: int | None = SIZE


@dataclass(frozen=True)
class Draft:
    """A kernel for so many threads, in warps of so many; `a` and `b` are shared, `g` is an output.

    `outside` are the variables of its source that it uses, too. One with `launches` may also use `n`, a parameter, and
    `u`, the number of the thread in the grid.
    """

    threads: int
    warp: int
    body: Body
    variables: tuple[str, ...]
    outside: tuple[Outside, ...] = ()
    launches: tuple[At, ...] = ()


def draft(random: Random) -> Draft:
    """A random kernel; it may do anything that the little language allows."""
    threads, warp = random.choice(((2, 2), (3, 2), (4, 2), (4, 2), (3, 4), (4, 4), (4, 4)))
    writer = Writer(random, warp)
    body: Body = ()
    if random.random() < 0.2:
        return Draft(threads, warp, writer.relay(), tuple(writer.variables))
    if random.random() < 0.7:
        body += (("store", "a", "t", writer.value()),)
        body += random.choice(((("barrier",),), (("barrier",),), (("sync", FULL),), ()))
    body += writer.body(random.randint(2, 5), 0)
    return Draft(threads, warp, body, tuple(writer.variables))


class Writer:
    """Writes random statements; remembers the variables that they use."""

    def __init__(self, random: Random, warp: int) -> None:
        self.random, self.warp = random, warp
        self.variables: list[str] = []
        self.in_sight: list[str] = ["t"]
        self.stored: tuple[str, ...] = ARRAYS
        self.loaded: tuple[str, ...] = ARRAYS[:2]
        self.style = random.choice(("own", "own", "shifted", "any"))
        self.waits = random.choice(
            (("barrier",), ("barrier", "sync"), ("sync",), ("sync", "part"), ("shuffle", "sync"))
        )

    def body(self, length: int, depth: int) -> Body:
        before = list(self.in_sight)
        statements = tuple(self.statement(depth) for _ in range(length))
        if depth:
            self.in_sight = before
        return statements

    def relay(self) -> Body:
        """Two threads access one element; in between some meet, so that one may hear of the other by way of a third."""
        random = self.random
        one, *others = random.sample(range(self.warp), self.warp)
        if random.random() < 0.5:
            pairs = [self.part(1 << left | 1 << right) for left, right in pairwise((one, *others))]
            meetings = pairs if random.random() < 0.7 else random.sample(pairs, len(pairs))
        else:
            self.waits = random.choice((("part", "sync"), ("part", "exchange"), ("exchange",)))
            meetings = [self.wait(random.choice(self.waits)) for _ in range(random.randint(1, 4))]
        store: Stmt = ("store", "a", 0, random.randint(0, 1))
        access = random.choice((store, ("load", self.fresh(), "a", 0), ("atomic", "add", self.fresh(), "a", 0, 1)))
        return self.by(one, store), *meetings, self.by(random.choice(others), access)

    @staticmethod
    def by(thread: int, statement: Stmt) -> Stmt:
        return ("if", ("==", "t", thread), (statement,), ())

    def statement(self, depth: int) -> Stmt:
        choice = self.random.random()
        if choice < 0.27:
            return ("store", self.random.choice(self.stored), self.index(), self.value())
        if choice < 0.45:
            array, index = self.random.choice(self.loaded), self.index()
            return ("load", self.fresh(), array, index)
        if choice < 0.52:
            return self.atomic()
        if choice < 0.56:
            value = self.value()
            return ("set", self.fresh(), value)
        if choice < 0.82:
            return self.wait(self.random.choice(self.waits))
        if depth < 2 and choice < 0.92:
            condition = self.condition()
            then = self.body(self.random.randint(1, 2), depth + 1)
            otherwise = self.body(1, depth + 1) if self.random.random() < 0.4 else ()
            return ("if", condition, then, otherwise)
        if depth < 1 and choice < 0.985:
            limit = self.random.choice((1, 2, 2, 2, "t", ("+", "t", 1)))
            variable = self.fresh()
            return ("loop", variable, limit, self.body(self.random.randint(1, 3), depth + 1))
        return ("return",) if self.random.random() < 0.6 else ("barrier",)

    def atomic(self) -> Stmt:
        operation = self.random.choice(("add", "add", "max", "exch", "cas"))
        array, index, value = self.random.choice(self.loaded), self.index(), self.value()
        return ("atomic", operation, self.fresh(), array, index, value)

    def wait(self, kind: str) -> Stmt:
        if kind == "barrier":
            if self.random.random() < 0.85:
                return ("barrier",)
            condition = self.condition()
            return ("poll", self.random.choice(("and", "or", "count")), self.fresh(), condition)
        if kind == "sync":
            return ("sync", self.mask())
        if kind == "part":
            return self.part(self.random.randint(1, (1 << self.warp) - 1))
        value, mask = self.value(), FULL if kind == "exchange" else self.mask()
        if self.random.random() < 0.4:
            return ("vote", self.random.choice(("all", "any", "ballot")), self.fresh(), mask, self.condition())
        name = self.random.choice(("idx", "up", "down", "xor"))
        width = self.random.choice((2, self.warp, 32))
        return ("shuffle", name, self.fresh(), mask, value, self.random.randint(0, 3), width)

    def part(self, mask: int) -> Stmt:
        """The lanes of a mask meet."""
        return ("if", ("%", ("/", mask, ("<<", 1, ("%", "t", self.warp))), 2), (("sync", mask),), ())

    def mask(self) -> Expr:
        """All of the warp, mostly; or its halves; or anything."""
        roll = self.random.random()
        if roll < 0.7:
            return FULL
        if roll < 0.9:
            lane = ("%", "t", self.warp)
            return ("<<", self.warp - 1, ("*", ("/", lane, 2), 2)) if self.warp == 2 else self.halves(lane)
        return self.random.randint(1, (1 << self.warp) - 1)

    @staticmethod
    def halves(lane: Expr) -> Expr:
        return ("<<", 3, ("*", ("/", lane, 2), 2))

    def fresh(self) -> str:
        name = f"v{len(self.variables)}"
        self.variables.append(name)
        self.in_sight.append(name)
        return name

    def index(self) -> Expr:
        random = self.random
        roll = random.random()
        if self.style == "own" and roll < 0.8:
            return "t"
        if self.style == "shifted" and roll < 0.75:
            return ("%", ("+", "t", random.randint(1, 3)), SIZE)
        if roll < 0.85:
            return random.randint(0, SIZE - 1)
        if roll < 0.98:
            return ("%", ("+", random.choice(self.in_sight), random.randint(0, 3)), SIZE)
        return ("+", "t", random.randint(0, 2))

    def value(self) -> Expr:
        random = self.random
        if random.random() < 0.4:
            return random.randint(0, 3)
        return (random.choice("+*-"), random.choice(self.in_sight), random.randint(0, 3))

    def condition(self) -> Expr:
        random = self.random
        left: Expr = random.choice((random.choice(self.in_sight), "t", "t", ("%", "t", 2)))
        if random.random() < 0.25:
            left = random.randint(0, 2)
        return (random.choice(("<", "==", "!=", ">")), left, random.randint(0, 3))


def statements(body: Body) -> Iterator[Stmt]:
    """All of them, in the order of the text."""
    for statement in body:
        yield statement
        for part in statement:
            if isinstance(part, tuple) and part and isinstance(part[0], tuple):
                yield from statements(part)
