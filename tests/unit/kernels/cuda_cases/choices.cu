__global__ void choices(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  int zero = 0; out[0] = (t > 0 && 10 / t > 3) ? 1 : 2; out[1] = t == 0 || 10 / t > 3;
  out[2] = t > 1 ? in[t] : t;
  int i = 0; bool b = t > 1 && (i = 5) > 2; out[3] = i; out[4] = b; b = t > 1 || ++i; out[5] = i;
  out[6] = (t, i, 3);
  out[7] = t ? t > 1 ? in[1] : in[2] : in[3]; out[8] = !(t && i); out[9] = t > 1 ? 1 : 0.5f + t;
  real[0] = t > 1 ? 1 : 0.5f;
  const int *p = t > 2 ? in : &in[5]; out[10] = *p; out[11] = t > 1 and not (i == 5) or zero;
  if (int j = t - 1) out[12] = j; else out[12] = -1; if (t > 1) if (t > 2) out[13] = 1; else out[13] = 2;
  p = t ? in : nullptr; out[14] = p == nullptr; out[15] = p != 0 && p[0] > 0;
}
