"""Built-in functions: kernels that assert what each gives, run by two warps; and what is refused, at its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from cuda_documents import documented, ran, shown

from rewright.frontends.cuda.intrinsics import FUNCTIONS
from rewright.frontends.cuda.launches.outline import outline
from rewright.model.simt.instructions import Fence
from rewright.model.simt.violation import CollisionScope, FailedAssertion, InactiveLane, Uninitialised

CASES = (Path(__file__).parent / "intrinsics.cu").read_text(encoding="utf-8")
NAMES = [kernel.name for kernel in outline("k.cu", {"k.cu": CASES}).kernels]
CONTENTS: dict[str, tuple[int | float, ...]] = {"table": tuple(range(64)), "out": (0,) * 64}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_asserted_holds(name: str) -> None:
    outcome = ran(CASES, CONTENTS, name)
    assert outcome.undecided is None
    assert outcome.violations == ()


@pytest.mark.parametrize("name", ["votes", "bits_of_floats", "tiles"])
def test_an_assertion_can_fail(name: str) -> None:
    head, found, tail = CASES.partition(f"void {name}(")
    outcome = ran(head + found + tail.replace("==", "!=", 1), CONTENTS, name)
    assert any(isinstance(violation, FailedAssertion) for violation in outcome.violations)


def _document(body: str) -> str:
    return (
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        "// rewright: launch block(64); table: in s32[64]; out: inout s32[64]\n"
        f"__global__ void k(const int *table, int *out) {{ int t = threadIdx.x;\n{body}\n}}\n"
    )


def test_shuffle_from_a_thread_that_is_not_there_is_found() -> None:
    outcome = ran(_document("if (t < 8) out[t] = __shfl_down_sync(0xff, t, 4);"), CONTENTS, "k")
    assert {type(violation) for violation in outcome.violations} == {InactiveLane}


def test_part_of_a_tile_that_nothing_was_written_to_is_found() -> None:
    outcome = ran(CASES.replace("i += 64) a[i]", "i += 64) if (i % 16) a[i]"), CONTENTS, "tensor_cores")
    assert {type(violation) for violation in outcome.violations} == {Uninitialised}


@pytest.mark.parametrize(
    ("between", "scopes"), [("", {CollisionScope.WARP}), ("__syncwarp();", set())], ids=["none", "barrier"]
)
def test_tile_that_lanes_have_just_written_needs_a_barrier_of_the_warp(
    between: str, scopes: set[CollisionScope]
) -> None:
    outcome = ran(
        _document(
            "__shared__ half s[512]; wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;\n"
            "half *own = s + t / 32 * 256; for (int i = t % 32; i < 256; i += 32) own[i] = i;\n"
            f"{between} wmma::load_matrix_sync(a, own, 16);"
        ),
        CONTENTS,
        "k",
    )
    assert {race.scope for race in outcome.races.certain()} == scopes


def test_fences_are_reported() -> None:
    program = documented(_document("__threadfence(); __threadfence_system();"), "k").program
    assert program is not None
    assert sum(isinstance(instruction, Fence) for instruction in program.code) == 2


REFUSED = {
    "grid barrier": (
        "cg::this_grid().sync();",
        "a barrier of the whole grid is not supported yet",
        "cg::this_grid().sync()",
    ),
    "large tile": ("auto w = cg::tiled_partition<64>(cg::this_thread_block());", "a tile of more threads", "cg::"),
    "unknown": ("__vadd4(1, t);", "`__vadd4` is not known here", "__vadd4"),
    "part of a warp": ("__match_any_sync(0xf, t);", "`__match_any_sync` for a part of a warp", "0xf"),
    "too few": (
        "out[t] = __shfl_sync(~0u, t);",
        "`__shfl_sync` takes 3 to 4 arguments, 2 given",
        "__shfl_sync(~0u, t)",
    ),
    "no pointer": ("atomicAdd(t, 1);", "expected a pointer", "t"),
    "no fragment": ("wmma::fill_fragment(t, 0);", "expected a fragment", "t"),
    "no such fragment": (
        "wmma::fragment<wmma::matrix_a, 4, 4, 4, half, wmma::row_major> f;",
        "a fragment of this shape",
        "",
    ),
}


@pytest.mark.parametrize(("body", "reason", "at"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_read_is_refused_at_its_place(body: str, reason: str, at: str) -> None:
    document = _document(body)
    lowered = documented(document, "k")
    assert lowered.program is None
    assert lowered.problems[0].reason.startswith(reason)
    assert shown(document, lowered.problems[0].place).startswith(at)


def test_names_are_there_for_all_types() -> None:
    for name in ("expf", "__expf", "exp", "fmaf", "__fmaf_rn", "__dadd_rn", "hexp", "h2exp", "__ull2double_rn"):
        assert name in FUNCTIONS
