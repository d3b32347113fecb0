// `goto` forward: out of loops and blocks, over statements, in inlined functions, to several labels.
__device__ int found(const int *in, int n, int sought) {
  int at = -1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (in[i * 7 + j] == sought) {
        at = i * 100 + j;
        goto out;
      }
    }
  }
  at = -2;
out:
  return at;
}
__device__ int parsed(int x) {
  if (x > 20) goto large;
  if (x < 0) goto negative;
  return 1;
large:
  return 2;
negative:
  return 3;
}
__global__ void gotos(int *ints, float *reals, const int *in, int n) {
  int i = threadIdx.x;
  ints[i] = found(in, n, in[i * 9]);
  ints[4 + i] = found(in, n, 1000);
  ints[8 + i] = parsed(in[i]);
  int k = 0;
  while (true) {
    k += i + 1;
    switch (k % 5) {
      case 3: goto done;
      default: break;
    }
    if (k > 30) goto fail;
  }
fail:
  k = -k;
done:
  ints[12 + i] = k;
  if (i == 1) goto end;
  ints[16 + i] = 5;
end:;
}
