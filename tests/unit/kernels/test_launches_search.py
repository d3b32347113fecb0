"""What a search over launches finds and covers: orders of atomics, blocks, assumptions, fences, steps that run out."""

from __future__ import annotations

from time import process_time

import pytest
from kernel_texts import declared
from msgspec.structs import replace

from rewright.frontends.own.lower import lower_own
from rewright.kernels.execution.endless import ENDLESS, WAITS
from rewright.kernels.execution.lockstep import OUT_OF_TIME
from rewright.kernels.launches.results import SearchResult
from rewright.kernels.launches.search import FENCES, RETURNED, search
from rewright.model.body import Body
from rewright.model.index import Name
from rewright.model.kernel import ArrayParameter, Kernel
from rewright.model.simt.instructions import Atomic, Fence, Load, Store
from rewright.model.simt.program import Program
from rewright.model.simt.violation import CollisionScope, Order, OutOfBounds, Race, Uninitialised

STEPS = 100_000


def lowered(text: str) -> tuple[Kernel, Program]:
    value = declared(text).value
    assert isinstance(value, Kernel) and isinstance(value.body, Body)
    return value, lower_own(value.body)


def searched(text: str, steps: int = STEPS) -> SearchResult:
    return search(*lowered(text), steps)


def test_both_orders_of_atomics_are_run_where_control_depends_on_them() -> None:
    text = """kernel k(n: inout s32[1], y: inout s32[8]) {
  requires n[0] == 0
  launch block(8)
  let mine = atomic_add(n[0], 1)
  if mine == 0 { y[7 + CONDITION] = 1 }
}
"""
    clean = searched(text.replace("CONDITION", "0"))
    assert clean.is_clean and clean.covered[0].both_orders
    (found,) = searched(text.replace("CONDITION", "thread.x / 7")).found
    assert isinstance(found.violation, OutOfBounds)
    assert found.setting.order is Order.DESCENDING


def test_one_order_is_enough_where_only_data_depends_on_atomics() -> None:
    text = "kernel k(n: inout s32[1], y: out s32[8]) { launch block(8); y[thread.x] = atomic_add(n[0], 1) }"
    found = searched(text)
    assert found.is_clean and not found.covered[0].both_orders


@pytest.mark.parametrize("block", [51, 99])
def test_races_between_blocks_are_found_among_neighbours_in_the_middle_and_at_the_end(block: int) -> None:
    text = f"""kernel k(y: out f32[100]) {{
  launch grid(100), block(1)
  y[block.x] = 1.0
  if block.x == {block} {{ y[{block - 1}] = 2.0 }}
}}
"""
    (found,) = searched(text).found
    assert isinstance(found.violation, Race)
    assert (found.violation.scope, found.violation.address) == (CollisionScope.GRID, (block - 1,))


def test_launches_after_one_that_shows_an_error_are_run_for_what_else_is_wrong() -> None:
    text = """kernel k<N>(y: out s32[N]) {
  launch block(32)
  shared s: s32[32]
  if thread.x < N { y[thread.x] = s[thread.x] }
  if N < 8 and thread.x < N { y[0] = thread.x }
}
"""
    first, *others = searched(text).found
    assert isinstance(first.violation, Uninitialised) and dict(first.setting.values)[Name("N")] == 32
    assert {(type(each.violation), dict(each.setting.values)[Name("N")]) for each in others} == {(Race, 7)}


RACES_THEN_SPINS = """kernel k(y: out s32[1]) {
  launch block(64)
  y[0] = thread.x
  var a = 0
  while true { a += 1 }
}
"""


SPINS = {
    "for another thread": (
        "if thread.x == 0 { while atomic_cas(m[0], 1, 0) == 0 { } } else { atomic_exchange(m[0], 1) }",
        WAITS,
    ),
    "around a barrier": ("while true { y[thread.x] = 1\n barrier() }", ENDLESS),
    "between two states": ("var a = 0\n while true { a = 1 - a }", ENDLESS),
    "within a warp": ("while true { if lane < 5 { y[lane] = 2 } else { y[lane] = 3 } }", ENDLESS),
}


@pytest.mark.parametrize(("body", "reason"), SPINS.values(), ids=SPINS)
def test_a_loop_in_which_nothing_changes_is_noticed_soon(body: str, reason: str) -> None:
    text = f"kernel k(y: out s32[64], m: inout s32[1]) {{ requires m[0] == 0; launch block(64)\n {body}\n }}"
    found = searched(text)
    assert found.undecided is not None and found.undecided.text == reason
    assert found.steps < 15_000


def test_a_loop_that_counts_is_not_taken_for_one_that_never_ends() -> None:
    text = "kernel k(y: out s32[64]) { launch block(64)\n for i in 0..5000 { y[thread.x] = i / 4000 } }"
    assert searched(text).is_clean


def test_a_race_that_was_found_is_reported_though_steps_or_time_run_out() -> None:
    by_steps = searched(RACES_THEN_SPINS, 2_000)
    by_time = search(*lowered(RACES_THEN_SPINS), 1 << 40, process_time() + 0.1)
    for found in (by_steps, by_time):
        assert {type(each.violation) for each in found.found} == {Race}
    assert by_time.undecided is not None and by_time.undecided.text == OUT_OF_TIME


def test_launches_after_an_error_get_a_share_of_the_steps() -> None:
    text = """kernel k<N>(y: out s32[N], m: inout s32[1]) {
  launch block(32)
  y[N] = 1
  for i in 0..N * 400 { m[0] = 1 }
}
"""
    found = searched(text, 400_000)
    assert {type(each.violation) for each in found.found} >= {OutOfBounds}
    assert found.steps < 200_000


def test_equal_values_do_not_end_a_search() -> None:
    text = "kernel k<N>(y: out f32[N]) { launch block(32); y[0] = 1.0; if N > 50 { y[N] = 1.0 } }"
    kinds = {type(each.violation) for each in searched(text).found}
    assert kinds == {Race, OutOfBounds}


def test_what_differs_at_a_later_launch_is_no_longer_equal() -> None:
    text = "kernel k<N>(y: out s32[N]) { launch block(32); y[0] = select(N > 50, thread.x, 1) }"
    (found,) = searched(text).found
    assert isinstance(found.violation, Race) and not found.violation.equal and found.is_error


def test_a_run_that_an_assume_excludes_shows_nothing() -> None:
    text = "kernel k(y: out f32[4]) { launch grid(2), block(4); y[thread.x + 2] = 1.0; assume block.x == 0 }"
    found = searched(text)
    assert found.found == () and found.undecided is not None
    assert found.undecided.text == "every run is excluded by an `assume`"


def test_steps_that_run_out_at_a_needed_launch_leave_it_undecided() -> None:
    text = "kernel k<N>(y: out f32[N]) { launch block(1); for i in 0..N { y[i] = 1.0 } }"
    assert searched(text).is_clean
    found = searched(text, 20)
    assert found.undecided is not None and "steps" in found.undecided[0]


def test_steps_that_run_out_at_a_further_launch_leave_what_was_covered() -> None:
    text = "kernel k(y: out f32[4], n: s32) { launch block(1); for i in 0..n { if n == 9000 { y[i % 4] = 1.0 } } }"
    few, many = searched(text, 2_000), searched(text, 3_000_000)
    assert few.is_clean and many.is_clean
    assert len(few.covered) < len(many.covered)
    assert 9000 in {dict(each.case.values)[Name("n")] for each in many.covered}


def test_inputs_that_make_a_run_endless_do_not_count() -> None:
    text = """kernel k(c: in s32[4], y: out s32[4]) {
  launch block(4)
  var left = c[thread.x] / BY
  while left > 0 { left = left - 1 }
  y[thread.x] = left
}
"""
    short, long = searched(text.replace("BY", "10000000")), searched(text.replace("BY", "1"))
    assert short.is_clean and long.is_clean
    assert 2 <= long.covered[0].input_count < short.covered[0].input_count


def test_a_race_after_a_fence_where_there_are_atomics_is_not_decided() -> None:
    text = """kernel k(flag: inout s32[1], y: inout f32[1]) {
  launch grid(2), block(1)
  y[0] = convert(block.x, f32)
  atomic_add(flag[0], 1)
  y[0] = 2.0
}
"""
    kernel, program = lowered(text)
    assert not search(kernel, program, STEPS).is_clean
    at = next(n for n, each in enumerate(program.code) if isinstance(each, Atomic))
    assert isinstance(program.code[at], Atomic)
    fence = Fence(program.code[at].place)
    fenced = Program(
        program.objects,
        program.uniforms,
        program.names,
        (*program.code[:at], fence, *program.code[at:]),
        program.loops,
    )
    found = search(kernel, fenced, STEPS)
    assert found.undecided is not None and found.undecided[0] == FENCES


def test_each_place_is_reported_once_over_all_blocks_and_inputs() -> None:
    text = """kernel k(c: in s32[8], y: out s32[8]) {
  launch grid(4), block(8)
  shared s: s32[8]
  if c[thread.x] > 0 { y[thread.x] = s[thread.x] } else { y[thread.x] = s[0] }
}
"""
    found = [each.violation for each in searched(text).found if isinstance(each.violation, Uninitialised)]
    assert len(found) == 2
    assert len({each.access.place for each in found}) == 2


def test_arrays_without_a_size_are_named_and_grow() -> None:
    kernel, program = lowered("kernel k(x: in f32[8], y: out f32[8]) { launch block(8); y[thread.x + 100] = x[9] }")
    assert len(search(kernel, program, STEPS).found) == 2
    unsized = tuple(replace(made, extents=None) for made in program.objects)
    parameters = tuple(replace(each, extents=None) for each in kernel.parameters if isinstance(each, ArrayParameter))
    code = tuple(replace(each, subscripts=()) if isinstance(each, Load | Store) else each for each in program.code)
    found = search(replace(kernel, parameters=parameters), replace(program, objects=unsized, code=code), STEPS)
    assert found.is_clean and found.unsized == ("x", "y")


@pytest.mark.parametrize(
    ("element", "condition"),
    [
        ("s32", "x[thread.x] == 12345"),
        ("s32", "77 > x[thread.x] and x[thread.x] >= 75"),
        ("s32", "x[thread.x] * 3 - 1 == 2999"),
        ("s32", "100000 - x[thread.x] == 1"),
        ("f32", "x[thread.x] > 700.25 and x[thread.x] < 701.75"),
        ("f32", "x[thread.x] * 0.5 == 700.25"),
        ("f16", "x[thread.x] < -3000.0"),
    ],
)
def test_elements_near_what_the_program_compares_them_with_are_tried(element: str, condition: str) -> None:
    text = f"""kernel k(x: in {element}[64], y: out f32[64]) {{
  launch block(64)
  if {condition} {{ y[thread.x + 64] = 1.0 }}
}}
"""
    assert OutOfBounds in {type(found.violation) for found in searched(text).found}


def test_numbers_beyond_all_reason_are_not_tried() -> None:
    found = searched("kernel k(x: in f16[4], y: out f32[4]) { launch block(1); if x[0] > 1e30 { y[9] = 1.0 } }")
    assert found.covered and not found.found


QUEUES = {
    "global": ("", "let p = atomic_add(q[0], 1)\n  y[p] = thread.x"),
    "shared": ("shared s: s32[1]\n  s[0] = 0\n  barrier()", "let p = atomic_add(s[0], 1)\n  y[p] = thread.x"),
    "ignored": ("", "atomic_add(q[0], 1)\n  y[thread.x] = block.x"),
}


@pytest.mark.parametrize(("where", "is_known"), [("global", False), ("shared", True), ("ignored", True)])
def test_places_that_an_atomic_of_all_blocks_gives_out_are_no_race_between_blocks(where: str, is_known: bool) -> None:
    before, after = QUEUES[where]
    found = searched(f"""kernel k(q: inout s32[1], y: out s32[128]) {{
  requires q[0] == 0
  launch grid(2), block(64)
  {before}
  {after}
}}
""")
    errors = [each.violation for each in found.found if each.is_error]
    assert all(isinstance(each, Race) and each.scope is CollisionScope.GRID for each in errors)
    assert (bool(errors), found.undecided is None) == (is_known, is_known)
    assert is_known or (found.undecided and found.undecided[0] == RETURNED)
