/* A sum of two matrices by one vector */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define CLEAR_T(i) t[i] = 0.0
#define CLEAR_Y(i) y[i] = 0.0
#define SUM_T(i, j) t[i] = A[i][j] * x[j] + t[i]
#define SUM_Y(i, j) y[i] = B[i][j] * x[j] + y[i]
#define RESULT(i) y[i] = alpha * t[i] + beta * y[i]

void gesummv(int N, double alpha, double beta, double A[N][N], double B[N][N], double t[N],
             double x[N], double y[N]) {
#pragma scop
  for (int i = 0; i < N; i++) {
    CLEAR_T(i);
    CLEAR_Y(i);
    for (int j = 0; j < N; j++) {
      SUM_T(i, j);
      SUM_Y(i, j);
    }
    RESULT(i);
  }
#pragma endscop
}

#pragma rewright transform gesummv_distributed of gesummv
void gesummv_distributed(int N, double alpha, double beta, double A[N][N], double B[N][N],
                         double t[N], double x[N], double y[N]) {
  for (int i = 0; i < N; i++) {
    CLEAR_T(i);
    for (int j = 0; j < N; j++)
      SUM_T(i, j);
  }
  for (int i = 0; i < N; i++) {
    CLEAR_Y(i);
    for (int j = 0; j < N; j++)
      SUM_Y(i, j);
    RESULT(i);
  }
}

#pragma rewright transform gesummv_tiled of gesummv
void gesummv_tiled(int N, double alpha, double beta, double A[N][N], double B[N][N], double t[N],
                   double x[N], double y[N]) {
  for (int i = 0; i < N; i++) {
    CLEAR_T(i);
    CLEAR_Y(i);
  }
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < N; jj += 32)
      for (int i = ii; i < min(ii + 32, N); i++)
        for (int j = jj; j < min(jj + 32, N); j++) {
          SUM_T(i, j);
          SUM_Y(i, j);
        }
  for (int i = 0; i < N; i++)
    RESULT(i);
}

/* The result is taken before one of the sums. */
#pragma rewright transform gesummv_result_early of gesummv expect refuted
void gesummv_result_early(int N, double alpha, double beta, double A[N][N], double B[N][N],
                          double t[N], double x[N], double y[N]) {
  for (int i = 0; i < N; i++) {
    CLEAR_T(i);
    CLEAR_Y(i);
    for (int j = 0; j < N; j++)
      SUM_T(i, j);
    RESULT(i);
    for (int j = 0; j < N; j++)
      SUM_Y(i, j);
  }
}

/* The last column is left out. */
#pragma rewright transform gesummv_without_last of gesummv expect refuted
void gesummv_without_last(int N, double alpha, double beta, double A[N][N], double B[N][N],
                          double t[N], double x[N], double y[N]) {
  for (int i = 0; i < N; i++) {
    CLEAR_T(i);
    CLEAR_Y(i);
    for (int j = 0; j < N - 1; j++) {
      SUM_T(i, j);
      SUM_Y(i, j);
    }
    RESULT(i);
  }
}
