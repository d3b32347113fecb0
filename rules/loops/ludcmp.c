/* A system of equations by a product of triangles, each sum in one scalar */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define LOAD(i, j) w = A[i][j]
#define SUM(i, j, k) w -= A[i][k] * A[k][j]
#define DIVIDE(i, j) A[i][j] = w / A[j][j]
#define STORE(i, j) A[i][j] = w
#define LOAD_B(i) w = b[i]
#define SUM_B(i, j) w -= A[i][j] * y[j]
#define STORE_Y(i) y[i] = w
#define LOAD_Y(i) w = y[i]
#define SUM_Y(i, j) w -= A[i][j] * x[j]
#define STORE_X(i) x[i] = w / A[i][i]

void ludcmp(int N, double w, double A[N][N], double b[N], double y[N], double x[N]) {
#pragma scop
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      LOAD(i, j);
      for (int k = 0; k < j; k++)
        SUM(i, j, k);
      DIVIDE(i, j);
    }
    for (int j = i; j < N; j++) {
      LOAD(i, j);
      for (int k = 0; k < i; k++)
        SUM(i, j, k);
      STORE(i, j);
    }
  }
  for (int i = 0; i < N; i++) {
    LOAD_B(i);
    for (int j = 0; j < i; j++)
      SUM_B(i, j);
    STORE_Y(i);
  }
  for (int i = N - 1; i >= 0; i--) {
    LOAD_Y(i);
    for (int j = i + 1; j < N; j++)
      SUM_Y(i, j);
    STORE_X(i);
  }
#pragma endscop
}

#pragma rewright transform ludcmp_tiled of ludcmp
void ludcmp_tiled(int N, double w, double A[N][N], double b[N], double y[N], double x[N]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      LOAD(i, j);
      for (int kk = 0; kk < j; kk += 8)
        for (int k = kk; k < min(kk + 8, j); k++)
          SUM(i, j, k);
      DIVIDE(i, j);
    }
    for (int j = i; j < N; j++) {
      LOAD(i, j);
      for (int kk = 0; kk < i; kk += 8)
        for (int k = kk; k < min(kk + 8, i); k++)
          SUM(i, j, k);
      STORE(i, j);
    }
  }
  for (int i = 0; i < N; i++) {
    LOAD_B(i);
    for (int jj = 0; jj < i; jj += 8)
      for (int j = jj; j < min(jj + 8, i); j++)
        SUM_B(i, j);
    STORE_Y(i);
  }
  for (int row = 0; row < N; row++) {
    LOAD_Y(N - 1 - row);
    for (int j = N - row; j < N; j++)
      SUM_Y(N - 1 - row, j);
    STORE_X(N - 1 - row);
  }
}

/* The second triangle is solved from its wrong end. */
#pragma rewright transform ludcmp_downwards of ludcmp expect refuted
void ludcmp_downwards(int N, double w, double A[N][N], double b[N], double y[N], double x[N]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      LOAD(i, j);
      for (int k = 0; k < j; k++)
        SUM(i, j, k);
      DIVIDE(i, j);
    }
    for (int j = i; j < N; j++) {
      LOAD(i, j);
      for (int k = 0; k < i; k++)
        SUM(i, j, k);
      STORE(i, j);
    }
  }
  for (int i = 0; i < N; i++) {
    LOAD_B(i);
    for (int j = 0; j < i; j++)
      SUM_B(i, j);
    STORE_Y(i);
  }
  for (int i = 0; i < N; i++) {
    LOAD_Y(i);
    for (int j = i + 1; j < N; j++)
      SUM_Y(i, j);
    STORE_X(i);
  }
}

/* The statements of both triangles as those of one loop. */
#pragma rewright transform ludcmp_merged of ludcmp
void ludcmp_merged(int N, double w, double A[N][N], double b[N], double y[N], double x[N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      LOAD(i, j);
      for (int k = 0; k < min(i, j); k++)
        SUM(i, j, k);
      if (j < i)
        DIVIDE(i, j);
      else
        STORE(i, j);
    }
  for (int i = 0; i < N; i++) {
    LOAD_B(i);
    for (int j = 0; j < i; j++)
      SUM_B(i, j);
    STORE_Y(i);
  }
  for (int i = N - 1; i >= 0; i--) {
    LOAD_Y(i);
    for (int j = i + 1; j < N; j++)
      SUM_Y(i, j);
    STORE_X(i);
  }
}
