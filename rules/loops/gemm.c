/* C = alpha * A * B + beta * C */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define SCALE(i, j) C[i][j] *= beta
#define UPDATE(i, j, k) C[i][j] += alpha * A[i][k] * B[k][j]

void gemm(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N], double alpha,
          double beta) {
#pragma scop
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++)
      SCALE(i, j);
    for (int k = 0; k < K; k++)
      for (int j = 0; j < N; j++)
        UPDATE(i, j, k);
  }
#pragma endscop
}

#pragma rewright transform gemm_copied of gemm
void gemm_copied(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N], double alpha,
                 double beta) {
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++)
      SCALE(i, j);
    for (int k = 0; k < K; k++)
      for (int j = 0; j < N; j++)
        UPDATE(i, j, k);
  }
}

#pragma rewright transform gemm_by_columns_of_a of gemm
void gemm_by_columns_of_a(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N],
                          double alpha, double beta) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      SCALE(i, j);
  for (int k = 0; k < K; k++)
    for (int i = 0; i < M; i++)
      for (int j = 0; j < N; j++)
        UPDATE(i, j, k);
}

#pragma rewright transform gemm_tiled of gemm
void gemm_tiled(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N], double alpha,
                double beta) {
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++)
      SCALE(i, j);
    for (int kk = 0; kk < K; kk += 32)
      for (int jj = 0; jj < N; jj += 32)
        for (int k = kk; k < min(kk + 32, K); k++)
          for (int j = jj; j < min(jj + 32, N); j++)
            UPDATE(i, j, k);
  }
}

#pragma rewright transform gemm_parametric(tile) of gemm at tile = 3, 16
void gemm_parametric(int M, int N, int K, int tile, double A[M][K], double B[K][N], double C[M][N],
                     double alpha, double beta) {
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++)
      SCALE(i, j);
    for (int kk = 0; kk < K; kk += tile)
      for (int jj = 0; jj < N; jj += tile)
        for (int k = kk; k < min(kk + tile, K); k++)
          for (int j = jj; j < min(jj + tile, N); j++)
            UPDATE(i, j, k);
  }
}

#pragma rewright transform gemm_unrolled of gemm
void gemm_unrolled(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N],
                   double alpha, double beta) {
  for (int i = 0; i < M; i++) {
    {
      const int last_j = N / 4 * 4;
      for (int j = 0; j < last_j; j += 4) {
        SCALE(i, j);
        SCALE(i, j + 1);
        SCALE(i, j + 2);
        SCALE(i, j + 3);
      }
      for (int j = last_j; j < N; j++)
        SCALE(i, j);
    }
    for (int k = 0; k < K; k++) {
      const int last_j = N / 4 * 4;
      for (int j = 0; j < last_j; j += 4) {
        UPDATE(i, j, k);
        UPDATE(i, j + 1, k);
        UPDATE(i, j + 2, k);
        UPDATE(i, j + 3, k);
      }
      for (int j = last_j; j < N; j++)
        UPDATE(i, j, k);
    }
  }
}

#pragma rewright transform gemm_hoisted of gemm
void gemm_hoisted(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N], double alpha,
                  double beta) {
  const int lb_i = 0, ub_i = M;
  for (int i = lb_i; i < ub_i; i++) {
    {
      const int lb_j = 0, ub_j = N;
      for (int j = lb_j; j < ub_j; j++)
        SCALE(i, j);
    }
    {
      const int lb_k = 0, ub_k = K;
      for (int k = lb_k; k < ub_k; k++) {
        const int lb_j = 0, ub_j = N;
        for (int j = lb_j; j < ub_j; j++)
          UPDATE(i, j, k);
      }
    }
  }
}

/* Full tiles have plain bounds. */
#pragma rewright transform gemm_tiled_apart of gemm
void gemm_tiled_apart(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N],
                      double alpha, double beta) {
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++)
      SCALE(i, j);
    for (int kk = 0; kk < K; kk += 32)
      for (int jj = 0; jj < N; jj += 32)
        if (kk + 32 <= K && jj + 32 <= N) {
          for (int k = kk; k < kk + 32; k++)
            for (int j = jj; j < jj + 32; j++)
              UPDATE(i, j, k);
        } else {
          for (int k = kk; k < min(kk + 32, K); k++)
            for (int j = jj; j < min(jj + 32, N); j++)
              UPDATE(i, j, k);
        }
  }
}

/* Scaled after the products are added. */
#pragma rewright transform gemm_scaled_late of gemm expect refuted
void gemm_scaled_late(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N],
                      double alpha, double beta) {
  for (int i = 0; i < M; i++) {
    for (int k = 0; k < K; k++)
      for (int j = 0; j < N; j++)
        UPDATE(i, j, k);
    for (int j = 0; j < N; j++)
      SCALE(i, j);
  }
}

/* The last product is left out. */
#pragma rewright transform gemm_without_last of gemm expect refuted
void gemm_without_last(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N],
                       double alpha, double beta) {
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++)
      SCALE(i, j);
    for (int k = 0; k < K - 1; k++)
      for (int j = 0; j < N; j++)
        UPDATE(i, j, k);
  }
}

/* Every second product is taken twice. */
#pragma rewright transform gemm_halved of gemm expect refuted
void gemm_halved(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N], double alpha,
                 double beta) {
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++)
      SCALE(i, j);
    for (int k = 0; k < K; k++)
      for (int j = 0; j < N; j++)
        UPDATE(i, j, k / 2);
  }
}

/* Scaled twice. */
#pragma rewright transform gemm_twice of gemm expect refuted
void gemm_twice(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N], double alpha,
                double beta) {
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++) {
      SCALE(i, j);
      SCALE(i, j);
    }
    for (int k = 0; k < K; k++)
      for (int j = 0; j < N; j++)
        UPDATE(i, j, k);
  }
}

/* The products are added in another order. */
#pragma rewright transform gemm_backwards of gemm expect refuted
void gemm_backwards(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N],
                    double alpha, double beta) {
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++)
      SCALE(i, j);
    for (int k = K - 1; k >= 0; k--)
      for (int j = 0; j < N; j++)
        UPDATE(i, j, k);
  }
}

/* Tiles that do not fit are left out. */
#pragma rewright transform gemm_rest_lost(tile) of gemm at tile = 3, 16 expect refuted
void gemm_rest_lost(int M, int N, int K, int tile, double A[M][K], double B[K][N], double C[M][N],
                    double alpha, double beta) {
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++)
      SCALE(i, j);
    for (int kk = 0; kk + tile <= K; kk += tile)
      for (int jj = 0; jj < N; jj += tile)
        for (int k = kk; k < min(kk + tile, K); k++)
          for (int j = jj; j < min(jj + tile, N); j++)
            UPDATE(i, j, k);
  }
}
