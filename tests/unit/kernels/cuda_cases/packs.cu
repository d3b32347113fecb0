// Variadic templates: packs of parameters, recursion over them, folds, `sizeof...`.
template <typename T> __device__ T sum(T a) { return a; }
template <typename T, typename... Rest> __device__ T sum(T a, Rest... rest) { return a + sum(rest...); }
template <typename... Args> __device__ int count(Args... args) { return sizeof...(args); }
template <typename... Args> __device__ int folded(Args... args) { return (args + ...); }
template <typename... Args> __device__ int left(Args... args) { return (... - args); }
template <typename... Args> __device__ int right(Args... args) { return (args - ...); }
template <typename... Args> __device__ int from(int first, const Args &...args) { return (first - ... - args); }
template <typename... Args> __device__ bool all(Args... args) { return (args && ...); }
template <typename... Args> __device__ bool any(Args... args) { return (... || args); }
template <typename... Args> __device__ void change(Args &...args) { ((args += 3), ...); }
template <typename... Args> __device__ void nothing(Args &&...) {}
__device__ int doubled(int x) { return 2 * x; }
template <typename... Args> __device__ int mapped(Args... args) { return sum(doubled(args)..., 1); }
template <typename T> __device__ int pick(T a) { return 1; }
template <typename... Args> __device__ int pick(Args... args) { return 2; }
__global__ void packs(int *ints, float *reals, const int *in, int n) {
  int i = threadIdx.x;
  ints[i] = sum(1, in[i], n);
  ints[4 + i] = count() + 10 * count(1, 2.0f, 'a');
  ints[8 + i] = folded(in[i], 2, n);
  ints[12 + i] = left(in[i], 2, n);
  ints[16 + i] = right(in[i], 2, n);
  ints[20 + i] = from(100, in[i], n) + from(7);
  ints[24 + i] = all(i > 0, i < 3) + 2 * any(i == 2, false) + 4 * all() + 8 * any();
  int a = i, b = n;
  float c = 0.5f;
  change(a, b, c);
  ints[28 + i] = a * 100 + b;
  reals[i] = c + sum(0.25f, c, 1);
  nothing(a, b, in);
  nothing();
  ints[32 + i] = mapped(in[i], n);
  ints[36] = pick(1) + 10 * pick(1, 2) + 100 * pick();
}
