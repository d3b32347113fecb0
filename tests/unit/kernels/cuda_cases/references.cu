__device__ void grow(int &x) { x += 10; }
__device__ int grown(int x) { grow(x); return x; }
struct Limit { int most; __device__ void lower() { most--; } };
__device__ int lowered_once(Limit l) { l.lower(); return l.most; }
__device__ void set(int *p, int x) { *p = x; }
__device__ void set_twice(int *p, int x) { set(p, x); return set(p + 1, x + 1); }
struct Link {
  int value; Link *next;
  __device__ Link *self() { return this; }
  __device__ const Link *at(int n) const { const Link *l = this; while (n--) l = l->next; return l; }
};
__global__ void references(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16;
  out[0] = grown(t + 1); out[1] = grown(t); grow(n); out[2] = n; Limit l{t}; out[3] = lowered_once(l); out[4] = l.most;
  set_twice(out + 5, in[t]); Link b{7, nullptr}, a{4, &b}; b.next = &a; out[7] = a.self()->value + a.self()->next->value;
  out[8] = a.at(t)->value; const int *ends[2] = {in, in + n - 1}; out[9] = *ends[t % 2]; ends[1]++; out[10] = ends[1][-1];
}
