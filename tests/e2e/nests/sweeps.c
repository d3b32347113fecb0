#define min(a, b) ((a) < (b) ? (a) : (b))

void sweeps(int T, int N, double A[N][N]) {
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N; i++)
      for (int j = 1; j < N; j++)
        A[i][j] = A[i - 1][j] + A[i][j - 1];
#pragma endscop
}

#pragma rewright transform tiled of sweeps
void sweeps_tiled(int T, int N, double A[N][N]) {
  for (int t = 0; t < T; t++)
    for (int ii = 1; ii < N; ii += 32)
      for (int i = ii; i < min(ii + 32, N); i++)
        for (int j = 1; j < N; j++)
          A[i][j] = A[i - 1][j] + A[i][j - 1];
}
