// Prefix sums: of a block in two buffers, by a tree up and down, by shuffles, and the sums of blocks added.
#include <cuda_runtime.h>

__global__ void scan_buffers(const int *in, int *out, int n) {
  extern __shared__ int buffers[];
  int tid = threadIdx.x, now = 0, before = 1;
  buffers[tid] = tid > 0 ? in[tid - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    now = 1 - now;
    before = 1 - now;
    buffers[now * n + tid] = buffers[before * n + tid] + (tid >= offset ? buffers[before * n + tid - offset] : 0);
    __syncthreads();
  }
  out[tid] = buffers[now * n + tid];
}

__global__ void scan_tree(const int *in, int *out, int *sums, int n) {
  extern __shared__ int tree[];
  int tid = threadIdx.x, offset = 1, base = blockIdx.x * n;
  tree[2 * tid] = in[base + 2 * tid];
  tree[2 * tid + 1] = in[base + 2 * tid + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (tid < d) tree[offset * (2 * tid + 2) - 1] += tree[offset * (2 * tid + 1) - 1];
    offset *= 2;
  }
  if (tid == 0) {
    sums[blockIdx.x] = tree[n - 1];
    tree[n - 1] = 0;
  }
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (tid < d) {
      int left = offset * (2 * tid + 1) - 1, right = offset * (2 * tid + 2) - 1, value = tree[left];
      tree[left] = tree[right];
      tree[right] += value;
    }
  }
  __syncthreads();
  out[base + 2 * tid] = tree[2 * tid];
  out[base + 2 * tid + 1] = tree[2 * tid + 1];
}

__global__ void scan_warps(const int *in, int *out) {
  __shared__ int sums[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, value = in[threadIdx.x];
  for (int offset = 1; offset < 32; offset *= 2) {
    int other = __shfl_up_sync(0xffffffff, value, offset);
    if (lane >= offset) value += other;
  }
  if (lane == 31) sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    int sum = lane < blockDim.x / 32 ? sums[lane] : 0;
    for (int offset = 1; offset < 32; offset *= 2) {
      int other = __shfl_up_sync(0xffffffff, sum, offset);
      if (lane >= offset) sum += other;
    }
    sums[lane] = sum;
  }
  __syncthreads();
  out[threadIdx.x] = value + (warp > 0 ? sums[warp - 1] : 0);
}

__global__ void add_sums(int *out, const int *sums, int n) {
  out[blockIdx.x * n + threadIdx.x] += sums[blockIdx.x];
}

void run(const int *in, int *out, int *sums) {
  scan_buffers<<<1, 256, 2 * 256 * sizeof(int)>>>(in, out, 256);
  scan_tree<<<4, 128, 256 * sizeof(int)>>>(in, out, sums, 256);
  scan_warps<<<1, 512>>>(in, out);
  add_sums<<<4, 256>>>(out, sums, 256);
}
