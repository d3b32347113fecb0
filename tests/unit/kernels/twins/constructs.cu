#include <cooperative_groups.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
#define CHECK_BOUNDS(i, n) if ((i) >= (n)) return
#define SWAP(a, b) do { auto _t = (a); (a) = (b); (b) = _t; } while (0)
template <typename T, int B> struct Tile { T d[B]; __device__ T &at(int i) { return d[i]; } };
template <typename T> __device__ T add(T a, T b) { return a + b; }
template <typename T, template <typename> class F> struct Dummy {};
template <typename T, int N> struct Sum { static __device__ T go(T v) { v += __shfl_xor_sync(0xffffffffu, v, N); return Sum<T, N / 2>::go(v); } };
template <typename T> struct Sum<T, 0> { static __device__ T go(T v) { return v; } };
// rewright: launch block(64); x: in f32[64]; y: out f32[2]
__global__ void cg_tile_wrong(const float *x, float *y) {
  cg::thread_block b = cg::this_thread_block();
  cg::thread_block_tile<32> t = cg::tiled_partition<32>(b);
  __shared__ float s[64];
  s[b.thread_rank()] = x[b.thread_rank()]; // expect RW301
  t.sync();
  if (t.thread_rank() == 0) {
    float a = 0;
    for (int i = 0; i < 33; ++i) a += s[t.meta_group_rank() * 31 + i]; // expect RW301
    y[t.meta_group_rank()] = a;
  }
}
// rewright: launch block(64); x: in f32[64]; y: out f32[2]
__global__ void cg_tile_right(const float *x, float *y) {
  cg::thread_block b = cg::this_thread_block();
  cg::thread_block_tile<32> t = cg::tiled_partition<32>(b);
  __shared__ float s[64];
  s[b.thread_rank()] = x[b.thread_rank()];
  t.sync();
  if (t.thread_rank() == 0) {
    float a = 0;
    for (int i = 0; i < 32; ++i) a += s[t.meta_group_rank() * 32 + i];
    y[t.meta_group_rank()] = a;
  }
}
// rewright: launch block(64); x: in f32[64]; y: out f32[4]
__global__ void cg_tile16_wrong(const float *x, float *y) {
  auto b = cg::this_thread_block();
  auto t = cg::tiled_partition<16>(b);
  __shared__ float s[64];
  s[b.thread_rank()] = x[b.thread_rank()]; // expect RW309
  t.sync();
  if (t.thread_rank() == 0) {
    float a = 0;
    for (int i = 0; i < 16; ++i) a += s[(t.meta_group_rank() * 16 + i) ^ 16]; // expect RW309
    y[t.meta_group_rank()] = a;
  }
}
// rewright: launch block(64); x: in f32[64]; c: inout s32[1]; y: out f32[64]; requires c[0] == 0
__global__ void cg_coalesced_wrong(const float *x, int *c, float *y) {
  if (x[threadIdx.x] > 0) {
    auto g = cg::coalesced_threads();
    int p = 0;
    if (g.thread_rank() == 0) p = atomicAdd(c, 1);
    p = g.thread_rank() + g.shfl(p, 0);
    y[p] = x[threadIdx.x]; // expect RW301
  }
}
// rewright: launch grid(4), block(64); n = 200; x: in f32[200]; y: out f32[200]
__global__ void macro_right(const float *x, float *y, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  CHECK_BOUNDS(i, n);
  float a = x[i], b = 2;
  SWAP(a, b);
  y[i] = a + b;
}
// rewright: launch grid(4), block(64); n = 200; x: in f32[200]; y: out f32[200]
__global__ void macro_wrong(const float *x, float *y, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  CHECK_BOUNDS(i - 1, n);
  float a = x[i], b = 2; // expect RW304
  SWAP(a, b);
  y[i] = a + b; // expect RW304
}
union U { float f; unsigned u; unsigned char c[4]; };
// rewright: launch block(64); x: in f32[64]; y: out u32[64]
__global__ void union_right(const float *x, unsigned *y) {
  U u; u.f = x[threadIdx.x];
  y[threadIdx.x] = (u.u >> 3) ^ u.c[2];
}
// rewright: launch block(64); x: in f32[64]; y: out u32[64]
__global__ void union_wrong(const float *x, unsigned *y) {
  U u; u.c[0] = 1; u.c[1] = 2; u.c[3] = 3;
  y[threadIdx.x] = u.u; // expect RW305
}
// rewright: launch block(64); y: out u32[64]
__global__ void union_two_wrong(unsigned *y) {
  __shared__ union { float f[64]; unsigned char c[256]; } s;
  s.c[threadIdx.x * 4] = 1; // expect RW301
  s.f[63 - threadIdx.x] = 2.f; // expect RW301
  __syncthreads();
  y[threadIdx.x] = s.c[threadIdx.x * 4];
}
// rewright: launch block(64); y: out s32[64]; k: in s32[64]
__global__ void switch_right(int *y, const int *k) {
  int r = 0;
  switch (k[threadIdx.x] & 3) {
  case 0: r += 1;
  case 1: r += 2; break;
  case 2: { r = 5; }
  default: r--;
  }
  y[threadIdx.x] = r;
}
// rewright: launch block(64); y: out s32[64]
__global__ void switch_wrong(int *y) {
  __shared__ int s[64];
  int r;
  switch (threadIdx.x & 3) {
  case 0: r = 1;
  case 1: r = 2; break;
  case 2: r = 5; break;
  case 3: if (threadIdx.x < 60) r = 9;
  }
  y[threadIdx.x] = r; // expect RW305
}
// rewright: launch block(64); y: out s32[64]
__global__ void switch_barrier_wrong(int *y) {
  switch (threadIdx.x / 32) {
  case 0: __syncthreads(); break; // expect RW303
  case 1: __syncthreads(); break; // expect RW303
  }
  y[threadIdx.x] = 0;
}
// rewright: launch block(64); y: out s32[64]
__global__ void dowhile_right(int *y) {
  unsigned v = threadIdx.x, c = 0;
  do { c += v & 1; v >>= 1; } while (v);
  y[threadIdx.x] = c;
}
// rewright: launch block(64); y: out s32[64]
__global__ void unsigned_wrap_wrong(int *y) {
  unsigned i = threadIdx.x;
  for (unsigned k = 4; k >= 0 && k < 5; k--) y[i - k] = 1; // expect RW304
}
// rewright: launch block(64); y: out s32[64]
__global__ void unsigned_cmp_wrong(int *y) {
  int i = (int)threadIdx.x - 1;
  if (i < blockDim.x) { y[i + 1] = 1; } // expect RW301
  if (i - 62 < 0) y[i] = 2; // expect RW301, RW304
}
// rewright: launch block(64); y: out s32[64]
__global__ void unsigned_cmp_right(int *y) {
  int i = (int)threadIdx.x - 1;
  if (i < blockDim.x) y[i] = 1;
}
// rewright: launch block(8, 4, 2); x: in f32[64]; y: out f32[64]
__global__ void blk3d_right(const float *x, float *y) {
  __shared__ float s[2][4][8];
  s[threadIdx.z][threadIdx.y][threadIdx.x] = x[(threadIdx.z * 4 + threadIdx.y) * 8 + threadIdx.x];
  __syncthreads();
  y[(threadIdx.x * 4 + threadIdx.y) * 2 + threadIdx.z] = s[threadIdx.z][threadIdx.y][threadIdx.x];
}
// rewright: launch block(8, 4, 2); x: in f32[64]; y: out f32[64]
__global__ void blk3d_wrong(const float *x, float *y) {
  __shared__ float s[2][4][8];
  s[threadIdx.z][threadIdx.y][threadIdx.x] = x[(threadIdx.z * 4 + threadIdx.y) * 8 + threadIdx.x];
  __syncthreads();
  y[(threadIdx.x * 4 + threadIdx.y) * 2 + threadIdx.z] = s[threadIdx.z][threadIdx.x / 2 + 1][threadIdx.y]; // expect RW304
}
__device__ void put(float (&s)[64], int i, float v) { s[i] = v; }
__device__ void bump(float &v) { v += 1; }
// rewright: launch block(64); x: in f32[64]; y: out f32[64]
__global__ void ref_shared_right(const float *x, float *y) {
  __shared__ float s[64];
  put(s, threadIdx.x, x[threadIdx.x]);
  bump(s[threadIdx.x]);
  __syncthreads();
  y[threadIdx.x] = s[63 - threadIdx.x];
}
// rewright: launch block(64); x: in f32[64]; y: out f32[64]
__global__ void ptrptr_right(const float *x, float *y) {
  __shared__ float a[64], b[64];
  float *p[2] = {a, b};
  float **q = &p[0];
  q[threadIdx.x & 1][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  int t = threadIdx.x ^ 2;
  y[threadIdx.x] = p[t & 1][t];
}
// rewright: launch block(64); x: in f32[64]; y: out f32[64]
__global__ void ptrptr_wrong(const float *x, float *y) {
  __shared__ float a[64], b[64];
  float *p[2] = {a, b};
  float **q = &p[0];
  q[threadIdx.x & 1][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  int t = threadIdx.x ^ 2;
  y[threadIdx.x] = p[~t & 1][t]; // expect RW305
}
// rewright: launch block(64); y: out s32[64]
__global__ void shadow_right(int *y) {
  int i = threadIdx.x;
  { int i = 5; i++; for (int i = 0; i < 3; i++) { int y = i; (void)y; } }
  y[i] = i;
}
// rewright: launch block(64), shared(256 + 64); y: out s32[64]
__global__ void sizeof_wrong(int *y) {
  extern __shared__ __align__(16) unsigned char raw[];
  int *a = (int *)raw; char *c = (char *)(raw + 63 * sizeof(int));
  a[threadIdx.x] = 1; c[threadIdx.x] = 2; // expect RW301
  __syncthreads();
  y[threadIdx.x] = a[63 - threadIdx.x] + c[63 - threadIdx.x];
}
// rewright: launch block(64), shared(256 + 63); y: out s32[64]
__global__ void dynshared_small_wrong(int *y) {
  extern __shared__ unsigned char raw[];
  int *a = (int *)raw; char *c = (char *)(a + 64);
  a[threadIdx.x] = 1; c[threadIdx.x] = 2; // expect RW304
  __syncthreads();
  y[threadIdx.x] = a[63 - threadIdx.x];
}
// rewright: launch grid(2), block(64); n = 100; x: in f32[n]; y: inout f32[1]
__global__ void cas_read_plain_wrong(const float *x, float *y, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) {
    atomicAdd(y, x[i]); // expect RW301, RW313
    if (threadIdx.x == 7 && *y > 100) y[0] = 3; // expect RW301, RW313
  }
}
// rewright: launch block(64); x: in f32[64]; y: out f32[64]
__global__ void xor_width_right(const float *x, float *y) {
  float v = x[threadIdx.x];
  for (int o = 4; o; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o, 8);
  unsigned m = threadIdx.x % 32 < 16 ? 0xffffu : 0xffff0000u;
  v += __shfl_xor_sync(m, v, 8, 16);
  y[threadIdx.x] = v;
}
// rewright: launch block(64); x: in f32[64]; y: out f32[64]
__global__ void xor_mask_wrong(const float *x, float *y) {
  float v = x[threadIdx.x];
  if (threadIdx.x % 32 < 16) v += __shfl_xor_sync(0xffff, v, 16); // expect RW314
  y[threadIdx.x] = v;
}
// rewright: launch block(64); x: in f32[64]; y: out f32[64]
__global__ void ballot_loop_right(const float *x, float *y) {
  int c = 0;
  for (int i = threadIdx.x; i < 128; i += 64) c += __popc(__ballot_sync(0xffffffff, x[i & 63] > 0));
  y[threadIdx.x] = c;
}
struct P { float x, y, z; __device__ float len() const { return x * x + y * y + z * z; } };
// rewright: launch block(64); y: out s64[64]; x: in f32[100]
__global__ void idx64_wrong(long long *y, const float *x) {
  long long i = (long long)threadIdx.x << 32;
  y[threadIdx.x] = i + (int)x[(i >> 32) + 37]; // expect RW304
}
// rewright: launch block(64); y: out s32[64]
__global__ void overflow_wrong(int *y) {
  int i = threadIdx.x * 67108864;
  y[i / 67108864] = i; // expect RW304
}
struct BF { unsigned a : 3; unsigned b : 5; };
