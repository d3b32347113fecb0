__global__ void loops(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  int sum = 0;
  for (int i = 0; i < 10; i++) { if (i == in[t] % 10) continue; if (i == 8) break; sum += i; }
  out[0] = sum; int i = 0; while (i < t) { i += 1; if (i == 2) continue; sum += 100; } out[1] = sum;
  do { sum -= 7; } while (sum > 3 * t); out[2] = sum;
  for (;;) { if (sum++ > 20) break; } out[3] = sum;
  for (int a = 0, b = 10; a < b; a++, b -= t) out[4] = a * b;
  do { sum++; if (sum > 30) continue; if (sum % 5 == t) break; } while (sum < 40); out[5] = sum;
  while (true) { int j = sum; for (int k = 0; k < 3; ++k) { if (k == t) break; j++; } out[6] = j; break; }
#pragma unroll 4
  for (int k = 0; k < 4; k++) { out[7] += k; }
}
