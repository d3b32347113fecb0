// C = alpha * A * B + beta * C, from one element per thread to tiles of warps and double buffering. A is M x K, B is
// K x N, both row-major.

#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

__global__ void sgemm_naive(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
    const unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < M && y < N) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) sum += A[x * K + k] * B[k * N + y];
        C[x * N + y] = alpha * sum + beta * C[x * N + y];
    }
}

// The guard lets one row too many through.
__global__ void sgemm_naive_beyond(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
    const unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x <= M && y < N) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) sum += A[x * K + k] * B[k * N + y];  // expect RW304
        C[x * N + y] = alpha * sum + beta * C[x * N + y];  // expect RW304
    }
}

// Neighbouring threads read neighbouring elements.
template <const int TILE>
__global__ void sgemm_coalesced(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
    const int row = blockIdx.x * TILE + threadIdx.x / TILE;
    const int column = blockIdx.y * TILE + threadIdx.x % TILE;
    if (row < M && column < N) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
        C[row * N + column] = alpha * sum + beta * C[row * N + column];
    }
}

// Tiles of A and B in shared memory.
template <const int TILE>
__global__ void sgemm_shared(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
    __shared__ float As[TILE * TILE];
    __shared__ float Bs[TILE * TILE];
    const int column = threadIdx.x % TILE, row = threadIdx.x / TILE;
    A += blockIdx.y * TILE * K;
    B += blockIdx.x * TILE;
    C += blockIdx.y * TILE * N + blockIdx.x * TILE;
    float sum = 0.0f;
    for (int start = 0; start < K; start += TILE) {
        As[row * TILE + column] = A[row * K + column];
        Bs[row * TILE + column] = B[row * N + column];
        __syncthreads();
        A += TILE;
        B += TILE * N;
        for (int k = 0; k < TILE; ++k) sum += As[row * TILE + k] * Bs[k * TILE + column];
        __syncthreads();
    }
    C[row * N + column] = alpha * sum + beta * C[row * N + column];
}

// Without the second barrier a fast thread overwrites what a slow one still reads, from the second tile on. A row of A's
// tile is used by its own warp only.
template <const int TILE>
__global__ void sgemm_shared_one_barrier(int M, int N, int K, float alpha, const float *A, const float *B, float beta,
                                         float *C) {
    __shared__ float As[TILE * TILE];
    __shared__ float Bs[TILE * TILE];
    const int column = threadIdx.x % TILE, row = threadIdx.x / TILE;
    A += blockIdx.y * TILE * K;
    B += blockIdx.x * TILE;
    C += blockIdx.y * TILE * N + blockIdx.x * TILE;
    float sum = 0.0f;
    for (int start = 0; start < K; start += TILE) {
        As[row * TILE + column] = A[row * K + column];  // expect RW309
        Bs[row * TILE + column] = B[row * N + column];  // expect RW301
        __syncthreads();
        A += TILE;
        B += TILE * N;
        for (int k = 0; k < TILE; ++k) sum += As[row * TILE + k] * Bs[k * TILE + column];  // expect RW301, RW309
    }
    C[row * N + column] = alpha * sum + beta * C[row * N + column];
}

// Each thread makes TM elements of a column.
template <const int BM, const int BN, const int BK, const int TM>
__global__ void sgemm_column_tiles(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
    const int threadColumn = threadIdx.x % BN, threadRow = threadIdx.x / BN;
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    const int innerColumnA = threadIdx.x % BK, innerRowA = threadIdx.x / BK;
    const int innerColumnB = threadIdx.x % BN, innerRowB = threadIdx.x / BN;
    float results[TM] = {0.0f};
    for (int start = 0; start < K; start += BK) {
        As[innerRowA * BK + innerColumnA] = A[innerRowA * K + innerColumnA];
        Bs[innerRowB * BN + innerColumnB] = B[innerRowB * N + innerColumnB];
        __syncthreads();
        A += BK;
        B += BK * N;
        for (int k = 0; k < BK; ++k) {
            float b = Bs[k * BN + threadColumn];
            for (int i = 0; i < TM; ++i) results[i] += As[(threadRow * TM + i) * BK + k] * b;
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i) {
        float *c = &C[(threadRow * TM + i) * N + threadColumn];
        *c = alpha * results[i] + beta * *c;
    }
}

// Each thread makes TM x TN elements; the tiles are loaded in strides.
template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)
    sgemm_square_tiles(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
    constexpr int threads = (BM * BN) / (TM * TN);
    const int threadColumn = threadIdx.x % (BN / TN), threadRow = threadIdx.x / (BN / TN);
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    const int innerRowA = threadIdx.x / BK, innerColumnA = threadIdx.x % BK, strideA = threads / BK;
    const int innerRowB = threadIdx.x / BN, innerColumnB = threadIdx.x % BN, strideB = threads / BN;
    float results[TM * TN] = {0.0f};
    float columnOfA[TM], rowOfB[TN];
    for (int start = 0; start < K; start += BK) {
        for (int offset = 0; offset < BM; offset += strideA)
            As[(innerRowA + offset) * BK + innerColumnA] = A[(innerRowA + offset) * K + innerColumnA];
        for (int offset = 0; offset < BK; offset += strideB)
            Bs[(innerRowB + offset) * BN + innerColumnB] = B[(innerRowB + offset) * N + innerColumnB];
        __syncthreads();
        A += BK;
        B += BK * N;
        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < TM; ++i) columnOfA[i] = As[(threadRow * TM + i) * BK + k];
            for (int j = 0; j < TN; ++j) rowOfB[j] = Bs[k * BN + threadColumn * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) results[i * TN + j] += columnOfA[i] * rowOfB[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            int at = (threadRow * TM + i) * N + threadColumn * TN + j;
            C[at] = alpha * results[i * TN + j] + beta * C[at];
        }
}

// Loads and stores of four elements at once; A's tile is transposed on the way.
template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void sgemm_vectors(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
    const int threadColumn = threadIdx.x % (BN / TN), threadRow = threadIdx.x / (BN / TN);
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    const int innerRowA = threadIdx.x / (BK / 4), innerColumnA = threadIdx.x % (BK / 4);
    const int innerRowB = threadIdx.x / (BN / 4), innerColumnB = threadIdx.x % (BN / 4);
    float results[TM * TN] = {0.0f};
    float columnOfA[TM] = {0.0f}, rowOfB[TN] = {0.0f};
    for (int start = 0; start < K; start += BK) {
        float4 four = reinterpret_cast<float4 *>(&A[innerRowA * K + innerColumnA * 4])[0];
        As[(innerColumnA * 4 + 0) * BM + innerRowA] = four.x;
        As[(innerColumnA * 4 + 1) * BM + innerRowA] = four.y;
        As[(innerColumnA * 4 + 2) * BM + innerRowA] = four.z;
        As[(innerColumnA * 4 + 3) * BM + innerRowA] = four.w;
        reinterpret_cast<float4 *>(&Bs[innerRowB * BN + innerColumnB * 4])[0] =
            reinterpret_cast<float4 *>(&B[innerRowB * N + innerColumnB * 4])[0];
        __syncthreads();
        A += BK;
        B += BK * N;
        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < TM; ++i) columnOfA[i] = As[k * BM + threadRow * TM + i];  // expect RW305 in sgemm_half_loaded
            for (int j = 0; j < TN; ++j) rowOfB[j] = Bs[k * BN + threadColumn * TN + j];  // expect RW305 in sgemm_half_loaded
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) results[i * TN + j] += columnOfA[i] * rowOfB[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; i += 1) {
        for (int j = 0; j < TN; j += 4) {
            float4 old = reinterpret_cast<float4 *>(&C[(threadRow * TM + i) * N + threadColumn * TN + j])[0];
            old.x = alpha * results[i * TN + j] + beta * old.x;
            old.y = alpha * results[i * TN + j + 1] + beta * old.y;
            old.z = alpha * results[i * TN + j + 2] + beta * old.z;
            old.w = alpha * results[i * TN + j + 3] + beta * old.w;
            reinterpret_cast<float4 *>(&C[(threadRow * TM + i) * N + threadColumn * TN + j])[0] = old;
        }
    }
}

// Rows of B's tile are longer by EXTRA against bank conflicts; with one more element than a multiple of four the
// vector stores are not aligned.
template <const int BM, const int BN, const int BK, const int TM, const int TN, const int EXTRA>
__global__ void sgemm_extra_column(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
    const int threadColumn = threadIdx.x % (BN / TN), threadRow = threadIdx.x / (BN / TN);
    __shared__ float As[BM][BK];
    __shared__ __align__(16) float Bs[BK][BN + EXTRA];
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    const int innerRowA = threadIdx.x / (BK / 4), innerColumnA = threadIdx.x % (BK / 4);
    const int innerRowB = threadIdx.x / (BN / 4), innerColumnB = threadIdx.x % (BN / 4);
    float results[TM][TN] = {{0.0f}};
    for (int start = 0; start < K; start += BK) {
        float4 a = *reinterpret_cast<float4 *>(A + innerRowA * K + innerColumnA * 4);
        As[innerRowA][innerColumnA * 4 + 0] = a.x;
        As[innerRowA][innerColumnA * 4 + 1] = a.y;
        As[innerRowA][innerColumnA * 4 + 2] = a.z;
        As[innerRowA][innerColumnA * 4 + 3] = a.w;
        *reinterpret_cast<float4 *>(&Bs[innerRowB][innerColumnB * 4]) =  // expect RW306 in sgemm_unaligned
            *reinterpret_cast<float4 *>(B + innerRowB * N + innerColumnB * 4);
        __syncthreads();
        A += BK;
        B += BK * N;
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) results[i][j] += As[threadRow * TM + i][k] * Bs[k][threadColumn * TN + j];
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            float &c = C[(threadRow * TM + i) * N + threadColumn * TN + j];
            c = alpha * results[i][j] + beta * c;
        }
}

// Tiles of blocks, of warps and of threads.
namespace warp_tiling {
constexpr int WARP = 32;

template <const int BM, const int BN, const int BK, const int WM, const int WN, const int TM, const int TN>
__global__ void sgemm_warp_tiles(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
    constexpr int threads = (BM / WM) * (BN / WN) * WARP;
    constexpr int lanesAcross = WN / TN;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const int warpColumn = warp % (BN / WN), warpRow = warp / (BN / WN);
    const int laneColumn = lane % lanesAcross, laneRow = lane / lanesAcross;
    __shared__ float As[BK * BM];
    __shared__ float Bs[BK * BN];
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += (blockIdx.y * BM + warpRow * WM) * N + blockIdx.x * BN + warpColumn * WN;
    float results[TM * TN] = {0.0f};
    for (int start = 0; start < K; start += BK) {
        for (int i = threadIdx.x; i < BM * BK / 4; i += threads) {
            const int row = i / (BK / 4), column = i % (BK / 4) * 4;
            const float4 four = reinterpret_cast<const float4 *>(&A[row * K + column])[0];
            As[(column + 0) * BM + row] = four.x;
            As[(column + 1) * BM + row] = four.y;
            As[(column + 2) * BM + row] = four.z;
            As[(column + 3) * BM + row] = four.w;
        }
        for (int i = threadIdx.x; i < BK * BN / 4; i += threads) {
            const int row = i / (BN / 4), column = i % (BN / 4) * 4;
            reinterpret_cast<float4 *>(&Bs[row * BN + column])[0] = reinterpret_cast<const float4 *>(&B[row * N + column])[0];
        }
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
            for (int i = 0; i < TM; ++i) a[i] = As[k * BM + warpRow * WM + laneRow * TM + i];
            for (int j = 0; j < TN; ++j) b[j] = Bs[k * BN + warpColumn * WN + laneColumn * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) results[i * TN + j] += a[i] * b[j];
        }
        A += BK;
        B += BK * N;
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            const int at = (laneRow * TM + i) * N + laneColumn * TN + j;
            C[at] = alpha * results[i * TN + j] + beta * C[at];
        }
}
}  // namespace warp_tiling

// The next tile is loaded into a second buffer while this one is used: one barrier in each step is enough.
template <const int TILE>
__global__ void sgemm_double_buffered(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];
    const int column = threadIdx.x, row = threadIdx.y;
    A += blockIdx.y * TILE * K;
    B += blockIdx.x * TILE;
    C += blockIdx.y * TILE * N + blockIdx.x * TILE;
    float sum = 0.0f;
    int current = 0;
    As[0][row][column] = A[row * K + column];
    Bs[0][row][column] = B[row * N + column];
    __syncthreads();
    for (int start = TILE; start < K; start += TILE) {
        As[1 - current][row][column] = A[row * K + start + column];
        Bs[1 - current][row][column] = B[(start + row) * N + column];
        for (int k = 0; k < TILE; ++k) sum += As[current][row][k] * Bs[current][k][column];
        __syncthreads();
        current = 1 - current;
    }
    for (int k = 0; k < TILE; ++k) sum += As[current][row][k] * Bs[current][k][column];
    C[row * N + column] = alpha * sum + beta * C[row * N + column];
}

// The next tile lands in the buffer that is in use.
template <const int TILE>
__global__ void sgemm_wrong_buffer(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];
    const int column = threadIdx.x, row = threadIdx.y;
    A += blockIdx.y * TILE * K;
    B += blockIdx.x * TILE;
    C += blockIdx.y * TILE * N + blockIdx.x * TILE;
    float sum = 0.0f;
    int current = 0;
    As[0][row][column] = A[row * K + column];
    Bs[0][row][column] = B[row * N + column];
    __syncthreads();
    for (int start = TILE; start < K; start += TILE) {
        As[current][row][column] = A[row * K + start + column];  // expect RW309
        Bs[current][row][column] = B[(start + row) * N + column];  // expect RW301
        for (int k = 0; k < TILE; ++k) sum += As[current][row][k] * Bs[current][k][column];  // expect RW301, RW309
        __syncthreads();
    }
    for (int k = 0; k < TILE; ++k) sum += As[current][row][k] * Bs[current][k][column];
    C[row * N + column] = alpha * sum + beta * C[row * N + column];
}
