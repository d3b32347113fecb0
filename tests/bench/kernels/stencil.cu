// Stencils: of a line with a halo in shared memory, of a plane, and a convolution of rows with a constant filter.
#define RADIUS 3
#define BLOCK 128

__global__ void stencil_line(const int *in, int *out) {
  __shared__ int line[BLOCK + 2 * RADIUS];
  int g = threadIdx.x + blockIdx.x * blockDim.x + RADIUS, l = threadIdx.x + RADIUS;
  line[l] = in[g];
  if (threadIdx.x < RADIUS) {
    line[l - RADIUS] = in[g - RADIUS];
    line[l + BLOCK] = in[g + BLOCK];
  }
  __syncthreads();
  int result = 0;
  for (int offset = -RADIUS; offset <= RADIUS; offset++) result += line[l + offset];
  out[g] = result;
}

__global__ void heat(const float *now, float *next, int width, int height, float rate) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  int at = y * width + x;
  next[at] = now[at] + rate * (now[at - 1] + now[at + 1] + now[at - width] + now[at + width] - 4.0f * now[at]);
}

__constant__ float filter[2 * RADIUS + 1];

__global__ void convolve_rows(const float *in, float *out, int width) {
  __shared__ float tile[4][64 + 2 * RADIUS];
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  for (int i = threadIdx.x; i < 64 + 2 * RADIUS; i += 64) {
    int from = (int)blockIdx.x * 64 + i - RADIUS;
    tile[threadIdx.y][i] = from >= 0 && from < width ? in[y * width + from] : 0.0f;
  }
  __syncthreads();
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i <= 2 * RADIUS; ++i) sum += filter[i] * tile[threadIdx.y][threadIdx.x + i];
  out[y * width + x] = sum;
}

void run(const int *line, int *lines, const float *now, float *next) {
  const int n = 1024, width = 128, height = 32;
  stencil_line<<<n / BLOCK, BLOCK>>>(line, lines);
  heat<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(now, next, width, height, 0.1f);
  convolve_rows<<<dim3(width / 64, height / 4), dim3(64, 4)>>>(now, next, width);
}
