"""Where instructions stand in the text, which objects and indices accesses have, and that the code is lean."""

from __future__ import annotations

from cuda_runs import declared, lowered, shown

from rewright.frontends.cuda.lower.kernel import lower_cuda
from rewright.model.kernel import Foreign
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Constant
from rewright.model.simt.program import Program
from rewright.model.simt.types import Scalar, Space
from rewright.verdict import InSource

HEAD = "(int *ints, float *reals, const int *in, int n)"


def program(body: str, before: str = "") -> tuple[str, Program]:
    """The source and the program of a kernel with this body."""
    source = f"{before}\n__global__ void k{HEAD} {{ {body} }}\n"
    found = lowered(source, "k")
    assert found.program is not None, found.problems
    return source, found.program


def accesses(body: str, before: str = "") -> list[tuple[str, str]]:
    """The kind and the text of each access and barrier, in the order of the code."""
    source, made = program(body, before)
    kinds = simt.Load | simt.Store | simt.Atomic | simt.Barrier
    return [(type(each).__name__, shown(source, each.place)) for each in made.code if isinstance(each, kinds)]


def test_the_place_of_an_access_is_the_whole_access() -> None:
    assert accesses("__shared__ float s[4][8]; s[n][threadIdx.x] += reals[in[n] + 1]; __syncthreads();") == [
        ("Load", "in[n]"),
        ("Load", "reals[in[n] + 1]"),
        ("Load", "s[n][threadIdx.x]"),
        ("Store", "s[n][threadIdx.x]"),
        ("Barrier", "__syncthreads()"),
    ]
    assert accesses("float4 v = reinterpret_cast<float4 *>(&reals[n])[0]; *ints = v.x; atomicAdd(&ints[1], 1);") == [
        ("Load", "reinterpret_cast<float4 *>(&reals[n])[0]"),
        ("Store", "*ints"),
        ("Atomic", "atomicAdd(&ints[1], 1)"),
    ]


def test_accesses_in_a_function_stand_in_the_function() -> None:
    before = "__device__ float at(const float *p, int i) { return p[i]; }\n#define FETCH(i) reals[(i) + 1]"
    assert accesses("reals[0] = at(reals, n) + FETCH(n);", before) == [
        ("Load", "p[i]"),
        ("Load", "FETCH(n)"),
        ("Store", "reals[0]"),
    ]


def test_accesses_in_an_included_file_stand_there() -> None:
    kernel = declared("k")
    assert isinstance(kernel.body, Foreign)
    source = f'#include "at.h"\n__global__ void k{HEAD} {{ ints[0] = at(in); }}'
    header = "__device__ int at(const int *p) { return p[2]; }"
    found = lower_cuda(kernel, kernel.body, {"case.cu": source, "at.h": header})
    assert found.program is not None
    assert set(found.read) >= {"case.cu", "at.h"}
    (load,) = [each for each in found.program.code if isinstance(each, simt.Load)]
    assert load.place == InSource("at.h", header.index("p[2]"), header.index("p[2]") + 4)


def test_indices_of_arrays_are_known_by_dimension() -> None:
    _, made = program(
        "__shared__ float s[4][8]; __shared__ float4 v[2]; s[n][3] = 1; v[n].y = 2; float *p = s[1]; p[2] = 1;"
    )
    stores = [each for each in made.code if isinstance(each, simt.Store)]
    extents = [[index.extent for index in each.subscripts] for each in stores]
    assert extents == [[_wide(4), _wide(8)], [_wide(2), _wide(4)], []]
    assert stores[0].subscripts[1].index == _wide(3)
    assert stores[1].subscripts[1].index == _wide(1)


def _wide(value: int) -> Constant:
    return Constant(value, Scalar.S64)


def test_a_static_array_of_an_inlined_function_is_one_object() -> None:
    before = """
__device__ int once(int x) { __shared__ int s[4]; s[0] = x; return s[0]; }
template <int N> __device__ int each() { __shared__ int s[N]; s[0] = N; return s[0]; }"""
    _, made = program("ints[0] = once(1) + once(2) + each<2>() + each<3>() + each<2>();", before)
    shared = [each for each in made.objects if each.space is Space.SHARED]
    assert len(shared) == 3
    assert len({each.name for each in shared}) == 3


def test_scalars_whose_address_is_not_taken_are_registers() -> None:
    _, made = program(
        "int a = n, b; b = a + 1; float4 v = {1, 2, 3, 4}; v.x += b; reals[0] = v.x; int *p = &n; *p = 2;"
    )
    assert [each.space for each in made.objects] == [Space.GLOBAL] * 3 + [Space.LOCAL]


def test_what_a_function_takes_the_address_of_is_its_own_unless_it_takes_a_reference() -> None:
    before = "__device__ int kept(int x) { int *p = &x; *p += 1; return x; }"
    _, made = program("int v = n; v += kept(v); ints[0] = v;", before)
    assert [each.name for each in made.objects if each.space is Space.LOCAL] == ["x"]
    _, made = program("int v = n; v += kept(v); ints[0] = v;", before.replace("int x", "int &x"))
    assert [each.name for each in made.objects if each.space is Space.LOCAL] == ["v"]


def test_constants_are_folded_and_values_computed_where_they_are_kept() -> None:
    _, made = program("const int w = 32; for (int i = 0; i < w / 2; i++) ints[i * 1 + 0] = i << 0;")
    kinds = [type(each).__name__ for each in made.code]
    assert kinds.count("Move") == 1
    assert kinds.count("Binary") == 4
    (loop,) = made.loops
    assert isinstance(made.code[loop.head], simt.Binary)
    assert loop.end == len(made.code)


def test_a_branch_that_is_decided_is_not_lowered() -> None:
    _, made = program(
        "if (sizeof(int) == 8) { ints[0] = 1; } else { ints[1] = 2; } while (false) ints[2] = 3; return; ints[4] = 1;"
    )
    assert sum(isinstance(each, simt.Store) for each in made.code) == 1
    assert not any(isinstance(each, simt.Branch) for each in made.code)


def test_operands_that_cannot_go_wrong_are_computed_without_a_branch() -> None:
    _, made = program("ints[0] = n > 1 && n < 5 ? n + 1 : n - 1;")
    assert not any(isinstance(each, simt.Branch) for each in made.code)
    for body in ("n > 1 && in[n] > 2", "n > 1 && 8 / n > 2", "n > 1 ? in[n] : 0"):
        _, made = program(f"ints[0] = {body};")
        assert sum(isinstance(each, simt.Branch) for each in made.code) == 1
    _, made = program("int x; if (n) x = 1; ints[0] = n && x;")
    assert sum(isinstance(each, simt.Branch) for each in made.code) == 2
