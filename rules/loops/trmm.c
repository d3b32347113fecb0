/* A triangular matrix by another one, in place */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define UPDATE(i, j, k) B[i][j] += A[k][i] * B[k][j]
#define SCALE(i, j) B[i][j] = alpha * B[i][j]

void trmm(int M, int N, double alpha, double A[M][M], double B[M][N]) {
#pragma scop
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      for (int k = i + 1; k < M; k++)
        UPDATE(i, j, k);
      SCALE(i, j);
    }
#pragma endscop
}

#pragma rewright transform trmm_by_columns of trmm
void trmm_by_columns(int M, int N, double alpha, double A[M][M], double B[M][N]) {
  for (int j = 0; j < N; j++)
    for (int i = 0; i < M; i++) {
      for (int k = i + 1; k < M; k++)
        UPDATE(i, j, k);
      SCALE(i, j);
    }
}

#pragma rewright transform trmm_tiled of trmm
void trmm_tiled(int M, int N, double alpha, double A[M][M], double B[M][N]) {
  for (int jj = 0; jj < N; jj += 16)
    for (int i = 0; i < M; i++) {
      for (int kk = i + 1; kk < M; kk += 16)
        for (int j = jj; j < min(jj + 16, N); j++)
          for (int k = kk; k < min(kk + 16, M); k++)
            UPDATE(i, j, k);
      for (int j = jj; j < min(jj + 16, N); j++)
        SCALE(i, j);
    }
}

/* The last row is first, so that the others are updated by rows that were changed. */
#pragma rewright transform trmm_upwards of trmm expect refuted
void trmm_upwards(int M, int N, double alpha, double A[M][M], double B[M][N]) {
  for (int i = M - 1; i >= 0; i--)
    for (int j = 0; j < N; j++) {
      for (int k = i + 1; k < M; k++)
        UPDATE(i, j, k);
      SCALE(i, j);
    }
}

/* Scaled before the sum. */
#pragma rewright transform trmm_scaled_early of trmm expect refuted
void trmm_scaled_early(int M, int N, double alpha, double A[M][M], double B[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      SCALE(i, j);
      for (int k = i + 1; k < M; k++)
        UPDATE(i, j, k);
    }
}
