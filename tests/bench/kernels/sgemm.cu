// C = A * B: one element of a thread, tiles in shared memory, and tiles of registers with vector loads.
#include <cuda_runtime.h>

__global__ void sgemm_naive(int M, int N, int K, const float *A, const float *B, float *C) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < M && column < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
  }
}

template <int TILE>
__global__ void sgemm_tiled(int M, int N, int K, const float *A, const float *B, float *C) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  float sum = 0.0f;
  for (int tile = 0; tile < (K + TILE - 1) / TILE; ++tile) {
    a[ty][tx] = row < M && tile * TILE + tx < K ? A[row * K + tile * TILE + tx] : 0.0f;
    b[ty][tx] = column < N && tile * TILE + ty < K ? B[(tile * TILE + ty) * N + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) sum += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

template <int BM, int BN, int BK, int TM, int TN>
__global__ void sgemm_registers(int M, int N, int K, const float *A, const float *B, float *C) {
  __shared__ float a[BK * BM];
  __shared__ float b[BK * BN];
  const int threads = BM * BN / (TM * TN);
  const int row0 = blockIdx.y * BM, column0 = blockIdx.x * BN;
  const int tr = threadIdx.x / (BN / TN), tc = threadIdx.x % (BN / TN);
  float sums[TM * TN] = {0.0f};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = threadIdx.x * 4; i < BM * BK; i += threads * 4) {
      float4 part = reinterpret_cast<const float4 *>(&A[(row0 + i / BK) * K + k0 + i % BK])[0];
      a[(i % BK + 0) * BM + i / BK] = part.x;
      a[(i % BK + 1) * BM + i / BK] = part.y;
      a[(i % BK + 2) * BM + i / BK] = part.z;
      a[(i % BK + 3) * BM + i / BK] = part.w;
    }
    for (int i = threadIdx.x * 4; i < BK * BN; i += threads * 4)
      reinterpret_cast<float4 *>(&b[i])[0] =
          reinterpret_cast<const float4 *>(&B[(k0 + i / BN) * N + column0 + i % BN])[0];
    __syncthreads();
    for (int k = 0; k < BK; ++k) {
      float left[TM], right[TN];
      for (int i = 0; i < TM; ++i) left[i] = a[k * BM + tr * TM + i];
      for (int j = 0; j < TN; ++j) right[j] = b[k * BN + tc * TN + j];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) sums[i * TN + j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j) C[(row0 + tr * TM + i) * N + column0 + tc * TN + j] = sums[i * TN + j];
}

void run(const float *A, const float *B, float *C) {
  const int M = 64, N = 64, K = 32;
  dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
  sgemm_naive<<<grid, block>>>(M, N, K, A, B, C);
  sgemm_tiled<16><<<grid, block>>>(M, N, K, A, B, C);
  sgemm_registers<32, 32, 8, 4, 4><<<dim3(N / 32, M / 32), 64>>>(M, N, K, A, B, C);
}
