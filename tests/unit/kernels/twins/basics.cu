#define N 1000
// rewright: launch grid(4), block(256); n = 1000; x: in f32[n]; y: out f32[n]
__global__ void guard_last_wrong(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i] = x[i]; // expect RW304
}
// rewright: launch grid(4), block(256); n = 1000; x: in f32[n]; y: out f32[n]
__global__ void guard_last_right(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
// rewright: launch grid(64), block(32); n = 2048; x: in f32[n]; y: out f32[n]
__global__ void race_last_two_wrong(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i]; // expect RW313
  if (blockIdx.x == 62 && threadIdx.x == 31) y[i + 1] = 2; // expect RW313
}
// rewright: launch block(128); x: inout f32[128]
__global__ void scan_one_iter_wrong(float *x) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    float v = 0;
    if (t >= d) v = s[t - d]; // expect RW301
    if (d != 32) __syncthreads();
    s[t] += v; // expect RW301
    __syncthreads();
  }
  x[t] = s[t];
}
// rewright: launch block(128); x: inout f32[128]
__global__ void scan_one_iter_right(float *x) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    float v = 0;
    if (t >= d) v = s[t - d];
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  x[t] = s[t];
}
// rewright: launch block(256); x: inout s32[256]
__global__ void bitonic_wrong(int *x) {
  __shared__ int s[256];
  unsigned t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (unsigned k = 2; k <= 256; k <<= 1) {
    for (unsigned j = k >> 1; j > 0; j >>= 1) {
      unsigned ixj = t ^ j;
      if (ixj > t) {
        if ((t & k) == 0 ? s[t] > s[ixj] : s[t] < s[ixj]) { // expect RW301
          int tmp = s[t]; s[t] = s[ixj]; s[ixj] = tmp; // expect RW301
        }
      }
      if (j > 16) __syncthreads();
    }
  }
  __syncthreads();
  x[t] = s[t];
}
// rewright: launch block(256); x: inout s32[256]
__global__ void bitonic_right(int *x) {
  __shared__ int s[256];
  unsigned t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (unsigned k = 2; k <= 256; k <<= 1) {
    for (unsigned j = k >> 1; j > 0; j >>= 1) {
      unsigned ixj = t ^ j;
      if (ixj > t) {
        if ((t & k) == 0 ? s[t] > s[ixj] : s[t] < s[ixj]) {
          int tmp = s[t]; s[t] = s[ixj]; s[ixj] = tmp;
        }
      }
      __syncthreads();
    }
  }
  x[t] = s[t];
}
// rewright: launch block(64); x: in f32[64]; y: out f32[64]
__global__ void uninit_one_wrong(const float *x, float *y) {
  __shared__ float s[66];
  int t = threadIdx.x;
  s[t + 1] = x[t];
  if (t == 0) s[0] = 0;
  __syncthreads();
  y[t] = s[t] + s[t + 1] + s[t + 2]; // expect RW305
}
// rewright: launch block(64); x: in f32[64]; y: out f32[64]
__global__ void uninit_one_right(const float *x, float *y) {
  __shared__ float s[66];
  int t = threadIdx.x;
  s[t + 1] = x[t];
  if (t == 0) s[0] = s[65] = 0;
  __syncthreads();
  y[t] = s[t] + s[t + 1] + s[t + 2];
}
// rewright: launch block(32); x: in f32[66]; y: out f32[64]
__global__ void misaligned_wrong(const float *x, float *y) {
  float2 v = *reinterpret_cast<const float2 *>(x + 1 + 2 * threadIdx.x); // expect RW306
  y[2 * threadIdx.x] = v.x; y[2 * threadIdx.x + 1] = v.y;
}
// rewright: launch block(32); x: in f32[66]; y: out f32[64]
__global__ void misaligned_right(const float *x, float *y) {
  float2 v = *reinterpret_cast<const float2 *>(x + 2 + 2 * threadIdx.x);
  y[2 * threadIdx.x] = v.x; y[2 * threadIdx.x + 1] = v.y;
}
// rewright: launch block(64); x: inout f32[100]; n = 100
__global__ void diverge_last_wrong(float *x, int n) {
  __shared__ float s[64];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    s[threadIdx.x] = x[i];
    __syncthreads(); // expect RW303
    x[i] = s[threadIdx.x];
  }
}
// rewright: launch block(64); x: inout f32[128]; n = 128
__global__ void diverge_last_right(float *x, int n) {
  __shared__ float s[64];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    s[threadIdx.x] = x[i];
    __syncthreads();
    x[i] = s[threadIdx.x];
  }
}
// rewright: launch block(64); x: in f32[64]; y: out f32[2]
__global__ void shfl_mask_wrong(const float *x, float *y) {
  float v = x[threadIdx.x];
  for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0x7fffffff, v, o); // expect RW302, RW314
  if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = v;
}
// rewright: launch block(64); x: in f32[64]; y: out f32[2]
__global__ void shfl_mask_right(const float *x, float *y) {
  float v = x[threadIdx.x];
  for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
  if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = v;
}
// rewright: launch block(64); x: in f32[64]; y: out f32[1]
__global__ void warp_shared_wrong(const float *x, float *y) {
  __shared__ volatile float s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32]; // expect RW309
    s[t] += s[t + 16]; // expect RW309
    s[t] += s[t + 8]; // expect RW309
  }
  if (t == 0) y[0] = s[0];
}
// rewright: launch block(64); x: in f32[64]; y: out f32[1]
__global__ void warp_shared_right(const float *x, float *y) {
  __shared__ volatile float s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32) {
    float v = s[t] + s[t + 32]; __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 16]; __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 8];  __syncwarp(); s[t] = v;
  }
  if (t == 0) y[0] = s[0];
}
// rewright: launch grid(3), block(64); n = 150; count: inout u32[1]; part: inout f32[3]; x: in f32[150]; out: out f32[1]
__global__ void last_block_unknown(const float *x, volatile float *part, unsigned *count, float *out, int n) {
  __shared__ bool last;
  __shared__ float s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int h = 32; h; h /= 2) { if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h]; __syncthreads(); }
  if (threadIdx.x == 0) {
    part[blockIdx.x] = s[0];
    __threadfence();
    unsigned v = atomicInc(count, gridDim.x);
    last = v == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float t = 0;
    for (int b = 0; b < gridDim.x; b++) t += part[b];
    *out = t;
  }
}
// rewright: launch grid(2), block(64); x: inout f32[128]
__global__ void early_block_right(float *x) {
  __shared__ float s[64];
  if (blockIdx.x == 1) return;
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[63 - threadIdx.x];
}
// rewright: launch grid(2), block(64); n = 100; x: inout f32[128]
__global__ void early_return_wrong(float *x, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return; // expect RW303
  s[threadIdx.x] = x[i];
  __syncthreads(); // expect RW303
  x[i] = s[threadIdx.x];
}
// rewright: launch block(256); x: in s32[256]; c: inout s32[1]; o: out s32[256]
__global__ void warp_agg_unknown(const int *x, int *c, int *o) {
  int t = threadIdx.x;
  if (x[t] > 0) {
    unsigned m = __activemask();
    int lane = t & 31;
    int leader = __ffs(m) - 1;
    int base;
    if (lane == leader) base = atomicAdd(c, __popc(m));
    base = __shfl_sync(m, base, leader);
    o[base + __popc(m & ((1u << lane) - 1)) + 1] = x[t]; // expect RW304
  }
}
// rewright: launch block(256); x: in s32[256]; c: inout s32[1]; o: out s32[256]; requires c[0] == 0
__global__ void warp_agg_right(const int *x, int *c, int *o) {
  int t = threadIdx.x;
  if (x[t] > 0) {
    unsigned m = __activemask();
    int lane = t & 31;
    int leader = __ffs(m) - 1;
    int base;
    if (lane == leader) base = atomicAdd(c, __popc(m));
    base = __shfl_sync(m, base, leader);
    o[base + __popc(m & ((1u << lane) - 1))] = x[t];
  }
}
// rewright: launch block(64); x: in s32[64]; o: out s32[64]
__global__ void div_wrong(const int *x, int *o) {
  o[threadIdx.x] = 100 / ((int)threadIdx.x - 40); // expect RW307
}
// rewright: launch block(16, 16); x: in f32[256]; o: out f32[256]
__global__ void tile2d_wrong(const float *x, float *o) {
  __shared__ float s[16][16];
  s[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  o[threadIdx.y * 16 + threadIdx.x] = s[threadIdx.x][threadIdx.y + 1]; // expect RW304
}
// rewright: launch block(16, 16); x: in f32[256]; o: out f32[256]
__global__ void tile2d_right(const float *x, float *o) {
  __shared__ float s[16][17];
  s[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  o[threadIdx.y * 16 + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}
// rewright: launch block(64); x: in f32[64]; o: out s32[1]
__global__ void sync_count_right(const float *x, int *o) {
  int c = __syncthreads_count(x[threadIdx.x] > 0);
  if (threadIdx.x == 0) o[0] = c;
}
// rewright: launch block(64); x: in f32[64]; o: out s32[1]
__global__ void sync_count_wrong(const float *x, int *o) {
  if (threadIdx.x < 63) {
    int c = __syncthreads_count(x[threadIdx.x] > 0); // expect RW303
    if (threadIdx.x == 0) o[0] = c;
  }
}
// rewright: launch block(64); x: in f32[64]; o: out f32[64]
__global__ void dbuf_right(const float *x, float *o) {
  __shared__ float s[2][64];
  int t = threadIdx.x, p = 0;
  s[0][t] = x[t];
  __syncthreads();
  for (int k = 0; k < 5; k++) {
    s[1 - p][t] = s[p][(t + 1) & 63];
    p = 1 - p;
    __syncthreads();
  }
  o[t] = s[p][t];
}
// rewright: launch block(64); x: in f32[64]; o: out f32[64]
__global__ void dbuf_wrong(const float *x, float *o) {
  __shared__ float s[2][64];
  int t = threadIdx.x, p = 0;
  s[0][t] = x[t];
  __syncthreads();
  for (int k = 0; k < 5; k++) {
    s[1 - p][t] = s[p][(t + 1) & 63]; // expect RW301
    if (k != 2) p = 1 - p;
    if (k != 3) __syncthreads();
  }
  o[t] = s[p][t];
}
