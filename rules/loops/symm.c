/* A symmetric matrix, of which one triangle is there, by another matrix */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define CLEAR(i, j) sum = 0.0
#define ABOVE(i, j, k) C[k][j] += alpha * B[i][j] * A[i][k]
#define SUM(i, j, k) sum += B[k][j] * A[i][k]
#define STORE(i, j) C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * sum

void symm(int M, int N, double alpha, double beta, double sum, double C[M][N], double A[M][M],
          double B[M][N]) {
#pragma scop
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      CLEAR(i, j);
      for (int k = 0; k < i; k++) {
        ABOVE(i, j, k);
        SUM(i, j, k);
      }
      STORE(i, j);
    }
#pragma endscop
}

#pragma rewright transform symm_distributed of symm
void symm_distributed(int M, int N, double alpha, double beta, double sum, double C[M][N],
                      double A[M][M], double B[M][N]) {
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++) {
      CLEAR(i, j);
      for (int k = 0; k < i; k++)
        SUM(i, j, k);
      STORE(i, j);
    }
    for (int k = 0; k < i; k++)
      for (int j = 0; j < N; j++)
        ABOVE(i, j, k);
  }
}

#pragma rewright transform symm_tiled of symm
void symm_tiled(int M, int N, double alpha, double beta, double sum, double C[M][N], double A[M][M],
                double B[M][N]) {
  for (int i = 0; i < M; i++)
    for (int jj = 0; jj < N; jj += 8)
      for (int j = jj; j < min(jj + 8, N); j++) {
        CLEAR(i, j);
        for (int kk = 0; kk < i; kk += 8)
          for (int k = kk; k < min(kk + 8, i); k++) {
            ABOVE(i, j, k);
            SUM(i, j, k);
          }
        STORE(i, j);
      }
}

/* Stored before the sum is complete. */
#pragma rewright transform symm_stored_early of symm expect refuted
void symm_stored_early(int M, int N, double alpha, double beta, double sum, double C[M][N],
                       double A[M][M], double B[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      CLEAR(i, j);
      STORE(i, j);
      for (int k = 0; k < i; k++) {
        ABOVE(i, j, k);
        SUM(i, j, k);
      }
    }
}

/* The scalar is cleared once for each row. */
#pragma rewright transform symm_cleared_once of symm expect refuted
void symm_cleared_once(int M, int N, double alpha, double beta, double sum, double C[M][N],
                       double A[M][M], double B[M][N]) {
  for (int i = 0; i < M; i++) {
    CLEAR(i, 0);
    for (int j = 0; j < N; j++) {
      for (int k = 0; k < i; k++) {
        ABOVE(i, j, k);
        SUM(i, j, k);
      }
      STORE(i, j);
    }
  }
}
