// rewright: launch block(64); x: in s32[64]; y: out s32[64]
__global__ void taint_unset_wrong(const int *x, int *y) {
  int v; if (x[threadIdx.x] > 0) v = 1;
  y[threadIdx.x] = v; // expect RW305
}
// rewright: launch block(64); x: in s32[64]; y: out s32[64]
__global__ void taint_unset_right(const int *x, int *y) {
  int v, p = x[threadIdx.x] > 0; if (p) v = 1; else v = 2;
  y[threadIdx.x] = v;
}
// rewright: launch block(64); x: in s32[64]; y: out s32[64]
__global__ void taint_unset_corr_right(const int *x, int *y) {
  int v, p = x[threadIdx.x] > 0, r = 0; if (p) v = 1;
  if (p) r = v + 1;
  y[threadIdx.x] = r;
}
// rewright: launch block(64); x: in s32[64]; y: out s32[65]
__global__ void taint_index_unknown(const int *x, int *y) {
  int i = threadIdx.x; if (x[threadIdx.x] > 5) i++;
  y[i] = threadIdx.x; // expect RW301
}
// rewright: launch block(64); x: in s32[64]; y: out s32[64]
__global__ void taint_mem_wrong(const int *x, int *y) {
  __shared__ int s[64]; __shared__ int z[64];
  s[threadIdx.x] = x[threadIdx.x]; z[threadIdx.x] = 0; // expect RW301
  if (threadIdx.x % 32 == 0) __syncwarp(1);
  if (s[threadIdx.x] == 7) z[63 - threadIdx.x] = 1; // expect RW301
  __syncthreads();
  y[threadIdx.x] = z[threadIdx.x];
}
// rewright: launch block(64); x: in s32[64]; y: out s32[64]
__global__ void taint_vote_unknown(const int *x, int *y) {
  if (__all_sync(~0u, x[threadIdx.x] >= 3)) y[threadIdx.x + 1] = 1; // expect RW304
}
// rewright: launch block(64); x: in s32[64]; y: out s32[64]
__global__ void taint_votenone_unknown(const int *x, int *y) {
  if (!__any_sync(~0u, x[threadIdx.x] >= 3)) y[threadIdx.x + 1] = 1; // expect RW304
}
// rewright: launch block(64); x: in s32[64]; y: out s32[64]
__global__ void taint_syncor_unknown(const int *x, int *y) {
  if (!__syncthreads_or(x[threadIdx.x] > 0)) y[threadIdx.x + 1] = 1; // expect RW304
}
// rewright: launch block(64); x: in s32[64]; y: out s32[64]
__global__ void atomic_order_wrong(const int *x, int *y) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  int p = atomicAdd(&n, 1);
  if (p == 0 && threadIdx.x == 63) y[64] = 1; // expect RW304
}
// rewright: launch block(64); x: in s32[64]; y: out s32[64]
__global__ void data_loop_wrong(const int *x, int *y) {
  int n = x[threadIdx.x] & 3;
  for (int i = 0; i < n; i++) y[threadIdx.x + i / 2] = i; // expect RW301, RW304
}
// rewright: launch block(64); x: in s32[64]; y: out s32[64]
__global__ void data_barrier_wrong(const int *x, int *y) {
  if (x[threadIdx.x] > 0) __syncthreads(); // expect RW303
  y[threadIdx.x] = 0;
}
// rewright: launch block(64); x: in s32[1]; y: out s32[64]
__global__ void data_barrier_right(const int *x, int *y) {
  if (x[0] > 0) __syncthreads();
  y[threadIdx.x] = 0;
}
// rewright: launch block(64); x: in s32[64]; y: inout s32[64]
__global__ void swap_write_wrong(const int *x, int *y) {
  y[0] = x[threadIdx.x]; // expect RW301
}
// rewright: launch block(64); x: in s32[1]; y: inout s32[64]
__global__ void same_write_right(const int *x, int *y) {
  y[0] = x[0];
}
// rewright: launch block(64); x: in f32[64]; y: inout f32[64]
__global__ void same_sum_wrong(const float *x, float *y) {
  y[0] = x[threadIdx.x] * 0.0f + (x[threadIdx.x] > 50.f); // expect RW301
}
// rewright: launch block(64); x: in s32[64]; y: inout s32[64]
__global__ void same_data_given(const int *x, int *y) {
  if (x[threadIdx.x] > 3) y[0] = x[threadIdx.x] > 900; // expect RW301
}
// rewright: launch grid(3), block(64); x: in s32[192]; y: inout s32[4]
__global__ void same_blocks_wrong(const int *x, int *y) {
  if (threadIdx.x == 0) y[3] = x[blockIdx.x] > 900; // expect RW313
}
// rewright: launch block(64); m: in u32[64]; x: in f32[64]; y: out f32[64]
__global__ void data_mask_wrong(const unsigned *m, const float *x, float *y) {
  y[threadIdx.x] = __shfl_sync(m[threadIdx.x], x[threadIdx.x], 0); // expect RW302, RW314
}
// rewright: launch block(64); p: in s32[65]; y: out s32[100]; requires p[0] == 0; requires forall i in 0..64: p[i] <= p[i + 1]; requires p[64] <= 100
__global__ void csr_right(const int *p, int *y) {
  for (int k = p[threadIdx.x]; k < p[threadIdx.x + 1]; k++) y[k] = threadIdx.x;
}
// rewright: launch block(64); p: in s32[65]; y: out s32[100]; requires p[0] == 0; requires forall i in 0..64: p[i] <= p[i + 1]; requires p[64] <= 100
__global__ void csr_wrong(const int *p, int *y) {
  for (int k = p[threadIdx.x]; k <= p[threadIdx.x + 1] && k < 100; k++) y[k] = threadIdx.x; // expect RW301
}
