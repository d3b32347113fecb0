// Layer norm and RMS norm of rows, a block for each.
#include <cuda_runtime.h>

template <int WARPS>
__device__ float2 block_sums(float first, float second) {
  __shared__ float2 partial[WARPS];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int offset = 16; offset; offset >>= 1) {
    first += __shfl_xor_sync(~0u, first, offset);
    second += __shfl_xor_sync(~0u, second, offset);
  }
  if (lane == 0) partial[warp] = make_float2(first, second);
  __syncthreads();
  float2 sums = make_float2(0.0f, 0.0f);
  for (int i = 0; i < WARPS; ++i) {
    sums.x += partial[i].x;
    sums.y += partial[i].y;
  }
  return sums;
}

template <int WARPS>
__global__ void __launch_bounds__(WARPS * 32)
    layer_norm(const float *x, const float *gamma, const float *beta, float *y, int columns, float epsilon) {
  const float *row = x + blockIdx.x * columns;
  float sum = 0.0f, squares = 0.0f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    float value = row[i];
    sum += value;
    squares += value * value;
  }
  float2 sums = block_sums<WARPS>(sum, squares);
  float mean = sums.x / columns, scale = rsqrtf(sums.y / columns - mean * mean + epsilon);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    y[blockIdx.x * columns + i] = (row[i] - mean) * scale * gamma[i] + beta[i];
}

__global__ void rms_norm(const float4 *x, const float4 *weight, float4 *y, int vectors) {
  __shared__ float scale;
  float squares = 0.0f;
  for (int i = threadIdx.x; i < vectors; i += blockDim.x) {
    float4 v = x[blockIdx.x * vectors + i];
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  float2 sums = block_sums<4>(squares, 0.0f);
  if (threadIdx.x == 0) scale = rsqrtf(sums.x / (4 * vectors) + 1e-6f);
  __syncthreads();
  for (int i = threadIdx.x; i < vectors; i += blockDim.x) {
    float4 v = x[blockIdx.x * vectors + i], w = weight[i];
    y[blockIdx.x * vectors + i] =
        make_float4(v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w);
  }
}

void run(const float *x, const float *gamma, const float *beta, float *y) {
  const int rows = 8, columns = 1024;
  layer_norm<8><<<rows, 256>>>(x, gamma, beta, y, columns, 1e-5f);
  rms_norm<<<rows, 128>>>((const float4 *)x, (const float4 *)gamma, (float4 *)y, columns / 4);
}
