/* A triangular system of equations */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define START(i) x[i] = b[i]
#define SUBTRACT(i, j) x[i] -= L[i][j] * x[j]
#define DIVIDE(i) x[i] = x[i] / L[i][i]

void trisolv(int N, double L[N][N], double x[N], double b[N]) {
#pragma scop
  for (int i = 0; i < N; i++) {
    START(i);
    for (int j = 0; j < i; j++)
      SUBTRACT(i, j);
    DIVIDE(i);
  }
#pragma endscop
}

/* What is known is subtracted from all equations below. */
#pragma rewright transform trisolv_by_columns of trisolv
void trisolv_by_columns(int N, double L[N][N], double x[N], double b[N]) {
  for (int i = 0; i < N; i++)
    START(i);
  for (int j = 0; j < N; j++) {
    DIVIDE(j);
    for (int i = j + 1; i < N; i++)
      SUBTRACT(i, j);
  }
}

#pragma rewright transform trisolv_tiled of trisolv
void trisolv_tiled(int N, double L[N][N], double x[N], double b[N]) {
  for (int ii = 0; ii < N; ii += 8) {
    for (int i = ii; i < min(ii + 8, N); i++)
      START(i);
    for (int jj = 0; jj < ii; jj += 8)
      for (int i = ii; i < min(ii + 8, N); i++)
        for (int j = jj; j < jj + 8; j++)
          SUBTRACT(i, j);
    for (int i = ii; i < min(ii + 8, N); i++) {
      for (int j = ii; j < i; j++)
        SUBTRACT(i, j);
      DIVIDE(i);
    }
  }
}

/* Subtracted before it is divided. */
#pragma rewright transform trisolv_divided_late of trisolv expect refuted
void trisolv_divided_late(int N, double L[N][N], double x[N], double b[N]) {
  for (int i = 0; i < N; i++)
    START(i);
  for (int j = 0; j < N; j++) {
    for (int i = j + 1; i < N; i++)
      SUBTRACT(i, j);
    DIVIDE(j);
  }
}

/* The first unknown is not subtracted. */
#pragma rewright transform trisolv_without_first of trisolv expect refuted
void trisolv_without_first(int N, double L[N][N], double x[N], double b[N]) {
  for (int i = 0; i < N; i++) {
    START(i);
    for (int j = 1; j < i; j++)
      SUBTRACT(i, j);
    DIVIDE(i);
  }
}
