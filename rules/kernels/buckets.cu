// Sorting by buckets: where each bucket begins, and the range of the data. In each, a buffer is used again in the next
// round of a loop; without the barrier at its end the rounds overlap.

template <int SIZE>
__device__ void positions(const unsigned int *sizes, unsigned int *begins, int buckets, unsigned int *buffer, bool between) {
    unsigned int total = 0;
    for (int start = 0; start < buckets; start += SIZE) {
        int bucket = start + threadIdx.x;
        unsigned int size = bucket < buckets ? sizes[bucket] : 0;
        buffer[threadIdx.x] = size;  // expect RW301 in bucket_positions_racing
        __syncthreads();
        for (int step = 1; step < SIZE; step *= 2) {
            unsigned int add = threadIdx.x >= step ? buffer[threadIdx.x - step] : 0;
            __syncthreads();
            buffer[threadIdx.x] += add;
            __syncthreads();
        }
        if (bucket < buckets) begins[bucket] = total + buffer[threadIdx.x];
        total += buffer[SIZE - 1];  // expect RW301 in bucket_positions_racing
        if (between) __syncthreads();
    }
}

__global__ void bucket_positions(const unsigned int *sizes, unsigned int *begins, int buckets) {
    __shared__ unsigned int buffer[128];
    positions<128>(sizes, begins, buckets, buffer, true);
}

__global__ void bucket_positions_racing(const unsigned int *sizes, unsigned int *begins, int buckets) {
    __shared__ unsigned int buffer[128];
    positions<128>(sizes, begins, buckets, buffer, false);
}

// The place of each element: its bucket's next free one.
__global__ void bucket_scatter(const unsigned int *bucket_of, const unsigned int *offset_in, const unsigned int *begins,
                               const float *data, float *sorted, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sorted[begins[bucket_of[i]] + offset_in[i]] = data[i];
}

// How many elements each bucket gets, and the number of each element in its bucket.
__global__ void bucket_assign(const float *keys, unsigned int *bucket_of, unsigned int *offset_in, unsigned int *sizes, int n,
                              int buckets, float low, float high) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float scaled = (keys[i] - low) / (high - low) * buckets;
        int bucket = min(max((int) scaled, 0), buckets - 1);
        bucket_of[i] = bucket;
        offset_in[i] = atomicAdd(&sizes[bucket], 1u);
    }
}

__global__ void range(const float *data, float *out, int n) {
    __shared__ float lowest[128];
    __shared__ float highest[128];
    float low = data[0], high = data[0];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float value = data[i];
        low = fminf(low, value);
        high = fmaxf(high, value);
    }
    lowest[threadIdx.x] = low;
    highest[threadIdx.x] = high;
    __syncthreads();
    for (unsigned int step = 1; step < blockDim.x; step *= 2) {
        if (threadIdx.x + step < blockDim.x && threadIdx.x % (2 * step) == 0) {
            lowest[threadIdx.x] = fminf(lowest[threadIdx.x], lowest[threadIdx.x + step]);
            highest[threadIdx.x] = fmaxf(highest[threadIdx.x], highest[threadIdx.x + step]);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        out[0] = lowest[0];
        out[1] = highest[0];
    }
}

// One buffer for both ends, reused at once.
__global__ void range_racing(const float *data, float *out, int n) {
    __shared__ float buffer[128];
    float low = data[0], high = data[0];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float value = data[i];
        low = fminf(low, value);
        high = fmaxf(high, value);
    }
    buffer[threadIdx.x] = low;
    __syncthreads();
    for (unsigned int step = 1; step < blockDim.x; step *= 2) {
        if (threadIdx.x + step < blockDim.x && threadIdx.x % (2 * step) == 0)
            buffer[threadIdx.x] = fminf(buffer[threadIdx.x], buffer[threadIdx.x + step]);
        __syncthreads();
    }
    low = buffer[0];  // expect RW301
    buffer[threadIdx.x] = high;  // expect RW301
    __syncthreads();
    for (unsigned int step = 1; step < blockDim.x; step *= 2) {
        if (threadIdx.x + step < blockDim.x && threadIdx.x % (2 * step) == 0)
            buffer[threadIdx.x] = fmaxf(buffer[threadIdx.x], buffer[threadIdx.x + step]);
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        out[0] = low;
        out[1] = buffer[0];
    }
}

// The sum of the values that lists of indices name; a thread that has none leaves before the barrier.
__global__ void gather_early_return(const int *lists, const float *values, float *sums, int n) {
    __shared__ float buffer[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;  // expect RW303
    buffer[threadIdx.x] = values[lists[i]];
    __syncthreads();  // expect RW303
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int j = 0; j < blockDim.x && blockIdx.x * blockDim.x + j < n; ++j) sum += buffer[j];
        sums[blockIdx.x] = sum;
    }
}

__global__ void gather(const int *lists, const float *values, float *sums, int n) {
    __shared__ float buffer[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    buffer[threadIdx.x] = i < n ? values[lists[i]] : 0.0f;
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int j = 0; j < blockDim.x; ++j) sum += buffer[j];
        sums[blockIdx.x] = sum;
    }
}
