constexpr int gcd(int a, int b) { while (b != 0) { int c = a % b; a = b; b = c; } return a; }
__host__ __device__ constexpr int log2of(int n) { return n <= 1 ? 0 : 1 + log2of(n / 2); }
constexpr int fact(int n) { if (n <= 1) return 1; return n * fact(n - 1); }
template <int N> struct Tile { static constexpr int size = gcd(N, 12) * 2; enum { half = size / 2 }; };
constexpr int TABLE[4] = {1, 2, 4, 8};
constexpr int SIZE = gcd(48, 36);
const unsigned MASK = (1u << log2of(64)) - 1;
template <int N> __device__ int filled() { int list[log2of(N) + 1] = {N}; return list[0] + sizeof(list); }
__device__ int twice(int x) { return 2 * x; }
__device__ int thrice(int x) { return 3 * x; }
template <int (*F)(int)> __device__ int applied(int x) { return F(x); }
__device__ int passed(int (*f)(int), int x) { return f(x); }
__device__ float &part(float4 &v, int i) { return reinterpret_cast<float *>(&v)[i]; }
struct Held { int x; int *where() { return &x; } };
__global__ void constants(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  int list[SIZE] = {}; out[0] = sizeof(list); out[1] = Tile<18>::size + Tile<18>::half; out[2] = MASK;
  out[3] = filled<32>(); out[4] = TABLE[t] + TABLE[2]; const int five = fact(3) - 1; int more[five] = {1};
  out[5] = more[0] + sizeof(more); static_assert(fact(4) == 24, "a constant"); out[6] = fact(5);
  out[7] = applied<twice>(t) + applied<thrice>(t); out[8] = passed(twice, 4); auto f = thrice; out[9] = f(5);
  float4 v = {1, 2, 3, 4}; part(v, t) = 9; real[0] = v.x; real[1] = v.w; real[2] = part(v, 1);
  Held held = {t}; *held.where() = 8; out[10] = held.x; float bits; int one = 0x3f800000 + t;
  memcpy(&bits, &one, sizeof(bits)); real[3] = bits; constexpr float scale = 1.0f / 3; real[4] = scale;
  const int fixed = t * 2 + five; out[11] = fixed; const long long wide = 1LL << 35; out[12] = wide >> 30;
  out[13] = n > 3 ? fact(3) : 0; out[14] = log2of(1000);
}
