// Kernels that assert what built-in functions give; each runs as one block of two warps.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int rank_of(cg::thread_group g) { return g.thread_rank(); }

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void extrema(const int *table, int *out) {
  int t = threadIdx.x;
  assert(min(3, -4) == -4 && max(3u, 4u) == 4u && fmaxf(1.f, 2.f) == 2.f && fmin(1.0, 2) == 1.0);
  assert(max(-1, 2u) == 0xffffffffu); assert(std::min(t, 3) <= 3); assert(clamp(t, 2, 5) >= 2);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void absolute(const int *table, int *out) {
  int t = threadIdx.x;
  assert(abs(-3) == 3 && fabsf(-2.5f) == 2.5f && abs(-2.5f) == 2.5f && llabs(-(1LL << 40)) == 1LL << 40);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void roots(const int *table, int *out) {
  int t = threadIdx.x;
  assert(sqrtf(16.f) == 4.f && rsqrtf(4.f) == 0.5f && fabs(cbrt(27.0) - 3.0) < 1e-12 && __frcp_rn(4.f) == 0.25f);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void powers(const int *table, int *out) {
  int t = threadIdx.x;
  assert(exp2f(3.f) == 8.f && powf(2.f, 10.f) == 1024.f && __expf(0.f) == 1.f && ldexpf(1.f, 4) == 16.f);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void rounding(const int *table, int *out) {
  int t = threadIdx.x;
  assert(floorf(-1.5f) == -2.f && ceilf(1.2f) == 2.f && rintf(2.5f) == 2.f && roundf(2.5f) == 3.f);
  assert(truncf(-1.7f) == -1.f && lrintf(3.5f) == 4 && fmodf(7.f, 4.f) == 3.f && remainderf(7.f, 4.f) == -1.f);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void arithmetic(const int *table, int *out) {
  int t = threadIdx.x;
  assert(fmaf(2.f, 3.f, 4.f) == 10.f && __fadd_rn(1.f, 2.f) == 3.f && __fdividef(6.f, 3.f) == 2.f);
  assert(__dmul_rz(2.0, 3.0) == 6.0 && __fmaf_rn(1.f, 2.f, 3.f) == 5.f && __saturatef(1.5f) == 1.f);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void kinds(const int *table, int *out) {
  int t = threadIdx.x;
  assert(isnan(NAN) && !isnan(1.f) && isinf(-INFINITY) && !isfinite(CUDART_INF_F) && signbit(-0.f));
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void conversions(const int *table, int *out) {
  int t = threadIdx.x;
  assert(__float2int_rn(2.5f) == 2 && __float2int_rz(-2.7f) == -2 && __float2int_ru(2.1f) == 3);
  assert(__float2uint_rd(2.9f) == 2u && __int2float_rn(7) == 7.f && __double2int_rn(3.5) == 4);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void bits_of_floats(const int *table, int *out) {
  int t = threadIdx.x;
  assert(__float_as_int(1.f) == 0x3f800000 && __int_as_float(0x40000000) == 2.f);
  assert(__double2hiint(1.0) == 0x3ff00000 && __hiloint2double(0x40000000, 0) == 2.0);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void counts_of_bits(const int *table, int *out) {
  int t = threadIdx.x;
  assert(__popc(0xf0f0) == 8 && __clz(1) == 31 && __ffs(8) == 4 && __ffs(0) == 0);
  assert(__popcll(~0ULL) == 64 && __clzll(1) == 63 && __brev(1) == 0x80000000u);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void products(const int *table, int *out) {
  int t = threadIdx.x;
  assert(__mul24(0x1000003, 2) == 6 && __mul24(-1, 5) == -5 && __umulhi(0x80000000u, 4u) == 2u);
  assert(__mulhi(-1, 1) == -1 && __umul24(3u, 5u) == 15u && __sad(2, 7, 1u) == 6u);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void words(const int *table, int *out) {
  int t = threadIdx.x;
  assert(__funnelshift_l(0x80000000u, 1u, 1) == 3u && __funnelshift_r(2u, 1u, 1) == 0x80000001u);
  assert(__funnelshift_lc(5u, 1u, 40) == 5u && __funnelshift_rc(5u, 1u, 40) == 1u);
  assert(__funnelshift_l(5u, 1u, 40) == 0x100u && __funnelshift_r(512u, 1u, 40) == 0x1000002u);
  assert(__byte_perm(0x33221100, 0x77665544, 0x7531) == 0x77553311u && __dp4a(0x01020304, 0x01010101, 1) == 11);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void halves(const int *table, int *out) {
  int t = threadIdx.x;
  half a = __float2half(1.5f), b = __int2half_rn(2); assert(__half2float(__hadd(a, b)) == 3.5f);
  assert(__hgt(b, a) && __half2float(__hfma(a, b, a)) == 4.5f); half2 p = __floats2half2_rn(1.f, 2.f);
  p = __hmul2(p, __half2half2(b)); assert(__low2float(p) == 2.f && __half22float2(p).y == 4.f);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void integers_as_floats(const int *table, int *out) {
  int t = threadIdx.x;
  assert((float)(half)2048 == 2048.f && (float)(half)2049 == 2048.f && (float)((half)-4095) == -4096.f);
  assert((float)(__nv_bfloat16)256 == 256.f && (float)(__nv_bfloat16)257 == 256.f);
  assert((float)16777217 == 16777216.f && (double)(float)-16777217 == -16777216.0 && (double)16777217 > 16777216.0);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void averages(const int *table, int *out) {
  int t = threadIdx.x;
  assert(__hadd(3, 6) == 4 && __hadd(-3, -6) == -5);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void caches(const int *table, int *out) {
  int t = threadIdx.x;
  assert(__ldg(&table[t]) == t && __ldcs(table + t) == t); __stcg(&out[t], 3); assert(out[t] == 3);
  float4 v = make_float4(1, 2, 3, 4); assert(v.w == 4.f);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void atomics(const int *table, int *out) {
  int t = threadIdx.x;
  __shared__ int s[4]; if (t < 4) s[t] = t == 3 ? 5 : 0; __syncthreads(); atomicAdd(&s[0], 2);
  atomicMax(s + 1, t); atomicInc((unsigned *)&s[2], 2); atomicCAS(&s[3], 5, 9); __syncthreads();
  assert(s[0] == 128 && s[1] == 63 && s[3] == 9 && s[2] == 64 % 3);
  assert(atomicExch(&out[t], 7) == 0);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void atomic_on_floats(const int *table, int *out) {
  int t = threadIdx.x;
  __shared__ float s; __shared__ double d; if (!t) { s = 0.f; d = 1; } __syncthreads();
  atomicAdd(&s, 0.5f); atomicAdd_block(&d, 1.0); __syncthreads(); assert(s == 32.f && d == 65.0);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void atomics_on_vectors(const int *table, int *out) {
  int t = threadIdx.x;
  __shared__ float2 s[2]; if (t < 2) s[t] = {1.f, 2.f}; __syncthreads();
  float2 old = atomicAdd(&s[1], make_float2(0.5f, 0.25f)); __syncthreads();
  assert(old.x >= 1.f && old.y >= 2.f && s[1].x == 33.f && s[1].y == 18.f && s[0].y == 2.f);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void shuffles(const int *table, int *out) {
  int t = threadIdx.x;
  int l = t % 32; assert(__shfl_sync(~0u, t, 3) == t - l + 3);
  assert(__shfl_xor_sync(~0u, l, 1) == (l ^ 1));
  assert(__shfl_down_sync(0xffffffff, l, 1) == (l == 31 ? 31 : l + 1));
  assert(__shfl_up_sync(~0u, (short)l, 2, 8) == (l % 8 < 2 ? l : l - 2));
  assert(__shfl(1.5, 0) == 1.5);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void votes(const int *table, int *out) {
  int t = threadIdx.x;
  int l = t % 32;
  assert(__ballot_sync(~0u, l < 4) == 15u && __any_sync(~0u, l == 7) && !__all_sync(~0u, l));
  assert(__activemask() == ~0u && __ballot(l == 31) == 0x80000000u && __all(1)); __syncwarp();
  __syncwarp(~0u);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void barriers_that_count(const int *table, int *out) {
  int t = threadIdx.x;
  assert(__syncthreads_count(t < 40) == 40 && __syncthreads_or(t == 9) && !__syncthreads_and(t));
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void part_of_a_warp(const int *table, int *out) {
  int t = threadIdx.x;
  if (t % 32 < 8) {
    assert(__shfl_down_sync(0xff, t, 4, 8) == (t % 32 < 4 ? t + 4 : t));
    __syncwarp(0xff);
    assert(__activemask() == 0xff);
  }
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void block(const int *table, int *out) {
  int t = threadIdx.x;
  auto b = cooperative_groups::this_thread_block(); b.sync(); cooperative_groups::sync(b);
  assert(b.thread_rank() == t && b.size() == 64 && b.group_index().x == 0 && b.thread_index().x == t);
  assert(b.group_dim().x == 64 && b.num_threads() == 64);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void tiles(const int *table, int *out) {
  int t = threadIdx.x;
  auto w = cg::tiled_partition<16>(cg::this_thread_block()); int r = w.thread_rank();
  assert(r == t % 16 && w.size() == 16 && w.meta_group_rank() == t / 16 && w.meta_group_size() == 4);
  assert(w.shfl(t, 2) == t - r + 2 && w.shfl_xor(r, 8) == (r ^ 8) && w.ballot(r < 2) == 3 && w.any(r == 5));
  w.sync(); assert(!w.all(r)); cg::thread_block_tile<16> again = w;
  assert(again.shfl_down(r, 1) == (r < 15 ? r + 1 : 15));
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void reductions_of_tiles(const int *table, int *out) {
  int t = threadIdx.x;
  auto w = cg::tiled_partition<32>(cg::this_thread_block()); int r = w.thread_rank();
  assert(cg::reduce(w, 2, cg::plus<int>()) == 64 && cg::reduce(w, r, cg::greater<int>()) == 31);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void threads_together(const int *table, int *out) {
  int t = threadIdx.x;
  if (t % 3 == 0) {
    auto g = cg::coalesced_threads();
    int first = g.shfl(t, 0);
    g.sync();
    assert(first == (t < 32 ? 0 : 33) && g.size() == 11 && g.thread_rank() == (t - first) / 3);
  }
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void grid(const int *table, int *out) {
  int t = threadIdx.x;
  auto g = cg::this_grid(); assert(g.thread_rank() == t && g.size() == 64 && g.num_blocks() == 1);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void any_group(const int *table, int *out) {
  int t = threadIdx.x;
  assert(rank_of(cg::this_thread_block()) == t && rank_of(cg::tiled_partition<4>(cg::this_thread_block())) == t % 4);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void nothing(const int *table, int *out) {
  int t = threadIdx.x;
  printf("%d", t); __nanosleep(20); if (__builtin_expect(t < 0, 0)) assert(0); __threadfence_block();
}

template <int M, int N, int K, typename T, typename E = T>
__device__ void product(int t) {
  using namespace nvcuda;
  __shared__ T a[M * K], b[K * N];
  __shared__ float c[2][M * (N + 4)];
  for (int i = t; i < M * K; i += 64) a[i] = i * 7 % 11 - 5;
  for (int i = t; i < K * N; i += 64) b[i] = i * 5 % 13 - 6;
  __syncthreads();
  wmma::fragment<wmma::matrix_a, M, N, K, E, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, E, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, M, N, K, float> sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::load_matrix_sync(fa, a, K);
  wmma::load_matrix_sync(fb, b, K);
  wmma::mma_sync(sum, fa, fb, sum);
  for (int i = 0; i < sum.num_elements; i++) sum.x[i] *= 2.0f;
  wmma::store_matrix_sync(c[t / 32], sum, N + 4, wmma::mem_row_major);
  __syncwarp();
  for (int e = t % 32; e < M * N; e += 32) {
    float wanted = 1.0f;
    for (int k = 0; k < K; k++) wanted += float(a[e / N * K + k]) * float(b[e % N * K + k]);
    assert(c[t / 32][e / N * (N + 4) + e % N] == 2.0f * wanted);
  }
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void tensor_cores(const int *table, int *out) {
  product<16, 16, 16, half>(threadIdx.x);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void tensor_cores_on_tall_tiles(const int *table, int *out) {
  product<32, 8, 16, half>(threadIdx.x);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void tensor_cores_on_wide_tiles(const int *table, int *out) {
  product<8, 32, 16, half>(threadIdx.x);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void tensor_cores_on_tf32(const int *table, int *out) {
  product<16, 16, 8, float, nvcuda::wmma::precision::tf32>(threadIdx.x);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void whole_warps(const int *table, int *out) {
  int t = threadIdx.x, l = t % 32;
  assert(__reduce_add_sync(0xffffffff, 2u) == 64 && __reduce_max_sync(~0u, -l) == 0);
  assert(__reduce_min_sync(~0u, -l) == -31 && __reduce_or_sync(~0u, 1u << l) == ~0u);
  assert(__match_any_sync(~0u, l / 8) == 0xffu << (l / 8 * 8));
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void types_of_libraries(const int *table, int *out) {
  bool is_float = std::is_same<at::acc_type<at::Half, true>, float>::value;
  bool is_wide = std::is_same<at::acc_type<int, true>, int64_t>::value;
  assert(is_float && is_wide && sizeof(acc_type<double, true>) == 8 && sizeof(at::opmath_type<c10::BFloat16>) == 4);
  int truncated = ScalarConvert<float, int>::to(-2.75f);
  double rounded = ScalarConvert<double, half>::to(1.0 + 1.0 / 4096);
  assert(truncated == -2 && rounded == 1.0 && ScalarConvert<int, float>::to(truncated) / 4 == -0.5f);
  cufftComplex a = make_float2(1.f, 2.f); cufftDoubleComplex b; b.x = 0.25; cudaStream_t none = 0;
  assert(a.y == 2.f && b.x == 0.25 && sizeof(cuComplex) == 8 && sizeof(cufftReal) == 4 && none == 0);
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void shuffles_of_libraries(const int *table, int *out) {
  int l = threadIdx.x % 32; assert(WARP_SHFL_XOR(l, 1) == (l ^ 1)); assert(WARP_SHFL(l, 3) == 3);
  assert(WARP_SHFL_DOWN(l, 1) == (l == 31 ? 31 : l + 1) && WARP_SHFL_UP(l, 2, 8) == (l % 8 < 2 ? l : l - 2));
  if (l < 16) assert(WARP_SHFL(l, 3, 32, 0xffffu) == 3);
}

__device__ int nearest_byte(float x) {
  int found;
  asm volatile("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(found) : "f"(x));
  return found;
}

__device__ unsigned chosen_bits(unsigned a, unsigned b, unsigned c) {
  unsigned found;
  asm volatile("lop3.b32 %0, %1, %2, %3, %4;\n" : "=r"(found) : "r"(a), "r"(b), "r"(c), "n"((0xf0 & 0xcc) | 0xaa));
  return found;
}

// rewright: launch block(64); table: in s32[64]; out: inout s32[64]
__global__ void assembly(const int *table, int *out) {
  assert(nearest_byte(2.5f) == 2 && nearest_byte(3.5f) == 4 && nearest_byte(-0.75f) == -1 && nearest_byte(0.f) == 0);
  assert(nearest_byte(1e9f) == 127 && nearest_byte(-1e30f) == -128 && nearest_byte(__int_as_float(0x7fffffff)) == 0);
  int t = threadIdx.x, whole; float x = t * 0.75f; unsigned short bits, byte; float back;
  asm("{cvt.rni.sat.s32.f32 %0, %1;}" : "=r"(whole) : "f"(x)); assert(whole == __float2int_rn(x));
  unsigned a = t * 0x01010101u, b = 0x0f0f3355u + t, c = ~t;
  assert(chosen_bits(a, b, c) == ((a & b) | c) && chosen_bits(a, 0, 0) == 0 && chosen_bits(0, b, ~0u) == ~0u);
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x)); assert(bits == __half_as_ushort(__float2half(x)));
  asm("cvt.f32.f16 %0, %1;" : "=f"(back) : "h"(bits)); assert(back == x);
  asm("cvt.rni.sat.s8.f16 %0, %1;" : "=r"(whole) : "h"(bits)); assert(whole == __float2int_rn(x));
  asm("tanh.approx.f32 %0,%1;" : "=f"(back) : "f"(0.f)); assert(back == 0.f);
  asm("ex2.approx.f32 %0, %1;" : "=f"(back) : "f"(3.f)); assert(back > 7.9f && back < 8.1f);
}
