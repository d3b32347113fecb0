// `memset` and `memcpy` of lengths that are known, large, or only known when the kernel runs; functions by their address.
struct Wide { long long a[3]; };
__device__ int twice(int x) { return 2 * x; }
__device__ int thrice(int x) { return 3 * x; }
typedef int (*Function)(int);
__device__ int called(Function f, int x) { return f(x); }
__global__ void bytes(int *ints, float *reals, const int *in, int n) {
  int i = threadIdx.x;
  if (i == 0) memset(ints, 0x11, 8 * sizeof(int));
  if (i == 1) memcpy(ints + 8, in, n * sizeof(int));
  if (i == 2) memcpy((char *)(ints + 16), (const char *)in, n);
  if (i == 3) memset(reals, 0, n);
  Wide w;
  memset(&w, i, sizeof w);
  ints[32 + i] = (int)w.a[2];
  memset(&w, n + i, (n + i) % 24);
  ints[36 + i] = (int)(w.a[0] >> 8);
  char large[5000];
  memset(large, i + 1, sizeof large);
  char copy[5000];
  memcpy(copy, large, sizeof copy);
  ints[40 + i] = copy[0] + copy[4999];
  memcpy(copy, in, n - n);
  ints[44 + i] = copy[3];
  Function f = twice;
  int (*g)(int) = &thrice;
  ints[48 + i] = f(in[i]) + g(in[i]);
  ints[52 + i] = called(&twice, i) + called(thrice, i);
}
