// Seven ways to add up an array, each faster than the one before, in the manner of the well-known tutorial: a block adds
// up its part in shared memory and writes one sum. The last three stop synchronising once one warp is left, as was
// usual when the threads of a warp ran in lock step; since they need not any more, that is a race. Beside each of the
// three stands the same with `__syncwarp()`, and the ladder ends with shuffles.

#define FULL_WARP 0xffffffffu

// 1. Neighbours first; `%` keeps ever fewer threads of each warp busy.
__global__ void reduce_modulo(const float *input, float *sums) {
    extern __shared__ float part[];
    unsigned int tid = threadIdx.x;
    part[tid] = input[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned int step = 1; step < blockDim.x; step *= 2) {
        if (tid % (2 * step) == 0) part[tid] += part[tid + step];
        __syncthreads();
    }
    if (tid == 0) sums[blockIdx.x] = part[0];
}

// 2. Neighbours first; the busy threads stand together.
__global__ void reduce_strided(const float *input, float *sums) {
    extern __shared__ float part[];
    unsigned int tid = threadIdx.x;
    part[tid] = input[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned int step = 1; step < blockDim.x; step *= 2) {
        unsigned int index = 2 * step * tid;
        if (index < blockDim.x) part[index] += part[index + step];
        __syncthreads();
    }
    if (tid == 0) sums[blockIdx.x] = part[0];
}

// 3. Halves first: neither divergence nor bank conflicts.
__global__ void reduce_halves(const float *input, float *sums) {
    extern __shared__ float part[];
    unsigned int tid = threadIdx.x;
    part[tid] = input[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned int step = blockDim.x / 2; step > 0; step >>= 1) {
        if (tid < step) part[tid] += part[tid + step];
        __syncthreads();
    }
    if (tid == 0) sums[blockIdx.x] = part[0];
}

// 3, with the barrier of the loop forgotten.
__global__ void reduce_halves_unsynchronised(const float *input, float *sums) {
    extern __shared__ float part[];
    unsigned int tid = threadIdx.x;
    part[tid] = input[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned int step = blockDim.x / 2; step > 0; step >>= 1) {
        if (tid < step) part[tid] += part[tid + step];  // expect RW301
    }
    if (tid == 0) sums[blockIdx.x] = part[0];
}

// 4. Each thread adds two elements while it loads them.
__global__ void reduce_first_add(const float *input, float *sums) {
    extern __shared__ float part[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + tid;
    part[tid] = input[i] + input[i + blockDim.x];
    __syncthreads();
    for (unsigned int step = blockDim.x / 2; step > 0; step >>= 1) {
        if (tid < step) part[tid] += part[tid + step];
        __syncthreads();
    }
    if (tid == 0) sums[blockIdx.x] = part[0];
}

// 4, each thread adding two elements, with a grid made for one element each.
__global__ void reduce_first_add_beyond(const float *input, float *sums) {
    extern __shared__ float part[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + tid;
    part[tid] = input[i] + input[i + blockDim.x];  // expect RW304
    __syncthreads();
    for (unsigned int step = blockDim.x / 2; step > 0; step >>= 1) {
        if (tid < step) part[tid] += part[tid + step];
        __syncthreads();
    }
    if (tid == 0) sums[blockIdx.x] = part[0];
}

// 5. No barriers for the last warp.
__device__ void last_warp(volatile float *part, unsigned int tid) {
    part[tid] += part[tid + 32];  // expect RW309 in reduce_last_warp
    part[tid] += part[tid + 16];  // expect RW309 in reduce_last_warp
    part[tid] += part[tid + 8];  // expect RW309 in reduce_last_warp
    part[tid] += part[tid + 4];  // expect RW309 in reduce_last_warp
    part[tid] += part[tid + 2];  // expect RW309 in reduce_last_warp
    part[tid] += part[tid + 1];  // expect RW309 in reduce_last_warp
}

__global__ void reduce_last_warp(const float *input, float *sums) {
    extern __shared__ float part[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + tid;
    part[tid] = input[i] + input[i + blockDim.x];
    __syncthreads();
    for (unsigned int step = blockDim.x / 2; step > 32; step >>= 1) {
        if (tid < step) part[tid] += part[tid + step];
        __syncthreads();
    }
    if (tid < 32) last_warp(part, tid);
    if (tid == 0) sums[blockIdx.x] = part[0];
}

// 5, with what a warp needs: the read of each step before, its write behind a barrier of the warp.
__device__ void last_warp_synchronised(float *part, unsigned int tid) {
    float sum = part[tid];
    for (unsigned int step = 32; step > 0; step >>= 1) {
        sum += part[tid + step];
        __syncwarp();
        part[tid] = sum;
        __syncwarp();
    }
}

__global__ void reduce_last_warp_synchronised(const float *input, float *sums) {
    extern __shared__ float part[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + tid;
    part[tid] = input[i] + input[i + blockDim.x];
    __syncthreads();
    for (unsigned int step = blockDim.x / 2; step > 32; step >>= 1) {
        if (tid < step) part[tid] += part[tid + step];
        __syncthreads();
    }
    if (tid < 32) last_warp_synchronised(part, tid);
    if (tid == 0) sums[blockIdx.x] = part[0];
}

// 6. Completely unrolled: the size of the block is a parameter of the template.
template <unsigned int blockSize>
__device__ void last_warp_unrolled(volatile float *part, unsigned int tid) {
    if (blockSize >= 64) part[tid] += part[tid + 32];  // expect RW309 in reduce_unrolled, reduce_many
    if (blockSize >= 32) part[tid] += part[tid + 16];  // expect RW309 in reduce_unrolled, reduce_many
    if (blockSize >= 16) part[tid] += part[tid + 8];  // expect RW309 in reduce_unrolled, reduce_many
    if (blockSize >= 8) part[tid] += part[tid + 4];  // expect RW309 in reduce_unrolled, reduce_many
    if (blockSize >= 4) part[tid] += part[tid + 2];  // expect RW309 in reduce_unrolled, reduce_many
    if (blockSize >= 2) part[tid] += part[tid + 1];  // expect RW309 in reduce_unrolled, reduce_many
}

template <unsigned int blockSize>
__global__ void reduce_unrolled(const float *input, float *sums) {
    extern __shared__ float part[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + tid;
    part[tid] = input[i] + input[i + blockSize];
    __syncthreads();
    if (blockSize >= 512) { if (tid < 256) part[tid] += part[tid + 256]; __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) part[tid] += part[tid + 128]; __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) part[tid] += part[tid + 64]; __syncthreads(); }
    if (tid < 32) last_warp_unrolled<blockSize>(part, tid);
    if (tid == 0) sums[blockIdx.x] = part[0];
}

// 7. Each thread adds up many elements first.
template <unsigned int blockSize>
__global__ void reduce_many(const float *input, float *sums, unsigned int n) {
    extern __shared__ float part[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + tid;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    part[tid] = 0.0f;
    while (i < n) {
        part[tid] += input[i];
        if (i + blockSize < n) part[tid] += input[i + blockSize];
        i += gridSize;
    }
    __syncthreads();
    if (blockSize >= 512) { if (tid < 256) part[tid] += part[tid + 256]; __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) part[tid] += part[tid + 128]; __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) part[tid] += part[tid + 64]; __syncthreads(); }
    if (tid < 32) last_warp_unrolled<blockSize>(part, tid);
    if (tid == 0) sums[blockIdx.x] = part[0];
}

// 7, synchronised, for any number of elements.
template <unsigned int blockSize>
__global__ void reduce_many_synchronised(const float *input, float *sums, unsigned int n) {
    extern __shared__ float part[];
    unsigned int tid = threadIdx.x;
    float sum = 0.0f;
    for (unsigned int i = blockIdx.x * blockSize + tid; i < n; i += blockSize * gridDim.x) sum += input[i];
    part[tid] = sum;
    __syncthreads();
    if (blockSize >= 512) { if (tid < 256) part[tid] += part[tid + 256]; __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) part[tid] += part[tid + 128]; __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) part[tid] += part[tid + 64]; __syncthreads(); }
    if (tid < 32) last_warp_synchronised(part, tid);
    if (tid == 0) sums[blockIdx.x] = part[0];
}

// Beyond the ladder: shuffles within the warps, shared memory between them.
__device__ __forceinline__ float warp_sum(float value) {
#pragma unroll
    for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down_sync(FULL_WARP, value, offset);
    return value;
}

__global__ void reduce_shuffles(const float *input, float *sums, int n) {
    __shared__ float of_warp[32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += input[i];
    sum = warp_sum(sum);
    if (lane == 0) of_warp[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / warpSize ? of_warp[lane] : 0.0f;
        sum = warp_sum(sum);
        if (lane == 0) sums[blockIdx.x] = sum;
    }
}

// The same, with all lanes of the mask asked for inside a branch that half of them skip.
__global__ void reduce_shuffles_half(const float *input, float *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? input[i] : 0.0f;
    if (threadIdx.x % 32 < 16) sum += __shfl_down_sync(FULL_WARP, sum, 8);  // expect RW302
    __syncthreads();  // expect RW302
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

// The grand total in one launch: the blocks add to one cell.
__global__ void reduce_to_one(const float *input, float *sum, int n) {
    __shared__ float total;
    if (threadIdx.x == 0) total = 0.0f;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&total, input[i]);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(sum, total);
}

// The same, adding to the cell as if there were one block.
__global__ void reduce_to_one_plainly(const float *input, float *sum, int n) {
    __shared__ float total;
    if (threadIdx.x == 0) total = 0.0f;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&total, input[i]);
    __syncthreads();
    if (threadIdx.x == 0) *sum += total;  // expect RW313
}
