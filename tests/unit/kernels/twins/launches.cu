#include <cooperative_groups.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
// rewright: launch block(128); x: in f32[128]; y: out f32[128]
__global__ void data_equal_wrong(const float *x, float *y) {
  __shared__ float m;
  m = x[threadIdx.x]; // expect RW301
  __syncthreads();
  y[threadIdx.x] = m;
}
// rewright: launch block(64); x: in s32[64]; y: inout s32[64]
__global__ void gather_scatter_given(const int *x, int *y) {
  int i = x[threadIdx.x];
  if (i >= 0 && i < 64) y[i] = threadIdx.x; // expect RW301
}
// rewright: launch block(64); x: in s32[64]; y: inout s32[64]; requires forall i in 0..64: x[i] == 63 - i
__global__ void perm_right(const int *x, int *y) {
  int i = x[threadIdx.x];
  y[i] = threadIdx.x;
}
// rewright: launch block(64); x: in u8[64]; y: inout s32[256]
__global__ void u8_oob_given(const unsigned char *x, int *y) {
  atomicAdd(&y[x[threadIdx.x] + 1], 1); // expect RW304
}
// rewright: launch block(64); x: in u8[64]; y: inout s32[256]
__global__ void u8_oob_right(const unsigned char *x, int *y) {
  atomicAdd(&y[x[threadIdx.x]], 1);
}
// rewright: launch grid((n + 63) / 64), block(64); x: in f32[n]; y: out f32[n]
__global__ void free_n_given(const float *x, float *y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) s[threadIdx.x] = x[i];
  __syncthreads();
  if (i < n) y[i] = s[threadIdx.x] + s[(threadIdx.x + 1) % 64]; // expect RW305
}
// rewright: launch grid(2), block(64); x: in f32[n]; y: out f32[n]
__global__ void free_n_mult_given(const float *x, float *y, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  for (; i < n; i += 128) { float2 v = ((const float2 *)x)[i / 2]; y[i] = i % 2 ? v.y : v.x; } // expect RW304
}
// rewright: launch grid(2), block(64); x: in f32[n]; y: out f32[n]
__global__ void mod7_given(const float *x, float *y, int n, int k) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) y[i] = n % 4 == 3 ? x[i + 1] : x[i]; // expect RW304
}
// rewright: launch grid(2), block(64), shared(n * 4); x: in f32[n]; y: out f32[n]; n = 64
__global__ void dyn_right(const float *x, float *y, int n) {
  extern __shared__ float s[];
  if (threadIdx.x < n) s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < n && blockIdx.x == 0) y[threadIdx.x] = s[n - 1 - threadIdx.x];
}
// rewright: launch block(64); x: in f32[64]; y: out f32[64]
__global__ void uneven_barrier_wrong(const float *x, float *y) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 32) { __syncthreads(); s[threadIdx.x] += 1; } // expect RW303
  else { s[threadIdx.x] += 2; __syncthreads(); } // expect RW303
  y[threadIdx.x] = s[63 - threadIdx.x];
}
// rewright: launch block(64); x: in f32[64]; y: out f32[64]
__global__ void loop_count_barrier_wrong(const float *x, float *y) {
  for (int i = 0; i < 3 + (threadIdx.x == 63); i++) __syncthreads(); // expect RW303
  y[threadIdx.x] = 1;
}
// rewright: launch block(64); x: in f32[64]; y: out f32[64]
__global__ void continue_barrier_wrong(const float *x, float *y) {
  for (int i = 0; i < 3; i++) { if (i == 2 && threadIdx.x == 5) continue; __syncthreads(); } // expect RW303
  y[threadIdx.x] = 1;
}
// rewright: launch block(64); x: in f32[64]; y: out f32[64]
__global__ void syncwarp_mask_wrong(const float *x, float *y) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x]; // expect RW309
  __syncwarp(0x7fffffff); // expect RW302
  y[threadIdx.x] = s[threadIdx.x ^ 1]; // expect RW309
}
// rewright: launch block(32); x: in f32[32]; y: out f32[32]
__global__ void one_warp_wrong(const float *x, float *y) {
  __shared__ float s[32];
  s[threadIdx.x] = x[threadIdx.x]; // expect RW301
  y[threadIdx.x] = s[threadIdx.x ^ 1]; // expect RW301
}
// rewright: launch block(64); x: in f32[64]; y: out f32[64]
__global__ void reg_array_wrong(const float *x, float *y) {
  float r[8];
  for (int i = 0; i < 8; i++) if (i != (threadIdx.x == 50 ? 5 : 9)) r[i] = x[(threadIdx.x + i) % 64];
  float a = 0;
  for (int i = 0; i < 8; i++) a += r[i]; // expect RW305
  y[threadIdx.x] = a;
}
// rewright: launch block(64); x: in f32[64]; y: out f32[64]
__global__ void reg_array_oob_wrong(const float *x, float *y) {
  float r[8];
  for (int i = 0; i <= 8; i++) r[i] = x[i]; // expect RW304
  y[threadIdx.x] = r[3];
}
// rewright: launch block(64); x: in s32[1]; y: out s32[64]
__global__ void assert_given(const int *x, int *y) {
  assert(x[0] > -100); // expect RW308
  y[threadIdx.x] = x[0];
}
// rewright: launch block(64); x: in s32[64]; y: out s32[64]
__global__ void div_data_unknown(const int *x, int *y) {
  y[threadIdx.x] = 7 % x[threadIdx.x]; // expect RW307
}
// rewright: launch block(64); x: in s32[64]; y: out s32[64]
__global__ void div_guard_right(const int *x, int *y) {
  y[threadIdx.x] = x[threadIdx.x] != 0 ? 7 % x[threadIdx.x] : 0;
  y[threadIdx.x] += x[threadIdx.x] && 7 / x[threadIdx.x] > 2;
}
