// Running sums within a block.

#define LOG_BANKS 5
#define PADDED(i) ((i) + ((i) >> LOG_BANKS))

// Doubling distances, between two buffers in turn: one barrier for each distance.
__global__ void scan_two_buffers(const int *in, int *out, int n) {
    extern __shared__ int buffer[];
    int from = 1, to = 0, i = threadIdx.x;
    buffer[to * n + i] = in[i];
    __syncthreads();
    for (int distance = 1; distance < n; distance *= 2) {
        from = to;
        to = 1 - to;
        buffer[to * n + i] = buffer[from * n + i] + (i >= distance ? buffer[from * n + i - distance] : 0);
        __syncthreads();
    }
    out[i] = buffer[to * n + i];
}

// In one buffer: read and written in the same interval.
__global__ void scan_in_place(const int *in, int *out, int n) {
    extern __shared__ int buffer[];
    int i = threadIdx.x;
    buffer[i] = in[i];
    __syncthreads();
    for (int distance = 1; distance < n; distance *= 2) {
        if (i >= distance) buffer[i] += buffer[i - distance];  // expect RW301
        __syncthreads();
    }
    out[i] = buffer[i];
}

// With a barrier between reading and writing, which the threads without a partner never come to.
__global__ void scan_diverging(const int *in, int *out, int n) {
    extern __shared__ int buffer[];
    int i = threadIdx.x;
    buffer[i] = in[i];
    __syncthreads();
    for (int distance = 1; distance < n; distance *= 2) {
        if (i >= distance) {
            int further = buffer[i - distance];
            __syncthreads();  // expect RW303
            buffer[i] += further;
        }
        __syncthreads();  // expect RW303
    }
    out[i] = buffer[i];
}

// Up and down a tree (Blelloch); rows of the banks are padded.
__global__ void scan_tree(const int *in, int *out, int n) {
    extern __shared__ int tree[];
    int t = threadIdx.x, offset = 1;
    tree[PADDED(2 * t)] = in[2 * t];  // expect RW304 in scan_tree_small
    tree[PADDED(2 * t + 1)] = in[2 * t + 1];  // expect RW304 in scan_tree_small
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int left = PADDED(offset * (2 * t + 1) - 1), right = PADDED(offset * (2 * t + 2) - 1);
            tree[right] += tree[left];  // expect RW304 in scan_tree_small
        }
        offset *= 2;
    }
    if (t == 0) tree[PADDED(n - 1)] = 0;  // expect RW304 in scan_tree_small
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int left = PADDED(offset * (2 * t + 1) - 1), right = PADDED(offset * (2 * t + 2) - 1);
            int kept = tree[left];  // expect RW304 in scan_tree_small
            tree[left] = tree[right];  // expect RW304 in scan_tree_small
            tree[right] += kept;  // expect RW304 in scan_tree_small
        }
    }
    __syncthreads();
    out[2 * t] = tree[PADDED(2 * t)];  // expect RW304 in scan_tree_small
    out[2 * t + 1] = tree[PADDED(2 * t + 1)];  // expect RW304 in scan_tree_small
}

// Shuffles within a warp, the sums of the warps by the first one.
__global__ void scan_shuffles(const int *in, int *out, int n) {
    __shared__ int of_warp[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int value = i < n ? in[i] : 0;
    for (int distance = 1; distance < 32; distance <<= 1) {
        int below = __shfl_up_sync(0xffffffff, value, distance);
        if (lane >= distance) value += below;
    }
    if (lane == 31) of_warp[warp] = value;
    __syncthreads();
    if (warp == 0) {
        int total = lane < (blockDim.x >> 5) ? of_warp[lane] : 0;
        for (int distance = 1; distance < 32; distance <<= 1) {
            int below = __shfl_up_sync(0xffffffff, total, distance);
            if (lane >= distance) total += below;
        }
        of_warp[lane] = total;
    }
    __syncthreads();
    if (warp > 0) value += of_warp[warp - 1];
    if (i < n) out[i] = value;
}
