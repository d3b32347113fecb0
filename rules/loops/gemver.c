/* Two products of a matrix, which is changed before, and vectors */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define RANK(i, j) A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j]
#define MULTIPLY(i, j) x[i] = x[i] + beta * A[j][i] * y[j]
#define ADD(i) x[i] = x[i] + z[i]
#define RESULT(i, j) w[i] = w[i] + alpha * A[i][j] * x[j]

void gemver(int N, double A[N][N], double u1[N], double v1[N], double u2[N], double v2[N],
            double w[N], double x[N], double y[N], double z[N], double alpha, double beta) {
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      RANK(i, j);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      MULTIPLY(i, j);
  for (int i = 0; i < N; i++)
    ADD(i);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      RESULT(i, j);
#pragma endscop
}

#pragma rewright transform gemver_copied of gemver
void gemver_copied(int N, double A[N][N], double u1[N], double v1[N], double u2[N], double v2[N],
                   double w[N], double x[N], double y[N], double z[N], double alpha, double beta) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      RANK(i, j);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      MULTIPLY(i, j);
  for (int i = 0; i < N; i++)
    ADD(i);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      RESULT(i, j);
}

/* The matrix is read as it is changed. */
#pragma rewright transform gemver_fused of gemver
void gemver_fused(int N, double A[N][N], double u1[N], double v1[N], double u2[N], double v2[N],
                  double w[N], double x[N], double y[N], double z[N], double alpha, double beta) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      RANK(i, j);
      MULTIPLY(j, i);
    }
  for (int i = 0; i < N; i++)
    ADD(i);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      RESULT(i, j);
}

#pragma rewright transform gemver_tiled of gemver
void gemver_tiled(int N, double A[N][N], double u1[N], double v1[N], double u2[N], double v2[N],
                  double w[N], double x[N], double y[N], double z[N], double alpha, double beta) {
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < N; jj += 32)
      for (int i = ii; i < min(ii + 32, N); i++)
        for (int j = jj; j < min(jj + 32, N); j++)
          RANK(i, j);
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < N; jj += 32)
      for (int i = ii; i < min(ii + 32, N); i++)
        for (int j = jj; j < min(jj + 32, N); j++)
          MULTIPLY(i, j);
  for (int i = 0; i < N; i++)
    ADD(i);
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < N; jj += 32)
      for (int i = ii; i < min(ii + 32, N); i++)
        for (int j = jj; j < min(jj + 32, N); j++)
          RESULT(i, j);
}

#pragma rewright transform gemver_parametric(tile) of gemver at tile = 3, 16
void gemver_parametric(int N, int tile, double A[N][N], double u1[N], double v1[N], double u2[N],
                       double v2[N], double w[N], double x[N], double y[N], double z[N],
                       double alpha, double beta) {
  for (int ii = 0; ii < N; ii += tile)
    for (int jj = 0; jj < N; jj += tile)
      for (int i = ii; i < min(ii + tile, N); i++)
        for (int j = jj; j < min(jj + tile, N); j++)
          RANK(i, j);
  for (int ii = 0; ii < N; ii += tile)
    for (int jj = 0; jj < N; jj += tile)
      for (int i = ii; i < min(ii + tile, N); i++)
        for (int j = jj; j < min(jj + tile, N); j++)
          MULTIPLY(i, j);
  for (int i = 0; i < N; i++)
    ADD(i);
  for (int ii = 0; ii < N; ii += tile)
    for (int jj = 0; jj < N; jj += tile)
      for (int i = ii; i < min(ii + tile, N); i++)
        for (int j = jj; j < min(jj + tile, N); j++)
          RESULT(i, j);
}

#pragma rewright transform gemver_unrolled of gemver
void gemver_unrolled(int N, double A[N][N], double u1[N], double v1[N], double u2[N], double v2[N],
                     double w[N], double x[N], double y[N], double z[N], double alpha,
                     double beta) {
  for (int i = 0; i < N; i++) {
    const int last_j = N / 4 * 4;
    for (int j = 0; j < last_j; j += 4) {
      RANK(i, j);
      RANK(i, j + 1);
      RANK(i, j + 2);
      RANK(i, j + 3);
    }
    for (int j = last_j; j < N; j++)
      RANK(i, j);
  }
  for (int i = 0; i < N; i++) {
    const int last_j = N / 4 * 4;
    for (int j = 0; j < last_j; j += 4) {
      MULTIPLY(i, j);
      MULTIPLY(i, j + 1);
      MULTIPLY(i, j + 2);
      MULTIPLY(i, j + 3);
    }
    for (int j = last_j; j < N; j++)
      MULTIPLY(i, j);
  }
  {
    const int last_i = N / 4 * 4;
    for (int i = 0; i < last_i; i += 4) {
      ADD(i);
      ADD(i + 1);
      ADD(i + 2);
      ADD(i + 3);
    }
    for (int i = last_i; i < N; i++)
      ADD(i);
  }
  for (int i = 0; i < N; i++) {
    const int last_j = N / 4 * 4;
    for (int j = 0; j < last_j; j += 4) {
      RESULT(i, j);
      RESULT(i, j + 1);
      RESULT(i, j + 2);
      RESULT(i, j + 3);
    }
    for (int j = last_j; j < N; j++)
      RESULT(i, j);
  }
}

#pragma rewright transform gemver_hoisted of gemver
void gemver_hoisted(int N, double A[N][N], double u1[N], double v1[N], double u2[N], double v2[N],
                    double w[N], double x[N], double y[N], double z[N], double alpha, double beta) {
  {
    const int lb_i = 0, ub_i = N;
    for (int i = lb_i; i < ub_i; i++) {
      const int lb_j = 0, ub_j = N;
      for (int j = lb_j; j < ub_j; j++)
        RANK(i, j);
    }
  }
  {
    const int lb_i = 0, ub_i = N;
    for (int i = lb_i; i < ub_i; i++) {
      const int lb_j = 0, ub_j = N;
      for (int j = lb_j; j < ub_j; j++)
        MULTIPLY(i, j);
    }
  }
  {
    const int lb_i = 0, ub_i = N;
    for (int i = lb_i; i < ub_i; i++)
      ADD(i);
  }
  {
    const int lb_i = 0, ub_i = N;
    for (int i = lb_i; i < ub_i; i++) {
      const int lb_j = 0, ub_j = N;
      for (int j = lb_j; j < ub_j; j++)
        RESULT(i, j);
    }
  }
}

/* Full tiles have plain bounds. */
#pragma rewright transform gemver_tiled_apart of gemver
void gemver_tiled_apart(int N, double A[N][N], double u1[N], double v1[N], double u2[N],
                        double v2[N], double w[N], double x[N], double y[N], double z[N],
                        double alpha, double beta) {
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < N; jj += 32)
      if (ii + 32 <= N && jj + 32 <= N) {
        for (int i = ii; i < ii + 32; i++)
          for (int j = jj; j < jj + 32; j++)
            RANK(i, j);
      } else {
        for (int i = ii; i < min(ii + 32, N); i++)
          for (int j = jj; j < min(jj + 32, N); j++)
            RANK(i, j);
      }
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < N; jj += 32)
      if (ii + 32 <= N && jj + 32 <= N) {
        for (int i = ii; i < ii + 32; i++)
          for (int j = jj; j < jj + 32; j++)
            MULTIPLY(i, j);
      } else {
        for (int i = ii; i < min(ii + 32, N); i++)
          for (int j = jj; j < min(jj + 32, N); j++)
            MULTIPLY(i, j);
      }
  for (int i = 0; i < N; i++)
    ADD(i);
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < N; jj += 32)
      if (ii + 32 <= N && jj + 32 <= N) {
        for (int i = ii; i < ii + 32; i++)
          for (int j = jj; j < jj + 32; j++)
            RESULT(i, j);
      } else {
        for (int i = ii; i < min(ii + 32, N); i++)
          for (int j = jj; j < min(jj + 32, N); j++)
            RESULT(i, j);
      }
}

/* The matrix is read before it is changed. */
#pragma rewright transform gemver_multiplied_early of gemver expect refuted
void gemver_multiplied_early(int N, double A[N][N], double u1[N], double v1[N], double u2[N],
                             double v2[N], double w[N], double x[N], double y[N], double z[N],
                             double alpha, double beta) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      MULTIPLY(i, j);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      RANK(i, j);
  for (int i = 0; i < N; i++)
    ADD(i);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      RESULT(i, j);
}

/* The last column is left out. */
#pragma rewright transform gemver_without_last of gemver expect refuted
void gemver_without_last(int N, double A[N][N], double u1[N], double v1[N], double u2[N],
                         double v2[N], double w[N], double x[N], double y[N], double z[N],
                         double alpha, double beta) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      RANK(i, j);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      MULTIPLY(i, j);
  for (int i = 0; i < N; i++)
    ADD(i);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N - 1; j++)
      RESULT(i, j);
}

/* Every second column is taken twice. */
#pragma rewright transform gemver_halved of gemver expect refuted
void gemver_halved(int N, double A[N][N], double u1[N], double v1[N], double u2[N], double v2[N],
                   double w[N], double x[N], double y[N], double z[N], double alpha, double beta) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      RANK(i, j);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      MULTIPLY(i, j);
  for (int i = 0; i < N; i++)
    ADD(i);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      RESULT(i, j / 2);
}

/* The vector is read before it is complete. */
#pragma rewright transform gemver_added_late of gemver expect refuted
void gemver_added_late(int N, double A[N][N], double u1[N], double v1[N], double u2[N],
                       double v2[N], double w[N], double x[N], double y[N], double z[N],
                       double alpha, double beta) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      RANK(i, j);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      MULTIPLY(i, j);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      RESULT(i, j);
  for (int i = 0; i < N; i++)
    ADD(i);
}

/* The vector is added twice. */
#pragma rewright transform gemver_twice of gemver expect refuted
void gemver_twice(int N, double A[N][N], double u1[N], double v1[N], double u2[N], double v2[N],
                  double w[N], double x[N], double y[N], double z[N], double alpha, double beta) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      RANK(i, j);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      MULTIPLY(i, j);
  for (int i = 0; i < N; i++) {
    ADD(i);
    ADD(i);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      RESULT(i, j);
}
