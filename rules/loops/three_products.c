/* G = (A * B) * (C * D) */

#define CLEAR_E(i, j) E[i][j] = 0.0
#define SUM_E(i, j, k) E[i][j] += A[i][k] * B[k][j]
#define CLEAR_F(i, j) F[i][j] = 0.0
#define SUM_F(i, j, k) F[i][j] += C[i][k] * D[k][j]
#define CLEAR_G(i, j) G[i][j] = 0.0
#define SUM_G(i, j, k) G[i][j] += E[i][k] * F[k][j]

void three_products(int M, int N, int K, double A[M][K], double B[K][M], double C[M][K],
                    double D[K][N], double E[M][M], double F[M][N], double G[M][N]) {
#pragma scop
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) {
      CLEAR_E(i, j);
      for (int k = 0; k < K; k++)
        SUM_E(i, j, k);
    }
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      CLEAR_F(i, j);
      for (int k = 0; k < K; k++)
        SUM_F(i, j, k);
    }
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      CLEAR_G(i, j);
      for (int k = 0; k < M; k++)
        SUM_G(i, j, k);
    }
#pragma endscop
}

/* The second product first, and then row after row of the two others. */
#pragma rewright transform three_products_by_rows of three_products
void three_products_by_rows(int M, int N, int K, double A[M][K], double B[K][M], double C[M][K],
                            double D[K][N], double E[M][M], double F[M][N], double G[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      CLEAR_F(i, j);
      for (int k = 0; k < K; k++)
        SUM_F(i, j, k);
    }
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++)
      CLEAR_G(i, j);
    for (int k = 0; k < M; k++) {
      CLEAR_E(i, k);
      for (int l = 0; l < K; l++)
        SUM_E(i, k, l);
      for (int j = 0; j < N; j++)
        SUM_G(i, j, k);
    }
  }
}

/* A row of the last product needs all rows of the second one. */
#pragma rewright transform three_products_fused of three_products expect refuted
void three_products_fused(int M, int N, int K, double A[M][K], double B[K][M], double C[M][K],
                          double D[K][N], double E[M][M], double F[M][N], double G[M][N]) {
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < M; j++) {
      CLEAR_E(i, j);
      for (int k = 0; k < K; k++)
        SUM_E(i, j, k);
    }
    for (int j = 0; j < N; j++) {
      CLEAR_F(i, j);
      for (int k = 0; k < K; k++)
        SUM_F(i, j, k);
    }
    for (int j = 0; j < N; j++) {
      CLEAR_G(i, j);
      for (int k = 0; k < M; k++)
        SUM_G(i, j, k);
    }
  }
}
