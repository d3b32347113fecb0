"""CUDA functions run twice: by the front end and the execution, and as C++ by a compiler. Both fill `ints` and `reals`.

Every case has the signature `__global__ void name(int *ints, float *reals, const int *in, int n)`, and runs as one
block of `THREADS` threads that do not wait for each other.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rewright.frontends.cuda.lower.kernel import lower_cuda
from rewright.frontends.lowered import Lowered
from rewright.kernels.execution.regions import Flat
from rewright.kernels.execution.run import Machine
from rewright.model.body import Integer
from rewright.model.index import Name
from rewright.model.kernel import ArrayParameter, Direction, Foreign, Kernel, Launch, Parameter, ScalarParameter
from rewright.model.simt.types import Scalar
from rewright.model.simt.violation import Order, Setting
from rewright.verdict import Site

THREADS = 4
LENGTH = 64
INPUT = tuple((i * 37 + 11) % 101 - 50 for i in range(LENGTH))
N = 7

PRELUDE = """
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cassert>
#define __global__ static
#define __device__
#define __host__
#define __forceinline__ inline
#define __restrict__
#define __shared__ static
#define __constant__
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#define __syncthreads()
struct uint3 { unsigned x, y, z; };
struct alignas(8) float2 { float x, y; };
struct float3 { float x, y, z; };
struct alignas(16) float4 { float x, y, z, w; };
struct alignas(16) double2 { double x, y; };
struct double3 { double x, y, z; };
struct alignas(16) double4 { double x, y, z, w; };
struct alignas(16) longlong4 { long long x, y, z, w; };
struct alignas(8) int2 { int x, y; };
struct alignas(16) int4 { int x, y, z, w; };
static float2 make_float2(float x, float y) { return {x, y}; }
static float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
static int2 make_int2(int x, int y) { return {x, y}; }
static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }
static uint3 threadIdx, blockIdx, blockDim{THREADS, 1, 1}, gridDim{1, 1, 1};
typedef void (*Case)(int *, float *, const int *, int);
static void run(Case c, const int *in) {
  int ints[LENGTH] = {}; float reals[LENGTH] = {};
  for (threadIdx.x = 0; threadIdx.x < THREADS; threadIdx.x++) c(ints, reals, in, N);
  for (int v : ints) printf("%d ", v);
  for (float v : reals) { unsigned bits; memcpy(&bits, &v, 4); printf("%u ", bits); }
  printf("\\n");
}
"""


class Result(NamedTuple):
    """What a case has written: integers, and floats as the bits that they have."""

    ints: tuple[int, ...]
    reals: tuple[int, ...]


def declared(entry: str, arguments: tuple[str, ...] = ()) -> Kernel:
    """The declaration of a case."""

    def integer(value: int) -> Integer:
        return Integer(value, Scalar.S32, Site(0))

    def array(name: str, direction: Direction, scalar: Scalar) -> ArrayParameter:
        return ArrayParameter(Name(name), direction, scalar, (integer(LENGTH),), 0)

    parameters: tuple[Parameter, ...] = (
        array("ints", Direction.INOUT, Scalar.S32),
        array("reals", Direction.INOUT, Scalar.F32),
        array("in", Direction.IN, Scalar.S32),
        ScalarParameter(Name("n"), Scalar.S32, None, 0),
    )
    launch = Launch((integer(1),), (integer(THREADS),), 0)
    return Kernel(Name(entry), (), parameters, (), launch, Foreign("case.cu", entry, (), 0, arguments))


def lowered(source: str, entry: str, arguments: tuple[str, ...] = ()) -> Lowered:
    """What the front end makes of a case."""
    kernel = declared(entry, arguments)
    assert isinstance(kernel.body, Foreign)
    return lower_cuda(kernel, kernel.body, {"case.cu": source})


def executed(source: str, entry: str, arguments: tuple[str, ...] = ()) -> Result:
    """What a case writes when the execution runs it; nothing may go wrong on the way."""
    found = lowered(source, entry, arguments)
    assert found.program is not None, [(p.reason, shown(source, p.place)) for p in found.problems]
    zeros: tuple[int | float, ...] = (0,) * LENGTH
    contents = ((Name("ints"), zeros), (Name("reals"), zeros), (Name("in"), INPUT))
    values = ((Name("n"), N),)
    setting = Setting((1, 1, 1), (THREADS, 1, 1), values, contents, Order.ASCENDING)
    machine = Machine(found.program)
    outcome = machine.run(setting, (0, 0, 0), 1_000_000)
    assert outcome.undecided is None, outcome.undecided
    assert not outcome.violations, outcome.violations
    ints, reals = (_memory(machine, number)[:LENGTH] for number in (0, 1))
    return Result(tuple(int(value) for value in ints.view(np.int32)), tuple(int(value) for value in reals))


def _memory(machine: Machine, number: int) -> NDArray[np.uint32]:
    region = machine._block.regions[number]
    assert isinstance(region, Flat)
    return region.view(np.dtype(np.uint32))


def shown(source: str, place: object) -> str:
    """The text at a place."""
    start, end = getattr(place, "start", 0), getattr(place, "end", 0)
    return source.encode()[start:end].decode()


def compiled(sources: Mapping[str, str], folder: Path) -> dict[str, Result]:
    """What cases write when a compiler has made them; each source stands in a namespace of its own.

    Where `REWRIGHT_COMPILED` names a folder, what they wrote is kept in it, for runs of mutants.
    """
    inputs = ", ".join(map(str, INPUT))
    constants = f"enum {{ THREADS = {THREADS}, LENGTH = {LENGTH}, N = {N} }};\n"
    spaces = "\n".join(f"namespace of_{name} {{\n{source}\n}}" for name, source in sources.items())
    calls = "\n".join(f"  run(of_{name}::{name}, in);" for name in sources)
    text = f"{constants}{PRELUDE}{spaces}\nint main() {{\n  const int in[] = {{{inputs}}};\n{calls}\n}}\n"
    kept = Path(os.environ.get("REWRIGHT_COMPILED", folder)) / f"{sha256(text.encode()).hexdigest()}.txt"
    if not kept.exists():
        kept.write_text(_written(text, folder))
    output = kept.read_text()
    results = {}
    for name, line in zip(sources, output.splitlines(), strict=True):
        numbers = tuple(map(int, line.split()))
        results[name] = Result(numbers[:LENGTH], numbers[LENGTH:])
    return results


def _written(text: str, folder: Path) -> str:
    """What a C++ program prints."""
    (folder / "cases.cpp").write_text(text)
    options = ["-std=c++17", "-O0", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-w"]
    subprocess.run(["g++", *options, "-o", "cases", "cases.cpp"], cwd=folder, check=True)
    return subprocess.run(["./cases"], cwd=folder, check=True, capture_output=True, text=True).stdout
