"""What findings of kernels say, where the plain sentence would puzzle."""

from __future__ import annotations

import pytest
from kernel_texts import Asked, cuda

from rewright.report.codes import sentence


def said(asked: Asked) -> list[str]:
    return [sentence(each.diagnosis) for each in asked.answer.findings]


def test_a_lane_outside_the_mask_that_it_names() -> None:
    asked = cuda("if (threadIdx.x < 3) __syncwarp(3);", "block(32)")
    assert said(asked) == [
        "deadlock: thread 2 waits here with the mask 0x3, which does not name it (barrier interval 0)"
    ]
    assert [each.related for each in asked.answer.findings] == [()]


def test_a_lane_that_waits_elsewhere() -> None:
    asked = cuda("if (threadIdx.x == 0) __syncwarp(3); __syncthreads();", "block(32)")
    assert said(asked)[0] == (
        "deadlock: thread 0 waits here for the threads in the mask 0x3, but thread 1 waits elsewhere, or for other"
        " threads (barrier interval 0)"
    )


@pytest.mark.parametrize("byte", [1, 2, 31])
def test_what_is_not_aligned_is_not_called_outside(byte: int) -> None:
    asked = cuda(f"*(int *)((char *)y + {byte}) = 42;", "block(1)")
    at = f"y[{byte // 4}]"
    assert said(asked) == [
        f"misaligned: thread 0 writes 4 bytes at `{at}`, byte {byte} of the array, not a multiple of 4"
    ]


def test_bytes_of_a_vector_after_the_end() -> None:
    wide = cuda("__shared__ float t[6]; reinterpret_cast<float4 *>(t)[1] = make_float4(0, 0, 0, 0);", "block(1)")
    assert said(wide) == [
        "out of bounds: thread 0 writes 16 bytes at `t[4]`, from byte 16 on; the array ends at byte 24"
    ]
