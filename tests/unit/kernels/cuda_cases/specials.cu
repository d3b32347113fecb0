enum Layout { ROWS, PLANES };
enum Mode { NEAR, LINEAR };
struct Three { float x, y, z; }; struct Byte { unsigned char x; };
template <class T> struct Base { typedef float Type; };
template <> struct Base<Byte> { typedef unsigned char Type; };
template <class T> __device__ T made(typename Base<T>::Type x, typename Base<T>::Type y) { return T(); }
template <> __device__ Byte made(unsigned char x, unsigned char y) { Byte b; b.x = x + y; return b; }
template <> __device__ float made(float x, float y) { return x - y; }
template <> __device__ Three made(float x, float y) { Three t; t.x = x; t.y = y; t.z = x * y; return t; }
template <class T> __device__ T cast(const Three &a) { return T(); }
template <class T> __device__ T cast(const Byte &a) { return T(); }
template <> __device__ Three cast(const Byte &a) { Three t; t.x = a.x; t.y = 1; t.z = 2; return t; }
template <> __device__ Byte cast(const Byte &a) { return a; }
template <> __device__ Byte cast(const Three &a) { Byte b; b.x = a.x + a.z; return b; }
template <> __device__ int *cast(const Three &a) { return 0; }
template <Layout layout, class T> __device__ T at(T *p, int i) { return p[i]; }
template <> __device__ float at<PLANES>(float *p, int i) { return p[i] + 100; }
template <> __device__ int at<PLANES>(int *p, int i) { return p[i] + 200; }
template <Mode mode, Layout layout = ROWS, class T> __device__ T read(T *p, int i) { return at<layout>(p, i) + mode; }
template <class T> __device__ int pick(T x) { return 1; }
template <class T> __device__ int pick(T *x) { return 2; }
template <class T> __device__ int pick(T **x) { return 3; }
template <> __device__ int pick(float *x) { return 4; }
template <class T, class U> __device__ int pair(T a, U b) { return 5; }
template <class T> __device__ int pair(T a, T b) { return 6; }
template <class T> __device__ int pair(T a, int b) { return 7; }
template <class T, int N> struct Vec { T of[N]; };
template <class T> __device__ int size(T v) { return 8; }
template <class T> __device__ int size(Vec<T, 2> v) { return 9; }
template <class T> __device__ T zero();
template <> __device__ float zero<float>() { return 12.5f; }
template <> __device__ int zero<int>() { return 13; }
__global__ void specials(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  Byte b = made<Byte>(3, 4); Three s = made<Three>(5.f, 6.f);
  out[0] = b.x; real[0] = s.z; real[1] = made<float>(7.f, 2.f);
  Three wide = cast<Three>(b); out[1] = cast<Byte>(s).x + 1000 * cast<Byte>(b).x; real[2] = wide.x + wide.y + wide.z;
  real[3] = 0; real[4] = 9; out[2] = 0; out[3] = 11;
  real[5] = at<ROWS>(real, 4) + at<PLANES>(real, 4); out[4] = at<ROWS>(out, 3) + at<PLANES>(out, 3);
  out[5] = read<LINEAR>(out, 3) + 1000 * read<NEAR, PLANES>(out, 3) + (int)read<LINEAR, PLANES>(real, 4);
  int *p = out; float **q = &real;
  out[6] = pick(t) + 10 * pick(p) + 100 * pick(&p) + 1000 * pick(real) + 10000 * pick(q);
  Vec<float, 2> two; Vec<float, 3> three; two.of[0] = three.of[0] = 0;
  out[7] = pair(1.f, 2.f) + 10 * pair(1.f, 2) + 100 * pair(1.f, 2.0); out[8] = size(two) + 10 * size(three);
  out[9] = zero<int>(); real[6] = zero<float>();
}
