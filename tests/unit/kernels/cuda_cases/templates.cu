template <int N> __device__ int times(int x) { return x * N; }
template <typename T> __device__ T largest(T a, T b) { return a > b ? a : b; }
template <typename T, int N> __device__ int length(T (&list)[N]) { return N + list[0]; }
template <int N> struct power { static const int value = 2 * power<N - 1>::value; };
template <> struct power<0> { static const int value = 1; };
template <bool B> __device__ int choose(int a, int b) { if constexpr (B) { return a; } else { return b; } }
template <typename T, int N> struct Pack { T v[N]; };
template <typename T, int N> __device__ T sum(const Pack<T, N> &p) { T s = 0;
  for (int i = 0; i < N; i++) s += p.v[i]; return s; }
struct Twice { __device__ int operator()(int x) const { return 2 * x; } };
template <typename F> __device__ int apply(F f, int x) { return f(x); }
template <int I, int N> __device__ int unroll(const int *p) { if constexpr (I < N) return p[I] + unroll<I + 1, N>(p);
  else return 0; }
template <typename T> __device__ int kind() { return 1; }
template <> __device__ int kind<float>() { return 20; }
template <typename T> __device__ T ptr(const T *p) { return *p + (T)sizeof(T); }
template <int N> __device__ int halve() { constexpr int half = N / 2; int list[half] = {N};
  return list[0] + half; }
__global__ void templates(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  out[0] = times<3>(t); out[1] = largest(t, 2); real[0] = largest(1.5f, 0.5f);
  out[2] = largest<int>(2.5f, 1); int list[5] = {1, 2, 3, 4, 5};
  out[3] = length(list); out[4] = power<4>::value; out[5] = choose<true>(1, 2);
  out[6] = choose<false>(1, 2); Pack<int, 2> p{{1, 2}};
  out[7] = sum(p); out[8] = apply(Twice(), 4); out[9] = unroll<0, 4>(in);
  out[10] = kind<float>() + kind<int>(); out[11] = ptr(in + t); out[12] = halve<8>();
  out[13] = apply([&](int x) { return x + t; }, 3); auto g = [=](int x) -> int { if (x > t) return 1;
  return 0; }; out[14] = g(2) + g(0);
  int captured = 1; auto h = [&captured](auto x) { captured += x; }; h(5); out[15] = captured;
}
