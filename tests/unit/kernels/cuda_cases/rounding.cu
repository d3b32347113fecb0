__device__ const float OUTSIDE = 16777217;
__global__ void rounding(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  real[0] = 16777217; real[1] = (float)16777219 - 16777216.f; real[2] = -33554435; real[3] = 4294967295u; real[4] = OUTSIDE;
  real[5] = 9007199254740993LL; real[6] = float(1LL << 62) + t; real[7] = 0x1000001 + t; real[8] = 18446744073709551615ull;
  out[0] = (float)16777217 == 16777216.0f; out[1] = (double)16777217 == 16777216.0; out[2] = 16777217 == 16777216.f;
  out[3] = (double)9007199254740993LL == 9007199254740992.0; out[4] = 9007199254740995LL - 0.0 == 9007199254740996.0;
  out[5] = (double)-9007199254740993LL == -9007199254740992.0; out[6] = (double)(float)2147483647 == 2147483648.0;
  out[7] = (float)(double)16777217LL == 16777216.f; long long big = 9007199254740993LL + t; double d = big;
  out[8] = (long long)d - 9007199254740992LL; float f = big; out[9] = (long long)f == 9007199254740992LL;
  out[10] = (float)9223372036854775807LL == 9223372036854775808.f; out[11] = (int)(16777217 * 1.f) - 16777216;
  double tenth = 0.1f; out[12] = tenth == 0.1; out[13] = (float)0.1 == 0.1f; out[14] = 33554433 + t == 33554432.f + t;
}
