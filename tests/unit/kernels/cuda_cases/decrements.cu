__global__ void decrements(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  int left = t + 3, passes = 0; for (; left--;) passes++; out[0] = passes; out[1] = left;
  int c = 5, d = (0, c++); out[2] = d; out[3] = c; int e = (c--, c++, d); out[4] = e; out[5] = c;
  for (int i = 0, j = t + 4; i < j; i++, j--) out[6] += (c--, j); out[7] = c;
  while (d-- > 2) out[8]++; out[9] = d; int f = t; out[10] = f++ ? f : -f; out[11] = (f--); (f++); out[12] = f;
  do out[13]++; while (f--); out[14] = f; out[15] = (n, (t, f++)) + f;
}
