// Softmax of rows: a block or a warp for each row.
#include <cfloat>
#include <cuda_runtime.h>

__device__ float warp_max(float value) {
  for (int mask = 16; mask > 0; mask >>= 1) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, mask));
  return value;
}

__device__ float warp_sum(float value) {
  for (int mask = 16; mask > 0; mask >>= 1) value += __shfl_xor_sync(0xffffffffu, value, mask);
  return value;
}

__global__ void softmax_warp(const float *in, float *out, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float *x = in + row * columns;
  float *y = out + row * columns;
  float largest = -FLT_MAX, sum = 0.0f;
  for (int i = lane; i < columns; i += 32) largest = fmaxf(largest, x[i]);
  largest = warp_max(largest);
  for (int i = lane; i < columns; i += 32) sum += expf(x[i] - largest);
  sum = warp_sum(sum);
  for (int i = lane; i < columns; i += 32) y[i] = expf(x[i] - largest) / sum;
}

__global__ void softmax_block(const float *in, float *out, int columns) {
  extern __shared__ float shared[];
  int tid = threadIdx.x, row = blockIdx.x;
  const float *x = in + row * columns;
  float largest = -FLT_MAX;
  for (int i = tid; i < columns; i += blockDim.x) largest = fmaxf(largest, x[i]);
  shared[tid] = largest;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
    if (tid < stride) shared[tid] = fmaxf(shared[tid], shared[tid + stride]);
    __syncthreads();
  }
  largest = shared[0];
  __syncthreads();
  float sum = 0.0f;
  for (int i = tid; i < columns; i += blockDim.x) sum += expf(x[i] - largest);
  shared[tid] = sum;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
    if (tid < stride) shared[tid] += shared[tid + stride];
    __syncthreads();
  }
  sum = shared[0];
  for (int i = tid; i < columns; i += blockDim.x) out[row * columns + i] = expf(x[i] - largest) / sum;
}

void run(const float *in, float *out) {
  const int rows = 16, columns = 512, block = 128;
  softmax_warp<<<rows / 4, block>>>(in, out, rows, columns);
  softmax_block<<<rows, block, block * sizeof(float)>>>(in, out, columns);
}
