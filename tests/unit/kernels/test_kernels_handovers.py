"""Data handed over by a fence and an atomic flag: unknown, never a race; other races of such kernels are told."""

from __future__ import annotations

import pytest
from kernel_texts import Asked, ask

from rewright.kernels.launches.search import FENCES
from rewright.verdict import Verdict

SOURCE = """__global__ void entry(TYPE int *data, int *flag, int *count) {
  __shared__ int near[2];
  int t = threadIdx.x, seen = 0;
  STATEMENTS
}
"""
DECLARED = (
    'kernel k(data: inout s32[64], flag: inout s32[64], count: inout s32[64]) from "a.cu"::entry { launch LAUNCH }'
)


def asked(statements: str, launch: str = "block(33)", kind: str = "") -> Asked:
    source = SOURCE.replace("TYPE", kind).replace("STATEMENTS", statements)
    return ask(DECLARED.replace("LAUNCH", launch), a_cu=source)


def is_unknown(found: Asked) -> bool:
    return found.verdict is Verdict.UNKNOWN and found.answer.reason == FENCES


GIVE = "if (t == 0) { data[0] = 1; FENCE; SET; }"
TAKE = " else if (t == 32) { WAIT; seen = data[0]; flag[9] = seen; }"

SETS = ("atomicExch(flag, 1)", "atomicAdd(flag, 1)", "atomicOr(flag, 1)", "atomicCAS(flag, 0, 1)", "atomicMax(flag, 3)")
WAITS = (
    "while (atomicExch(flag, 0) == 0) {}",
    "while (atomicAdd(flag, 0) == 0) ;",
    "while (atomicCAS(flag, 5, 5) == 0) ;",
    "do { seen = atomicAnd(flag, ~0); } while (!seen)",
    "if (atomicOr(flag, 0) == 0) return",
    "while (atomicExch(flag, 0) == 0) {} __threadfence()",
)


@pytest.mark.parametrize("wait", WAITS)
@pytest.mark.parametrize("kind", ["", "volatile"])
def test_data_that_is_taken_over_by_any_atomic_is_unknown(wait: str, kind: str) -> None:
    text = (GIVE + TAKE).replace("FENCE", "__threadfence()").replace("SET", SETS[0]).replace("WAIT", wait)
    assert is_unknown(asked(text, kind=kind))


@pytest.mark.parametrize("flag", SETS)
@pytest.mark.parametrize("fence", ["__threadfence()", "__threadfence_block()", "__threadfence_system()"])
def test_data_that_is_handed_over_by_any_fence_and_atomic_is_unknown(fence: str, flag: str) -> None:
    text = (GIVE + TAKE).replace("FENCE", fence).replace("SET", flag).replace("WAIT", WAITS[1])
    assert is_unknown(asked(text))


def test_data_may_be_handed_over_to_another_block() -> None:
    text = (GIVE + TAKE).replace("FENCE", "__threadfence()").replace("SET", SETS[0])
    text = text.replace("t == 0", "blockIdx.x == 0").replace("t == 32", "blockIdx.x == 1")
    for wait in ("atomicExch(flag, 0)", "if (atomicExch(flag, 0) == 9) return"):
        assert asked(text.replace("WAIT", wait), "grid(2), block(1)").verdict is Verdict.UNKNOWN


def test_a_lane_hands_over_for_its_warp() -> None:
    text = """if (t < 32) { data[t] = t; __syncwarp(); if (t == 0) { __threadfence(); atomicExch(flag, 1); } }
    else { if (t == 32) while (atomicAdd(flag, 0) == 0) ; __syncwarp(); flag[t - 31] = data[t - 32]; }"""
    assert is_unknown(asked(text, "block(64)"))


def test_a_thread_hands_over_for_its_block() -> None:
    text = """data[t] = t; if (blockIdx.x) { return; } __threadfence(); __syncthreads();
    if (t == 0) atomicAdd(flag, 1);"""
    assert asked(text, "grid(2), block(4)").verdict is Verdict.CHECKED
    text = """if (blockIdx.x == 0) { data[t] = t; __syncthreads();
      if (t == 0) { __threadfence(); atomicAdd(flag, 1); } }
    else { if (t == 0) near[0] = atomicAdd(flag, 0); __syncthreads(); if (near[0] < 9) count[t] = data[t]; }"""
    assert asked(text, "grid(2), block(4)").verdict is Verdict.UNKNOWN


RACES = {
    "no fence": (GIVE + TAKE).replace("FENCE; ", "").replace("SET", SETS[0]).replace("WAIT", WAITS[1]),
    "the fence stands behind the flag": "if (t == 0) { data[0] = 1; atomicExch(flag, 1); __threadfence(); }"
    + TAKE.replace("WAIT", WAITS[1]),
    "the flag is set before the data": "if (t == 0) { atomicExch(flag, 1); data[0] = 1; __threadfence(); }"
    + TAKE.replace("WAIT", WAITS[1]),
    "nobody asks for the flag": (GIVE + TAKE)
    .replace("FENCE", "__threadfence()")
    .replace("SET", SETS[0])
    # a race between the write and a read that takes nothing over
    .replace("WAIT", "seen = 0"),
    "other data": "if (t == 32) data[5] = 1; if (t < 2) data[5] = t; __threadfence(); if (t == 0) atomicAdd(count, 1);",
    "in an earlier interval": "data[t / 2] = t; __syncthreads(); __threadfence(); atomicAdd(flag, 1);",
}


@pytest.mark.parametrize("name", RACES)
def test_races_that_no_hand_over_orders_are_reported(name: str) -> None:
    found = asked(RACES[name])
    assert found.verdict is Verdict.REFUTED
    assert found.codes[0] in ("RW301", "RW309")


def test_what_was_taken_over_from_a_warp_that_left_then_stays_taken_over() -> None:
    text = """if (t == 0) { data[0] = 1; __threadfence(); atomicExch(flag, 1); }
    if (t < 32) return;
    if (t == 32) { while (atomicAdd(flag, 0) == 0) ; __threadfence(); }
    __syncthreads();
    if (t == 33) count[0] = data[0];"""
    assert is_unknown(asked(text, "block(64)"))
    assert asked(text.replace("__threadfence(); atomicExch", "atomicExch"), "block(64)").codes[0] == "RW301"
