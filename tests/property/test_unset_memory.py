"""Values that nothing set, copied through variables, shared and local memory: random kernels against an evaluator.

Every statement of a kernel is followed by a barrier of its one warp, so that its threads are run one after the other
here, on bytes that have a value, have none, or have none for a reason that is told elsewhere. All known values are at
least 0: an `assert` that one is less fails wherever there is one, whatever other threads lack.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from random import Random

import pytest

sys.path.append(str(Path(__file__).parents[1] / "unit" / "kernels"))

from cuda_documents import documented, ran

from rewright.model.index import Name
from rewright.model.simt.violation import FailedAssertion, InactiveLane, Setting, Uninitialised, Unset
from rewright.replay.kernel.outcome import ReplayOutcome
from rewright.replay.kernel.replayed import replay

COUNT = 3_000 if os.environ.get("REWRIGHT_SOAK") else 180
NAMES = ("x", "y")
CELLS = 2
WORD, RECORD = 4, 8


class Byte(Enum):
    """Whether a byte has a value; if `TOLD`, why it has none is told elsewhere."""

    KNOWN = "known"
    MISSING = "missing"
    TOLD = "told"


Bytes = list[Byte]


class Astray(Exception):
    """Control depends on what has no value: nothing more can be said."""


def nothing(count: int) -> Bytes:
    return [Byte.MISSING] * count


def computed(word: Bytes) -> Byte:
    """The state of what is made of all bytes: that of the first one without a value."""
    return next((byte for byte in word if byte is not Byte.KNOWN), Byte.KNOWN)


@dataclass
class Own:
    """What one thread has: variables, an array of ints, an array of records of an int, a char and three spare bytes."""

    variables: dict[str, Bytes] = field(default_factory=lambda: {name: nothing(WORD) for name in NAMES})
    ints: Bytes = field(default_factory=lambda: nothing(CELLS * WORD))
    records: Bytes = field(default_factory=lambda: nothing(CELLS * RECORD))


@dataclass
class Threads:
    """The state of a block, and what was found: whether something missing was read, which statements went wrong."""

    count: int
    ints: Bytes = field(init=False)
    records: Bytes = field(init=False)
    own: list[Own] = field(init=False)
    left: set[int] = field(default_factory=set)
    is_missing: bool = False
    failed: set[int] = field(default_factory=set)
    inactive: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.own = [Own() for _ in range(self.count)]
        self.ints, self.records = nothing(self.count * WORD), nothing(self.count * RECORD)

    def read(self, word: Bytes) -> Byte:
        """Somebody reads this for its own sake."""
        found = computed(word)
        self.is_missing |= found is Byte.MISSING
        return found


@dataclass(frozen=True)
class Step:
    """A statement by its kind, for threads below `below`; `shift` moves shared indices, `cell` is one of an array."""

    number: int
    kind: str
    target: str
    source: str
    below: int
    shift: int
    cell: int
    size: int

    def text(self, threads: int) -> str:
        at, mine = f"[(t + {self.shift}) % {threads}]", f"[{self.cell}]"
        x, y = self.target, self.source
        other, stay = f"(t + {self.shift}) % {threads}", max(self.below, 1)
        said = TEXTS[self.kind].format(
            x=x, y=y, at=at, mine=mine, cell=self.cell, size=self.size, other=other, stay=stay
        )
        together = self.kind in ("shuffle", "leave")
        return f"{said if together else f'if (t < {self.below}) {{ {said} }}'} __syncwarp();"

    def run(self, block: Threads) -> None:
        """Raises `Astray`."""
        if self.kind == "shuffle":
            self._shuffle(block)
        elif self.kind == "leave":
            block.left |= {t for t in range(block.count) if t >= max(self.below, 1)}
        else:
            for t in range(min(self.below, block.count)):
                if t not in block.left:
                    self._run(block, t)

    def _shuffle(self, block: Threads) -> None:
        given = {}
        for t in set(range(block.count)) - block.left:
            giver = (t + self.shift) % block.count
            if giver in block.left:
                block.inactive.add(self.number)
            given[t] = [Byte.TOLD] * WORD if giver in block.left else list(block.own[giver].variables[self.source])
        for t, word in given.items():
            block.own[t].variables[self.target] = word

    def _run(self, block: Threads, t: int) -> None:
        own, at = block.own[t], (t + self.shift) % block.count
        of, word = own.variables, list(own.variables[self.source])
        here, there = self.cell * RECORD, at * RECORD
        match self.kind:
            case "set":
                of[self.target] = [Byte.KNOWN] * WORD
            case "copy":
                of[self.target] = word
            case "add":
                of[self.target] = [computed(word)] * WORD
            case "choose":
                of[self.target] = of[self.target] if t < self.cell else word
            case "to shared":
                block.ints[at * WORD : at * WORD + WORD] = word
            case "from shared":
                of[self.target] = block.ints[at * WORD : at * WORD + WORD]
            case "to local":
                own.ints[self.cell * WORD : self.cell * WORD + WORD] = word
            case "from local":
                of[self.target] = own.ints[self.cell * WORD : self.cell * WORD + WORD]
            case "indexed":
                index = block.read(word)
                known = own.ints[self.cell * WORD : self.cell * WORD + WORD]
                of[self.target] = known if index is Byte.KNOWN else [index] * WORD
            case "byte":
                of[self.target] = [own.ints[self.cell]] * WORD
            case "divide":
                of[self.target] = [block.read(word)] * WORD
            case "atomic":
                found = block.read(block.ints[at * WORD : at * WORD + WORD])
                block.ints[at * WORD : at * WORD + WORD] = [found] * WORD
            case "set int of shared":
                block.records[there : there + WORD] = word
            case "set char of shared":
                block.records[there + WORD] = computed(word)
            case "set int of local":
                own.records[here : here + WORD] = word
            case "set char of local":
                own.records[here + WORD] = computed(word)
            case "record to local":
                for byte in range(WORD + 1):
                    own.records[here + byte] = block.records[there + byte]
            case "record to shared":
                for byte in range(WORD + 1):
                    block.records[there + byte] = own.records[here + byte]
            case "bytes to local":
                own.records[here : here + self.size] = block.records[there : there + self.size]
            case "bytes to shared":
                block.records[there : there + self.size] = own.records[here : here + self.size]
            case "int of record":
                of[self.target] = own.records[here : here + WORD]
            case "char of record":
                of[self.target] = [own.records[here + WORD]] * WORD
            case "second word of record":
                of[self.target] = own.records[here + WORD : here + RECORD]
            case "word to record":
                own.records[here + WORD : here + RECORD] = word
            case "record to output":
                block.read(own.records[here : here + WORD + 1])
            case "to output":
                block.read(word)
            case "assert":
                if block.read(word) is Byte.KNOWN:
                    block.failed.add(self.number)
            case "branch":
                if block.read(word) is not Byte.KNOWN:
                    raise Astray
            case _:
                raise AssertionError(self.kind)


TEXTS = {
    "set": "{x} = t + {cell};",
    "copy": "{x} = {y};",
    "add": "{x} = {y} + 1;",
    "choose": "{x} = t < {cell} ? {x} : {y};",
    "to shared": "s{at} = {y};",
    "from shared": "{x} = s{at};",
    "to local": "a{mine} = {y};",
    "from local": "{x} = a{mine};",
    "indexed": "{x} = a[{y} * 0 + {cell}];",
    "byte": "{x} = ((unsigned char *)a)[{cell}];",
    "divide": "{x} = 7 / ({y} + 1);",
    "atomic": "atomicAdd(&s{at}, 1);",
    "set int of shared": "q{at}.a = {y};",
    "set char of shared": "q{at}.c = {y};",
    "set int of local": "b{mine}.a = {y};",
    "set char of local": "b{mine}.c = {y};",
    "record to local": "b{mine} = q{at};",
    "record to shared": "q{at} = b{mine};",
    "bytes to local": "memcpy(&b{mine}, &q{at}, {size});",
    "bytes to shared": "memcpy(&q{at}, &b{mine}, {size});",
    "int of record": "{x} = b{mine}.a;",
    "char of record": "{x} = (unsigned char)b{mine}.c;",
    "second word of record": "{x} = ((int *)&b{mine})[1];",
    "word to record": "((int *)&b{mine})[1] = {y};",
    "record to output": "out[t] = b{mine}.a + b{mine}.c;",
    "to output": "out[t] = {y};",
    "assert": "assert({y} < 0);",
    "branch": "if ({y} == 1000000) out[t] = 1;",
    "shuffle": "{x} = __shfl_sync(~0u, {y}, {other});",
    "leave": "if (t >= {stay}) return;",
}
COMMON = (
    *["set"] * 4,
    *["shuffle"] * 2,
    *("copy", "add", "choose", "to shared", "from shared", "to local", "from local"),
)
COPYING = (*COMMON, *(kind for kind in TEXTS if "record" in kind or "bytes" in kind or " of " in kind))
READING = (
    "to output",
    "record to output",
    "assert",
    "assert",
    "branch",
    "indexed",
    "divide",
    "atomic",
    "byte",
    "leave",
)


def _steps(rng: Random, threads: int, count: int, first: int) -> list[Step]:
    return [
        Step(
            first + number,
            rng.choice(COPYING if rng.random() < 0.75 else READING),
            rng.choice(NAMES),
            rng.choice(NAMES),
            rng.choice((threads, threads, threads, 0, 1, threads - 1)),
            rng.randrange(threads),
            rng.randrange(CELLS),
            rng.choice((0, 1, 4, 5, 8)),
        )
        for number in range(count)
    ]


def _chain(rng: Random, threads: int, first: int) -> list[Step]:
    """Of the word of a record one byte is set; it is passed on in some ways, and one of its first two bytes is read."""
    kinds: list[tuple[str, str, str, int]] = []
    cell, (x, y) = rng.randrange(CELLS), rng.sample(NAMES, 2)
    kinds += [("set", x, x, cell), ("set char of local", x, x, cell), ("second word of record", y, y, cell)]
    for _ in range(rng.randrange(1, 4)):
        way = rng.choice(("copy", "shuffle", "shared", "local", "record"))
        match way:
            case "copy" | "shuffle":
                kinds.append((way, x, y, cell))
            case "record":
                kinds += [("word to record", y, y, cell), ("second word of record", x, x, cell)]
            case _:
                kinds += [(f"to {way}", y, y, cell), (f"from {way}", x, x, cell)]
        x, y = y, x
    kinds += [("to local", y, y, 0), ("byte", x, x, rng.randrange(2)), (rng.choice(("to output", "assert")), x, x, 0)]
    shift = rng.randrange(threads)
    return [
        Step(first + number, kind, target, source, threads, shift, at, 0)
        for number, (kind, target, source, at) in enumerate(kinds)
    ]


@dataclass(frozen=True)
class Kernel:
    """Statements before, in and after a loop with so many passes, in each of which its variables are new ones."""

    threads: int
    passes: int
    first: list[Step]
    looped: list[Step]
    last: list[Step]

    def document(self) -> str:
        lines = [[step.text(self.threads) for step in part] for part in (self.first, self.looped, self.last)]
        return "\n".join(
            (
                "struct Record { int a; char c; };",
                f"// rewright: launch block({self.threads}); out: out s32[{self.threads}]",
                "__global__ void k(int *out) {",
                f"int t = threadIdx.x; __shared__ int s[{self.threads}]; __shared__ Record q[{self.threads}];",
                f"int x, y, a[{CELLS}]; Record b[{CELLS}];",
                *lines[0],
                f"for (int i = 0; i < {self.passes}; i++) {{ int y, a[{CELLS}]; Record b[{CELLS}];",
                *lines[1],
                "}",
                *lines[2],
                "}",
            )
        )

    def run(self) -> tuple[Threads, bool]:
        """What is found, and whether all is."""
        block = Threads(self.threads)
        try:
            for step in self.first:
                step.run(block)
            outer = [(own.variables["y"], own.ints, own.records) for own in block.own]
            for _ in range(self.passes):
                for own in block.own:
                    new = Own()
                    own.variables["y"], own.ints, own.records = new.variables["y"], new.ints, new.records
                for step in self.looped:
                    step.run(block)
            for own, (y, ints, records) in zip(block.own, outer, strict=True):
                own.variables["y"], own.ints, own.records = y, ints, records
            for step in self.last:
                step.run(block)
        except Astray:
            return block, False
        return block, True


def _drawn(rng: Random, threads: int) -> Kernel:
    first, looped, last = (_steps(rng, threads, rng.randrange(most), 100 * at) for at, most in enumerate((9, 8, 7)))
    if rng.random() < 0.6:
        first = [Step(90 + at, "set", name, name, threads, 0, 0, 0) for at, name in enumerate(NAMES)] + first
    if rng.random() < 0.3:
        last += _chain(rng, threads, 300)
    return Kernel(threads, rng.randrange(3), first, looped, last)


def agree(kernel: Kernel) -> Threads:
    """What is found; fails where execution or replay find anything else."""
    document = kernel.document()
    expected, is_all = kernel.run()
    found = ran(document, {"out": (0,) * kernel.threads}, "k").violations
    kinds = Counter(Unset if isinstance(each, Uninitialised) else type(each) for each in found)
    assert (kinds[Unset] > 0) == expected.is_missing, document
    if is_all:
        assert kinds[FailedAssertion] == len(expected.failed), document
        assert kinds[InactiveLane] == len(expected.inactive), document
    assert set(kinds) <= {Unset, FailedAssertion, InactiveLane}, document
    program = documented(document, "k").program
    assert program is not None
    setting = Setting((1, 1, 1), (kernel.threads, 1, 1), (), ((Name("out"), (0,) * kernel.threads),))
    for each in found:
        assert replay(program, setting, each, 100_000).outcome is ReplayOutcome.HOLDS or not is_all, (document, each)
    return expected


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_what_has_no_value_is_reported_once_something_depends_on_it_and_replays(threads: int) -> None:
    rng, seen = Random(threads), Counter[str]()
    for _ in range(COUNT // 3):
        found = agree(_drawn(rng, threads))
        seen.update({"missing": found.is_missing, "failed": bool(found.failed), "inactive": bool(found.inactive)})
    assert COUNT // 15 < seen["missing"] < COUNT // 3 - COUNT // 30, seen
    assert seen["failed"] > COUNT // 60 and (threads == 1 or seen["inactive"] > COUNT // 300), seen
