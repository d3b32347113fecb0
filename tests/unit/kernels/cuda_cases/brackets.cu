#define IN(x, low, high) ((x) >= (low) && (x) <= (high))
__global__ void brackets(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  int a = in[t] & 3, b = t & 1, c = 2; real[0] = a;
  bool inside = IN(t, a, c); out[0] = inside;
  out[1] = (!(a) && (b)); out[2] = ((t) >= (a) && (t) <= (b) && (c) < (a) && (b) == (c));
  out[3] = (a) & (b) * c; out[4] = (a) - (b) * c; out[5] = -(a) - (b) * (c); out[6] = ~(a) & (b) + 1;
  out[7] = 1 + (a) * (b) - (c) & (t); out[8] = (a) && (b) || (c) && (t) == 1;
  out[9] = (a) < (b) && (c) > (t) ? (a) && (b) == 2 : (b) && (t) < 1;
  if (0 <= (t) && (t) < (a)) out[10] = 1; while ((b) < (c) && (b) >= 0) { out[11] += b++; }
  out[12] = !((a) >= (b) && (c) >= (t)); out[13] = n > (a) && (c) != (t);
}
