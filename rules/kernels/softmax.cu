// Softmax of the rows of a matrix, a block for each row.

#include <cuda_runtime.h>
#include <float.h>

#define THREADS 128

template <typename Reduce>
__device__ float block_reduce(float value, float *buffer, Reduce reduce) {
    buffer[threadIdx.x] = value;
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) buffer[threadIdx.x] = reduce(buffer[threadIdx.x], buffer[threadIdx.x + step]);
        __syncthreads();
    }
    float result = buffer[0];  // expect RW301 in softmax_reused_buffer
    return result;
}

struct Maximum {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

__global__ void softmax_rows(const float *x, float *y, int columns) {
    __shared__ float buffer[THREADS];
    const float *row = x + blockIdx.x * columns;
    float largest = -FLT_MAX;
    for (int i = threadIdx.x; i < columns; i += THREADS) largest = fmaxf(largest, row[i]);
    largest = block_reduce(largest, buffer, Maximum());
    __syncthreads();
    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += THREADS) sum += __expf(row[i] - largest);
    sum = block_reduce(sum, buffer, Sum());
    for (int i = threadIdx.x; i < columns; i += THREADS) y[blockIdx.x * columns + i] = __expf(row[i] - largest) / sum;
}

// The second reduction begins while some thread still reads the result of the first.
template <typename Reduce>
__device__ float block_reduce_again(float value, float *buffer, Reduce reduce) {
    buffer[threadIdx.x] = value;  // expect RW301 in softmax_reused_buffer
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) buffer[threadIdx.x] = reduce(buffer[threadIdx.x], buffer[threadIdx.x + step]);
        __syncthreads();
    }
    return buffer[0];
}

__global__ void softmax_reused_buffer(const float *x, float *y, int columns) {
    __shared__ float buffer[THREADS];
    const float *row = x + blockIdx.x * columns;
    float largest = -FLT_MAX;
    for (int i = threadIdx.x; i < columns; i += THREADS) largest = fmaxf(largest, row[i]);
    largest = block_reduce(largest, buffer, Maximum());
    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += THREADS) sum += __expf(row[i] - largest);
    sum = block_reduce_again(sum, buffer, Sum());
    for (int i = threadIdx.x; i < columns; i += THREADS) y[blockIdx.x * columns + i] = __expf(row[i] - largest) / sum;
}

// One pass: each lane keeps a running maximum and the sum that goes with it; the lanes of a warp merge theirs.
struct Running {
    float largest, sum;
};

__device__ Running merged(Running a, Running b) {
    Running both;
    both.largest = fmaxf(a.largest, b.largest);
    both.sum = a.sum * __expf(a.largest - both.largest) + b.sum * __expf(b.largest - both.largest);
    return both;
}

__global__ void softmax_online(const float *__restrict__ x, float *__restrict__ y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    Running mine = {-FLT_MAX, 0.0f};
    for (int i = threadIdx.x; i < columns; i += 32) mine = merged(mine, Running{x[row * columns + i], 1.0f});
    for (int offset = 16; offset > 0; offset >>= 1) {
        Running other;
        other.largest = __shfl_xor_sync(0xffffffff, mine.largest, offset);
        other.sum = __shfl_xor_sync(0xffffffff, mine.sum, offset);
        mine = merged(mine, other);
    }
    for (int i = threadIdx.x; i < columns; i += 32)
        y[row * columns + i] = __expf(x[row * columns + i] - mine.largest) / mine.sum;
}
