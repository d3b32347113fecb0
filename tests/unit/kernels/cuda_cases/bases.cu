struct One { int a; __device__ One(int x) : a(x) {} };
struct Two { int b, c; __device__ Two(int x) : b(x), c(x + 1) {} };
struct Both : One, Two { int d; __device__ Both(int x) : One(x), Two(x + 2), d(x * 2) {} };
struct Weighted : float2 { int weight; };
__global__ void bases(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  Both in_registers(t); out[0] = in_registers.a; out[1] = in_registers.b; out[2] = in_registers.c;
  out[3] = in_registers.d; Both in_memory(t + n); Both *p = &in_memory; out[4] = p->a; out[5] = p->b;
  out[6] = p->c; out[7] = p->d; real[0] = sizeof(Both);
  Weighted point; point.x = t + 0.5f; point.y = 2; point.weight = t * 3; Weighted *same = &point;
  out[8] = same->weight; real[1] = same->x + point.y; real[2] = sizeof(Weighted);
}
