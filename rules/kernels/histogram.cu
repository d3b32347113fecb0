// How often each byte occurs.

#define BINS 256

__global__ void histogram(const unsigned char *bytes, unsigned int *counts, int n) {
    __shared__ unsigned int part[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) part[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&part[bytes[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        if (part[i]) atomicAdd(&counts[i], part[i]);
}

// Counted without atomics.
__global__ void histogram_plain(const unsigned char *bytes, unsigned int *counts, int n) {
    __shared__ unsigned int part[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) part[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) part[bytes[i]]++;  // expect RW301
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        if (part[i]) atomicAdd(&counts[i], part[i]);
}

// The counters of the block do not start at zero: only a block of BINS threads would clear them all.
__global__ void histogram_half_cleared(const unsigned char *bytes, unsigned int *counts, int n) {
    __shared__ unsigned int part[BINS];
    part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&part[bytes[i]], 1u);  // expect RW305
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        if (part[i]) atomicAdd(&counts[i], part[i]);  // expect RW305
}

// A warp counts votes: each lane asks how many agree with it, one of those who do adds them up.
__global__ void histogram_votes(const unsigned char *bytes, unsigned int *counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int bin = 0; bin < 4; ++bin) {
        unsigned int same = __ballot_sync(0xffffffff, i < n && (bytes[i] & 3) == bin);
        if (same && (threadIdx.x & 31) == __ffs(same) - 1) atomicAdd(&counts[bin], __popc(same));
    }
}
