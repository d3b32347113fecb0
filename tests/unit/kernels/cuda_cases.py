"""CUDA functions, a construct or a few each, that write what they compute."""

from __future__ import annotations

HEAD = "(int *ints, float *reals, const int *in, int n)"

CASES: dict[str, str] = {}


def case(name: str, body: str, before: str = "") -> None:
    """Enters a case: `t` is the thread, `out` its own sixteenth of `ints`."""
    CASES[name] = f"""{before}
__global__ void {name}{HEAD} {{
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  {body}
}}
"""


case(
    "promotions",
    """
  char c = 200; unsigned char u = 200; short s = 40000; unsigned short w = 40000;
  out[0] = c + u; out[1] = s * w; out[2] = c >> 1; out[3] = u >> 1; out[4] = (c < u); out[5] = -u; out[6] = ~w;
  out[7] = (unsigned)in[t] > 3u; out[8] = in[t] / 3; out[9] = in[t] % 3; out[10] = in[t] >> 2; out[11] = 1u - 2 > 0;
  long long big = 1LL << 40; out[12] = big >> 35; out[13] = (int)(big * 3); out[14] = 'a' + '\\n'; out[15] = 0x7fu | 010;
""",
)
case(
    "floats",
    """
  float x = in[t] * 0.37f; double y = in[t] / 7.0;
  real[0] = x; real[1] = y; real[2] = x + y; real[3] = 1 / 3; real[4] = 1.f / 3; real[5] = 1e-5f * in[t]; real[6] = -x;
  out[0] = x; out[1] = (int)y; out[2] = x < y; out[3] = (bool)x; out[4] = !x; out[5] = x ? 3 : 4;
  real[7] = (float)(x > 0) + true; real[8] = int(x) + 0.5; real[9] = 3.; real[10] = .5f; real[11] = 1.5e3;
""",
)
case(
    "increments",
    """
  int i = t; out[i++] = i; out[i] = ++i; int k = i--; out[4] = k; out[5] = i; out[6] = --i;
  const int *p = in + t; out[7] = *p++; out[8] = *p; out[9] = *++p; out[10] = *(p - 1); out[11] = p[-2]; out[12] = p - in;
  out[13] += 5; out[13] *= in[t]; out[13] <<= 2; out[13] ^= 9; out[13] %= 100; int a, b; a = b = t + 1; out[14] = a + b;
  char c = 127; c++; out[15] = c;
""",
)
case(
    "loops",
    """
  int sum = 0;
  for (int i = 0; i < 10; i++) { if (i == in[t] % 10) continue; if (i == 8) break; sum += i; }
  out[0] = sum; int i = 0; while (i < t) { i += 1; if (i == 2) continue; sum += 100; } out[1] = sum;
  do { sum -= 7; } while (sum > 3 * t); out[2] = sum;
  for (;;) { if (sum++ > 20) break; } out[3] = sum;
  for (int a = 0, b = 10; a < b; a++, b -= t) out[4] = a * b;
  do { sum++; if (sum > 30) continue; if (sum % 5 == t) break; } while (sum < 40); out[5] = sum;
  while (true) { int j = sum; for (int k = 0; k < 3; ++k) { if (k == t) break; j++; } out[6] = j; break; }
#pragma unroll 4
  for (int k = 0; k < 4; k++) { out[7] += k; }
""",
)
case(
    "switches",
    """
  for (int k = 0; k < 6; k++) {
    int v = 0;
    switch ((in[t] & 3) + k) { case 0: v = 1; case 1: v += 2; break; case 2: { v = 5; break; } default: v = 9; case 4: v *= 2; }
    out[k] = v;
    switch (k) { case 5: continue; case 'a': out[9] = 1; break; }
    out[10] += k;
  }
""",
)
case(
    "choices",
    """
  int zero = 0; out[0] = (t > 0 && 10 / t > 3) ? 1 : 2; out[1] = t == 0 || 10 / t > 3; out[2] = t > 1 ? in[t] : t;
  int i = 0; bool b = t > 1 && (i = 5) > 2; out[3] = i; out[4] = b; b = t > 1 || ++i; out[5] = i; out[6] = (t, i, 3);
  out[7] = t ? t > 1 ? in[1] : in[2] : in[3]; out[8] = !(t && i); out[9] = t > 1 ? 1 : 0.5f + t; real[0] = t > 1 ? 1 : 0.5f;
  const int *p = t > 2 ? in : &in[5]; out[10] = *p; out[11] = t > 1 and not (i == 5) or zero;
  if (int j = t - 1) out[12] = j; else out[12] = -1; if (t > 1) if (t > 2) out[13] = 1; else out[13] = 2;
  p = t ? in : nullptr; out[14] = p == nullptr; out[15] = p != 0 && p[0] > 0;
""",
)
case(
    "arrays",
    """
  float acc[4][2] = {}; int list[] = {1, 2, 3}; int part[5] = {t, 7}; float big[100] = {0.0f};
  for (int i = 0; i < 8; i++) acc[i / 2][i % 2] += i * 0.5f; for (int i = 0; i < 8; i++) real[i] = acc[i / 2][i & 1];
  out[0] = list[t % 3]; out[1] = sizeof(list) / sizeof(list[0]); for (int i = 0; i < 5; i++) out[2] += part[i];
  out[3] = sizeof(acc); int *p = list; p[1] = 9; out[4] = list[1]; int m[2][3] = {{1, 2}, {3}}; out[5] = m[1][0] + m[0][2];
  int (*rows)[3]; rows = m; out[6] = rows[1][0]; int flat[2][2] = {1, 2, 3, 4}; out[7] = flat[1][0];
  for (int i = 0; i < 100; i++) real[9] += big[i] + 1; out[8] = *(list + 2); out[9] = 1[list];
  float *q = &acc[1][0]; real[10] = q[1]; real[11] = *acc[3]; bool flags[3] = {true}; out[10] = flags[0] + flags[1];
""",
)
case(
    "vectors",
    """
  float4 v = make_float4(t, 1, 2.5f, 3); v.y += v.x; real[0] = v.y; float4 w = v; w.x = 9; real[1] = v.x + w.x;
  float2 pair = {1.5f, (float)t}; pair = make_float2(pair.y, pair.x); real[2] = pair.x; real[3] = pair.y;
  const int4 four = reinterpret_cast<const int4 *>(&in[t * 4])[0]; out[0] = four.x + four.w; int4 fill = {1, 2};
  *(int4 *)(&out[4]) = four; ((int2 *)out)[4] = make_int2(t, -t); out[10] = fill.y + fill.z; float4 many[2] = {};
  many[1].z = 4; real[4] = many[t % 2].z; float *inside = &v.x; real[5] = inside[2]; out[11] = sizeof(float4) + sizeof(float3);
  float3 three = {1, 2, 3}; float3 copy; copy = three; real[6] = copy.z; real[7] = (t > 1 ? v : w).x;
  reinterpret_cast<float4 *>(&real[8])[0] = v; auto z = v; z.w = 1; real[12] = z.w + v.w;
""",
)
case(
    "structs",
    """
  Pair p = {t, 2.5f}; Pair q = p; q.a += 3; out[0] = p.a + q.a; Pair *r = &q; r->b = 4; real[0] = q.b; (*r).a = 1; out[1] = q.a;
  Box box = {}; box.inner.a = 5; box.list[t % 3] = 7; Box other = box; out[2] = other.list[t % 3] + other.inner.a;
  Pair many[3] = {{1, 2}, {3}}; out[3] = many[1].a; real[1] = many[0].b + many[2].b; out[4] = sizeof(Box); out[5] = sizeof(Pad);
  Bits bits; bits.f = 1.5f * t; out[6] = bits.i; bits.i += 1 << 23; real[2] = bits.f; Pair made{8, 9}; out[7] = made.a;
  Pad pad; pad.c = 1; pad.d = 2; pad.e = 3; out[8] = pad.c + pad.e; p = {6, 7}; out[9] = p.a; Pair *list = many; out[10] = list[1].a + (++list)->a;
  struct { int x, y; } unnamed = {1, 2}; out[11] = unnamed.y; out[12] = Pair{3, 4}.a; typedef Pair P; P same = {.a = 4, .b = 5}; out[13] = same.a;
""",
    """
struct Pair { int a; float b; };
struct Box { Pair inner; int list[3]; };
struct Pad { char c; double d; short e; };
union Bits { float f; int i; unsigned char bytes[4]; };
""",
)
case(
    "methods",
    """
  Counter c(t); c.add(2); c += 3; ++c; out[0] = c.value; out[1] = c.twice(); out[2] = c(4); Counter d = c + Counter(5);
  out[3] = d.value; out[4] = Counter::step; out[5] = d[2]; int as = d; out[6] = as; Counter e; out[7] = e.value; out[8] = (e == d);
  Stack<int, 4> s; s.push(t); s.push(3); out[9] = s.top() + s.count + s.size; Sum<float> op; real[0] = op(1.5f, 2); out[10] = s.at(0);
  s.at(0) = 9; out[11] = s.at(0); const Counter f{7}; out[12] = f.twice(); Derived g; g.x = 3; g.y = 4; out[13] = g.both(); out[14] = (-c).value;
  Counter *pc = &d; pc->add(1); out[15] = pc->twice();
""",
    """
struct Counter {
  int value = 11;
  static constexpr int step = 3;
  __device__ Counter() {}
  __device__ Counter(int v) : value(v) {}
  __device__ void add(int by) { value += by * step; }
  __device__ int twice() const { return this->value * 2; }
  __device__ int operator()(int x) const { return x + value; }
  __device__ Counter &operator+=(int by) { value += by; return *this; }
  __device__ Counter &operator++() { value++; return *this; }
  __device__ Counter operator+(const Counter &o) const { return Counter(value + o.value); }
  __device__ Counter operator-() const { return Counter(-value); }
  __device__ bool operator==(const Counter &o) const { return value == o.value; }
  __device__ int operator[](int i) const { return value * i; }
  __device__ operator int() const { return value; }
};
template <typename T, int N> struct Stack {
  T items[N]; int count = 0; enum { size = N };
  __device__ void push(T item) { items[count++] = item; }
  __device__ T top() const { return items[count - 1]; }
  __device__ T &at(int i) { return items[i]; }
};
template <typename T> struct Sum { __device__ T operator()(T a, T b) const { return a + b; } };
struct Base { int x; __device__ int one() { return x; } };
struct Derived : Base { int y; __device__ int both() { return one() + y + x; } };
""",
)
case(
    "functions",
    """
  int a = t, b = 5; swap(a, b); out[0] = a; out[1] = b; out[2] = early(t); out[3] = early(t - 2); out[4] = defaults(t);
  out[5] = defaults(t, 1); out[6] = over(1); out[7] = over(1.5f); out[8] = over(1, 2); out[9] = inner::f(2) + inner::g(3);
  out[10] = total(in, n); int list[3] = {1, 2, 3}; out[11] = first(list); bump(&b); out[12] = b; real[0] = lerp(1.f, 2.f, 0.25f);
  nothing(out + 13, 4); out[14] = sign(in[t]); out[15] = depth(t);
""",
    """
__device__ void swap(int &a, int &b) { int c = a; a = b; b = c; }
__device__ __forceinline__ int early(int v) { if (v > 1) return 10; if (v < 0) { return -v; } v += 3; return v; }
__device__ int defaults(int a, int b = 4) { a *= b; return a; }
__device__ int over(int a) { return 1; }
__device__ int over(float a) { return 2; }
__device__ int over(int a, int b) { return 3; }
namespace inner { __device__ int g(int x) { return x + 1; } __device__ int f(int x) { return g(x) * 2; } }
__device__ int total(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) { if (p[i] < -40) return s; s += p[i]; } return s; }
__device__ int first(int list[3]) { return list[0] + list[2]; }
__device__ void bump(int *p) { *p += 1; }
static inline __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }
__device__ void nothing(int *p, int v) { if (v > 100) return; *p = v; }
__device__ int sign(int v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }
__device__ int leaf(int x) { for (int i = 0; i < 3; i++) if (i == x) return i * 10; return -1; }
__device__ int depth(int x) { int r = 0; for (int i = 0; i < 3; i++) r += leaf(x + i); return r; }
""",
)
case(
    "templates",
    """
  out[0] = times<3>(t); out[1] = largest(t, 2); real[0] = largest(1.5f, 0.5f); out[2] = largest<int>(2.5f, 1); int list[5] = {1, 2, 3, 4, 5};
  out[3] = length(list); out[4] = power<4>::value; out[5] = choose<true>(1, 2); out[6] = choose<false>(1, 2); Pack<int, 2> p{{1, 2}};
  out[7] = sum(p); out[8] = apply(Twice(), 4); out[9] = unroll<0, 4>(in); out[10] = kind<float>() + kind<int>(); out[11] = ptr(in + t); out[12] = halve<8>();
  out[13] = apply([&](int x) { return x + t; }, 3); auto g = [=](int x) -> int { if (x > t) return 1; return 0; }; out[14] = g(2) + g(0);
  int captured = 1; auto h = [&captured](auto x) { captured += x; }; h(5); out[15] = captured;
""",
    """
template <int N> __device__ int times(int x) { return x * N; }
template <typename T> __device__ T largest(T a, T b) { return a > b ? a : b; }
template <typename T, int N> __device__ int length(T (&list)[N]) { return N + list[0]; }
template <int N> struct power { static const int value = 2 * power<N - 1>::value; };
template <> struct power<0> { static const int value = 1; };
template <bool B> __device__ int choose(int a, int b) { if constexpr (B) { return a; } else { return b; } }
template <typename T, int N> struct Pack { T v[N]; };
template <typename T, int N> __device__ T sum(const Pack<T, N> &p) { T s = 0; for (int i = 0; i < N; i++) s += p.v[i]; return s; }
struct Twice { __device__ int operator()(int x) const { return 2 * x; } };
template <typename F> __device__ int apply(F f, int x) { return f(x); }
template <int I, int N> __device__ int unroll(const int *p) { if constexpr (I < N) return p[I] + unroll<I + 1, N>(p); else return 0; }
template <typename T> __device__ int kind() { return 1; }
template <> __device__ int kind<float>() { return 20; }
template <typename T> __device__ T ptr(const T *p) { return *p + (T)sizeof(T); }
template <int N> __device__ int halve() { constexpr int half = N / 2; int list[half] = {N}; return list[0] + half; }
""",
)
case(
    "outside",
    """
  out[0] = WIDTH * t + AREA; out[1] = RED + BLUE; out[2] = table[t % 3]; real[0] = weights[t]; out[3] = (int)Mode::fast; Mode m = Mode::slow;
  out[4] = m == Mode::slow; number x = 2.5f; real[1] = x; word w = -1; out[5] = w > 0; enum { HERE = 6, THERE }; out[6] = THERE; out[7] = deep::er::K;
  const int fixed = WIDTH - 1; int list[fixed] = {}; out[8] = sizeof(list); static const int kept = 4; out[9] = kept; constexpr float scale = 0.5f; real[2] = scale * t;
  using namespace deep; out[10] = L; using alias = int; alias y = 3; out[11] = y; out[12] = sizeof(number) + sizeof(short) + sizeof(t);
  out[13] = (number)t + (word)(3); out[14] = static_cast<unsigned char>(in[t]); out[15] = (short)(in[t] * 1000) + (bool)in[t];
""",
    """
constexpr int WIDTH = 4, AREA = WIDTH * WIDTH;
enum Colour { RED, GREEN = 5, BLUE };
enum class Mode : int { slow, fast = 7 };
typedef float number; using word = unsigned int;
__constant__ int table[3] = {7, 8, 9};
__device__ const float weights[] = {0.5f, 1.5f, 2.5f, 3.5f};
namespace deep { namespace er { const int K = 9; } static const int L = er::K + 1; }
""",
)
