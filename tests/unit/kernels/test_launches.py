"""Which launches, blocks and inputs are run: as given, chosen where free, and such that `requires` holds."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from kernel_texts import declared

from rewright.frontends.own.lower import lower_own
from rewright.kernels.launches.blocks import sampled
from rewright.kernels.launches.cases import Cases, cases
from rewright.kernels.launches.inputs import chosen_inputs
from rewright.kernels.launches.required import determined, equated
from rewright.kernels.launches.requirements import hold
from rewright.kernels.launches.singled_out import singled_out
from rewright.model.body import Body
from rewright.model.index import Name
from rewright.model.kernel import Kernel
from rewright.model.simt.constants import NoValue
from rewright.model.simt.program import Program


def lowered(text: str) -> tuple[Kernel, Program]:
    value = declared(text).value
    assert isinstance(value, Kernel) and isinstance(value.body, Body)
    return value, lower_own(value.body)


def launches(text: str) -> Cases:
    return cases(*lowered(text))


def values(found: Cases, name: str) -> list[float]:
    return [dict(case.values)[Name(name)] for case in found.needed]


# ------------------------------------------------------------------------------------------------------------- sizes


def test_sizes_as_given_are_one_launch() -> None:
    found = launches("kernel k<N = 6, M = (2 * N)>(y: out f32[M], n: s32 = M - 1) { launch block(N); y[n] = 1.0 }")
    (case,) = found.needed
    assert case.values == (("N", 6), ("M", 12), ("n", 11))
    assert (case.grid, case.block, case.blocks) == ((1, 1, 1), (6, 1, 1), 1)
    assert found.further == ()


def test_free_sizes_are_chosen_around_the_block() -> None:
    found = launches("kernel k<N>(y: out f32[N]) { launch block(32)\n for i in thread.x..N step 32 { y[i] = 1.0 } }")
    assert values(found, "N") == [32, 65, 7, 1]


def test_a_free_size_may_be_the_launch() -> None:
    found = launches("kernel k<N>(y: out f32[N]) { launch block(N); y[N - 1 - thread.x] = 1.0 }")
    assert [case.block[0] for case in found.needed] == [64, 33, 7, 1]


def test_several_free_sizes_also_differ_from_each_other() -> None:
    found = launches("kernel k<N, M>(y: out f32[N, M]) { launch block(4); if thread.x < N { y[thread.x, 0] = 1.0 } }")
    pairs = [(dict(case.values)[Name("N")], dict(case.values)[Name("M")]) for case in found.needed]
    assert {n < m for n, m in pairs} == {True, False}
    assert {n > m for n, m in pairs} == {True, False}
    assert max(n for n, _ in pairs) > 4 and max(m for _, m in pairs) > 4


PRODUCT = """kernel k<M, K>(x: in f32[M, K], y: out f32[M]) {{
  launch grid((M + 255) / 256), block(256)
  shared s: f32[{step}]
  for j in {begin}..K step {step} {{ s[thread.x % {step}] = x[0, j] }}
}}
"""


@pytest.mark.parametrize(("step", "few"), [(1, [17, 16, 7, 1]), (16, [33, 32, 7, 1]), (24, [49, 48, 7, 1])])
def test_sizes_that_all_threads_count_up_to_alike_make_few_passes(step: int, few: list[int]) -> None:
    """The block says nothing of them, and each pass may be long; once all are large, as time allows."""
    found = launches(PRODUCT.format(begin=0, step=step))
    assert max(values(found, "M")) == 513 and sorted({*values(found, "K")}, reverse=True) == few
    assert all(dict(found.further[0].values)[Name(name)] > 256 for name in "MK")


@pytest.mark.parametrize("begin", ["thread.x", "block.x", "thread.x / 2"])
def test_a_size_of_which_each_thread_does_a_part_is_larger_than_the_block(begin: str) -> None:
    assert max(values(launches(PRODUCT.format(begin=begin, step=16)), "K")) == 513


def test_only_sizes_that_satisfy_the_requirements_are_run() -> None:
    found = launches("kernel k<N>(y: out f32[N]) { requires N % 8 == 0, N > 8; launch block(32); y[0] = 1.0 }")
    assert values(found, "N") == [32, 72]


def test_numbers_in_requirements_are_tried() -> None:
    found = launches("kernel k<N>(y: out f32[N]) { requires N > 300, N < 303; launch block(32); y[0] = 1.0 }")
    assert {dict(case.values)[Name("N")] for case in (*found.needed, *found.further)} == {301, 302}


def test_equations_in_requirements_give_values() -> None:
    text = "kernel k<N, M>(y: out f32[M], n: s32) {{ requires {}; launch block(8); if n < M {{ y[0] = 1.0 }} }}"
    found = launches(text.format("M == 2 * N + 1 and n == M - 1"))
    values = [{str(name): value for name, value in case.values} for case in found.needed]
    assert len(values) >= 3
    assert all(each["M"] == 2 * each["N"] + 1 and each["n"] == each["M"] - 1 for each in values)


def test_free_sizes_need_no_more_shared_memory_than_there_is() -> None:
    found = launches("kernel k<N>(y: out f32[N]) { launch block(32); shared s: f32[N, 1024]; y[0] = 1.0 }")
    assert values(found, "N") and max(values(found, "N")) <= 56


def test_sizes_that_nobody_can_choose_are_said_to_be_missing() -> None:
    with pytest.raises(NoValue, match="give them values"):
        launches("kernel k<N>(y: out f32[N]) { requires N % 7 == 3, N % 11 == 4; launch block(32); y[0] = 1.0 }")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("kernel k<N = 4>(y: out f32[N]) { requires N > 4; launch block(N); y[0] = 1.0 }", "do not satisfy"),
        ("kernel k<N = 0>(y: out f32[N]) { launch block(N) }", "at least one block and one thread"),
        ("kernel k<N = 1025>(y: out f32[N]) { launch block(N) }", "at most 1024"),
        ("kernel k<N = 4>(y: out f32[N]) { launch grid(1, 70000), block(N) }", "at most 2147483647"),
        ("kernel k<N = 65>(y: out f32[N]) { launch block(1, 1, N) }", "at most 64 threads along z"),
        (
            "kernel k<N = 8>(y: out f32[N]) { launch block(N); shared s: f32[N, 8192] }",
            "at most 232448 bytes",
        ),
        ("kernel k<N = 4, M = N / (N - 4)>(y: out f32[N]) { launch block(N) }", "division by zero"),
    ],
)
def test_impossible_launches_are_said_to_be(text: str, reason: str) -> None:
    """Those that no GPU takes, and those that are none."""
    with pytest.raises(NoValue, match=reason):
        launches(text)


def test_parameters_are_also_run_at_values_that_the_program_compares_them_with() -> None:
    text = "kernel k(y: out f32[64], n: s32) {\n launch block(64)\n if n / 2 - 3 == 17 { y[thread.x] = 1.0 }\n}"
    found = launches(text)
    tried = {dict(case.values)[Name("n")] for case in (*found.needed, *found.further)}
    assert {39, 40, 41, 0, 1} <= tried


@pytest.mark.parametrize(
    ("condition", "numbers"),
    [
        ("n == 12", {12}),
        ("12 > n + 5", {7}),
        ("n * 4 != 400", {100}),
        ("n % 24 == 0", {24, 48}),
        ("(n & 7) == 0", {8, 16}),
        ("n >> 3 < 5", {40}),
        ("thread.x < n", set[int]()),
        ("k[n] == 12", set[int]()),
    ],
)
def test_values_that_a_program_singles_out(condition: str, numbers: set[int]) -> None:
    text = (
        f"kernel k(k: in s32[64], y: out f32[64], n: s32) {{\n launch block(64)\n if {condition} {{ y[0] = 1.0 }}\n}}"
    )
    found = singled_out(lowered(text)[1])
    assert (set(found[Name("n")].numbers) if Name("n") in found else set()) >= numbers
    if not numbers:
        assert not found or not found[Name("n")].numbers


@pytest.mark.parametrize(("end", "numbers"), [("n", {24, 48}), ("n - 1", {25, 49})])
def test_the_step_of_a_loop_singles_out_its_multiples(end: str, numbers: set[int]) -> None:
    text = f"kernel k(y: out f32[64], n: s32) {{\n launch block(1)\n for i in 0..({end}) step 24 {{ y[0] = 1.0 }}\n}}"
    assert numbers <= singled_out(lowered(text)[1])[Name("n")].numbers


# ------------------------------------------------------------------------------------------------------------ blocks


def test_small_grids_are_run_whole() -> None:
    assert sampled((2, 2, 1)) == ((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0))


@pytest.mark.parametrize("grid", list(product((1, 2, 5, 9), repeat=3)))
def test_of_larger_grids_the_corners_and_a_neighbourhood_are_run(grid: tuple[int, int, int]) -> None:
    blocks = sampled(grid)
    x, y, z = grid
    assert blocks[0] == (0, 0, 0) and blocks[-1] == (x - 1, y - 1, z - 1)
    assert len(set(blocks)) == len(blocks) <= 15
    assert {(x - 1, 0, 0), (0, y - 1, 0), (0, 0, z - 1)} <= set(blocks)
    assert x == 1 or (x - 2, y - 1, z - 1) in blocks
    for axis, size in enumerate(grid):
        lines = {block[:axis] + block[axis + 1 :] for block in blocks}
        longest = max(len([block for block in blocks if block[:axis] + block[axis + 1 :] == line]) for line in lines)
        assert longest >= min(size, 2)


# ------------------------------------------------------------------------------------------------------------ inputs


def contents(text: str) -> list[dict[str, list[float]]]:
    kernel, program = lowered(text)
    (case,) = cases(kernel, program).needed
    return [{n: cells.tolist() for n, cells in each.items()} for each in chosen_inputs(kernel, dict(case.values))]


def test_integer_inputs_satisfy_what_is_required_of_each_element() -> None:
    text = """kernel k<N = 16, M = 5>(index: in s32[N], y: out f32[N]) {
  requires forall i in 0..N: 0 <= index[i] and index[i] < M
  launch block(N)
  y[index[thread.x]] = 1.0
}"""
    found = contents(text)
    assert len(found) >= 3
    assert all(0 <= cell < 5 for each in found for cell in each["index"])
    assert [0] * 16 in [each["index"] for each in found]
    assert [4] * 16 in [each["index"] for each in found]


def test_an_extent_that_other_sizes_make_negative_has_no_inputs() -> None:
    text = """kernel k<N = 16>(x: in s32[N - 8], y: out s32[N]) {
  launch block(8)
  y[thread.x] = x[thread.x]
}"""
    kernel, _ = lowered(text)
    assert list(chosen_inputs(kernel, {Name("N"): 16}))
    with pytest.raises(NoValue):
        list(chosen_inputs(kernel, {Name("N"): 4}))


def test_what_is_required_of_neighbours_is_met_by_ascending_inputs() -> None:
    text = """kernel k<N = 9>(offset: in s32[N], y: out f32[N]) {
  requires forall i in 1..N: offset[i - 1] < offset[i]
  requires offset[0] == 0
  launch block(N)
  y[thread.x] = 1.0
}"""
    kernel, _ = lowered(text)
    for each in contents(text):
        assert each["offset"] == sorted(set(each["offset"]))
        assert hold(kernel, {Name("N"): 9}, {Name("offset"): np.asarray(each["offset"], np.int32)})


def test_requirements_between_inputs_and_over_two_indices() -> None:
    text = """kernel k<N = 4>(a: in s32[N, N], b: in s32[N], y: out f32[N]) {
  requires forall i in 0..N: forall j in i..N: a[i, j] >= b[j] or i == j
  launch block(N)
  y[thread.x] = 1.0
}"""
    found = contents(text)
    assert found
    for each in found:
        matrix = np.asarray(each["a"]).reshape(4, 4)
        assert all(matrix[i, j] >= each["b"][j] for i in range(4) for j in range(i + 1, 4))


def test_floats_are_small_and_different_at_first() -> None:
    first, *others = contents("kernel k(x: in f32[64], y: out f32[64]) { launch block(64); y[0] = x[0] }")
    assert len(set(first["x"])) == 64
    assert all(cell * 8 == int(cell * 8) and abs(cell) < 128 for cell in first["x"])
    assert others and all(each["x"] != first["x"] for each in others)


def test_requirements_on_floats_are_met() -> None:
    text = """kernel k(x: in f32[8], y: out f32[8]) {
  requires forall i in 0..8: x[i] > 2.0 and x[i] <= 3.0
  launch block(8)
  y[0] = x[0]
}"""
    found = contents(text)
    assert found
    assert all(2 < cell <= 3 for each in found for cell in each["x"])


def test_inputs_that_nothing_satisfies_are_not_made_up() -> None:
    text = "kernel k(x: in s32[4], y: out f32[8]) { requires x[0] < x[0]; launch block(8); y[0] = 1.0 }"
    assert contents(text) == []


def test_a_grid_whose_sides_overflow_is_not_launched() -> None:
    """At 2049 each the product is beyond 32 bits."""
    text = "kernel k<A, B, C>(y: out f32[4]) { launch grid((A * B * C + 1023) / 1024), block(1024); y[0] = 1.0 }"
    found = launches(text)
    chosen = [dict(each.values) for each in (*found.needed, *found.further, *found.spare)]
    assert chosen and all(each[Name("A")] * each[Name("B")] * each[Name("C")] < 1 << 31 for each in chosen)


def test_a_quotient_chooses_a_value_and_leaves_it_open() -> None:
    text = "kernel k<N, M>(y: out f32[N]) { requires N == 16, M / 2 == 8; launch block(8); y[0] = 1.0 }"
    kernel, _ = lowered(text)
    names = frozenset([Name("N"), Name("M")])
    assert determined(kernel, {}, names) == {"N": 16, "M": 16}
    assert equated(kernel, names) == {"N"}, "M may be 17, too"
