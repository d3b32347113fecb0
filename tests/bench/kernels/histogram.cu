// Histograms: atomics on global memory, and a histogram of each block in shared memory.
#include <cuda_runtime.h>

constexpr int BINS = 256;

__global__ void histogram_global(const unsigned char *data, unsigned int *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i]], 1u);
}

__global__ void histogram_shared(const unsigned char *data, unsigned int *bins, int n) {
  __shared__ unsigned int own[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&own[data[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x)
    if (own[i]) atomicAdd(&bins[i], own[i]);
}

int main() {
  const int n = 4096;
  unsigned char *data;
  unsigned int *bins;
  cudaMalloc((void **)&data, n);
  cudaMalloc((void **)&bins, BINS * sizeof(unsigned int));
  cudaMemset(bins, 0, BINS * sizeof(unsigned int));
  histogram_global<<<(n + 255) / 256, 256>>>(data, bins, n);
  histogram_shared<<<4, 128>>>(data, bins, n);
}
