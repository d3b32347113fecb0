// What the kernels beside it share.
#pragma once

#define WARP 32
#define FULL_MASK 0xffffffffu

template <typename T>
__device__ __forceinline__ T square(T value) {
  return value * value;
}

template <typename T>
__device__ __forceinline__ T warp_sum(T value) {
#pragma unroll
  for (int offset = WARP / 2; offset > 0; offset /= 2) {
    value += __shfl_down_sync(FULL_MASK, value, offset);
  }
  return value;
}
