"""Threads that leave early: a barrier that whole warps skip so opens for the others, and says so."""

from __future__ import annotations

import pytest
from kernel_texts import Asked, ask

from rewright.verdict import Severity, Verdict
from rewright.verdict.diagnostics.kernels import BarrierAfterExit, BarrierDivergence, DataRace, Whereabouts

OWN = """kernel k(x: in s32[128], y: out s32[128], n: s32 = 40) {
  launch block(%s)
  shared s: s32[128]
  let t = thread.x
  %s
}
"""
CUDA = """__global__ void entry(const int *x, int *y, int n) {
  __shared__ int s[128];
  int t = threadIdx.x;
  %s
}
"""
DECLARED = 'kernel k(x: in s32[128], y: out s32[128], n: s32 = 40) from "a.cu"::entry { launch block(%s) }'


def own(body: str, block: str = "128") -> Asked:
    return ask(OWN % (block, body))


def cuda(body: str, block: str = "128") -> Asked:
    return ask(DECLARED % block, a_cu=CUDA % body)


def both(body: str, block: str = "128") -> list[Asked]:
    """The same kernel in both languages; `return;` is all that differs."""
    return [cuda(body, block), own(_own(body), block)]


def _own(body: str) -> str:
    for one, other in (("__syncthreads();", "barrier();"), ("if (", "if "), (") {", " {"), ("}", "}\n"), (";", "\n")):
        body = body.replace(one, other)
    return body


LEAVING = "if (t >= 64) { return; } s[t] = x[t]; __syncthreads(); y[t] = s[63 - t];"


def test_a_barrier_that_whole_warps_skip_by_leaving_is_a_warning_and_the_kernel_is_checked() -> None:
    for asked in both(LEAVING):
        (reported,) = asked.reported
        assert (asked.verdict, reported.code) == (Verdict.CHECKED, "RW315")
        assert asked.answer.findings[0].severity is Severity.WARNING
        assert reported.at.startswith(("__syncthreads", "barrier")) and reported.related[0].startswith("return")
        early = reported.says(BarrierAfterExit)
        assert (early.who.thread, early.other.thread) == ((0,), (64,))


@pytest.mark.parametrize("left", [16, 48, 127])
def test_part_of_a_warp_that_leaves_is_a_divergence(left: int) -> None:
    for asked in both(LEAVING.replace("64", str(left)).replace("63", str(left - 1))):
        assert (asked.verdict, asked.codes[0]) == (Verdict.REFUTED, "RW303")
        assert asked.reported[0].says(BarrierDivergence).whereabouts is Whereabouts.LEFT
        assert asked.reported[0].related[0].startswith("return")


def test_a_warp_that_is_not_full_leaves_as_a_whole() -> None:
    for asked in both(LEAVING, "72"):
        assert (asked.verdict, asked.codes) == (Verdict.CHECKED, ["RW315"])


@pytest.mark.parametrize("bound", [16, 32])
def test_threads_that_went_another_way_have_not_left(bound: int) -> None:
    for asked in both(f"if (t < {bound}) {{ __syncthreads(); }} y[t] = t;", "64"):
        assert (asked.verdict, asked.codes) == (Verdict.REFUTED, ["RW303"])
        assert asked.reported[0].says(BarrierDivergence).whereabouts is Whereabouts.PASSES_BY
        assert asked.reported[0].related == ()


def test_a_return_after_the_barrier_does_not_skip_it() -> None:
    asked = cuda("if (t < 32) { __syncthreads(); } if (n > 3) return; y[t] = t;", "64")
    assert asked.reported[0].says(BarrierDivergence).whereabouts is Whereabouts.PASSES_BY


def test_a_return_in_the_loop_of_the_barrier_skips_its_later_passes() -> None:
    asked = cuda("for (int i = 0; i < 3; i++) { __syncthreads(); if (t >= 32) return; } y[t] = t;", "64")
    assert (asked.verdict, asked.codes) == (Verdict.CHECKED, ["RW315"])


def test_warps_leave_one_after_the_other() -> None:
    body = "for (int i = 0; i < 4; i++) { if (t >= 128 - 32 * i) return; s[t] = i; __syncthreads(); } y[t] = t;"
    assert [code for code in cuda(body).codes if code != "RW311"] == ["RW315"]


def test_the_last_to_leave_opens_the_barrier() -> None:
    body = "if (t >= 96) { return; } if (t >= 64) { y[t] = t; return; } __syncthreads(); y[t] = t;"
    for asked in both(body):
        assert (asked.verdict, asked.codes) == (Verdict.CHECKED, ["RW315"])


def test_what_was_done_before_leaving_is_ordered_with_nothing() -> None:
    body = "s[t] = x[t]; if (t >= 64) { return; } __syncthreads(); y[t] = s[t + 64];"
    for asked in both(body):
        assert (asked.verdict, asked.codes[0]) == (Verdict.REFUTED, "RW301")
        assert asked.reported[0].says(DataRace).collision.element.address == (64,)
    for asked in both("s[t] = x[t]; __syncthreads(); if (t >= 64) { return; } __syncthreads(); y[t] = s[t + 64];"):
        assert (asked.verdict, asked.codes) == (Verdict.CHECKED, ["RW315"])


def test_what_a_warp_did_among_itself_before_it_left_is_ordered_as_it_was() -> None:
    body = "s[t] = t; __syncwarp(); int v = s[t ^ 1]; if (t >= 32) return; __syncthreads(); y[t] = v + s[t];"
    asked = cuda(body, "64")
    assert (asked.verdict, asked.codes) == (Verdict.CHECKED, ["RW315"])


def test_votes_at_the_barrier_are_those_of_the_threads_that_remain() -> None:
    body = (
        "if (t >= 32) return; int all = __syncthreads_and(t < 32), n = __syncthreads_count(1); y[t * all + n - 32] = 1;"
    )
    asked = cuda(body + " assert(all == 1 && n == 32);", "64")
    assert (asked.verdict, set(asked.codes)) == (Verdict.CHECKED, {"RW315"})
