"""Variables without a value: reads of them are found, and a struct may be copied before all of it is set."""

from __future__ import annotations

import pytest
from cuda_documents import ran

from rewright.model.simt.violation import Unset

DOCUMENT = """
struct Pair { int a, b; };
__device__ Pair made(int x) { Pair p; p.a = x; return p; }
__device__ int first(Pair p) { p.a += 1; return p.a; }
// rewright: launch block(4); out: out s32[4]
__global__ void k(int *out) { int t = threadIdx.x; %s }
"""


def unset(body: str) -> list[str]:
    """The variables that are read before they were set by a kernel with this body."""
    found = ran(DOCUMENT % body, {"out": (0,) * 4}, "k").violations
    assert all(isinstance(violation, Unset) for violation in found)
    return [violation.variable for violation in found if isinstance(violation, Unset)]


@pytest.mark.parametrize(
    "body",
    [
        "Pair p; p.a = t; Pair q = p; out[t] = q.a;",
        "Pair p; p.a = t; Pair q; q = p; q.b = 1; out[t] = q.a + q.b;",
        "Pair q = made(t); Pair r = q; out[t] = r.a;",
        "Pair p; p.a = t; out[t] = first(p);",
        "for (int i = 0; i < 2; i++) { Pair p; p.a = i; Pair q = p; out[t] = q.a; }",
        "Pair p; Pair q = p; for (int i = 0; i < 2; i++) { p.a = p.b = i; q = p; } out[t] = q.b;",
    ],
)
def test_a_struct_may_be_copied_before_all_of_it_is_set(body: str) -> None:
    assert unset(body) == []


@pytest.mark.parametrize(
    ("body", "variable"),
    [
        ("int x; out[t] = x;", "x"),
        ("int x; if (t < 2) x = 1; out[t] = x;", "x"),
        ("Pair p; p.a = t; out[t] = p.b;", "p"),
        ("Pair p; p.a = t; Pair q = p; out[t] = q.b;", "q"),
        ("Pair p; p.a = t; Pair q = p; Pair r = q; int x = t ? r.b : 1; out[t] = x;", "r"),
        ("int x; int y = x; out[t] = 1;", "x"),
    ],
)
def test_what_is_read_before_it_was_set_is_found(body: str, variable: str) -> None:
    assert unset(body) == [variable]


def test_parts_that_may_be_set_are_read_by_a_copy() -> None:
    # C++ would let that part be unset here: an error that is told though there is none.
    assert unset("Pair p; p.a = t; if (t > 1) p.b = 2; Pair q = p; out[t] = q.a;") == ["p"]


def test_a_variable_of_a_loop_keeps_its_value() -> None:
    # In C++ each pass has a variable of its own, so that `x` is unset in the second one: that is missed.
    assert unset("for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 3; out[t] = x; }") == []
