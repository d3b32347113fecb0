#define SET(v, e) (v = (e), v + 1)
template <int A, int B> __device__ int sum(int x) { return A + B + x; }
struct Two { int a, b; __device__ int operator()(int c = 5, int d = 6) { return (a = c, b = d, a * b); } };
__device__ int last(int a, int b) { return (a += b, b); }
__global__ void commas(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  int a, b, c, list[3] = {}, *p = &c; float f;
  real[0] = (f = in[t], f + 0.5f * n); out[0] = (a = t, b = a + 1, a * b);
  out[1] = (list[1] = 4, *p = 5, list[1] + c); b = SET(a, SET(c, t)); out[2] = a + 10 * b + 100 * c;
  for ((a = 1, b = 2); (c = 3, a < c); (a += 1, b *= 2)) out[3] += b;
  do { a--; } while (b = a, c = 2, b > 0);
  out[4] = a + b + c; a = (b = sum<1, 2>(t), c = b + 1, (list[0] = c * 2, b += c)); out[5] = a + list[0];
  out[6] = t > (b = 1, c = 2) ? (a = 5, b) : (b = 7, (c = 3, b + c)); out[7] = a + b + c;
  out[8] = -(b = 3, c = b << 1, c) + (int)(a = t, a + 1); Two two; out[9] = two(2) + two(2, 3);
  if ((a = t, b = a - 1)) out[10] = b; else out[10] = 100; if (a = 1, b = 0) out[10] = 200;
  auto g = [=](int q = 3, int r = 4) { return (q += t, r *= q, q + r); }; out[11] = g() + g(1) + last(1, 2);
  while ((a >>= 1, b++ < 3)) { out[12] += (a ^= b, a | 1); }
  out[13] = list[(a = 2, b = 1)] + list[a = 0, b = 1]; real[1] = (two = Two{1, 2}, f = two.a, f / two.b);
  out[14] = (a = b = t, c = a == b, c) /* (a = */ + (int)sizeof(a = 1, f); switch (a = t, b = a & 1) { case 1: out[15] = b; }
}
