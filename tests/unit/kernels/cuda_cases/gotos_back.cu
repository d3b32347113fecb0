// `goto` back: to a label above, inside another such loop, out of nested blocks, beside ordinary loops and inlined.
__device__ int collatz(int n) {
  int steps = 0;
again:
  if (n == 1) return steps;
  steps++;
  if (n % 2) {
    n = 3 * n + 1;
    goto again;
  }
  n /= 2;
  goto again;
}
__device__ int nested(int n) {
  int total = 0, i = 0;
rows:
  int j = 0;
columns:
  total += i * 10 + j;
  if (total > 500) goto out;
  if (++j < n) goto columns;
  total += 100;
  if (++i < n) {
    if (i == 3) goto rows;
    for (int k = 0; k < 2; k++) {
      if (k == 1) goto rows;
      total++;
    }
  }
  total += 1000;
out:
  return total;
}
__device__ int alone(int n) {
  int k = 0;
more:
  if (++k < n) goto more;
  return k;
}
__device__ int late(int n) {
  int found = 0;
  if (n > 4) goto skip;
  found = 7;
skip:
  found += n;
retry:
  switch (found % 4) {
    case 0: found += 5; goto retry;
    case 1: found += 2; break;
    default: found += 1; goto retry;
  }
  while (found < 40) {
    found += 3;
    if (found % 7 == 0) continue;
    if (found % 5 == 0) goto skip;
  }
  return found;
}
__global__ void gotos_back(int *ints, float *reals, const int *in, int n) {
  int i = threadIdx.x;
  ints[i] = collatz(i + 3);
  ints[4 + i] = nested(i + 1);
  ints[8 + i] = alone(i * 2);
  ints[12 + i] = late(i * 2 + 1);
  int left = i;
loop:
  ints[16 + i] = left;
  if (left-- > 0) goto loop;
  ints[20 + i] = left;
}
