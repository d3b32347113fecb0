// O = softmax(Q K^T * scale) V for one head of N positions with D features, in tiles (FlashAttention): a thread keeps one
// row of the output, its running maximum and its running sum, and rescales them when a tile raises the maximum.

#include <cuda_runtime.h>
#include <math_constants.h>

template <int ROWS, int COLUMNS, int D>
__global__ void attention(const float *Q, const float *K, const float *V, float *O, int N, float scale) {
    __shared__ float key[COLUMNS][D];
    __shared__ float value[COLUMNS][D];
    __shared__ float score[ROWS][COLUMNS + 1];
    const int row = blockIdx.x * ROWS + threadIdx.x;
    float query[D], output[D];
    for (int d = 0; d < D; ++d) {
        query[d] = row < N ? Q[row * D + d] : 0.0f;
        output[d] = 0.0f;
    }
    float largest = -CUDART_INF_F, sum = 0.0f;
    for (int start = 0; start < N; start += COLUMNS) {
        for (int i = threadIdx.x; i < COLUMNS * D; i += ROWS) {
            const bool inside = start + i / D < N;
            key[i / D][i % D] = inside ? K[start * D + i] : 0.0f;
            value[i / D][i % D] = inside ? V[start * D + i] : 0.0f;
        }
        __syncthreads();
        float tile_largest = largest;
        const int columns = min(COLUMNS, N - start);
        for (int j = 0; j < columns; ++j) {
            float s = 0.0f;
            for (int d = 0; d < D; ++d) s += query[d] * key[j][d];
            s *= scale;
            score[threadIdx.x][j] = s;
            if (s > tile_largest) tile_largest = s;
        }
        const float correction = __expf(largest - tile_largest);
        sum *= correction;
        for (int d = 0; d < D; ++d) output[d] *= correction;
        for (int j = 0; j < columns; ++j) {
            const float weight = __expf(score[threadIdx.x][j] - tile_largest);
            sum += weight;
            for (int d = 0; d < D; ++d) output[d] += weight * value[j][d];
        }
        largest = tile_largest;
        __syncthreads();
    }
    if (row < N)
        for (int d = 0; d < D; ++d) O[row * D + d] = output[d] / sum;
}

// The barrier at the end of the loop is missing: the next tile overwrites the one that others still use.
template <int ROWS, int COLUMNS, int D>
__global__ void attention_racing(const float *Q, const float *K, const float *V, float *O, int N, float scale) {
    __shared__ float key[COLUMNS][D];
    __shared__ float value[COLUMNS][D];
    const int row = blockIdx.x * ROWS + threadIdx.x;
    float query[D], output[D];
    for (int d = 0; d < D; ++d) {
        query[d] = row < N ? Q[row * D + d] : 0.0f;
        output[d] = 0.0f;
    }
    float largest = -CUDART_INF_F, sum = 0.0f;
    for (int start = 0; start < N; start += COLUMNS) {
        for (int i = threadIdx.x; i < COLUMNS * D; i += ROWS) {
            const bool inside = start + i / D < N;
            key[i / D][i % D] = inside ? K[start * D + i] : 0.0f;  // expect RW301
            value[i / D][i % D] = inside ? V[start * D + i] : 0.0f;  // expect RW301
        }
        __syncthreads();
        const int columns = min(COLUMNS, N - start);
        for (int j = 0; j < columns; ++j) {
            float s = 0.0f;
            for (int d = 0; d < D; ++d) s += query[d] * key[j][d];  // expect RW301
            s *= scale;
            const float before = largest;
            largest = fmaxf(largest, s);
            const float correction = __expf(before - largest), weight = __expf(s - largest);
            sum = sum * correction + weight;
            for (int d = 0; d < D; ++d) output[d] = output[d] * correction + weight * value[j][d];  // expect RW301
        }
    }
    if (row < N)
        for (int d = 0; d < D; ++d) O[row * D + d] = output[d] / sum;
}
