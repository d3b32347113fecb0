"""Random sources of one or two tiny kernels that share variables in device and constant memory.

Each kernel has one to three launches, of one block or more, which give its parameter `n` and perhaps the size of its
output; 0 and 1 are among them. Variables are single integers or arrays, with a first value or none; kernels read them,
have them in conditions and indices, and may store into them or change them atomically: seldom into constant memory,
which is an error.
"""

from __future__ import annotations

from itertools import product
from random import Random

from kernel_drafts import ARRAYS, SIZE, At, Body, Draft, Expr, Outside, Stmt, Writer, statements

WARP = 32
SHAPES = ((1, 2), (1, 3), (1, 4), (1, 1), (2, 1), (2, 2), (2, 2), (3, 1), (4, 1))
"""Blocks of a launch, and threads of a block."""
MOST_CONTENTS = 8
"""Contents of one kernel's variables that are looked at."""

Contents = tuple[int, ...]
"""What all variables of a source hold, one after the other."""


def source(random: Random) -> tuple[Draft, ...]:
    """The kernels of a source."""
    outside = tuple(_variable(random, name) for name in random.choice((("c",), ("d",), ("c", "d"), ("d", "e"))))
    return tuple(_kernel(random, outside) for _ in range(random.choice((1, 1, 2))))


def _variable(random: Random, name: str) -> Outside:
    size = random.choice((1, 1, SIZE))
    initial = None
    if random.random() < 0.5:
        initial = tuple(random.randint(0, 3) for _ in range(size))
        if size > 1 and random.random() < 0.4:
            initial = random.choice(((0, 1, 2, 3), (3, 1, 2, 0), (1, 0, 3, 2)))
    return Outside(name, size, name == "c", initial)


def _kernel(random: Random, outside: tuple[Outside, ...]) -> Draft:
    launches = _launches(random)
    writer = _Writer(random, outside, launches)
    body: Body = ()
    if random.random() < 0.6:
        body += (("store", "a", "t", writer.value()), ("barrier",))
    for each in outside:
        if random.random() < 0.8:
            index = 0 if each.size == 1 else random.choice((writer.own, writer.own, random.randint(0, SIZE - 1)))
            body += (("load", writer.fresh(), each.name, index),)
    body += writer.body(random.randint(2, 3), 0)
    return Draft(max(each.threads for each in launches), WARP, body, tuple(writer.variables), outside, launches)


def _launches(random: Random) -> tuple[At, ...]:
    """Different launches; all say how many elements the output has, or none does."""
    shapes = SHAPES if random.random() < 0.5 else [shape for shape in SHAPES if shape[0] == 1]
    size = random.choice(("n", "n", SIZE, SIZE, None))
    found: dict[At, None] = {}
    for _ in range(random.choice((1, 2, 2, 3))):
        blocks, threads = random.choice(shapes)
        n = random.choice((0, 1, blocks * threads, blocks * threads, random.randint(0, SIZE)))
        found[At(blocks, threads, n, n if isinstance(size, str) else size)] = None
    return tuple(found)


class _Writer(Writer):
    """Writes statements that access variables outside functions, too; those of one element by their name."""

    def __init__(self, random: Random, outside: tuple[Outside, ...], launches: tuple[At, ...]) -> None:
        super().__init__(random, WARP)
        self.sizes = {each.name: each.size for each in outside}
        self.constant = {each.name for each in outside if each.constant}
        writable = [name for name in self.sizes if name not in self.constant]
        self.stored = (*ARRAYS, *writable)
        self.loaded = (*ARRAYS[:2], *self.sizes)
        self.waits = random.choice((("barrier",), ("barrier",), ("barrier", "sync")))
        self.own = "u" if any(each.blocks > 1 for each in launches) else "t"
        self.is_sized = any(each.size != SIZE for each in launches)
        self.given = ("t", "u", "n")
        self.in_sight = ["t", random.choice(self.given)]

    def statement(self, depth: int) -> Stmt:
        """A statement whose indices are those of what it accesses; what may be short is mostly guarded."""
        made = super().statement(depth)
        match made:
            case ("store", "g", index, value) if self.random.random() < 0.7:
                index = self.own if index == "t" else index
                store: Stmt = ("store", "g", index, value)
                return ("if", ("<", index, "n"), (store,), ()) if self.is_sized else store
            case ("store", array, _, value):
                return ("store", array, self.fitting(array, made[2]), value)
            case ("load", name, array, index):
                return ("load", name, array, self.fitting(array, index))
            case ("atomic", operation, name, array, index, value):
                if array in self.constant and self.random.random() < 0.8:
                    array = "a"
                return ("atomic", operation, name, array, self.fitting(array, index), value)
        return made

    def fitting(self, array: str, index: Expr) -> Expr:
        if array in self.sizes and index == "t":
            index = self.own
        return 0 if self.sizes.get(array) == 1 else index

    def read(self) -> list[str]:
        """What was read from variables."""
        return [name for name in self.in_sight if name not in self.given]

    def index(self) -> Expr:
        """Often by what was read from a variable."""
        if (read := self.read()) and self.random.random() < 0.25:
            return self.random.choice((read[-1], ("%", ("+", "t", read[0]), SIZE)))
        return super().index()

    def condition(self) -> Expr:
        """Often on what was read from a variable, or on the parameter."""
        roll, read = self.random.random(), self.read()
        if roll < 0.25:
            return (self.random.choice(("<", "<", "==", "!=", ">")), self.random.choice((self.own, self.own, 1)), "n")
        if read and roll < 0.7:
            return (self.random.choice(("<", "==", "!=", ">")), self.random.choice(read), self.random.randint(0, 3))
        return super().condition()


# ------------------------------------------------------------------------------------------------------------ contents


def at_start(outside: tuple[Outside, ...]) -> list[Contents]:
    """What the variables may hold before anything ran: the first values; zeros; anything in constant memory."""
    return _combined([_starts(each) for each in outside])


def may_have_changed(each: Outside, kernels: tuple[Draft, ...]) -> bool:
    """Whether launches before may have left anything in a variable: device memory without a value, or written."""
    return not each.constant and (each.initial is None or each.name in _written(kernels))


def later(outside: tuple[Outside, ...], kernels: tuple[Draft, ...]) -> list[Contents]:
    """What the variables may hold after others ran that nothing is known of."""
    anything = [_anything(each) if may_have_changed(each, kernels) else _starts(each) for each in outside]
    return _combined(anything)


def _starts(each: Outside) -> list[Contents]:
    if each.initial is not None:
        return [each.initial]
    return _anything(each) if each.constant else [(0,) * each.size]


def _anything(each: Outside) -> list[Contents]:
    if each.size == 1:
        return [(value,) for value in range(4)]
    return [(0, 0, 0, 0), (0, 1, 2, 3), (2, 2, 2, 2), (3, 1, 0, 2)]


def _combined(columns: list[list[Contents]]) -> list[Contents]:
    rows = [tuple(value for part in row for value in part) for row in product(*columns)]
    step = -(-len(rows) // MOST_CONTENTS)
    return rows[::step]


def _written(kernels: tuple[Draft, ...]) -> set[str]:
    found = (each for kernel in kernels for each in statements(kernel.body))
    return {each[1] if each[0] == "store" else each[3] for each in found if each[0] in ("store", "atomic")}
