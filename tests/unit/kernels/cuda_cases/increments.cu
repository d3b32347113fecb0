__global__ void increments(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  int i = t; out[i++] = i; out[i] = ++i; int k = i--; out[4] = k; out[5] = i; out[6] = --i;
  const int *p = in + t; out[7] = *p++; out[8] = *p; out[9] = *++p; out[10] = *(p - 1); out[11] = p[-2];
  out[12] = p - in;
  out[13] += 5; out[13] *= in[t]; out[13] <<= 2; out[13] ^= 9; out[13] %= 100; int a, b; a = b = t + 1;
  out[14] = a + b;
  char c = 127; c++; out[15] = c;
}
