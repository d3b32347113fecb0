struct Pair { int a, b; };
template <int A> __device__ int counted(int x) { return x + A; }
template <int A, int B> __device__ int counted(int x) { return x * A + B; }
template <typename T> __device__ int paired(T x, Pair p) { return x + p.a; }
__global__ void deductions(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; Pair p{t, 5};
  out[0] = counted<3>(t); out[1] = counted<3, 4>(t); out[2] = paired(t, p) + paired(2.5f, p);
  int open[][2] = {1, 2, 3}; out[3] = sizeof(open); int rows[][2] = {{1, 2}, {3, 4}, {5}};
  out[4] = sizeof(rows) + rows[2][0] + rows[2][1];
}
