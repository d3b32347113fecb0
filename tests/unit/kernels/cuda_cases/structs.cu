struct Pair { int a; float b; };
struct Box { Pair inner; int list[3]; };
struct Pad { char c; double d; short e; };
union Bits { float f; int i; unsigned char bytes[4]; };
__global__ void structs(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  Pair p = {t, 2.5f}; Pair q = p; q.a += 3; out[0] = p.a + q.a; Pair *r = &q; r->b = 4; real[0] = q.b;
  (*r).a = 1; out[1] = q.a;
  Box box = {}; box.inner.a = 5; box.list[t % 3] = 7; Box other = box;
  out[2] = other.list[t % 3] + other.inner.a;
  Pair many[3] = {{1, 2}, {3}}; out[3] = many[1].a; real[1] = many[0].b + many[2].b;
  out[4] = sizeof(Box); out[5] = sizeof(Pad);
  Bits bits; bits.f = 1.5f * t; out[6] = bits.i; bits.i += 1 << 23; real[2] = bits.f; Pair made{8, 9};
  out[7] = made.a;
  Pad pad; pad.c = 1; pad.d = 2; pad.e = 3; out[8] = pad.c + pad.e; p = {6, 7}; out[9] = p.a;
  Pair *list = many; out[10] = list[1].a + (++list)->a;
  struct { int x, y; } unnamed = {1, 2}; out[11] = unnamed.y; out[12] = Pair{3, 4}.a; typedef Pair P;
  P same = {.a = 4, .b = 5}; out[13] = same.a;
}
