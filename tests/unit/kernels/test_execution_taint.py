"""What a run says it depends on is all it depends on: with other contents of any other input, it does the same."""

from __future__ import annotations

from random import Random

import pytest
from assembler import PRED, S32, U32, Assembler, number
from cuda_documents import ran

from rewright.kernels.execution.run import RunOutcome, run
from rewright.model.index import Name
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import AtomicOperation, Operand, Register, ShuffleKind, VoteKind
from rewright.model.simt.program import Program
from rewright.model.simt.violation import Order, Setting

LANES, SIZE = 8, 16
INPUTS = ("p", "q", "r")


class Sketcher:
    """Writes one random program over three inputs; most of what it does with them is to compute."""

    def __init__(self, random: Random) -> None:
        self.random, self.a = random, Assembler()
        self.inputs = [self.a.input(name, S32, (0,) * SIZE) for name in INPUTS]
        self.kept = [self.a.output("out", S32, SIZE), self.a.shared("tile", S32, SIZE)]
        self.thread = self.a.thread()
        self.values = [self.thread]
        for kept in self.kept:
            self.a.store(kept, self.thread, self.thread)
            self.a.store(kept, self.a.binary("+", self.thread, LANES), self.thread)
        self.a.barrier()
        for given in self.inputs:
            self.values.append(self.a.load(given, self.thread))
        self.variables = [self.a.move(self.a.register(S32, f"v{i}"), self.thread) for i in range(3)]
        self.variables.append(self.a.register(S32, "unset"))

    def program(self) -> Program:
        """The program."""
        for _ in range(self.random.randint(3, 14)):
            self.statement(0)
        if self.random.random() < 0.5:
            self.a.store(
                self.kept[0], self.a.binary("&", self.random.choice(self.variables[:-1]), SIZE - 1), self.thread
            )
        return self.a.program

    def statement(self, depth: int) -> None:
        """Any statement."""
        a, random = self.a, self.random
        match random.choice("ccccmmmmbbbbbbbbbkslladv" if depth < 2 else "ccmmmm"):
            case "c":
                self.values.append(a.binary(random.choice("+-*^&|"), self.value(), self.value()))
            case "m":
                self.assign()
            case "b":
                self.branch(depth)
            case "k":
                with a.count(a.register(S32), a.binary("&", self.value(), 3)):
                    self.assign()
            case "s":
                a.store(random.choice(self.kept), self.index(), self.value())
            case "l":
                self.values.append(a.load(random.choice([*self.kept, *self.inputs]), self.index()))
            case "a":
                operation = random.choice((AtomicOperation.ADD, AtomicOperation.EXCHANGE))
                self.values.append(a.atomic(operation, a.address(self.kept[1], self.index()), self.value()))
            case "d":
                self.values.append(a.binary("/", self.value(), a.binary("|", self.value(), 1)))
            case _:
                self.together(depth)

    def assign(self) -> None:
        """Sets a variable."""
        self.a.move(self.random.choice(self.variables), self.value())

    def branch(self, depth: int) -> None:
        """One or two ways; on some of them only variables are set."""
        condition = self.truth()
        before = len(self.values)
        pure = self.random.random() < 0.7
        for way in (self.a.when, self.a.unless)[: self.random.randint(1, 2)]:
            with way(condition):
                for _ in range(self.random.randint(1, 2)):
                    self.assign() if pure else self.statement(depth + 1)
            del self.values[before:]

    def together(self, depth: int) -> None:
        """An operation of the warp, or a barrier; all lanes come to it."""
        if depth:
            return
        a, random = self.a, self.random
        mask = number(0xFFFFFFFF, U32)
        match random.randint(0, 2):
            case 0:
                got = a.register(S32)
                lane = a.binary("&", self.value(), 7) if random.random() < 0.3 else number(1)
                a.emit(simt.Shuffle(ShuffleKind.XOR, got, mask, self.value(), lane, number(8), a.here))
                self.values.append(got)
            case 1:
                got = a.register(PRED)
                a.emit(simt.Vote(VoteKind.ANY, got, mask, self.truth(), a.here))
                self.values.append(a.convert(got, S32))
            case _:
                a.barrier()

    def truth(self) -> Register:
        """A condition."""
        return self.a.binary(self.random.choice(("<", "==", ">=")), self.value(), self.value())

    def index(self) -> Register:
        """Mostly one that every thread has for itself."""
        if self.random.random() < 0.8:
            return self.a.binary("+", self.thread, self.random.choice((0, 1, 8)))
        return self.a.binary("&", self.value(), SIZE - 1)

    def value(self) -> Operand:
        """Any value; the one that nothing sets at first, seldom."""
        if self.random.random() < 0.2:
            return number(self.random.randint(-2, 3))
        return self.random.choice(
            [*self.values, *self.variables[:-1] * 3, *self.variables[3:] * (self.random.random() < 0.1)]
        )


def seen(program: Program, contents: dict[str, tuple[int, ...]], order: Order) -> tuple[RunOutcome, object]:
    """An outcome, and what of it must not change: what went wrong, and every access to global memory.

    Of a race these are the places: which of its pairs of threads is told depends on the values that they write.
    """
    given = tuple((Name(name), numbers) for name, numbers in contents.items())
    outcome = run(program, Setting((1, 1, 1), (LANES, 1, 1), (), given, order, LANES), (0, 0, 0), 10**5)
    assert outcome.undecided is None and outcome.accesses is not None
    entries = [
        (interval, entry.kind, entry.place, entry.offsets.tolist(), entry.lanes.tolist())
        for interval, entry in outcome.accesses.entries
    ]
    races = {(race.first.place, race.second.place) for race in outcome.races.certain()}
    return outcome, (outcome.violations, races, entries)


def numbers_of(random: Random) -> tuple[int, ...]:
    """Contents, often so that all threads go the same way."""
    if random.random() < 0.5:
        return (random.choice((0, 1, -1, 2, 40)),) * SIZE
    return tuple(random.choice((0, 1, -1, 2, 7, random.randint(-50, 50))) for _ in range(SIZE))


@pytest.mark.parametrize("block", range(4))
def test_other_inputs_change_nothing(block: int) -> None:
    independent = dependent = 0
    for seed in range(block * 50, block * 50 + 50):
        random = Random(seed)
        program = Sketcher(random).program()
        contents = {name: numbers_of(random) for name in INPUTS}
        outcome, expected = seen(program, contents, Order.ASCENDING)
        for name in INPUTS:
            dependent += name in outcome.depends
            if name not in outcome.depends:
                independent += 1
                for _ in range(3):
                    other = contents | {name: numbers_of(random)}
                    assert seen(program, other, Order.ASCENDING)[1] == expected, (seed, name)
        if "atomic order" not in outcome.depends:
            assert seen(program, contents, Order.DESCENDING)[1] == expected, seed
    assert independent > 60 and dependent > 15


WAYS = {
    "computed": "x[i] * 0.5f + 1.0f",
    "the right operand": "1.0f - x[i]",
    "negated": "-x[i]",
    "widened and narrowed": "(float)((double)x[i] / 3.0)",
    "by way of an integer": "(float)((int)x[i] & 1)",
    "by its bits": "__int_as_float(__float_as_int(x[i]) ^ 1)",
    "a root": "sqrtf(fabsf(x[i]))",
    "a maximum": "fmaxf(0.0f, x[i])",
    "fused": "fmaf(1.0f, 2.0f, x[i])",
    "chosen": "n > 4 ? x[i] : 2.0f",
    "a choice by it": "x[i] > 0 ? n : 2.0f",
    "a variable set where it decides": "set(x[i])",
    "in half precision": "__half2float(__float2half(x[i]))",
    "of a vector": "make_float2(x[i], 1.0f).x",
    "of a vector in memory": "reinterpret_cast<const float2 *>(x)[i / 2].y",
    "handed on by a shuffle": "__shfl_xor_sync(15, x[i], 1)",
    "by a vote": "(float)__ballot_sync(15, x[i] > 0)",
    "by shared memory": "shared(x[i], i)",
    "by memory of the thread": "own(x[i], i)",
    "at a place it chooses": "y[x[i] > 0 ? 0 : 1]",
    "by an atomic": "atomicExch(&z[i], x[i]) + atomicAdd(&z[i], 0.0f)",
}
USES = {
    "a branch": "if (v > 1.5f) y[i] = 1;",
    "a loop": "for (float a = 0; a < v; a += 1.0f) y[i] = a;",
    "an index": "y[v > 1.5f] = 1;",
    "an assertion": "assert(v != 1e30f);",
    "a divisor": "y[i] = 5 / ((int)v | 1);",
}
DOCUMENT = """__device__ float set(float v) {{ float s = 1; if (v > 0) s = 2; return s; }}
__device__ float shared(float v, int i) {{ __shared__ float s[4]; s[i] = v; __syncwarp(); return s[i ^ 1]; }}
__device__ float own(float v, int i) {{ float a[2] = {{v, 1}}; return a[i & 1]; }}
// rewright: launch block(4); x: in f32[4]; y: inout f32[8]; z: inout f32[4]
__global__ void k(const float *x, float *y, float *z) {{
  int i = threadIdx.x, n = blockDim.x + i;
  float v = {way};
  {use}
}}
"""


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_what_comes_of_a_float_input_depends_on_it(way: str, use: str) -> None:
    contents = {"x": (1.0, -2.0, 3.0, 0.5), "y": (0.0,) * 8, "z": (0.0,) * 4}
    assert "x" in ran(DOCUMENT.format(way=way, use=use), contents, "k").depends


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_what_comes_of_no_input_depends_on_none(use: str) -> None:
    contents = {"x": (1.0, -2.0, 3.0, 0.5), "y": (0.0,) * 8, "z": (0.0,) * 4}
    assert ran(DOCUMENT.format(way="n * 0.5f", use=use), contents, "k").depends == frozenset()
