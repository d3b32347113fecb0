#include <cuda_runtime.h>
#include <stdio.h>
#define TILE 16
#define R 3
// convolution with halo
__constant__ float kern[2 * R + 1];
// rewright: launch grid(4), block(64); n = 250; x: in f32[n]; y: out f32[n]
__global__ void conv_right(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[64 + 2 * R];
  int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + R;
  s[l] = g < n ? x[g] : 0.f;
  if (threadIdx.x < R) {
    s[threadIdx.x] = g >= R && g - R < n ? x[g - R] : 0.f;
    s[l + 64] = g + 64 < n ? x[g + 64] : 0.f;
  }
  __syncthreads();
  if (g < n) {
    float a = 0;
#pragma unroll
    for (int k = -R; k <= R; k++) a += s[l + k] * kern[k + R];
    y[g] = a;
  }
}
// rewright: launch grid(4), block(64); n = 250; x: in f32[n]; y: out f32[n]
__global__ void conv_wrong(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[64 + 2 * R];
  int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + R;
  s[l] = g < n ? x[g] : 0.f;
  if (threadIdx.x < R - 1) {
    s[threadIdx.x] = g >= R && g - R < n ? x[g - R] : 0.f;
    s[l + 64] = g + 64 < n ? x[g + 64] : 0.f;
  }
  __syncthreads();
  if (g < n) {
    float a = 0;
    for (int k = -R; k <= R; k++) a += s[l + k] * kern[k + R]; // expect RW305
    y[g] = a;
  }
}
// rewright: launch grid(4), block(64); n = 250; x: in f32[n]; y: out f32[n]
__global__ void conv_first_wrong(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[64 + 2 * R];
  int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + R;
  s[l] = g < n ? x[g] : 0.f;
  if (threadIdx.x < R) {
    s[threadIdx.x] = x[g - R]; // expect RW304
    s[l + 64] = x[g + 64]; // expect RW304
  }
  __syncthreads();
  if (g < n) y[g] = s[l - 1];
}
// rewright: launch grid((M + 15) / 16, (M + 15) / 16), block(16, 16); M = 40; K = 33; A: in f32[M, K]; B: in f32[K, M]; C: out f32[M, M]
__global__ void mm_right(const float *A, const float *B, float *C, int M, int K) {
  __shared__ float a[TILE][TILE], b[TILE][TILE + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * TILE + ty, c = blockIdx.x * TILE + tx;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    a[ty][tx] = (r < M && k0 + tx < K) ? A[r * K + k0 + tx] : 0;
    b[ty][tx] = (c < M && k0 + ty < K) ? B[(k0 + ty) * M + c] : 0;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) acc = fmaf(a[ty][k], b[k][tx], acc);
    __syncthreads();
  }
  if (r < M && c < M) C[r * M + c] = acc;
}
// rewright: launch grid((M + 15) / 16, (M + 15) / 16), block(16, 16); M = 40; K = 33; A: in f32[M, K]; B: in f32[K, M]; C: out f32[M, M]
__global__ void mm_wrong(const float *A, const float *B, float *C, int M, int K) {
  __shared__ float a[TILE][TILE], b[TILE][TILE + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * TILE + ty, c = blockIdx.x * TILE + tx;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    a[ty][tx] = (r < M && k0 + tx <= K) ? A[r * K + k0 + tx] : 0; // expect RW304, RW309
    b[ty][tx] = (c < M && k0 + ty < K) ? B[(k0 + ty) * M + c] : 0; // expect RW301
    __syncthreads();
    for (int k = 0; k < TILE; ++k) acc = fmaf(a[ty][k], b[k][tx], acc); // expect RW301, RW309
    if (k0 + TILE >= K) __syncthreads();
  }
  if (r < M && c < M) C[r * M + c] = acc;
}
// rewright: launch grid((n + 31) / 32, (m + 31) / 32), block(32, 8); n = 70; m = 50; a: in f32[m, n]; b: out f32[n, m]
__global__ void transpose_right(const float *a, float *b, int m, int n) {
  __shared__ float t[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < n && y + j < m) t[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < m && y + j < n) b[(y + j) * m + x] = t[threadIdx.x][threadIdx.y + j];
}
// rewright: launch grid((n + 31) / 32, (m + 31) / 32), block(32, 8); n = 70; m = 50; a: in f32[m, n]; b: out f32[n, m]
__global__ void transpose_wrong(const float *a, float *b, int m, int n) {
  __shared__ float t[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < n && y + j < m) t[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < n && y + j < m) b[(y + j) * m + x] = t[threadIdx.x][threadIdx.y + j]; // expect RW305, RW313
}
// radix
// rewright: launch block(128); n = 128; in: in u32[n]; out: out u32[n]
__global__ void radix_split_right(const unsigned *in, unsigned *out, int n) {
  __shared__ unsigned v[128], f[128];
  unsigned t = threadIdx.x;
  v[t] = in[t];
  for (int bit = 0; bit < 4; ++bit) {
    __syncthreads();
    unsigned x = v[t], b = (x >> bit) & 1;
    f[t] = 1 - b;
    __syncthreads();
    for (unsigned d = 1; d < 128; d <<= 1) {
      unsigned w = t >= d ? f[t - d] : 0;
      __syncthreads();
      f[t] += w;
      __syncthreads();
    }
    unsigned zeros = f[127];
    unsigned p = b ? zeros + t - f[t] : f[t] - 1;
    __syncthreads();
    v[p] = x;
  }
  __syncthreads();
  out[t] = v[t];
}
// rewright: launch block(128); n = 128; in: in u32[n]; out: out u32[n]
__global__ void radix_split_wrong(const unsigned *in, unsigned *out, int n) {
  __shared__ unsigned v[128], f[128];
  unsigned t = threadIdx.x;
  v[t] = in[t];
  for (int bit = 0; bit < 4; ++bit) {
    __syncthreads();
    unsigned x = v[t], b = (x >> bit) & 1;
    f[t] = 1 - b;
    __syncthreads();
    for (unsigned d = 1; d < 128; d <<= 1) {
      unsigned w = t >= d ? f[t - d] : 0;
      __syncthreads();
      f[t] += w;
      __syncthreads();
    }
    unsigned zeros = f[127];
    unsigned p = b ? zeros + t - f[t] : f[t];
    __syncthreads();
    v[p] = x; // expect RW301, RW304
  }
  __syncthreads();
  out[t] = v[t];
}
// rewright: launch grid(4), block(128); n = 1000; in: in f32[n]; out: inout f32[1]
__global__ void atomic_reduce_right(const float *in, float *out, int n) {
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += in[i];
  for (int o = warpSize / 2; o > 0; o /= 2) s += __shfl_down_sync(0xffffffff, s, o);
  __shared__ float w[32];
  int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
  if (lane == 0) w[wid] = s;
  __syncthreads();
  s = threadIdx.x < blockDim.x / warpSize ? w[lane] : 0;
  if (wid == 0) { for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o); if (!lane) atomicAdd(out, s); }
}
// rewright: launch grid(4), block(128); n = 1000; in: in f32[n]; out: inout f32[1]
__global__ void atomic_reduce_wrong(const float *in, float *out, int n) {
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += in[i];
  for (int o = warpSize / 2; o > 0; o /= 2) s += __shfl_down_sync(0xffffffff, s, o);
  __shared__ float w[32];
  int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
  if (lane == 0) w[wid] = s;
  __syncthreads();
  s = w[lane]; // expect RW305
  if (wid == 0) { for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o); if (!lane) *out += s; } // expect RW313
}
// producer / consumer
// rewright: launch block(64); in: in f32[320]; out: out f32[320]
__global__ void pingpong_right(const float *in, float *out) {
  __shared__ float buf[2][32];
  const bool producer = threadIdx.x < 32;
  const int l = threadIdx.x & 31;
  if (producer) buf[0][l] = in[l];
  __syncthreads();
  for (int k = 0; k < 10; ++k) {
    if (producer) { if (k + 1 < 10) buf[(k + 1) & 1][l] = in[(k + 1) * 32 + l]; }
    else out[k * 32 + l] = buf[k & 1][31 - l];
    __syncthreads();
  }
}
// rewright: launch block(64); in: in f32[320]; out: out f32[320]
__global__ void pingpong_wrong(const float *in, float *out) {
  __shared__ float buf[2][32];
  const bool producer = threadIdx.x < 32;
  const int l = threadIdx.x & 31;
  if (producer) buf[0][l] = in[l];
  __syncthreads();
  for (int k = 0; k < 10; ++k) {
    if (producer) { if (k + 1 < 10) buf[(k + (k != 6)) & 1][l] = in[(k + 1) * 32 + l]; } // expect RW301
    else out[k * 32 + l] = buf[k & 1][31 - l]; // expect RW301
    __syncthreads();
  }
}
enum State { START, LOAD, STORE = 5, DONE };
// rewright: launch block(32); x: in s32[32]; y: out s32[32]
__global__ void machine_right(const int *x, int *y) {
  State s = START; int v = 0, n = 0;
  while (s != DONE) {
    switch (s) {
    case START: s = LOAD; break;
    case LOAD: v = x[threadIdx.x]; s = STORE; break;
    case STORE: y[threadIdx.x] = v; if (++n > 2) s = DONE; else s = LOAD; break;
    default: return;
    }
  }
}
// rewright: launch block(32); x: in s32[32]; y: out s32[32]
__global__ void machine_wrong(const int *x, int *y) {
  State s = START; int v, n = 0;
  while (s != DONE) {
    switch (s) {
    case START: s = threadIdx.x == 30 ? STORE : LOAD; break;
    case LOAD: v = x[threadIdx.x]; s = STORE; break;
    case STORE: y[threadIdx.x] = v; if (++n > 2) s = DONE; else s = LOAD; break; // expect RW305
    default: return;
    }
  }
}
// rewright: launch grid(2), block(96); x: inout s32[192]
__global__ void same_value_right(int *x) {
  __shared__ int flag;
  flag = 0;
  __syncthreads();
  if (x[blockIdx.x * 96 + threadIdx.x] > 3) flag = 1;
  __syncthreads();
  x[blockIdx.x * 96 + threadIdx.x] = flag;
}
// rewright: launch grid(2), block(96); x: inout s32[192]
__global__ void same_value_wrong(int *x) {
  __shared__ int flag;
  flag = 0; // expect RW301
  if (x[blockIdx.x * 96 + threadIdx.x] > 3) flag = 1; // expect RW301
  __syncthreads();
  x[blockIdx.x * 96 + threadIdx.x] = flag;
}
// rewright: launch block(64); x: in f32[64]; y: out f32[64]
__global__ void named_warps_right(const float *x, float *y) {
  __shared__ float s[64];
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  s[threadIdx.x] = x[threadIdx.x];
  __syncwarp();
  y[threadIdx.x] = s[w * 32 + 31 - l];
}
// rewright: launch block(64); x: in f32[64]; y: out f32[64]
__global__ void half_warp_sync_wrong(const float *x, float *y) {
  __shared__ float s[64];
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  s[threadIdx.x] = x[threadIdx.x]; // expect RW309
  if (l < 16) __syncwarp(0xffff); else __syncwarp(0xffff0000);
  y[threadIdx.x] = s[w * 32 + 31 - l]; // expect RW309
}
// rewright: launch block(40); x: in f32[40]; y: out f32[2]
__global__ void partial_warp_right(const float *x, float *y) {
  float v = x[threadIdx.x];
  unsigned m = threadIdx.x < 32 ? 0xffffffffu : 0xffu;
  float w = __shfl_sync(m, v, 0);
  if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = w;
}
// rewright: launch block(40); x: in f32[40]; y: out f32[2]
__global__ void partial_warp_wrong(const float *x, float *y) {
  float v = x[threadIdx.x];
  v += __shfl_down_sync(0xffffffff, v, 4); // expect RW314
  if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = v;
}
// rewright: launch grid(2), block(64); c: inout s32[8]; x: in s32[128]
__global__ void hist_right(const int *x, int *c) {
  __shared__ int h[8];
  if (threadIdx.x < 8) h[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&h[x[blockIdx.x * 64 + threadIdx.x] & 7], 1);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(c + threadIdx.x, h[threadIdx.x]);
}
// rewright: launch grid(2), block(64); c: inout s32[8]; x: in s32[128]
__global__ void hist_mod_given(const int *x, int *c) {
  __shared__ int h[8];
  if (threadIdx.x < 8) h[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&h[x[blockIdx.x * 64 + threadIdx.x] % 8], 1); // expect RW304
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(c + threadIdx.x, h[threadIdx.x]);
}
// rewright: launch block(256); n = 256; x: in f32[n]; y: out f32[n]
__global__ void vec4_right(const float4 *x, float4 *y, int n) {
  int i = threadIdx.x;
  if (i < n / 4) { float4 v = x[i]; v.x *= 2; y[i] = make_float4(v.x, v.y, v.z, v.w); }
}
// rewright: launch block(256); n = 255; x: in f32[n]; y: out f32[n]
__global__ void vec4_wrong(const float4 *x, float4 *y, int n) {
  int i = threadIdx.x;
  if (i < (n + 3) / 4) { 
    float4 v = x[i]; // expect RW304
    y[i] = v; } // expect RW304
}
