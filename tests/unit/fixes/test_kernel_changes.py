"""Changes of a kernel's text: where a barrier goes, how an access is guarded, in the style of the text."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rewright.fixes.edited import edited
from rewright.fixes.kernels.arrays import access_at
from rewright.fixes.kernels.barriers import insertions
from rewright.fixes.kernels.bounds import declared_at, extent_texts, guards, guards_below, widened
from rewright.fixes.kernels.hoisting import hoists
from rewright.fixes.kernels.initialising import filled, initialised
from rewright.fixes.kernels.returning import guarded_instead
from rewright.fixes.kernels.tree import OWN, ParsedText, cuda, own, without
from rewright.syntax.text import Span
from rewright.verdict import Edit


def source(text: str) -> ParsedText:
    return own(text) if text.startswith("kernel") else cuda("a.cu", text)


def place(text: str, what: str, which: int = 0) -> Span:
    at = -1
    for _ in range(which + 1):
        at = text.index(what, at + 1)
    return Span(at, at + len(what))


def changed(text: str, changes: Sequence[tuple[Edit, ...]]) -> list[str]:
    """The parts of the changed texts that differ from the text, from line to line."""
    return [after(text, edits) for edits in changes]


def after(text: str, edits: tuple[Edit, ...]) -> str:
    path = source(text).path
    return edited({path: text}, edits)[path]


def inserted(text: str, first: str, second: str) -> list[str]:
    barrier = source(text).dialect.barrier
    return changed(text, insertions(source(text), place(text, first), place(text, second), barrier))


TILES = """__global__ void tiles(const float *x, float *y, int n) {
\tfor (int t = 0; t < n; t += 64) {
\t\ts[threadIdx.x] = x[t];  // load
\t\tif (t < 5) {
\t\t\ty[t] = s[1];
\t\t}
\t}
}
"""


def test_a_barrier_goes_where_both_accesses_stand_and_then_closer_to_the_second() -> None:
    first, second, third, *looping = inserted(TILES, "s[threadIdx.x]", "s[1]")
    assert first == TILES.replace("\t\tif", "\t\t__syncthreads();\n\t\tif")
    assert second == TILES.replace("// load\n", "// load\n\t\t__syncthreads();\n")
    assert third == TILES.replace("\t\t\ty[t]", "\t\t\t__syncthreads();\n\t\t\ty[t]")
    assert TILES.replace("\t\t}\n\t}", "\t\t}\n\t\t__syncthreads();\n\t}") in looping


def test_no_barrier_goes_into_a_loop_around_one_access_only() -> None:
    text = """__global__ void k(float *y) {
  s[threadIdx.x] = 1;
  for (int i = 0; i < 3; i++) {
    if (i > 1) y[i] += s[i];
  }
}
"""
    found = inserted(text, "s[threadIdx.x]", "s[i]")
    assert found == [
        text.replace("  for", "  __syncthreads();\n  for"),
        text.replace("= 1;\n", "= 1;\n  __syncthreads();\n"),
    ]


def test_between_passes_of_a_loop_the_end_of_its_body_comes_first() -> None:
    first, *_ = inserted(TILES, "s[1]", "s[threadIdx.x]")
    assert first == TILES.replace("\t\t}\n\t}", "\t\t}\n\t\t__syncthreads();\n\t}")


def test_lines_end_as_they_do_in_the_source() -> None:
    first, *_ = inserted(TILES.replace("\n", "\r\n"), "s[threadIdx.x]", "s[1]")
    assert first == TILES.replace("\t\tif", "\t\t__syncthreads();\n\t\tif").replace("\n", "\r\n")


def test_statements_on_one_line_stay_on_it() -> None:
    text = "__global__ void k(float *y) { s[threadIdx.x] = 1; y[0] = s[1]; }\n"
    first, second = inserted(text, "s[threadIdx.x]", "s[1]")
    assert first == text.replace("y[0] =", "__syncthreads(); y[0] =")
    assert second == text.replace("= 1;", "= 1; __syncthreads();")


def test_a_body_without_braces_gets_them() -> None:
    text = "__global__ void k(float *y) {\n  s[threadIdx.x] = 1;\n  if (y[0] > 0)\n    y[i] += s[i];\n}\n"
    found = inserted(text, "s[threadIdx.x]", "s[i]")
    assert found[-1] == text.replace("y[i] += s[i];", "{ __syncthreads(); y[i] += s[i]; }")


def test_what_else_does_without_braces_gets_them() -> None:
    text = "__global__ void k(float *y) {\n  s[threadIdx.x] = 1;\n  if (y[0]) y[1] = 2;\n  else y[i] += s[i];\n}\n"
    found = inserted(text, "s[threadIdx.x]", "s[i]")
    assert found[-1] == text.replace("y[i] += s[i];", "{ __syncthreads(); y[i] += s[i]; }")


def test_a_value_that_is_chosen_is_no_statement() -> None:
    text = "__global__ void k(float *y) {\n  s[threadIdx.x] = 1;\n  y[0] = y[1] > 0 ? s[1] : 0;\n}\n"
    assert inserted(text, "s[threadIdx.x]", "s[1]") == [
        text.replace("  y[0]", "  __syncthreads();\n  y[0]"),
        text.replace("= 1;\n", "= 1;\n  __syncthreads();\n"),
    ]


OWN_TEXT = """kernel k<N = 8>(x: in f32[N], y: out f32[N]) {
  launch block(N)
  shared s: f32[N]
  s[thread.x] = x[thread.x]; y[0] = 1.0
  for i in 0..2 {
    y[thread.x] = s[i]
  }
}
"""


def test_our_own_syntax_is_edited_alike() -> None:
    first, second, third = inserted(OWN_TEXT, "s[thread.x]", "s[i]")
    assert first == OWN_TEXT.replace("  for", "  barrier()\n  for")
    assert second == OWN_TEXT.replace("; y[0]", "; barrier(); y[0]")
    assert third == OWN_TEXT.replace("x[thread.x]; ", "x[thread.x]; barrier(); ")


def test_accesses_within_one_statement_have_no_place_between() -> None:
    text = "__global__ void k() { s[threadIdx.x] += s[threadIdx.x + 1]; }"
    assert inserted(text, "s[threadIdx.x]", "s[threadIdx.x + 1]") == []


def test_what_stands_in_no_function_is_not_changed() -> None:
    text = "__constant__ int c[2] = {1, 2};\n__global__ void k(float *y) { y[0] = c[1]; }\n"
    outside = place(text, "{1, 2}")
    assert insertions(source(text), outside, place(text, "c[1]"), "__syncthreads();") == []
    assert insertions(source(text), place(text, "c[1]"), outside, "__syncthreads();") == []
    assert (hoists(source(text), outside), guarded_instead(source(text), outside)) == ([], [])
    assert without(source(text), outside) == ()


# -------------------------------------------------------------------------------------------------------------- hoists


BRANCH = """__global__ void k(float *x) {
  if (threadIdx.x < 16) {
    x[0] = 1;
    __syncthreads();
    x[1] = 2;
  }
}
"""


def hoisted(text: str) -> list[str]:
    barrier = "barrier()" if source(text).dialect is OWN else "__syncthreads()"
    return changed(text, hoists(source(text), place(text, barrier)))


def test_a_barrier_between_statements_of_a_branch_splits_it() -> None:
    split = """__global__ void k(float *x) {
  if (threadIdx.x < 16) {
    x[0] = 1;
  }
  __syncthreads();
  if (threadIdx.x < 16) {
    x[1] = 2;
  }
}
"""
    assert hoisted(BRANCH) == [split, _late(BRANCH), _early(BRANCH)]


def test_a_barrier_at_an_end_of_a_branch_moves_over_it() -> None:
    at_end = BRANCH.replace("    x[1] = 2;\n", "")
    at_start = BRANCH.replace("    x[0] = 1;\n", "")
    assert hoisted(at_end) == [_late(at_end), _early(at_end)]
    assert hoisted(at_start) == [_early(at_start), _late(at_start)]


def _late(text: str) -> str:
    return text.replace("    __syncthreads();\n", "").replace("  }\n}", "  }\n  __syncthreads();\n}")


def _early(text: str) -> str:
    return text.replace("    __syncthreads();\n", "").replace("  if", "  __syncthreads();\n  if")


def test_a_barrier_between_statements_of_one_line_splits_the_branch_there() -> None:
    text = "__global__ void k() { if (n) { a(); b(); __syncthreads(); c(); } }\n"
    assert hoisted(text)[0] == text.replace("; __syncthreads(); ", "; } __syncthreads(); if (n) { ")


def test_barriers_of_all_ways_become_one() -> None:
    text = """kernel k(x: inout f32[32]) {
  launch block(32)
  if thread.x < 16 {
    x[0] = 1.0
    barrier()
  } else {
    x[1] = 1.0
    barrier()
  }
}
"""
    assert hoisted(text)[0] == text.replace("    barrier()\n", "").replace("  }\n}", "  }\n  barrier()\n}")


def test_barriers_of_an_if_after_else_become_one_with_it() -> None:
    text = """__global__ void k(float *x) {
  if (threadIdx.x < 16) {
    x[0] = 1;
    __syncthreads();
  } else if (threadIdx.x < 20) {
    x[1] = 1;
    __syncthreads();
  } else {
    __syncthreads();
  }
}
"""
    assert hoisted(text)[0] == _late(text)


def test_a_barrier_in_no_branch_is_not_moved() -> None:
    assert hoisted("__global__ void k() { __syncthreads(); }") == []


# -------------------------------------------------------------------------------------------------------------- bounds


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("  y[i + 1] = 2;\n", "  if (i + 1 < n) y[i + 1] = 2;\n"),
        ("  if (n) y[i + 1] = 2; else n = 1;\n", "  if (n) { if (i + 1 < n) y[i + 1] = 2; } else n = 1;\n"),
        ("  float v = y[i + 1];\n", "  float v = (i + 1 < n ? y[i + 1] : 0);\n"),
        ("  float v = y[i ? 1 : 2];\n", "  float v = ((i ? 1 : 2) < n ? y[i ? 1 : 2] : 0);\n"),
    ],
)
def test_an_access_is_guarded_with_its_statement_or_alone(before: str, after: str) -> None:
    text = f"__global__ void k(float *y, int n) {{\n{before}}}\n"
    what = "y[i ? 1 : 2]" if "?" in before else "y[i + 1]"
    assert changed(text, guards(source(text), place(text, what), 0, ["n"]))[0] == text.replace(before, after)


def test_what_is_assigned_to_is_only_guarded_with_its_statement() -> None:
    text = "__global__ void k(float *y, int n) {\n  y[n] = 2;\n}\n"
    assert len(guards(source(text), place(text, "y[n]"), 0, ["n"])) == 1


@pytest.mark.parametrize(("access", "dimension"), [("y[n]", 1), ("y[n, 1]", 0), ("f(n)", 0)])
def test_what_has_no_such_index_is_not_guarded(access: str, dimension: int) -> None:
    text = f"__global__ void k(float *y, int n) {{\n  {access} = 2;\n}}\n"
    assert guards(source(text), place(text, access), dimension, ["n"]) == []


def test_an_index_below_zero_is_guarded_from_below() -> None:
    text = "__global__ void k(float *y, int n) {\n  y[n - 1] = 2;\n}\n"
    (found,) = changed(text, guards_below(source(text), place(text, "y[n - 1]"), 0))
    assert found == text.replace("y[n", "if (n - 1 >= 0) y[n")


def test_guards_in_our_own_syntax() -> None:
    text = "kernel k(x: in f32[8]) {\n  let v = x[thread.x + 1]\n  y[thread.x] = x[v, 3]\n}\n"
    found = changed(text, guards(source(text), place(text, "x[thread.x + 1]"), 0, ["8"]))
    assert text.replace("x[thread.x + 1]", "select(thread.x + 1 < 8, x[thread.x + 1], 0.0)") in found
    found = changed(text, guards(source(text), place(text, "x[v, 3]"), 1, ["2"]))
    assert found[0] == text.replace("y[thread.x] = x[v, 3]", "if 3 < 2 { y[thread.x] = x[v, 3] }")


@pytest.mark.parametrize(
    ("extent", "wider"),
    [("64", "66"), ("TILE", "TILE + 2"), ("A * B", "A * B + 2"), ("A < 3 ? 1 : 2", "(A < 3 ? 1 : 2) + 2")],
)
def test_a_shared_array_is_widened_where_its_extent_is_written(extent: str, wider: str) -> None:
    text = f"__global__ void k() {{\n  __shared__ float s[64], t[4][{extent}];\n  t[0][70] = 1;\n}}\n"
    at = place(text, "t[0][70]")
    declared = declared_at(source(text), at, "t")
    assert declared is not None
    (found,) = changed(text, [widened(source(text), declared, 1, 2)])
    assert found == text.replace(f"t[4][{extent}]", f"t[4][{wider}]")
    assert extent_texts(source(text), at, "t", 0) == ["4"]


def test_the_extent_of_a_parameter_is_as_it_is_written() -> None:
    text = "kernel k<N = 8>(x: in f32[N], y: out f32[N + 1, 4]) {\n  launch block(8)\n  y[thread.x, 1] = x[0]\n}\n"
    at = place(text, "y[thread.x, 1]")
    assert [extent_texts(source(text), at, "y", dimension) for dimension in range(3)] == [["N + 1"], ["4"], []]
    assert extent_texts(source(text), at, "z", 0) == []


# ------------------------------------------------------------------------------------------------------------- filling


def test_a_variable_is_given_a_value_where_it_is_declared() -> None:
    text = "__global__ void k(float *y) {\n  float sum, acc[4];\n  y[0] = sum + acc[1];\n}\n"
    at = place(text, "sum + acc")
    assert changed(text, initialised(source(text), at, "sum"))[0] == text.replace("float sum", "float sum = 0")
    assert changed(text, initialised(source(text), at, "acc"))[0] == text.replace("acc[4]", "acc[4] = {0}")
    assert initialised(source(text), at, "other") == []


def test_a_shared_array_is_filled_by_all_threads_after_its_declaration() -> None:
    text = "__global__ void k(float *y, int i) {\n    __shared__ float s[8][N + 1];\n    y[0] = s[0][0];\n}\n"
    declared = declared_at(source(text), place(text, "s[0][0]"), "s")
    assert declared is not None
    (found,) = changed(text, filled(source(text), declared, 1))
    loop = "for (int k = threadIdx.x; k < 8 * (N + 1); k += blockDim.x) s[k / (N + 1)][k % (N + 1)] = 0;"
    assert found.splitlines()[2:4] == [
        "    " + loop.replace("int k", "int e").replace("k ", "e "),
        "    __syncthreads();",
    ]


def test_an_array_is_filled_by_an_index_that_the_text_does_not_name() -> None:
    text = "__global__ void k(float *y, int i, int k, int e) {\n  __shared__ float s[8];\n  y[i] = s[k + e];\n}\n"
    declared = declared_at(source(text), place(text, "s[k + e]"), "s")
    assert declared is not None
    (found,) = changed(text, filled(source(text), declared, 1))
    assert "for (int i1 = threadIdx.x; i1 < 8; i1 += blockDim.x) s[i1] = 0;" in found


def test_a_block_of_two_axes_fills_with_all_its_threads() -> None:
    declared = declared_at(own(OWN_TEXT), place(OWN_TEXT, "s[i]"), "s")
    assert declared is not None
    first, _ = changed(OWN_TEXT, filled(own(OWN_TEXT), declared, 2))
    head = "for e in thread.x + block_dim.x * thread.y..N step (block_dim.x * block_dim.y) { s[e] = 0.0 }"
    assert first == OWN_TEXT.replace("f32[N]\n  s[", f"f32[N]\n  {head}\n  barrier()\n  s[")


@pytest.mark.parametrize(
    ("axes", "first", "stride"),
    [
        (1, "threadIdx.x", "blockDim.x"),
        (2, "threadIdx.x + blockDim.x * threadIdx.y", "blockDim.x * blockDim.y"),
        (
            3,
            "threadIdx.x + blockDim.x * threadIdx.y + blockDim.x * blockDim.y * threadIdx.z",
            "blockDim.x * blockDim.y * blockDim.z",
        ),
    ],
)
def test_all_threads_of_a_block_in_cuda_fill_an_array(axes: int, first: str, stride: str) -> None:
    text = "__global__ void k(float *y) {\n  __shared__ float s[8];\n  y[0] = s[0];\n}\n"
    declared = declared_at(source(text), place(text, "s[0]"), "s")
    assert declared is not None
    (found,) = changed(text, filled(source(text), declared, axes))
    assert found.splitlines()[2] == f"  for (int i = {first}; i < 8; i += {stride}) s[i] = 0;"


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_statement_among_others_of_its_line_goes_alone(which: int) -> None:
    statements = ["a();", "b();", "c();"]
    head, tail = "__global__ void k() { if (n) { ", " } }\n"
    text = head + " ".join(statements) + tail
    left = [each for number, each in enumerate(statements) if number != which]
    edits = without(source(text), place(text, statements[which]))
    assert after(text, edits) == head + " ".join(left) + tail


def test_every_change_ends_its_lines_as_the_source_does() -> None:
    text = """__global__ void k(const float *x, float *y, int n) {
  __shared__ float s[8];
  float sum;
  if (threadIdx.x < n) {
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[0] + sum;
  }
  if (n > 3) return;
  y[n] = 1;
  __syncthreads();
  y[0] = s[1];
}
"""
    pages = text.replace("\n", "\r\n")
    found = _changes(text)
    assert [len(each) > 0 for each in found] == [True] * 6
    assert _changes(pages) == [[made.replace("\n", "\r\n") for made in each] for each in found]


def _changes(text: str) -> list[list[str]]:
    """What each kind of change makes of a kernel that is wrong in many ways."""
    made, element = source(text), place(text, "s[0]")
    declared = declared_at(made, element, "s")
    assert declared is not None
    several: list[Sequence[tuple[Edit, ...]]] = [
        [*insertions(made, place(text, "s[threadIdx.x]"), place(text, "s[1]"), "__syncthreads();")],
        [*hoists(made, place(text, "__syncthreads();"))],
        [*guards(made, place(text, "y[n]"), 0, ["n"])],
        [*guarded_instead(made, place(text, "__syncthreads();", 1))],
        [*filled(made, declared, 1)],
        [without(made, place(text, "__syncthreads();", 1))],
    ]
    return [changed(text, each) for each in several]


@pytest.mark.parametrize(
    ("text", "what", "array"),
    [
        ("kernel k(y: out f32[4]) {\n  launch block(4)\n  y[thread.x] = abs(y[0]) + 1\n}\n", "y[thread.x]", "y"),
        ("kernel k(y: out f32[4]) {\n  launch block(4)\n  y[thread.x] = abs(y[0]) + 1\n}\n", "abs(y[0]) + 1", None),
        ("kernel k(y: out f32[4]) {\n  launch block(4)\n  y[thread.x] = abs(y[0]) + 1\n}\n", "abs(y[0])", None),
        ("__global__ void k(float *y) { y[threadIdx.x] = y[0] + 1; }\n", "y[0]", "y"),
        ("__global__ void k(float *y) { y[threadIdx.x] = y[0] + 1; }\n", "y[0] + 1", None),
    ],
)
def test_an_access_names_an_array_and_its_indices(text: str, what: str, array: str | None) -> None:
    found = access_at(source(text), place(text, what))
    assert (None if found is None else found.array) == array
