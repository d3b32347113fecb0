// The sum of a block's elements as a tree: in each step the lower half adds what the upper half holds.
// Try it: delete either __syncthreads() and save.

#define THREADS 256

__global__ void reduce(const float *values, float *sums, int count) {
  __shared__ float partial[THREADS];
  unsigned int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  partial[t] = i < count ? values[i] : 0.0f;
  __syncthreads();

  for (unsigned int half = blockDim.x / 2; half > 0; half >>= 1) {
    if (t < half) {
      partial[t] += partial[t + half];
    }
    __syncthreads();
  }

  if (t == 0) {
    sums[blockIdx.x] = partial[0];
  }
}
