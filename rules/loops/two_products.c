/* D = alpha * A * B * C + beta * D */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define CLEAR(i, j) T[i][j] = 0.0
#define FIRST(i, j, k) T[i][j] += alpha * A[i][k] * B[k][j]
#define SCALE(i, l) D[i][l] *= beta
#define SECOND(i, l, j) D[i][l] += T[i][j] * C[j][l]

void two_products(int M, int N, int K, int L, double alpha, double beta, double T[M][N],
                  double A[M][K], double B[K][N], double C[N][L], double D[M][L]) {
#pragma scop
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      CLEAR(i, j);
      for (int k = 0; k < K; k++)
        FIRST(i, j, k);
    }
  for (int i = 0; i < M; i++)
    for (int l = 0; l < L; l++) {
      SCALE(i, l);
      for (int j = 0; j < N; j++)
        SECOND(i, l, j);
    }
#pragma endscop
}

/* Each row of the first product is used at once. */
#pragma rewright transform two_products_by_rows of two_products
void two_products_by_rows(int M, int N, int K, int L, double alpha, double beta, double T[M][N],
                          double A[M][K], double B[K][N], double C[N][L], double D[M][L]) {
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++)
      CLEAR(i, j);
    for (int k = 0; k < K; k++)
      for (int j = 0; j < N; j++)
        FIRST(i, j, k);
    for (int l = 0; l < L; l++)
      SCALE(i, l);
    for (int j = 0; j < N; j++)
      for (int l = 0; l < L; l++)
        SECOND(i, l, j);
  }
}

#pragma rewright transform two_products_tiled of two_products
void two_products_tiled(int M, int N, int K, int L, double alpha, double beta, double T[M][N],
                        double A[M][K], double B[K][N], double C[N][L], double D[M][L]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      CLEAR(i, j);
  for (int ii = 0; ii < M; ii += 16)
    for (int kk = 0; kk < K; kk += 16)
      for (int i = ii; i < min(ii + 16, M); i++)
        for (int k = kk; k < min(kk + 16, K); k++)
          for (int j = 0; j < N; j++)
            FIRST(i, j, k);
  for (int i = 0; i < M; i++)
    for (int l = 0; l < L; l++) {
      SCALE(i, l);
      for (int j = 0; j < N; j++)
        SECOND(i, l, j);
    }
}

/* An element of the first product is used before its sum is complete. */
#pragma rewright transform two_products_used_early of two_products expect refuted
void two_products_used_early(int M, int N, int K, int L, double alpha, double beta, double T[M][N],
                             double A[M][K], double B[K][N], double C[N][L], double D[M][L]) {
  for (int i = 0; i < M; i++) {
    for (int l = 0; l < L; l++)
      SCALE(i, l);
    for (int j = 0; j < N; j++) {
      CLEAR(i, j);
      for (int l = 0; l < L; l++)
        SECOND(i, l, j);
      for (int k = 0; k < K; k++)
        FIRST(i, j, k);
    }
  }
}

/* The last column of A is left out. */
#pragma rewright transform two_products_without_last of two_products expect refuted
void two_products_without_last(int M, int N, int K, int L, double alpha, double beta,
                               double T[M][N], double A[M][K], double B[K][N], double C[N][L],
                               double D[M][L]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      CLEAR(i, j);
      for (int k = 0; k < K - 1; k++)
        FIRST(i, j, k);
    }
  for (int i = 0; i < M; i++)
    for (int l = 0; l < L; l++) {
      SCALE(i, l);
      for (int j = 0; j < N; j++)
        SECOND(i, l, j);
    }
}
