/* A vector by a matrix, and the result by its transpose */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define CLEAR_Y(j) y[j] = 0.0
#define CLEAR_T(i) t[i] = 0.0
#define SUM_T(i, j) t[i] = t[i] + A[i][j] * x[j]
#define SUM_Y(i, j) y[j] = y[j] + A[i][j] * t[i]

void atax(int M, int N, double A[M][N], double x[N], double y[N], double t[M]) {
#pragma scop
  for (int j = 0; j < N; j++)
    CLEAR_Y(j);
  for (int i = 0; i < M; i++) {
    CLEAR_T(i);
    for (int j = 0; j < N; j++)
      SUM_T(i, j);
    for (int j = 0; j < N; j++)
      SUM_Y(i, j);
  }
#pragma endscop
}

#pragma rewright transform atax_distributed of atax
void atax_distributed(int M, int N, double A[M][N], double x[N], double y[N], double t[M]) {
  for (int i = 0; i < M; i++) {
    CLEAR_T(i);
    for (int j = 0; j < N; j++)
      SUM_T(i, j);
  }
  for (int j = 0; j < N; j++) {
    CLEAR_Y(j);
    for (int i = 0; i < M; i++)
      SUM_Y(i, j);
  }
}

#pragma rewright transform atax_tiled of atax
void atax_tiled(int M, int N, double A[M][N], double x[N], double y[N], double t[M]) {
  for (int j = 0; j < N; j++)
    CLEAR_Y(j);
  for (int i = 0; i < M; i++)
    CLEAR_T(i);
  for (int ii = 0; ii < M; ii += 32) {
    for (int jj = 0; jj < N; jj += 32)
      for (int i = ii; i < min(ii + 32, M); i++)
        for (int j = jj; j < min(jj + 32, N); j++)
          SUM_T(i, j);
    for (int jj = 0; jj < N; jj += 32)
      for (int i = ii; i < min(ii + 32, M); i++)
        for (int j = jj; j < min(jj + 32, N); j++)
          SUM_Y(i, j);
  }
}

/* A sum is used before it is complete. */
#pragma rewright transform atax_fused of atax expect refuted
void atax_fused(int M, int N, double A[M][N], double x[N], double y[N], double t[M]) {
  for (int j = 0; j < N; j++)
    CLEAR_Y(j);
  for (int i = 0; i < M; i++) {
    CLEAR_T(i);
    for (int j = 0; j < N; j++) {
      SUM_T(i, j);
      SUM_Y(i, j);
    }
  }
}

/* One sum is taken in another order. */
#pragma rewright transform atax_backwards of atax expect refuted
void atax_backwards(int M, int N, double A[M][N], double x[N], double y[N], double t[M]) {
  for (int j = 0; j < N; j++)
    CLEAR_Y(j);
  for (int i = M - 1; i >= 0; i--) {
    CLEAR_T(i);
    for (int j = 0; j < N; j++)
      SUM_T(i, j);
    for (int j = 0; j < N; j++)
      SUM_Y(i, j);
  }
}
