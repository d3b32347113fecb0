/* C = alpha * A * A' + beta * C, one triangle of it */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define SCALE(i, j) C[i][j] *= beta
#define UPDATE(i, j, k) C[i][j] += alpha * A[i][k] * A[j][k]

void syrk(int N, int K, double alpha, double beta, double C[N][N], double A[N][K]) {
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

#pragma rewright transform syrk_by_elements of syrk
void syrk_by_elements(int N, int K, double alpha, double beta, double C[N][N], double A[N][K]) {
  for (int j = 0; j < N; j++)
    for (int i = j; i < N; i++) {
      SCALE(i, j);
      for (int k = 0; k < K; k++)
        UPDATE(i, j, k);
    }
}

#pragma rewright transform syrk_tiled of syrk
void syrk_tiled(int N, int K, double alpha, double beta, double C[N][N], double A[N][K]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      SCALE(i, j);
  for (int ii = 0; ii < N; ii += 16)
    for (int jj = 0; jj < min(ii + 16, N); jj += 16)
      for (int kk = 0; kk < K; kk += 16)
        for (int i = ii; i < min(ii + 16, N); i++)
          for (int k = kk; k < min(kk + 16, K); k++)
            for (int j = jj; j < min(jj + 16, i + 1); j++)
              UPDATE(i, j, k);
}

/* The diagonal is left out. */
#pragma rewright transform syrk_without_diagonal of syrk expect refuted
void syrk_without_diagonal(int N, int K, double alpha, double beta, double C[N][N],
                           double A[N][K]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j <= i; j++)
      SCALE(i, j);
    for (int k = 0; k < K; k++)
      for (int j = 0; j < i; j++)
        UPDATE(i, j, k);
  }
}

/* The other triangle is updated, too. */
#pragma rewright transform syrk_of_both_triangles of syrk expect refuted
void syrk_of_both_triangles(int N, int K, double alpha, double beta, double C[N][N],
                            double A[N][K]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j <= i; j++)
      SCALE(i, j);
    for (int k = 0; k < K; k++)
      for (int j = 0; j < N; j++)
        UPDATE(i, j, k);
  }
}
