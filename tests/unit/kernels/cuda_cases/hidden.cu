struct Range { float min, max; __device__ float abs() const { return max - min; } };
__device__ float clamp(float x, float min, float max) { return x < min ? min : (x > max ? max : x); }
template <class T> __device__ T log(T x, T floor) { return x > floor ? x : floor; }
__device__ int round(int sin, int cos) { int pow = sin * cos; { int sin = pow + 1; pow += sin; } return pow + sin; }
__global__ void hidden(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  out[0] = min(t, 2) + max(t, 2); { int min = t + 1, max = 3; out[1] = (min) * max - (max) + min; }
  real[0] = clamp(in[t], -3.f, 3.f); real[1] = log(1.5f, 2.5f); out[3] = log(t, 1) + round(t, 2);
  Range range = {1.5f, 4.f}; real[2] = range.min + range.abs(); int abs[3] = {1, 2, 3}; out[4] = abs[t % 3];
  for (int max = 0; max < 3; max++) out[5] += max; out[6] = max(t, 1);
  auto exp = [](int max) { return max + 1; }; out[7] = exp(t); int half = n / 2; out[8] = (half) + in[half] + half * 2;
  float sqrt = 2.f, *floor = &sqrt; *floor += t; real[3] = sqrt; struct { int ceil; } q = {t}; out[9] = q.ceil;
  const int &fabs = in[t]; out[10] = fabs; out[11] = [&](int min) { return min + t; }(4); enum { rint = 5 }; out[12] = rint;
}
