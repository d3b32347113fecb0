"""Which accesses the CUDA front end makes: how wide they are, and that an object whose value is dropped is read."""

from __future__ import annotations

import pytest
from cuda_documents import documented, ran

from rewright.model.simt.instructions import Load, Store
from rewright.model.simt.violation import Misaligned, OutOfBounds, Race, Violation

MOVE = """
struct Pair { TYPE a, b; };
// rewright: launch block(2); x: in f64[16]; y: out f64[16]
__global__ void vector(const double *x, double *y) {
  *reinterpret_cast<TYPE *>(y + OFFSET) = reinterpret_cast<const TYPE *>(x + OFFSET)[0];
}
// rewright: launch block(2); x: in f64[16]; y: out f64[16]
__global__ void pair(const double *x, double *y) {
  *reinterpret_cast<Pair *>(y + OFFSET) = *reinterpret_cast<const Pair *>(x + OFFSET);
}
"""
WIDE = ("double4", "longlong4", "ulonglong4", "long4", "ulong4")


def moved(kind: str, offset: int, name: str = "vector") -> tuple[Violation, ...]:
    """What is wrong with moving an object of a type that begins so many elements of 8 bytes from the start."""
    document = MOVE.replace("TYPE", kind).replace("OFFSET", str(offset))
    return ran(document, {"x": (1.0,) * 16}, name).violations


@pytest.mark.parametrize("name", ["vector", "pair"])
@pytest.mark.parametrize("kind", WIDE)
def test_vectors_of_32_bytes_are_aligned_to_16(kind: str, name: str) -> None:
    assert moved(kind, 2, name) == ()


@pytest.mark.parametrize("kind", [*WIDE, "double2", "longlong2"])
def test_vectors_are_aligned_to_16_at_least(kind: str) -> None:
    assert all(isinstance(each, Misaligned) and each.alignment == 16 for each in moved(kind, 1))
    assert len(moved(kind, 1)) == 2


@pytest.mark.parametrize("kind", WIDE)
def test_vectors_of_32_bytes_are_moved_in_two_accesses(kind: str) -> None:
    lowered = documented(MOVE.replace("TYPE", kind).replace("OFFSET", "0"), "vector")
    assert lowered.program is not None
    code = lowered.program.code
    assert [len(each.results) for each in code if isinstance(each, Load)] == [2, 2]
    assert [len(each.values) for each in code if isinstance(each, Store)] == [2, 2]


def test_the_second_half_of_a_vector_may_lie_outside() -> None:
    (read, written) = moved("double4", 14)
    assert isinstance(read, OutOfBounds) and isinstance(written, OutOfBounds)
    assert read.access.width == 16


# ---------------------------------------------------------------------------------------------------- values dropped

DROPPED = """
typedef volatile int Cell;
using Other = volatile int;
__device__ void touch(volatile int &cell) { cell; }
// rewright: launch block(2); x: inout s32[8]
__global__ void k(KIND x) { STATEMENT x[threadIdx.x] = 1 + threadIdx.x; }
"""


def reads_first(kind: str, statement: str) -> bool:
    """Whether a statement reads `x[0]`, seen by the race with what follows."""
    document = DROPPED.replace("KIND", kind).replace("STATEMENT", statement)
    outcome = ran(document, {"x": (0,) * 8}, "k")
    assert outcome.violations == ()
    return any(isinstance(race, Race) for race in outcome.races.certain())


@pytest.mark.parametrize("kind", ["volatile int *", "int volatile *", "Cell *"])
@pytest.mark.parametrize(
    "statement",
    [
        "x[0];",
        "*x;",
        "(x[0]);",
        "(void)x[0];",
        "int i = 1; (x[0], i) = 2;",
        "for (x[0]; false; ) ;",
        "for (int i = 0; i < 1; x[0], i++) ;",
        "int i = 1; i, *x;",
        "threadIdx.x ? x[0] : x[1];",
    ],
)
def test_a_volatile_object_is_read_though_its_value_is_dropped(kind: str, statement: str) -> None:
    assert reads_first(kind, statement)


@pytest.mark.parametrize(
    "statement", ["*(volatile int *)x;", "touch(x[0]);", "volatile int *p = x; *p;", "Other *p = x; *p;"]
)
def test_volatile_is_what_the_way_to_the_object_says(statement: str) -> None:
    assert reads_first("int *", statement)


@pytest.mark.parametrize("kind", ["int *", "int *volatile "])
@pytest.mark.parametrize("statement", ["x[0];", "(void)x[0];", "int i = 1; x[0], i;"])
def test_other_objects_are_not_read_for_nothing(kind: str, statement: str) -> None:
    assert not reads_first(kind, statement)
