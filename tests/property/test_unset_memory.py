"""Values that nothing set, kept in shared and local memory: random kernels against an evaluator of a few lines.

Every statement of a kernel is followed by a barrier, so that its threads are run one after the other here, on values
that may be missing. Something is wrong if and only if a missing one is read from memory or written to the output.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

sys.path.append(str(Path(__file__).parents[1] / "unit" / "kernels"))

from cuda_documents import documented, ran

from rewright.model.index import Name
from rewright.model.simt.violation import Setting, Uninitialised, Unset
from rewright.replay.kernel.outcome import ReplayOutcome
from rewright.replay.kernel.replayed import replay

COUNT = 3_000 if os.environ.get("REWRIGHT_SOAK") else 120
NAMES = ("x", "y")
CELLS = 2
PASSES = 2
Cell = int | None


class Missing(Exception):
    """What has no value is read from memory, or written to the output."""


@dataclass
class Threads:
    """The state of a block: what each thread has in its variables and its array, and what they share."""

    count: int
    own: list[dict[str, Cell]] = field(init=False)
    local: list[list[Cell]] = field(init=False)
    shared: list[Cell] = field(init=False)

    def __post_init__(self) -> None:
        self.own = [dict.fromkeys(NAMES) for _ in range(self.count)]
        self.local = [[None] * CELLS for _ in range(self.count)]
        self.shared = [None] * self.count


@dataclass(frozen=True)
class Step:
    """A statement by its kind, for threads below `below`; `shift` moves shared indices, `cell` is one of the array."""

    kind: str
    target: str
    source: str
    below: int
    shift: int
    cell: int

    def text(self, threads: int) -> str:
        at = f"s[(t + {self.shift}) % {threads}]"
        said = {
            "set": f"{self.target} = t + {self.cell};",
            "copy": f"{self.target} = {self.source};",
            "add": f"{self.target} = {self.source} + 1;",
            "choose": f"{self.target} = t < {self.cell} ? {self.target} : {self.source};",
            "to shared": f"{at} = {self.source};",
            "from shared": f"{self.target} = {at};",
            "to local": f"a[{self.cell}] = {self.source};",
            "from local": f"{self.target} = a[{self.cell}];",
            "to output": f"out[t] = {self.source};",
        }[self.kind]
        return f"if (t < {self.below}) {{ {said} }} __syncthreads();"

    def run(self, block: Threads) -> None:
        """Raises `Missing`."""
        for t in range(min(self.below, block.count)):
            own, at = block.own[t], (t + self.shift) % block.count
            match self.kind:
                case "set":
                    own[self.target] = t + self.cell
                case "copy":
                    own[self.target] = own[self.source]
                case "add":
                    known = own[self.source]
                    own[self.target] = None if known is None else known + 1
                case "choose":
                    own[self.target] = own[self.target] if t < self.cell else own[self.source]
                case "to shared":
                    block.shared[at] = own[self.source]
                case "from shared":
                    own[self.target] = _read(block.shared[at])
                case "to local":
                    block.local[t][self.cell] = own[self.source]
                case "from local":
                    own[self.target] = _read(block.local[t][self.cell])
                case _:
                    _read(own[self.source])


KINDS = ("set", "set", "copy", "add", "choose", "to shared", "to shared", "from shared", "to local", "from local")


def _read(cell: Cell) -> int:
    if cell is None:
        raise Missing
    return cell


def _steps(rng: Random, threads: int, count: int) -> list[Step]:
    return [
        Step(
            rng.choice(KINDS) if rng.random() < 0.9 else "to output",
            rng.choice(NAMES),
            rng.choice(NAMES),
            rng.choice((threads, threads, threads, 0, 1, threads - 1)),
            rng.randrange(threads),
            rng.randrange(CELLS),
        )
        for _ in range(count)
    ]


def _is_missing(threads: int, first: list[Step], looped: list[Step], last: list[Step]) -> bool:
    """In each pass of the loop its array is a new one, and `y` is a variable of its own."""
    block = Threads(threads)
    try:
        for step in first:
            step.run(block)
        outer, ys = block.local, [own["y"] for own in block.own]
        for _ in range(PASSES):
            block.local = [[None] * CELLS for _ in range(threads)]
            for own in block.own:
                own["y"] = None
            for step in looped:
                step.run(block)
        block.local = outer
        for own, y in zip(block.own, ys, strict=True):
            own["y"] = y
        for step in last:
            step.run(block)
    except Missing:
        return True
    return False


def _document(threads: int, first: list[Step], looped: list[Step], last: list[Step]) -> str:
    lines = [[step.text(threads) for step in part] for part in (first, looped, last)]
    return "\n".join(
        (
            f"// rewright: launch block({threads}); out: out s32[{threads}]",
            "__global__ void k(int *out) {",
            f"int t = threadIdx.x; __shared__ int s[{threads}]; int x, y, a[{CELLS}];",
            *lines[0],
            f"for (int i = 0; i < {PASSES}; i++) {{ int y, a[{CELLS}];",
            *lines[1],
            "}",
            *lines[2],
            "}",
        )
    )


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_what_has_no_value_is_reported_once_it_is_read_and_replays(threads: int) -> None:
    rng, missing = Random(threads), 0
    for _ in range(COUNT // 3):
        parts = [_steps(rng, threads, rng.randrange(most)) for most in (7, 6, 5)]
        document = _document(threads, *parts)
        found = ran(document, {"out": (0,) * threads}, "k").violations
        expected = _is_missing(threads, *parts)
        assert bool(found) == expected, document
        assert all(isinstance(each, Unset | Uninitialised) for each in found), document
        program = documented(document, "k").program
        assert program is not None
        setting = Setting((1, 1, 1), (threads, 1, 1), (), ((Name("out"), (0,) * threads),))
        if found:
            missing += 1
            assert replay(program, setting, found[0], 100_000).outcome is ReplayOutcome.HOLDS, document
    assert COUNT // 15 < missing < COUNT // 3 - COUNT // 60, "both sorts of kernels come up"
