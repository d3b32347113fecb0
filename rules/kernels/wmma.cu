// C = A * B on tensor cores: each warp makes one tile of 16 x 16 of the output.

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int TILE = 16;

__global__ void wmma_gemm(const half *A, const half *B, float *C, int M, int N, int K) {
    const int tileRow = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    const int tileColumn = blockIdx.y * blockDim.y + threadIdx.y;
    wmma::fragment<wmma::matrix_a, TILE, TILE, TILE, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, TILE, TILE, TILE, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, TILE, TILE, TILE, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    if (tileRow * TILE >= M || tileColumn * TILE >= N) return;
    for (int k = 0; k < K; k += TILE) {
        wmma::load_matrix_sync(a, A + tileRow * TILE * K + k, K);
        wmma::load_matrix_sync(b, B + k * N + tileColumn * TILE, N);
        wmma::mma_sync(sum, a, b, sum);
    }
    wmma::store_matrix_sync(C + tileRow * TILE * N + tileColumn * TILE, sum, N, wmma::mem_row_major);
}

// The tiles go through shared memory, and the result is scaled there before it is written.
template <int WARPS>
__global__ void wmma_staged(const half *A, const half *B, float *C, int N, int K, float alpha) {
    __shared__ half As[WARPS][TILE * TILE];
    __shared__ half Bs[TILE * TILE];
    __shared__ float Cs[WARPS][TILE * TILE];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = (blockIdx.y * WARPS + warp) * TILE, column = blockIdx.x * TILE;
    wmma::fragment<wmma::matrix_a, TILE, TILE, TILE, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, TILE, TILE, TILE, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, TILE, TILE, TILE, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < K; k += TILE) {
        for (int i = lane; i < TILE * TILE; i += 32) As[warp][i] = A[(row + i / TILE) * K + k + i % TILE];
        for (int i = threadIdx.x; i < TILE * TILE; i += 32 * WARPS) Bs[i] = B[(k + i / TILE) * N + column + i % TILE];
        __syncthreads();
        wmma::load_matrix_sync(a, As[warp], TILE);
        wmma::load_matrix_sync(b, Bs, TILE);
        wmma::mma_sync(sum, a, b, sum);
        __syncthreads();
    }
    wmma::store_matrix_sync(Cs[warp], sum, TILE, wmma::mem_row_major);
    __syncwarp();
    for (int i = lane; i < TILE * TILE; i += 32) C[(row + i / TILE) * N + column + i % TILE] = alpha * Cs[warp][i];
}

// B's tile is shared by the warps, but the barrier at the end of the loop is one of each warp only.
template <int WARPS>
__global__ void wmma_staged_racing(const half *A, const half *B, float *C, int N, int K) {
    __shared__ half As[WARPS][TILE * TILE];
    __shared__ half Bs[TILE * TILE];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = (blockIdx.y * WARPS + warp) * TILE, column = blockIdx.x * TILE;
    wmma::fragment<wmma::matrix_a, TILE, TILE, TILE, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, TILE, TILE, TILE, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, TILE, TILE, TILE, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < K; k += TILE) {
        for (int i = lane; i < TILE * TILE; i += 32) As[warp][i] = A[(row + i / TILE) * K + k + i % TILE];
        for (int i = threadIdx.x; i < TILE * TILE; i += 32 * WARPS)
            Bs[i] = B[(k + i / TILE) * N + column + i % TILE];  // expect RW301
        __syncthreads();
        wmma::load_matrix_sync(a, As[warp], TILE);
        wmma::load_matrix_sync(b, Bs, TILE);  // expect RW301
        wmma::mma_sync(sum, a, b, sum);
        __syncwarp();
    }
    wmma::store_matrix_sync(C + row * N + column, sum, N, wmma::mem_row_major);
}
