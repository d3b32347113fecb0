"""The texts that the stories are told on: a rule, a kernel in CUDA and the declaration that names it, and slow work."""

from __future__ import annotations

RULE = """\
/// A dynamic slice whose start is known to be in range is a slice.
rule dynamic_slice_to_slice<T: any> {
  axes A
  map n, start, length, limit on A
  tensor X: T[A: n]

  dynamic_slice(X, start, length) => slice(X, start, limit)

  where 0 <= start, limit == start + length, limit <= n
}
"""
RIGHT = "=> slice(X, start, limit)"
WRONG = "=> slice(X, start + 1, limit + 1)"
PROVED = "✓ all ranks and sizes over any"

OTHER = """\
rule twice_reversed<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]

  reverse(reverse(X, A), A) => X
}
"""

CUDA = """\
__global__ void shift(const float* x, float* y) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = tile[63 - threadIdx.x];
}
"""
BARRIER = "  __syncthreads();\n"

KERNEL = """\
kernel shift(x: in f32[64], y: out f32[64]) from "shift.cu"::shift {
  launch block(64)
}
"""


def slow(name: str) -> str:
    """A kernel that takes many seconds to check, another one for each length of the name."""
    return f"""\
@budget(100)
kernel {name}(x: inout s32[64]) {{
  launch block(64)
  for i in 0..{4000000 + len(name)} {{ let next = i + 1 }}
}}
"""
