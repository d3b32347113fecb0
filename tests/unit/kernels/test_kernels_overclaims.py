"""What must not come out as checked: nothing that was left out, cut short or tried with too few inputs counts."""

from __future__ import annotations

import pytest
from kernel_texts import ask

from rewright.verdict import Verdict

CHOSEN = """__global__ void entry(const int *a, const int *b, int *y) {
  const int *p = threadIdx.x < 4 ? a : b;
  if (p[threadIdx.x] >= -2000000000) { y[0] = threadIdx.x; }
}
"""
DECLARED = 'kernel k(a: in s32[8], b: in s32[8], y: out s32[8]) from "a.cu"::entry { launch block(8) }'


@pytest.mark.parametrize("pointer", ["threadIdx.x < 4 ? a : b", "a"])
def test_what_is_read_from_two_arrays_at_once_is_not_undefined(pointer: str) -> None:
    asked = ask(DECLARED, a_cu=CHOSEN.replace("threadIdx.x < 4 ? a : b", pointer))
    assert asked.codes == ["RW301"]


def test_what_an_atomic_gets_from_two_arrays_at_once_is_not_undefined() -> None:
    source = CHOSEN.replace("const int *", "int *").replace("p[threadIdx.x]", "atomicAdd(&p[threadIdx.x], 1)")
    asked = ask(DECLARED.replace("in s32", "inout s32"), a_cu=source)
    assert asked.codes == ["RW301"]
