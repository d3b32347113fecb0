// Layer normalisation of n1 rows of n2 elements, and the gradient of its input. A warp takes a part of a row, the warps
// of a block (threadIdx.y) share the row and merge what they found in shared memory, half of them handing over to the
// other half in each round.

#include <cuda.h>
#include <cuda_runtime.h>

#define WARP_SHFL(value, lane) __shfl_sync(0xffffffff, value, lane)
#define WARP_SHFL_XOR(value, mask) __shfl_xor_sync(0xffffffff, value, mask, 32)

// Mean and variance of one more element (Welford).
template <typename U>
__device__ void welford_online(const U value, U &mean, U &squares, U &count) {
    count = count + U(1);
    U delta = value - mean;
    mean = mean + delta / count;
    squares = squares + delta * (value - mean);
}

// Mean and variance of two sets together (Chan).
template <typename U>
__device__ void welford_merge(const U other_mean, const U other_squares, const U other_count, U &mean, U &squares, U &count) {
    U delta = other_mean - mean;
    U before = count;
    count = count + other_count;
    if (count > U(0)) {
        U a = before / count, b = other_count / count;
        mean = a * mean + b * other_mean;
        squares = squares + other_squares + delta * delta * a * b * count;
    } else {
        mean = U(0);
        squares = U(0);
    }
}

template <typename T, typename U>
__device__ void mean_and_variance(const T *__restrict__ values, const int n1, const int n2, const int row, U &mean,
                                  U &variance, U *buffer) {
    U count = U(0);
    mean = U(0);
    variance = U(0);
    if (row < n1) {
        const int threads = blockDim.x * blockDim.y;
        const int thread = threadIdx.x + threadIdx.y * blockDim.x;
        const T *of_row = values + row * n2;
        int l = 4 * thread;
        for (; l + 3 < n2; l += 4 * threads)
            for (int k = 0; k < 4; ++k) welford_online<U>(static_cast<U>(of_row[l + k]), mean, variance, count);
        for (; l < n2; ++l) welford_online<U>(static_cast<U>(of_row[l]), mean, variance, count);
        for (int l = 0; l <= 4; ++l) {
            int partner = (threadIdx.x + (1 << l)) & 31;
            U other_mean = WARP_SHFL(mean, partner);
            U other_count = WARP_SHFL(count, partner);
            U other_squares = WARP_SHFL(variance, partner);
            welford_merge(other_mean, other_squares, other_count, mean, variance, count);
        }
        if (blockDim.y > 1) {
            U *of_warp = buffer;
            U *count_of_warp = of_warp + blockDim.y;
            for (int offset = blockDim.y / 2; offset > 0; offset /= 2) {
                if (threadIdx.x == 0 && threadIdx.y >= offset && threadIdx.y < 2 * offset) {
                    const int to = threadIdx.y - offset;
                    of_warp[2 * to] = mean;
                    of_warp[2 * to + 1] = variance;
                    count_of_warp[to] = count;
                }
                __syncthreads();
                if (threadIdx.x == 0 && threadIdx.y < offset) {
                    U other_mean = of_warp[2 * threadIdx.y];
                    U other_squares = of_warp[2 * threadIdx.y + 1];
                    U other_count = count_of_warp[threadIdx.y];
                    welford_merge(other_mean, other_squares, other_count, mean, variance, count);
                }
                __syncthreads();
            }
            if (threadIdx.x == 0 && threadIdx.y == 0) {
                of_warp[0] = mean;
                of_warp[1] = variance;
            }
            __syncthreads();
            mean = of_warp[0];
            variance = of_warp[1] / U(n2);
        } else {
            mean = WARP_SHFL(mean, 0);
            variance = WARP_SHFL(variance / U(n2), 0);
        }
    }
}

template <typename T, typename U>
__global__ void layer_norm(T *__restrict__ output, U *__restrict__ mean, U *__restrict__ inverse, const T *__restrict__ input,
                           const int n1, const int n2, const U epsilon, const T *__restrict__ gamma,
                           const T *__restrict__ beta) {
    extern __shared__ float buffer[];
    for (int row = blockIdx.y; row < n1; row += gridDim.y) {
        U mu, sigma2;
        mean_and_variance(input, n1, n2, row, mu, sigma2, reinterpret_cast<U *>(buffer));
        __syncthreads();
        const T *in = input + row * n2;
        T *out = output + row * n2;
        U scale = rsqrtf(sigma2 + epsilon);
        const int threads = blockDim.x * blockDim.y;
        const int thread = threadIdx.x + threadIdx.y * blockDim.x;
        if (gamma != nullptr && beta != nullptr) {
            for (int i = thread; i < n2; i += threads) {
                U current = static_cast<U>(in[i]);
                out[i] = gamma[i] * static_cast<T>(scale * (current - mu)) + beta[i];
            }
        } else {
            for (int i = thread; i < n2; i += threads) out[i] = static_cast<T>(scale * (static_cast<U>(in[i]) - mu));
        }
        if (threadIdx.x == 0 && threadIdx.y == 0) {
            mean[row] = mu;
            inverse[row] = scale;
        }
    }
}

// The buffer is written for the next row while some warp still reads what this row's is: seen only if a block takes more
// than one row.
template <typename T, typename U>
__device__ void mean_and_variance_again(const T *__restrict__ values, const int n1, const int n2, const int row, U &mean,
                                        U &variance, U *buffer) {
    U count = U(0);
    mean = U(0);
    variance = U(0);
    const int threads = blockDim.x * blockDim.y;
    const int thread = threadIdx.x + threadIdx.y * blockDim.x;
    const T *of_row = values + row * n2;
    for (int l = thread; l < n2; l += threads) welford_online<U>(static_cast<U>(of_row[l]), mean, variance, count);
    for (int mask = 16; mask > 0; mask >>= 1) {
        U other_mean = WARP_SHFL_XOR(mean, mask);
        U other_count = WARP_SHFL_XOR(count, mask);
        U other_squares = WARP_SHFL_XOR(variance, mask);
        welford_merge(other_mean, other_squares, other_count, mean, variance, count);
    }
    U *of_warp = buffer;
    U *count_of_warp = of_warp + blockDim.y;
    for (int offset = blockDim.y / 2; offset > 0; offset /= 2) {
        if (threadIdx.x == 0 && threadIdx.y >= offset && threadIdx.y < 2 * offset) {
            const int to = threadIdx.y - offset;
            of_warp[2 * to] = mean;  // expect RW301 in layer_norm_racing
            of_warp[2 * to + 1] = variance;  // expect RW301 in layer_norm_racing
            count_of_warp[to] = count;
        }
        __syncthreads();
        if (threadIdx.x == 0 && threadIdx.y < offset) {
            U other_mean = of_warp[2 * threadIdx.y];
            U other_squares = of_warp[2 * threadIdx.y + 1];
            U other_count = count_of_warp[threadIdx.y];
            welford_merge(other_mean, other_squares, other_count, mean, variance, count);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        of_warp[0] = mean;
        of_warp[1] = variance;
    }
    __syncthreads();
    mean = of_warp[0];  // expect RW301 in layer_norm_racing
    variance = of_warp[1] / U(n2);  // expect RW301 in layer_norm_racing
}

template <typename T, typename U>
__global__ void layer_norm_racing(T *__restrict__ output, U *__restrict__ mean, U *__restrict__ inverse,
                                  const T *__restrict__ input, const int n1, const int n2, const U epsilon) {
    extern __shared__ float buffer[];
    for (int row = blockIdx.y; row < n1; row += gridDim.y) {
        U mu, sigma2;
        mean_and_variance_again(input, n1, n2, row, mu, sigma2, reinterpret_cast<U *>(buffer));
        U scale = rsqrtf(sigma2 + epsilon);
        const int threads = blockDim.x * blockDim.y;
        const int thread = threadIdx.x + threadIdx.y * blockDim.x;
        for (int i = thread; i < n2; i += threads)
            output[row * n2 + i] = static_cast<T>(scale * (static_cast<U>(input[row * n2 + i]) - mu));
        if (thread == 0) {
            mean[row] = mu;
            inverse[row] = scale;
        }
    }
}

// The gradient of the input needs two sums over each row, merged as above.
#define GRADIENT(NAME, BARRIER_BETWEEN_ROWS)                                                                             \
    template <typename T, typename U>                                                                                    \
    __global__ void NAME(const T *__restrict__ d_output, const T *__restrict__ input, const int n1, const int n2,        \
                         const U *__restrict__ mean, const U *__restrict__ inverse, const T *__restrict__ gamma,         \
                         T *__restrict__ d_input) {                                                                      \
        extern __shared__ float buffer[];                                                                                \
        for (int row = blockIdx.y; row < n1; row += gridDim.y) {                                                         \
            input_gradient_of_row<T, U>(d_output, input, n2, row, mean[row], inverse[row], gamma, d_input, buffer);      \
            BARRIER_BETWEEN_ROWS                                                                                         \
        }                                                                                                                \
    }

template <typename T, typename U>
__device__ void input_gradient_of_row(const T *d_output, const T *input, const int n2, const int row, const U mu,
                                      const U scale, const T *gamma, T *d_input, U *buffer) {
    const int threads = blockDim.x * blockDim.y;
    const int thread = threadIdx.x + threadIdx.y * blockDim.x;
    const T *x = input + row * n2;
    const T *dy = d_output + row * n2;
    U sum1 = U(0), sum2 = U(0);
#pragma unroll 4
    for (int l = thread; l < n2; l += threads) {
        const U loss = static_cast<U>(dy[l]) * static_cast<U>(gamma[l]);
        sum1 += loss;
        sum2 += loss * (static_cast<U>(x[l]) - mu) * scale;
    }
    for (int mask = blockDim.x / 2; mask > 0; mask /= 2) {
        sum1 += WARP_SHFL_XOR(sum1, mask);
        sum2 += WARP_SHFL_XOR(sum2, mask);
    }
    if (blockDim.y > 1) {
        for (int offset = blockDim.y / 2; offset > 0; offset /= 2) {
            if (threadIdx.y >= offset && threadIdx.y < 2 * offset) {
                const int at = (threadIdx.y - offset) * blockDim.x + threadIdx.x;
                buffer[2 * at] = sum1;  // expect RW301 in layer_norm_gradient_racing
                buffer[2 * at + 1] = sum2;  // expect RW301 in layer_norm_gradient_racing
            }
            __syncthreads();
            if (threadIdx.y < offset) {
                const int at = threadIdx.y * blockDim.x + threadIdx.x;
                sum1 += buffer[2 * at];
                sum2 += buffer[2 * at + 1];
            }
            __syncthreads();
        }
        if (threadIdx.y == 0) {
            buffer[2 * threadIdx.x] = sum1;
            buffer[2 * threadIdx.x + 1] = sum2;
        }
        __syncthreads();
        if (threadIdx.y != 0) {
            sum1 = buffer[2 * threadIdx.x];  // expect RW301 in layer_norm_gradient_racing
            sum2 = buffer[2 * threadIdx.x + 1];  // expect RW301 in layer_norm_gradient_racing
        }
    }
    const U count = static_cast<U>(n2);
    const U factor = (U(1) / count) * scale;
    T *dx = d_input + row * n2;
    for (int l = thread; l < n2; l += threads) {
        U gradient = count * static_cast<U>(dy[l]) * static_cast<U>(gamma[l]);
        gradient -= sum1;
        gradient -= (static_cast<U>(x[l]) - mu) * scale * sum2;
        dx[l] = static_cast<T>(gradient * factor);
    }
}

GRADIENT(layer_norm_gradient, __syncthreads();)
GRADIENT(layer_norm_gradient_racing, /* forgotten */)
