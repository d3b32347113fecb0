template <class T> __device__ int plain(T) { return 1; }
__device__ int plain(int) { return 2; }
__device__ int exact(int) { return 3; }
template <class T> __device__ int exact(T) { return 4; }
template <class T> __device__ int pick(T) { return 5; }
template <> __device__ int pick<int>(int) { return 6; }
template <> __device__ int pick(char) { return 7; }
template <class A, class B> __device__ int both(A, B) { return 8; }
template <> __device__ int both<int, float>(int, float) { return 9; }
template <> __device__ int both<float, int>(float, int) { return 10; }
template <class T> __device__ T made() { return T(11); }
template <> __device__ float made<float>() { return 12.5f; }
template <> __device__ short made<short>() { return 13; }
template <int N> __device__ int counted() { return N; }
template <> __device__ int counted<3>() { return 30; }
template <class T> __device__ int at(T *) { return 14; }
__device__ int at(const float *) { return 15; }
__global__ void preferences(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  out[0] = plain(t) + 10 * plain(1.5f) + 100 * plain<int>(3); out[1] = exact(3) + 10 * exact(1.5f) + 100 * exact(3u);
  out[2] = pick(3) + 10 * pick(1.5f) + 100 * pick('c'); out[3] = pick<int>(1.5f) + 10 * pick<float>(3) + 100 * pick<char>(65);
  out[4] = both(1, 2.f) + 20 * both(1.f, 2) + 400 * both(1, 2); out[5] = both<int, float>(1.5, 2) + 20 * both<float>(1, 2);
  out[6] = made<int>() + made<short>(); real[0] = made<float>() + made<double>(); out[7] = counted<3>() + counted<4>();
  out[8] = at(in) + 20 * at((const float *)reals); out[9] = plain<>(4) + 10 * plain((short)4);
}
