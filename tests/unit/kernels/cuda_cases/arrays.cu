__global__ void arrays(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  float acc[4][2] = {}; int list[] = {1, 2, 3}; int part[5] = {t, 7}; float big[100] = {0.0f};
  for (int i = 0; i < 8; i++) acc[i / 2][i % 2] += i * 0.5f;
  for (int i = 0; i < 8; i++) real[i] = acc[i / 2][i & 1];
  out[0] = list[t % 3]; out[1] = sizeof(list) / sizeof(list[0]);
  for (int i = 0; i < 5; i++) out[2] += part[i];
  out[3] = sizeof(acc); int *p = list; p[1] = 9; out[4] = list[1]; int m[2][3] = {{1, 2}, {3}};
  out[5] = m[1][0] + m[0][2];
  int (*rows)[3]; rows = m; out[6] = rows[1][0]; int flat[2][2] = {1, 2, 3, 4}; out[7] = flat[1][0];
  for (int i = 0; i < 100; i++) real[9] += big[i] + 1; out[8] = *(list + 2); out[9] = 1[list];
  float *q = &acc[1][0]; real[10] = q[1]; real[11] = *acc[3]; bool flags[3] = {true};
  out[10] = flags[0] + flags[1];
}
