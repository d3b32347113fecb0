"""The texts that stories of CUDA documents are told on."""

from __future__ import annotations

from pathlib import Path

HEADER = """\
#pragma once
#define WARP 32

template <typename T>
__device__ T warp_sum(T value) {
  for (int offset = WARP / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}
"""

SUMS = """\
#include "warps.cuh"
#define WARPS (128 / WARP)

// rewright: launch block(128); n = 300
__global__ void sums(const float *x, float *y, int n) {
  __shared__ float partial[WARPS];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i];
  sum = warp_sum(sum);
  if (threadIdx.x % WARP == 0) partial[threadIdx.x / WARP] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0.0f;
    for (int w = 0; w < WARPS; ++w) total += partial[w];
    y[0] = total;
  }
}

__global__ void twice(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i];
}
"""
BARRIER = "  __syncthreads();\n"
WRITTEN = "partial[threadIdx.x / WARP] = sum"
READ = "partial[w]"
NAME = "void sums"
OTHER = "void twice"


def written(folder: Path) -> Path:
    """The source with its header, on disk."""
    (folder / "warps.cuh").write_text(HEADER)
    (folder / "sums.cu").write_text(SUMS)
    return folder / "sums.cu"
