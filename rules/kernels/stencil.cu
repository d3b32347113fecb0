// Averages over a neighbourhood, with a rim in shared memory.

#define RADIUS 3
#define BLOCK 64

__global__ void stencil(const float *in, float *out, int n) {
    __shared__ float part[BLOCK + 2 * RADIUS];
    int global = blockIdx.x * BLOCK + threadIdx.x;
    int local = threadIdx.x + RADIUS;
    part[local] = global < n ? in[global] : 0.0f;
    if (threadIdx.x < RADIUS) {
        part[local - RADIUS] = global >= RADIUS ? in[global - RADIUS] : 0.0f;
        part[local + BLOCK] = global + BLOCK < n ? in[global + BLOCK] : 0.0f;
    }
    __syncthreads();
    float sum = 0.0f;
    for (int offset = -RADIUS; offset <= RADIUS; ++offset) sum += part[local + offset];
    if (global < n) out[global] = sum / (2 * RADIUS + 1);
}

__global__ void stencil_unsynchronised(const float *in, float *out, int n) {
    __shared__ float part[BLOCK + 2 * RADIUS];
    int global = blockIdx.x * BLOCK + threadIdx.x;
    int local = threadIdx.x + RADIUS;
    part[local] = global < n ? in[global] : 0.0f;  // expect RW301
    if (threadIdx.x < RADIUS) {
        part[local - RADIUS] = global >= RADIUS ? in[global - RADIUS] : 0.0f;  // expect RW309
        part[local + BLOCK] = global + BLOCK < n ? in[global + BLOCK] : 0.0f;  // expect RW301
    }
    float sum = 0.0f;
    for (int offset = -RADIUS; offset <= RADIUS; ++offset) sum += part[local + offset];  // expect RW301, RW309
    if (global < n) out[global] = sum / (2 * RADIUS + 1);
}

// The rim has room on one side only.
__global__ void stencil_without_room(const float *in, float *out, int n) {
    __shared__ float part[BLOCK + RADIUS];
    int global = blockIdx.x * BLOCK + threadIdx.x;
    int local = threadIdx.x + RADIUS;
    part[local] = global < n ? in[global] : 0.0f;
    if (threadIdx.x < RADIUS) {
        part[local - RADIUS] = global >= RADIUS ? in[global - RADIUS] : 0.0f;
        part[local + BLOCK] = global + BLOCK < n ? in[global + BLOCK] : 0.0f;  // expect RW304
    }
    __syncthreads();
    float sum = 0.0f;
    for (int offset = -RADIUS; offset <= RADIUS; ++offset) sum += part[local + offset];  // expect RW304
    if (global < n) out[global] = sum / (2 * RADIUS + 1);
}

// Iterated in place in global memory: the blocks see each other's results or not.
__global__ void stencil_in_place(float *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float left = 0.0f, right = 0.0f;
    if (i > 0 && i < n) left = data[i - 1];  // expect RW313
    if (i + 1 < n) right = data[i + 1];  // expect RW313
    __syncthreads();
    if (i < n) data[i] = (left + right) / 2;  // expect RW313
}

// Two dimensions; the bound of the inner one is passed at the right rim, where the next row begins.
__global__ void stencil_rows(const float *in, float *out, int width) {
    __shared__ float tile[8][10];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * width + x];
    if (x < 3) tile[y][x + 8] = in[y * width + x + 8];  // expect RW304
    __syncthreads();
    out[y * 8 + x] = tile[y][x] + tile[y][x + 1] + tile[y][x + 2];
}
