struct Doubles { char c; double4 v; };
struct Longs { char c; longlong4 v; char d; };
struct Floats { char c; float4 v; };
struct Pairs { char c; double2 v; float2 w; char d; };
struct Threes { char c; double3 v; };
__global__ void alignments(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16;
  out[0] = sizeof(double4) + 100 * alignof(double4); out[1] = sizeof(longlong4) + 100 * alignof(longlong4);
  out[2] = sizeof(float4) + 100 * alignof(float4); out[3] = sizeof(double2) + 100 * alignof(double2);
  out[4] = sizeof(Doubles) + 100 * alignof(Doubles); out[5] = sizeof(Longs) + 100 * alignof(Longs);
  out[6] = sizeof(Floats) + 100 * alignof(Floats); out[7] = sizeof(Pairs) + 100 * alignof(Pairs);
  out[8] = sizeof(Threes) + 100 * alignof(Threes); Doubles list[2] = {}; list[1].v.w = t;
  out[9] = (char *)&list[1].v - (char *)list; out[10] = list[1].v.w; out[11] = ((double *)list)[11];
}
