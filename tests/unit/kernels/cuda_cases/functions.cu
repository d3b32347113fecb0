__device__ void swap(int &a, int &b) { int c = a; a = b; b = c; }
__device__ __forceinline__ int early(int v) { if (v > 1) return 10; if (v < 0) { return -v; } v += 3;
  return v; }
__device__ int defaults(int a, int b = 4) { a *= b; return a; }
__device__ int over(int a) { return 1; }
__device__ int over(float a) { return 2; }
__device__ int over(int a, int b) { return 3; }
namespace inner { __device__ int g(int x) { return x + 1; } __device__ int f(int x) { return g(x) * 2; } }
__device__ int total(const int *p, int n) { int s = 0;
  for (int i = 0; i < n; i++) { if (p[i] < -40) return s; s += p[i]; } return s; }
__device__ int first(int list[3]) { return list[0] + list[2]; }
__device__ void bump(int *p) { *p += 1; }
static inline __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }
__device__ void nothing(int *p, int v) { if (v > 100) return; *p = v; }
__device__ int sign(int v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }
__device__ int leaf(int x) { for (int i = 0; i < 3; i++) if (i == x) return i * 10; return -1; }
__device__ int depth(int x) { int r = 0; for (int i = 0; i < 3; i++) r += leaf(x + i); return r; }
__global__ void functions(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  int a = t, b = 5; swap(a, b); out[0] = a; out[1] = b; out[2] = early(t); out[3] = early(t - 2);
  out[4] = defaults(t);
  out[5] = defaults(t, 1); out[6] = over(1); out[7] = over(1.5f); out[8] = over(1, 2);
  out[9] = inner::f(2) + inner::g(3);
  out[10] = total(in, n); int list[3] = {1, 2, 3}; out[11] = first(list); bump(&b); out[12] = b;
  real[0] = lerp(1.f, 2.f, 0.25f);
  nothing(out + 13, 4); out[14] = sign(in[t]); out[15] = depth(t);
}
