// Attention of one head with a running maximum, a block of queries at a time.
#include <cuda_runtime.h>

template <int SIZE, int BLOCK>
__global__ void attention(const float *Q, const float *K, const float *V, float *O, int length, float scale) {
  __shared__ float keys[BLOCK][SIZE], values[BLOCK][SIZE];
  int query = blockIdx.x * BLOCK + threadIdx.x;
  float q[SIZE], sums[SIZE];
  for (int d = 0; d < SIZE; ++d) {
    q[d] = Q[query * SIZE + d];
    sums[d] = 0.0f;
  }
  float largest = -1e30f, total = 0.0f;
  for (int start = 0; start < length; start += BLOCK) {
    for (int d = 0; d < SIZE; ++d) {
      keys[threadIdx.x][d] = K[(start + threadIdx.x) * SIZE + d];
      values[threadIdx.x][d] = V[(start + threadIdx.x) * SIZE + d];
    }
    __syncthreads();
    for (int j = 0; j < BLOCK; ++j) {
      float score = 0.0f;
      for (int d = 0; d < SIZE; ++d) score += q[d] * keys[j][d];
      score *= scale;
      float before = largest;
      largest = fmaxf(largest, score);
      float weight = expf(score - largest), shrink = expf(before - largest);
      total = total * shrink + weight;
      for (int d = 0; d < SIZE; ++d) sums[d] = sums[d] * shrink + weight * values[j][d];
    }
    __syncthreads();
  }
  for (int d = 0; d < SIZE; ++d) O[query * SIZE + d] = sums[d] / total;
}

void run(const float *Q, const float *K, const float *V, float *O) {
  attention<16, 32><<<2, 32>>>(Q, K, V, O, 64, 0.25f);
}
