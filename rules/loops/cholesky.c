/* A symmetric matrix as a product of a triangle and its transpose, through one scalar */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define LOAD_DIAGONAL(i) x = A[i][i]
#define SUM_DIAGONAL(i, j) x = x - A[i][j] * A[i][j]
#define ROOT(i) p[i] = 1.0 / sqrt(x)
#define LOAD(i, j) x = A[i][j]
#define SUM(i, j, k) x = x - A[j][k] * A[i][k]
#define STORE(i, j) A[j][i] = x * p[i]

void cholesky(int N, double x, double p[N], double A[N][N]) {
#pragma scop
  for (int i = 0; i < N; i++) {
    LOAD_DIAGONAL(i);
    for (int j = 0; j < i; j++)
      SUM_DIAGONAL(i, j);
    ROOT(i);
    for (int j = i + 1; j < N; j++) {
      LOAD(i, j);
      for (int k = 0; k < i; k++)
        SUM(i, j, k);
      STORE(i, j);
    }
  }
#pragma endscop
}

#pragma rewright transform cholesky_tiled of cholesky
void cholesky_tiled(int N, double x, double p[N], double A[N][N]) {
  for (int i = 0; i < N; i++) {
    LOAD_DIAGONAL(i);
    for (int jj = 0; jj < i; jj += 8)
      for (int j = jj; j < min(jj + 8, i); j++)
        SUM_DIAGONAL(i, j);
    ROOT(i);
    for (int jj = i + 1; jj < N; jj += 8)
      for (int j = jj; j < min(jj + 8, N); j++) {
        LOAD(i, j);
        for (int k = 0; k < i; k++)
          SUM(i, j, k);
        STORE(i, j);
      }
  }
}

/* The first column has no sums. */
#pragma rewright transform cholesky_peeled of cholesky
void cholesky_peeled(int N, double x, double p[N], double A[N][N]) {
  LOAD_DIAGONAL(0);
  ROOT(0);
  for (int j = 1; j < N; j++) {
    LOAD(0, j);
    STORE(0, j);
  }
  for (int i = 1; i < N; i++) {
    LOAD_DIAGONAL(i);
    for (int j = 0; j < i; j++)
      SUM_DIAGONAL(i, j);
    ROOT(i);
    for (int j = i + 1; j < N; j++) {
      LOAD(i, j);
      for (int k = 0; k < i; k++)
        SUM(i, j, k);
      STORE(i, j);
    }
  }
}

/* What is stored was not loaded yet: the diagonal is still in x, as in PolyOpt. */
#pragma rewright transform cholesky_stored_early of cholesky expect refuted
void cholesky_stored_early(int N, double x, double p[N], double A[N][N]) {
  for (int i = 0; i < N; i++) {
    LOAD_DIAGONAL(i);
    for (int j = 0; j < i; j++)
      SUM_DIAGONAL(i, j);
    ROOT(i);
    for (int jj = i + 1; jj < N; jj += 8)
      for (int j = jj; j < min(jj + 8, N); j++) {
        STORE(i, j);
        LOAD(i, j);
        for (int k = 0; k < i; k++)
          SUM(i, j, k);
      }
  }
}

/* The last row is left out. */
#pragma rewright transform cholesky_without_last of cholesky expect refuted
void cholesky_without_last(int N, double x, double p[N], double A[N][N]) {
  for (int i = 0; i < N; i++) {
    LOAD_DIAGONAL(i);
    for (int j = 0; j < i; j++)
      SUM_DIAGONAL(i, j);
    ROOT(i);
    for (int j = i + 1; j < N - 1; j++) {
      LOAD(i, j);
      for (int k = 0; k < i; k++)
        SUM(i, j, k);
      STORE(i, j);
    }
  }
}
