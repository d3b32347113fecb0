// Layer normalisation, one block per row: mean and inverse deviation of a row, then every element of it.
#include "reductions.cuh"

#define THREADS 128
#define WARPS (THREADS / WARP)

template <typename T, int Width>
__device__ __forceinline__ T normalised(T value, T mean, T scale) {
  static_assert(Width > 0, "a row has elements");
  return (value - mean) * scale;
}

// rewright: launch grid(2), block(128); width = 300; x: in f32[2 * 300]; y: out f32[2 * 300]
__global__ void layer_norm(const float *__restrict__ x, float *__restrict__ y, int width) {
  __shared__ float partial[WARPS];
  __shared__ float mean, scale;
  const float *row = x + blockIdx.x * width;
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

  float sum = 0.0f;
  for (int i = threadIdx.x; i < width; i += THREADS) {
    sum += row[i];
  }
  sum = warp_sum(sum);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();

  if (threadIdx.x == 0) {
    float total = 0.0f;
    for (int w = 0; w < WARPS; ++w) total += partial[w];
    mean = total / width;
  }
  __syncthreads();

  float squares = 0.0f;
  for (int i = threadIdx.x; i < width; i += THREADS) {
    squares += square(row[i] - mean);
  }
  squares = warp_sum(squares);
  if (lane == 0) partial[warp] = squares;
  __syncthreads();

  if (threadIdx.x == 0) {
    float total = 0.0f;
    for (int w = 0; w < WARPS; ++w) total += partial[w];
    scale = rsqrtf(total / width + 1e-5f);
  }
  __syncthreads();

  for (int i = threadIdx.x; i < width; i += THREADS) {
    y[blockIdx.x * width + i] = normalised<float, THREADS>(row[i], mean, scale);
  }
}
