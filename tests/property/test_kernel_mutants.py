"""Each right CUDA kernel of the library with one thing wrong: refuted, or listed here with what keeps it right.

What goes wrong only at sizes or contents that the declaration leaves open is listed with the condition that is found.

A mutant of a function that a kernel does not run is none of that kernel. What is listed computes another value, or the
same; no access of it collides with another or leaves its array.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from kernel_mutants import Mutant, mutants

from rewright.checks.kernel import answer
from rewright.frontends.programs import lower
from rewright.kernels.launches.cases import free_names
from rewright.kernels.launches.inputs import filled_arrays
from rewright.model.check_declaration import check_declaration
from rewright.model.kernel import Foreign, Kernel
from rewright.model.simt.program import Program
from rewright.model.surroundings import Surroundings
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict

LIBRARY = Path(__file__).parents[2] / "rules" / "kernels"

MOST_BENIGN = 0.1

DEAD = "not run: the other way is always taken at these launches"
ALWAYS = "holds for all threads of these launches anyway"
OWN = "touches cells that no other thread touches in this interval"
READ = "reads its neighbour, which is there and which nobody writes now"
ATOMIC = "more threads add, atomically"
EQUAL = "all threads write the same value, which is told (RW311)"
UNREAD = "what is read without a value comes to sums that nobody reads"

BENIGN = {
    # Shifted indices.
    "range: shift threadIdx.x: lowest[threadIdx.x] = fminf": OWN,
    "range: shift threadIdx.x: highest[threadIdx.x] = fmaxf": OWN,
    "reduce_modulo: shift tid: if (tid % (2 * step) == 0)": OWN,
    "reduce_strided: shift index: if (index < blockDim.x)": OWN,
    "reduce_first_add: shift i: part[tid] = input[i] + input[i + blockDim.x]": READ,
    "reduce_last_warp_synchronised: shift i: part[tid] = input[i] + input[i + blockDim.x]": READ,
    "reduce_last_warp_synchronised: shift tid: part[tid] = sum": OWN,
    "reduce_many_synchronised: shift tid: part[tid] = sum": OWN,
    "layer_norm: shift i: for (int i = thread; i < n2; i += threads) out[i]": DEAD,
    "layer_norm_gradient: shift 2 * threadIdx.x: buffer[2 * threadIdx.x] = sum1": OWN,
    "scan_tree: shift 2 * t: tree[PADDED(2 * t)] = in[2 * t]": READ,
    "scan_tree: shift PADDED(n - 1): if (t == 0) tree[PADDED(n - 1)] = 0": OWN,
    "scan_tree: shift left: tree[left] = tree[right]": OWN,
    "scan_tree: shift 2 * t: out[2 * t] = tree[PADDED(2 * t)]": OWN,
    "stencil_wide: shift global - RADIUS: part[local - RADIUS]": READ,
    "sgemm_double_buffered: shift row * K + column: As[0]": READ,
    "sgemm_double_buffered: shift row * N + column: Bs[0]": READ,
    # Barriers.
    "scan_tree: drop __syncthreads();: __syncthreads();": "after the last step each thread reads two cells of its own",
    # Guards.
    "scan_shuffles: always lane < (blockDim.x >> 5)": UNREAD,
    "histogram: always part[i]: if (part[i])": ATOMIC,
    "histogram_votes: always same &&": ATOMIC,
    "range: always threadIdx.x == 0: if (threadIdx.x == 0)": EQUAL,
    "gather: always threadIdx.x == 0: if (threadIdx.x == 0)": EQUAL,
    "layer_norm: always threadIdx.x == 0 &&": EQUAL,
    "reduce: always t == 0: if (t == 0)": EQUAL,
    "reduce_modulo: always tid == 0: if (tid == 0)": EQUAL,
    "reduce_strided: always tid == 0: if (tid == 0)": EQUAL,
    "reduce_halves: always tid == 0: if (tid == 0)": EQUAL,
    "reduce_first_add: always tid == 0: if (tid == 0)": EQUAL,
    "reduce_shuffles: always warp == 0: if (warp == 0)": EQUAL,
    "layer_norm: always row < n1: if (row < n1)": ALWAYS,
    "layer_norm: always blockDim.y > 1: if (blockDim.y > 1)": ALWAYS,
    "layer_norm: always gamma != nullptr": ALWAYS,
    "layer_norm_gradient: always blockDim.y > 1: if (blockDim.y > 1)": ALWAYS,
    "layer_norm_gradient: always threadIdx.y != 0: if (threadIdx.y != 0)": "reads what it wrote itself",
}


CONDITIONAL = {
    # The declaration leaves the size open, and the guard that is gone was for sizes that are no multiple of a tile.
    "attention: always row < N: query[d]": "N % 32 == 0",
    "attention: always row < N: if (row < N)": "N % 32 == 0",
    "attention: always inside: key[": "N % 16 == 0",
    "attention: always inside: value[": "N % 16 == 0",
    "bucket_positions: always bucket < buckets: unsigned int size": "B % 128 == 0",
    "bucket_positions: always bucket < buckets: if (bucket < buckets)": "B % 128 == 0",
    "scan_shuffles: always i < n": "N % 128 == 0",
    "stencil_wide: always global < n": "N % 64 == 0",
    # It is read past the end by the last of the first threads of a block only.
    "stencil_wide: shift global + BLOCK": "N % 4 == 0",
    # Nothing is said of the bytes, and only the last one leads out of the array.
    "histogram: shift bytes[i]": "forall i in 0..N: bytes[i] < 255",
    "histogram: shift i: if (part[i])": "forall i in 0..N: bytes[i] < 255",
}
"""Mutants that go wrong only at sizes or contents that their declaration leaves open, and what it would have to say."""


def right_kernels() -> Iterator[tuple[Kernel, Foreign]]:
    for path in sorted(LIBRARY.glob("*.rw")):
        text = Text.of(path.name, path.read_text(encoding="utf-8"))
        for placed in parse(text).file.declarations:
            kernel = check_declaration(placed.node, placed.problems, Surroundings()).value
            wrong = "@expect(refuted)" in text.slice(placed.span)
            if isinstance(kernel, Kernel) and isinstance(kernel.body, Foreign) and not wrong:
                yield kernel, kernel.body


KERNELS = {str(kernel.name): (kernel, body) for kernel, body in right_kernels()}
TILED = ("square_tiles", "column_tiles", "warp_tiles", "extra_column", "vectors", "double_buffered", "coalesced")
REDUCED = ("many_synchronised", "shuffles")
LONG = frozenset(
    {"attention", "layer_norm", "layer_norm_gradient", "histogram", "wmma_staged", "sgemm_shared"}
    | {f"sgemm_{how}" for how in TILED}
    | {f"reduce_{how}" for how in REDUCED}
)
"""Kernels whose mutants take longest: `make soak` looks at them, too."""

NAMES = [pytest.param(name, marks=pytest.mark.soak) if name in LONG else name for name in KERNELS]
COUNTS: Counter[str] = Counter()
LISTED: set[str] = set()


@pytest.mark.parametrize("name", NAMES)
def test_mutants_are_refuted_or_listed(name: str) -> None:
    kernel, body = KERNELS[name]
    source = (LIBRARY / body.path).read_text(encoding="utf-8")
    right = lowered(kernel, body, source)
    assert answer(kernel, right, Budget()).verdict is Verdict.CHECKED
    seen = 0
    for mutant in mutants(source):
        program = lowered(kernel, body, mutant.text)
        if shape(program) == shape(right):
            continue
        seen += 1
        outcome = judged(kernel, program, name, mutant)
        COUNTS[outcome] += 1
        assert outcome != "missed", (name, mutant.name)
    assert seen, name


def judged(kernel: Kernel, program: Program, name: str, mutant: Mutant) -> str:
    """Refuted, conditional as listed, benign as listed (told to write equal values, if the list says so), or missed."""
    found = answer(kernel, program, Budget())
    if found.verdict is Verdict.REFUTED:
        return "refuted"
    if found.verdict is Verdict.CONDITIONAL:
        conditions = [each.requires for each in found.coverage.conditions]
        known = [key for key in CONDITIONAL if matches(key, name, mutant) and [CONDITIONAL[key]] == conditions]
        LISTED.update(known)
        return "conditional" if known and is_open(kernel) else "missed"
    listed = [key for key in BENIGN if matches(key, name, mutant)]
    LISTED.update(listed)
    writes_equal = any(each.code == "RW311" for each in found.findings)
    fits = found.verdict is Verdict.CHECKED and any((BENIGN[key] == EQUAL) == writes_equal for key in listed)
    return "benign" if fits else "missed"


def is_open(kernel: Kernel) -> bool:
    """Whether the declaration leaves a size open, or says nothing of an array of integers."""
    return bool(free_names(kernel)) or any(each.type.is_integer for each in filled_arrays(kernel))


def matches(key: str, name: str, mutant: Mutant) -> bool:
    kernel, change, line = key.split(": ", 2) if key.count(": ") > 1 else (*key.split(": ", 1), "")
    written = mutant.original.strip()
    return kernel == name and f"{mutant.change} {mutant.words}".startswith(change) and written.startswith(line)


def test_few_are_benign_and_no_entry_is_idle(request: pytest.FixtureRequest) -> None:
    own = (item for item in request.session.items if isinstance(item, pytest.Function))
    names = {str(item.callspec.params["name"]) for item in own if item.function is test_mutants_are_refuted_or_listed}
    if not names >= KERNELS.keys() - LONG:
        pytest.fail("asks for all kernels of this module, but for those that take long")
    print(f"\nmutants of the library's kernels: {dict(COUNTS)}")
    assert {key for key in (*BENIGN, *CONDITIONAL) if key.partition(": ")[0] in names} == LISTED
    if names == KERNELS.keys():
        assert COUNTS["benign"] <= MOST_BENIGN * sum(COUNTS.values())


def lowered(kernel: Kernel, body: Foreign, source: str) -> Program:
    found = lower(kernel, {body.path: source})
    assert found.program is not None, found.problems
    return found.program


def shape(program: Program) -> str:
    """A program without its places."""
    return re.sub(r"InSource\([^)]*\)", "", repr((program.code, program.objects)))
