// Sums: a tree in shared memory, shuffles within warps, and a kernel for what the blocks leave.
#include <cuda_runtime.h>

template <unsigned int BLOCK>
__global__ void reduce_tree(const float *in, float *out, unsigned int n) {
  __shared__ float partial[BLOCK];
  unsigned int tid = threadIdx.x, i = blockIdx.x * (BLOCK * 2) + tid;
  float sum = i < n ? in[i] : 0.0f;
  if (i + BLOCK < n) sum += in[i + BLOCK];
  partial[tid] = sum;
  __syncthreads();
  for (unsigned int s = BLOCK / 2; s > 0; s >>= 1) {
    if (tid < s) partial[tid] += partial[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = partial[0];
}

__inline__ __device__ float warp_sum(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

__inline__ __device__ float block_sum(float value) {
  static __shared__ float shared[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_sum(value);
  if (lane == 0) shared[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? shared[lane] : 0.0f;
  if (warp == 0) value = warp_sum(value);
  return value;
}

__global__ void reduce_shuffles(const float *in, float *out, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void dot(const float *a, const float *b, float *result, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += a[i] * b[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

void run(const float *in, float *partial, float *out) {
  const int n = 8192;
  reduce_tree<256><<<n / 512, 256>>>(in, partial, n);
  reduce_shuffles<<<8, 256>>>(in, partial, n);
  reduce_shuffles<<<1, 32>>>(partial, out, 8);
  dot<<<8, 128>>>(in, in, out, n);
}
