// Kernels with mistakes: a barrier is missing, a bound is missing, a barrier in a branch.
__global__ void reduce_without_barrier(const float *in, float *out) {
  __shared__ float partial[256];
  partial[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1)
    if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

__global__ void shift_past_the_end(int *x) {
  __shared__ int part[128];
  part[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = part[threadIdx.x + 1];
}

__global__ void barrier_in_a_branch(int *x) {
  if (threadIdx.x < 100) {
    x[threadIdx.x] = 1;
    __syncthreads();
  }
}

void run(const float *in, float *out, int *x) {
  reduce_without_barrier<<<4, 256>>>(in, out);
  shift_past_the_end<<<1, 128>>>(x);
  barrier_in_a_branch<<<1, 128>>>(x);
}
