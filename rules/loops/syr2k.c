/* C = alpha * (A * B' + B * A') + beta * C, one triangle of it */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define SCALE(i, j) C[i][j] *= beta
#define UPDATE(i, j, k) C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k]

void syr2k(int N, int K, double alpha, double beta, double C[N][N], double A[N][K],
           double B[N][K]) {
#pragma scop
  for (int i = 0; i < N; i++) {
    for (int j = 0; j <= i; j++)
      SCALE(i, j);
    for (int k = 0; k < K; k++)
      for (int j = 0; j <= i; j++)
        UPDATE(i, j, k);
  }
#pragma endscop
}

#pragma rewright transform syr2k_tiled of syr2k
void syr2k_tiled(int N, int K, double alpha, double beta, double C[N][N], double A[N][K],
                 double B[N][K]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      SCALE(i, j);
  for (int kk = 0; kk < K; kk += 16)
    for (int i = 0; i < N; i++)
      for (int j = 0; j <= i; j++)
        for (int k = kk; k < min(kk + 16, K); k++)
          UPDATE(i, j, k);
}

/* Scaled after the sum. */
#pragma rewright transform syr2k_scaled_late of syr2k expect refuted
void syr2k_scaled_late(int N, int K, double alpha, double beta, double C[N][N], double A[N][K],
                       double B[N][K]) {
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < K; k++)
      for (int j = 0; j <= i; j++)
        UPDATE(i, j, k);
    for (int j = 0; j <= i; j++)
      SCALE(i, j);
  }
}

/* The triangle above the diagonal is updated. */
#pragma rewright transform syr2k_transposed of syr2k expect refuted
void syr2k_transposed(int N, int K, double alpha, double beta, double C[N][N], double A[N][K],
                      double B[N][K]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j <= i; j++)
      SCALE(i, j);
    for (int k = 0; k < K; k++)
      for (int j = 0; j <= i; j++)
        UPDATE(j, i, k);
  }
}
