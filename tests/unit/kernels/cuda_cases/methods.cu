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
__global__ void methods(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  Counter c(t); c.add(2); c += 3; ++c; out[0] = c.value; out[1] = c.twice(); out[2] = c(4);
  Counter d = c + Counter(5);
  out[3] = d.value; out[4] = Counter::step; out[5] = d[2]; int as = d; out[6] = as; Counter e;
  out[7] = e.value; out[8] = (e == d);
  Stack<int, 4> s; s.push(t); s.push(3); out[9] = s.top() + s.count + s.size; Sum<float> op;
  real[0] = op(1.5f, 2); out[10] = s.at(0);
  s.at(0) = 9; out[11] = s.at(0); const Counter f{7}; out[12] = f.twice(); Derived g; g.x = 3; g.y = 4;
  out[13] = g.both(); out[14] = (-c).value;
  Counter *pc = &d; pc->add(1); out[15] = pc->twice();
}
