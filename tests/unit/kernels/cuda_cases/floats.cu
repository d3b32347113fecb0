__global__ void floats(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  float x = in[t] * 0.37f; double y = in[t] / 7.0;
  real[0] = x; real[1] = y; real[2] = x + y; real[3] = 1 / 3; real[4] = 1.f / 3; real[5] = 1e-5f * in[t];
  real[6] = -x;
  out[0] = x; out[1] = (int)y; out[2] = x < y; out[3] = (bool)x; out[4] = !x; out[5] = x ? 3 : 4;
  real[7] = (float)(x > 0) + true; real[8] = int(x) + 0.5; real[9] = 3.; real[10] = .5f; real[11] = 1.5e3;
  real[12] = x * 0.f; real[13] = x * 0.f + 0.f; real[14] = x * 0.f - 0.f;
}
