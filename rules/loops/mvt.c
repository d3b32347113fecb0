/* Two vectors, by a matrix and by its transpose */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define ROW(i, j) x[i] = x[i] + A[i][j] * u[j]
#define COLUMN(i, j) y[i] = y[i] + A[j][i] * v[j]

void mvt(int N, double A[N][N], double x[N], double y[N], double u[N], double v[N]) {
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      ROW(i, j);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      COLUMN(i, j);
#pragma endscop
}

/* The matrix is read once. */
#pragma rewright transform mvt_fused of mvt
void mvt_fused(int N, double A[N][N], double x[N], double y[N], double u[N], double v[N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      ROW(i, j);
      COLUMN(j, i);
    }
}

#pragma rewright transform mvt_tiled of mvt
void mvt_tiled(int N, double A[N][N], double x[N], double y[N], double u[N], double v[N]) {
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < N; jj += 32)
      for (int i = ii; i < min(ii + 32, N); i++)
        for (int j = jj; j < min(jj + 32, N); j++) {
          ROW(i, j);
          COLUMN(j, i);
        }
}

/* Every second element is taken twice. */
#pragma rewright transform mvt_halved of mvt expect refuted
void mvt_halved(int N, double A[N][N], double x[N], double y[N], double u[N], double v[N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      ROW(i, j);
      COLUMN(j, i / 2);
    }
}

/* Both sums are taken in another order. */
#pragma rewright transform mvt_backwards of mvt expect refuted
void mvt_backwards(int N, double A[N][N], double x[N], double y[N], double u[N], double v[N]) {
  for (int i = 0; i < N; i++)
    for (int j = N - 1; j >= 0; j--) {
      ROW(i, j);
      COLUMN(i, j);
    }
}
