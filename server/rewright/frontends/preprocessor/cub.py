"""What kernels call of CUB, as a text in CUDA: it is read where a header of CUB is included.

Written from CUB's documentation. What it leaves undefined has no value here: the result of a reduction in threads but
the first. A collective of the block has one barrier, so a temporary that is used again needs one in between, as the
documentation says. Loads and stores are those of the direct algorithm, without a look at alignment.
"""

from __future__ import annotations

import re

_FOLDERS = "agent|block|device|grid|host|iterator|thread|warp"
_HEADER = re.compile(rf"(?:.*/)?cub/(?:cub|config|version|util_\w+|(?:{_FOLDERS})/\w+)\.cuh")
"""CUB's own headers: another one in a folder of that name is read as it is."""


def stands_in_for(header: str) -> bool:
    """Whether the text stands in for a header."""
    return _HEADER.fullmatch(header) is not None


TEXT = """
namespace cub {

struct Sum { template <typename T> __device__ T operator()(const T &a, const T &b) const { return a + b; } };
struct Max { template <typename T> __device__ T operator()(const T &a, const T &b) const { return b > a ? b : a; } };
struct Min { template <typename T> __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
template <typename K, typename V> struct KeyValuePair { typedef K Key; typedef V Value; K key; V value; };
struct ArgMax {
  template <typename P> __device__ P operator()(const P &a, const P &b) const {
    return (b.value > a.value || (a.value == b.value && b.key < a.key)) ? b : a;
  }
};
struct ArgMin {
  template <typename P> __device__ P operator()(const P &a, const P &b) const {
    return (b.value < a.value || (a.value == b.value && b.key < a.key)) ? b : a;
  }
};

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE };
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE
};

__device__ int linear_thread() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

template <typename T, int X, int ALGORITHM = 0, int Y = 1, int Z = 1, int LEGACY = 0>
class BlockReduce {
public:
  struct TempStorage { T items[X * Y * Z]; T parts[(X * Y * Z + 31) / 32]; };
private:
  TempStorage *storage;
public:
  __device__ BlockReduce(TempStorage &given) : storage(&given) {}
  template <typename Operator> __device__ T Reduce(T input, Operator combine, int valid) {
    const int thread = linear_thread();
    T part = input;
    if constexpr (std::is_arithmetic<T>::value && X * Y * Z % 32 == 0) {
      for (int offset = 16; offset > 0; offset /= 2) {
        const T other = __shfl_down_sync(0xffffffffu, part, offset);
        if (thread % 32 + offset < 32 && thread + offset < valid) part = combine(part, other);
      }
    } else {
      storage->items[thread] = input;
      __syncwarp();
      if (thread % 32 == 0)
        for (int at = thread + 1; at < thread + 32 && at < valid; ++at) part = combine(part, storage->items[at]);
    }
    if (thread % 32 == 0) storage->parts[thread / 32] = part;
    __syncthreads();
    T whole;
    if (thread == 0) {
      whole = storage->parts[0];
      for (int warp = 1; warp * 32 < valid; ++warp) whole = combine(whole, storage->parts[warp]);
    }
    return whole;
  }
  template <typename Operator> __device__ T Reduce(T input, Operator combine) {
    return Reduce(input, combine, X * Y * Z);
  }
  template <int ITEMS, typename Operator> __device__ T Reduce(T (&inputs)[ITEMS], Operator combine) {
    T part = inputs[0];
    for (int at = 1; at < ITEMS; ++at) part = combine(part, inputs[at]);
    return Reduce(part, combine, X * Y * Z);
  }
  __device__ T Sum(T input) { return Reduce(input, cub::Sum(), X * Y * Z); }
  __device__ T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
  template <int ITEMS> __device__ T Sum(T (&inputs)[ITEMS]) { return Reduce(inputs, cub::Sum()); }
};

template <typename T, int LANES = 32, int LEGACY = 0> class WarpReduce {
public:
  struct TempStorage { T items[LANES]; };
private:
  TempStorage *storage;
public:
  __device__ WarpReduce(TempStorage &given) : storage(&given) {}
  template <typename Operator> __device__ T Reduce(T input, Operator combine, int valid) {
    const int at = linear_thread() % 32, lane = at % LANES;
    const unsigned members = LANES == 32 ? 0xffffffffu : ((1u << (LANES % 32)) - 1) << (at / LANES * LANES);
    T part = input, whole;
    if constexpr (std::is_arithmetic<T>::value && (LANES & (LANES - 1)) == 0) {
      for (int offset = LANES / 2; offset > 0; offset /= 2) {
        const T other = __shfl_down_sync(members, part, offset, LANES);
        if (lane + offset < valid) part = combine(part, other);
      }
    } else {
      storage->items[lane] = input;
      __syncwarp(members);
      if (lane == 0) for (int other = 1; other < valid; ++other) part = combine(part, storage->items[other]);
      __syncwarp(members);
    }
    if (lane == 0) whole = part;
    return whole;
  }
  template <typename Operator> __device__ T Reduce(T input, Operator combine) { return Reduce(input, combine, LANES); }
  __device__ T Sum(T input) { return Reduce(input, cub::Sum(), LANES); }
  __device__ T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
};

template <typename T, int X, int ALGORITHM = 0, int Y = 1, int Z = 1, int LEGACY = 0> class BlockScan {
public:
  struct TempStorage { T items[X * Y * Z]; T parts[(X * Y * Z + 31) / 32]; };
private:
  TempStorage *storage;
  template <typename Operator> __device__ T upTo(T input, Operator combine) {
    const int thread = linear_thread();
    storage->items[thread] = input;
    __syncwarp();
    T sum = storage->items[thread / 32 * 32];
    for (int at = thread / 32 * 32 + 1; at <= thread; ++at) sum = combine(sum, storage->items[at]);
    if (thread % 32 == 31 || thread == X * Y * Z - 1) storage->parts[thread / 32] = sum;
    __syncthreads();
    return sum;
  }
  template <typename Operator> __device__ T warps(int count, Operator combine) {
    T sum = storage->parts[0];
    for (int warp = 1; warp < count; ++warp) sum = combine(sum, storage->parts[warp]);
    return sum;
  }
public:
  __device__ BlockScan(TempStorage &given) : storage(&given) {}
  template <typename Operator> __device__ void InclusiveScan(T input, T &output, Operator combine) {
    const T sum = upTo(input, combine);
    const int warp = linear_thread() / 32;
    output = warp == 0 ? sum : combine(warps(warp, combine), sum);
  }
  template <typename Operator> __device__ void InclusiveScan(T input, T &output, Operator combine, T &aggregate) {
    InclusiveScan(input, output, combine);
    aggregate = warps((X * Y * Z + 31) / 32, combine);
  }
  template <typename Operator> __device__ void ExclusiveScan(T input, T &output, T initial, Operator combine) {
    const int thread = linear_thread();
    upTo(input, combine);
    T sum = thread < 32 ? initial : combine(initial, warps(thread / 32, combine));
    for (int at = thread / 32 * 32; at < thread; ++at) sum = combine(sum, storage->items[at]);
    output = sum;
  }
  template <typename Operator>
  __device__ void ExclusiveScan(T input, T &output, T initial, Operator combine, T &aggregate) {
    ExclusiveScan(input, output, initial, combine);
    aggregate = warps((X * Y * Z + 31) / 32, combine);
  }
  __device__ void InclusiveSum(T input, T &output) { InclusiveScan(input, output, cub::Sum()); }
  __device__ void InclusiveSum(T input, T &output, T &aggregate) {
    InclusiveScan(input, output, cub::Sum(), aggregate);
  }
  __device__ void ExclusiveSum(T input, T &output) { ExclusiveScan(input, output, T(0), cub::Sum()); }
  __device__ void ExclusiveSum(T input, T &output, T &aggregate) {
    ExclusiveScan(input, output, T(0), cub::Sum(), aggregate);
  }
};

template <typename T, int X, int ITEMS, int ALGORITHM = 0, int Y = 1, int Z = 1, int LEGACY = 0>
class BlockLoad {
public:
  struct TempStorage { char none; };
  __device__ BlockLoad(TempStorage &given) {}
  template <typename From> __device__ void Load(From from, T (&items)[ITEMS]) {
    for (int at = 0; at < ITEMS; ++at) items[at] = from[linear_thread() * ITEMS + at];
  }
  template <typename From> __device__ void Load(From from, T (&items)[ITEMS], int valid) {
    for (int at = 0; at < ITEMS; ++at)
      if (linear_thread() * ITEMS + at < valid) items[at] = from[linear_thread() * ITEMS + at];
  }
  template <typename From, typename Default>
  __device__ void Load(From from, T (&items)[ITEMS], int valid, Default otherwise) {
    for (int at = 0; at < ITEMS; ++at) items[at] = otherwise;
    Load(from, items, valid);
  }
};

template <typename T, int X, int ITEMS, int ALGORITHM = 0, int Y = 1, int Z = 1, int LEGACY = 0>
class BlockStore {
public:
  struct TempStorage { char none; };
  __device__ BlockStore(TempStorage &given) {}
  template <typename To> __device__ void Store(To to, T (&items)[ITEMS]) {
    for (int at = 0; at < ITEMS; ++at) to[linear_thread() * ITEMS + at] = items[at];
  }
  template <typename To> __device__ void Store(To to, T (&items)[ITEMS], int valid) {
    for (int at = 0; at < ITEMS; ++at)
      if (linear_thread() * ITEMS + at < valid) to[linear_thread() * ITEMS + at] = items[at];
  }
};

}
"""
