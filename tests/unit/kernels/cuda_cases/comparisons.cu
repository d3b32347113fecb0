struct Size { int w; };
__device__ bool within(int a, int b) { return (a < 3 && b >= 1); }
__global__ void comparisons(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  int a = (in[t] & 3) - 1, b = t - 1, h = 2, w = 3; Size s{3}; real[0] = a;
  int valid = (a >= 0 && a < h && b >= 0 && b < w); out[0] = valid;
  out[1] = (a < h && b >= 0) ? 5 : 6; out[2] = (a < h && b >= w || b == 0) + (t < h && b >= 1);
  out[3] = (a >= 0 && a < h && b >= 0 && b < w && t >= 1 && t < n) ? in[t] : -1;
  bool odd = (t < h && (b & 1) && a >= 0), even = (t < s.w && b >= h); out[4] = odd + 2 * even;
  out[5] = -(t < h && b >= 0); out[6] = (h + 1 < w + t && b >= 0) ? (a < b && h >= t) : !(a < b && h >= t);
  out[7] = (valid = (a < h && b >= 0)) + 2 * valid; if ((a < h && b >= 0) || (t < w && a >= 1)) out[8] = 1;
  while ((b < w && b >= -1)) { out[9] += ++b; } out[10] = within(a, (t < h && b >= 0));
  if (t < n && b >> 1) out[11] = 1; out[12] = (a < h && b >> 1 >= 1) + 3 * (t < w && h >> 1);
}
