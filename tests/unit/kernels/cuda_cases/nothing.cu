__device__ int one(void) { return 1; }
template <class T> __device__ T two(void) { return T(2); }
template <int N> __device__ int three( /* none */ void ) { return N; }
struct Counter { int v; __device__ Counter(void) : v(4) {} __device__ int get(void) const { return v; } };
__device__ int over(void) { return 6; }
__device__ int over(int a) { return a; }
#define NONE void
__device__ int seven(NONE) { return 7; }
template <class F> __device__ int call(F f) { return f(); }
__global__ void nothing(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16;
  out[0] = one(); out[1] = two<int>(); out[2] = three<3>(); Counter counter; out[3] = counter.get();
  auto five = [](void) { return 5; }; auto more = [=](void) -> int { return 5 + t; }; out[4] = five(); out[5] = more();
  out[6] = over() + over(10); out[7] = seven(); out[8] = call([&](void) { return out[7]; }) + call(one);
}
