void norms(int N, double A[N][N], double x[N], double s) {
#pragma scop
#pragma omp parallel for private(s)
  for (int i = 0; i < N; i++) {
    s = 0.0;
    for (int j = 0; j < N; j++)
      s += A[i][j] * A[i][j];
    x[i] = s;
  }
#pragma endscop
}
