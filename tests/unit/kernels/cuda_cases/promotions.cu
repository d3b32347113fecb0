__global__ void promotions(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  char c = 200; unsigned char u = 200; short s = 40000; unsigned short w = 40000;
  out[0] = c + u; out[1] = s * w; out[2] = c >> 1; out[3] = u >> 1; out[4] = (c < u); out[5] = -u;
  out[6] = ~w;
  out[7] = (unsigned)in[t] > 3u; out[8] = in[t] / 3; out[9] = in[t] % 3; out[10] = in[t] >> 2;
  out[11] = 1u - 2 > 0;
  long long big = 1LL << 40; out[12] = big >> 35; out[13] = (int)(big * 3); out[14] = 'a' + '\n';
  out[15] = 0x7fu | 010;
}
