// Bitonic sort: within a block in shared memory, and one step over all of global memory.
__device__ void exchange(unsigned int &a, unsigned int &b, bool up) {
  if ((a > b) == up) {
    unsigned int kept = a;
    a = b;
    b = kept;
  }
}

__global__ void bitonic_block(unsigned int *data) {
  __shared__ unsigned int part[512];
  unsigned int base = blockIdx.x * 512, tid = threadIdx.x;
  part[tid] = data[base + tid];
  part[tid + 256] = data[base + tid + 256];
  for (unsigned int size = 2; size <= 512; size <<= 1)
    for (unsigned int stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned int at = 2 * tid - (tid & (stride - 1));
      exchange(part[at], part[at + stride], (tid & (size / 2)) == 0);
    }
  __syncthreads();
  data[base + tid] = part[tid];
  data[base + tid + 256] = part[tid + 256];
}

__global__ void bitonic_step(unsigned int *data, unsigned int j, unsigned int k) {
  unsigned int i = threadIdx.x + blockDim.x * blockIdx.x, other = i ^ j;
  if (other > i) exchange(data[i], data[other], (i & k) == 0);
}

void run(unsigned int *data) {
  bitonic_block<<<4, 256>>>(data);
  bitonic_step<<<8, 256>>>(data, 4, 16);
}
