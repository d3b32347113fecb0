#include <cooperative_groups.h>
namespace cg = cooperative_groups;
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
// rewright: launch block(64); x: in f32[64]; c: inout s32[1]; y: out f32[64]; requires c[0] == 0
__global__ void cg_coalesced_right(const float *x, int *c, float *y) {
  if (x[threadIdx.x] > 0) {
    auto g = cg::coalesced_threads();
    int p;
    if (g.thread_rank() == 0) p = atomicAdd(c, g.size());
    p = g.thread_rank() + g.shfl(p, 0);
    y[p] = x[threadIdx.x];
  }
}
// rewright: launch block(64); y: out s32[64]
__global__ void bcast_right(int *y) {
  int v;
  if (threadIdx.x % 32 == 3) v = 7;
  v = __shfl_sync(0xffffffff, v, 3);
  y[threadIdx.x] = v;
}
// rewright: launch block(64); y: out s32[64]
__global__ void bcast_wrong(int *y) {
  int v;
  if (threadIdx.x == 3) v = 7;
  int w = __shfl_sync(0xffffffff, v, 3); // expect RW305
  y[threadIdx.x] = w;
}
// rewright: launch block(64); y: out s32[64]
__global__ void bcast_part_wrong(int *y) {
  int v, w = 0;
  if (threadIdx.x % 32 == 3) v = 7;
  if (threadIdx.x % 32 < 16) w = __shfl_sync(0xffff, v, threadIdx.x < 32 ? 3 : 4); // expect RW305
  y[threadIdx.x] = w;
}
// rewright: launch block(64); y: out s32[64]
__global__ void bcast_part_right(int *y) {
  int v, w = 0;
  if (threadIdx.x % 32 == 3) v = 7;
  if (threadIdx.x % 32 < 16) w = __shfl_sync(0xffff, v, 3);
  y[threadIdx.x] = w;
}
// rewright: launch block(64); y: out s32[64]
__global__ void bcast_later_wrong(int *y) {
  int v, w;
  if (threadIdx.x % 32 == 3) v = 7;
  w = __shfl_sync(0xffffffff, v, 3);
  y[threadIdx.x] = w + v; // expect RW305
}
// rewright: launch block(64); y: out s32[64]
__global__ void never_wrong(int *y) {
  int v;
  v = __shfl_down_sync(0xffffffff, v, 1); // expect RW305
  y[threadIdx.x] = v;
}
// rewright: launch block(64); y: out s32[64]
__global__ void one_lane_wrong(int *y) {
  int v = 1, w;
  if (threadIdx.x == 5) v = __shfl_sync(1 << 5, w, 5); // expect RW305
  y[threadIdx.x] = v;
}
