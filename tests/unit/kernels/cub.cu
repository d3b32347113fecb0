#include "3rdparty/cub/block/block_reduce.cuh"
#include <cub/cub.cuh>
struct Top { int at; float value; };
template <typename T> __device__ Top higher(const Top &a, const Top &b) { return b.value > a.value ? b : a; }
// rewright: launch block(96); table: in s32[96]; out: inout s32[96]
__global__ void sums(const int *table, int *out) {
  typedef cub::BlockReduce<int, 96> Reduce; typedef cub::BlockScan<int, 96, cub::BLOCK_SCAN_WARP_SCANS> Scan;
  __shared__ union { typename Reduce::TempStorage reduce; typename Scan::TempStorage scan; } memory;
  int t = threadIdx.x;
  int whole = Reduce(memory.reduce).Sum(t + 1);
  if (t == 0) assert(whole == 96 * 97 / 2);
  __syncthreads();
  int some = Reduce(memory.reduce).Reduce(100 - t, cub::Min(), 50);
  if (t == 0) assert(some == 51);
  __syncthreads();
  int before, upto, all;
  Scan(memory.scan).ExclusiveSum(t, before, all);
  assert(before == t * (t - 1) / 2 && all == 96 * 95 / 2);
  __syncthreads();
  Scan(memory.scan).InclusiveScan(t ^ 5, upto, cub::Max());
  int most = 0; for (int i = 0; i <= t; ++i) most = max(most, i ^ 5);
  assert(upto == most);
  out[t] = table[t];
}
// rewright: launch block(8, 5); table: in s32[96]; out: inout s32[96]
__global__ void structs(const int *table, int *out) {
  typedef cub::BlockReduce<Top, 8, cub::BLOCK_REDUCE_RAKING, 5> Reduce;
  __shared__ typename Reduce::TempStorage memory;
  int t = threadIdx.x + 8 * threadIdx.y;
  Top mine{t, (t * 7 % 40) * 1.f};
  Top best = Reduce(memory).Reduce(mine, higher<float>);
  if (t == 0) assert(best.value == 39.f && best.at * 7 % 40 == 39);
  out[t] = table[t];
}
// rewright: launch block(64); table: in s32[96]; out: inout s32[96]
__global__ void warps(const int *table, int *out) {
  typedef cub::WarpReduce<float> Whole; typedef cub::WarpReduce<int, 8> Eighth;
  __shared__ typename Whole::TempStorage whole[2]; __shared__ typename Eighth::TempStorage eighth[8];
  int t = threadIdx.x;
  float sum = Whole(whole[t / 32]).Sum(t * 1.f);
  if (t % 32 == 0) assert(sum == 16 * (2 * t + 31));
  int few = Eighth(eighth[t / 8]).Reduce(t * t, cub::Max(), 3);
  if (t % 8 == 0) assert(few == (t + 2) * (t + 2));
  typedef cub::BlockReduce<cub::KeyValuePair<int, float>, 64> Best; __shared__ typename Best::TempStorage best;
  cub::KeyValuePair<int, float> mine; mine.key = t; mine.value = t % 16; cub::ArgMax which;
  const cub::KeyValuePair<int, float> found = Best(best).Reduce(mine, which);
  if (t == 0) assert(found.key == 15 && found.value == 15.f);
  out[t] = table[t];
}
// rewright: launch block(32); table: in s32[96]; out: inout s32[96]
__global__ void loads(const int *table, int *out) {
  typedef cub::BlockLoad<int, 32, 3, cub::BLOCK_LOAD_VECTORIZE> Load; typedef cub::BlockStore<int, 32, 3> Store;
  __shared__ typename Load::TempStorage loading; __shared__ typename Store::TempStorage storing;
  int items[3], other[3];
  Load(loading).Load(table, items); Load(loading).Load(table, other, 50, -1);
  for (int i = 0; i < 3; ++i) assert(other[i] == (threadIdx.x * 3 + i < 50 ? items[i] : -1));
  Store(storing).Store(out, items, 96);
}
