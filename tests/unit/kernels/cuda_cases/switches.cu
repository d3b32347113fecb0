__global__ void switches(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  for (int k = 0; k < 6; k++) {
    int v = 0;
    switch ((in[t] & 3) + k) { case 0: v = 1; case 1: v += 2; break; case 2: { v = 5; break;
    } default: v = 9; case 4: v *= 2; }
    out[k] = v;
    switch (k) { case 5: continue; case 'a': out[9] = 1; break; }
    out[10] += k;
  }
}
