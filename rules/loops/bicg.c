/* A matrix, and its transpose, by a vector each */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define CLEAR_S(j) s[j] = 0.0
#define CLEAR_Q(i) q[i] = 0.0
#define SUM_S(i, j) s[j] = s[j] + r[i] * A[i][j]
#define SUM_Q(i, j) q[i] = q[i] + A[i][j] * p[j]

void bicg(int M, int N, double A[N][M], double s[M], double q[N], double p[M], double r[N]) {
#pragma scop
  for (int j = 0; j < M; j++)
    CLEAR_S(j);
  for (int i = 0; i < N; i++) {
    CLEAR_Q(i);
    for (int j = 0; j < M; j++) {
      SUM_S(i, j);
      SUM_Q(i, j);
    }
  }
#pragma endscop
}

#pragma rewright transform bicg_copied of bicg
void bicg_copied(int M, int N, double A[N][M], double s[M], double q[N], double p[M], double r[N]) {
  for (int j = 0; j < M; j++)
    CLEAR_S(j);
  for (int i = 0; i < N; i++) {
    CLEAR_Q(i);
    for (int j = 0; j < M; j++) {
      SUM_S(i, j);
      SUM_Q(i, j);
    }
  }
}

#pragma rewright transform bicg_distributed of bicg
void bicg_distributed(int M, int N, double A[N][M], double s[M], double q[N], double p[M],
                      double r[N]) {
  for (int j = 0; j < M; j++)
    CLEAR_S(j);
  for (int j = 0; j < M; j++)
    for (int i = 0; i < N; i++)
      SUM_S(i, j);
  for (int i = 0; i < N; i++) {
    CLEAR_Q(i);
    for (int j = 0; j < M; j++)
      SUM_Q(i, j);
  }
}

#pragma rewright transform bicg_tiled of bicg
void bicg_tiled(int M, int N, double A[N][M], double s[M], double q[N], double p[M], double r[N]) {
  for (int j = 0; j < M; j++)
    CLEAR_S(j);
  for (int i = 0; i < N; i++)
    CLEAR_Q(i);
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < M; jj += 32)
      for (int i = ii; i < min(ii + 32, N); i++)
        for (int j = jj; j < min(jj + 32, M); j++) {
          SUM_S(i, j);
          SUM_Q(i, j);
        }
}

#pragma rewright transform bicg_parametric(tile) of bicg at tile = 3, 16
void bicg_parametric(int M, int N, int tile, double A[N][M], double s[M], double q[N], double p[M],
                     double r[N]) {
  for (int j = 0; j < M; j++)
    CLEAR_S(j);
  for (int i = 0; i < N; i++)
    CLEAR_Q(i);
  for (int ii = 0; ii < N; ii += tile)
    for (int jj = 0; jj < M; jj += tile)
      for (int i = ii; i < min(ii + tile, N); i++)
        for (int j = jj; j < min(jj + tile, M); j++) {
          SUM_S(i, j);
          SUM_Q(i, j);
        }
}

#pragma rewright transform bicg_unrolled of bicg
void bicg_unrolled(int M, int N, double A[N][M], double s[M], double q[N], double p[M],
                   double r[N]) {
  {
    const int last_j = M / 4 * 4;
    for (int j = 0; j < last_j; j += 4) {
      CLEAR_S(j);
      CLEAR_S(j + 1);
      CLEAR_S(j + 2);
      CLEAR_S(j + 3);
    }
    for (int j = last_j; j < M; j++)
      CLEAR_S(j);
  }
  for (int i = 0; i < N; i++) {
    CLEAR_Q(i);
    {
      const int last_j = M / 4 * 4;
      for (int j = 0; j < last_j; j += 4) {
        SUM_S(i, j);
        SUM_Q(i, j);
        SUM_S(i, j + 1);
        SUM_Q(i, j + 1);
        SUM_S(i, j + 2);
        SUM_Q(i, j + 2);
        SUM_S(i, j + 3);
        SUM_Q(i, j + 3);
      }
      for (int j = last_j; j < M; j++) {
        SUM_S(i, j);
        SUM_Q(i, j);
      }
    }
  }
}

#pragma rewright transform bicg_hoisted of bicg
void bicg_hoisted(int M, int N, double A[N][M], double s[M], double q[N], double p[M],
                  double r[N]) {
  {
    const int lb_j = 0, ub_j = M;
    for (int j = lb_j; j < ub_j; j++)
      CLEAR_S(j);
  }
  {
    const int lb_i = 0, ub_i = N;
    for (int i = lb_i; i < ub_i; i++) {
      CLEAR_Q(i);
      {
        const int lb_j = 0, ub_j = M;
        for (int j = lb_j; j < ub_j; j++) {
          SUM_S(i, j);
          SUM_Q(i, j);
        }
      }
    }
  }
}

/* Full tiles have plain bounds. */
#pragma rewright transform bicg_tiled_apart of bicg
void bicg_tiled_apart(int M, int N, double A[N][M], double s[M], double q[N], double p[M],
                      double r[N]) {
  for (int j = 0; j < M; j++)
    CLEAR_S(j);
  for (int i = 0; i < N; i++)
    CLEAR_Q(i);
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < M; jj += 32)
      if (ii + 32 <= N && jj + 32 <= M) {
        for (int i = ii; i < ii + 32; i++)
          for (int j = jj; j < jj + 32; j++) {
            SUM_S(i, j);
            SUM_Q(i, j);
          }
      } else {
        for (int i = ii; i < min(ii + 32, N); i++)
          for (int j = jj; j < min(jj + 32, M); j++) {
            SUM_S(i, j);
            SUM_Q(i, j);
          }
      }
}

/* Cleared after the sum. */
#pragma rewright transform bicg_cleared_late of bicg expect refuted
void bicg_cleared_late(int M, int N, double A[N][M], double s[M], double q[N], double p[M],
                       double r[N]) {
  for (int j = 0; j < M; j++)
    CLEAR_S(j);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < M; j++) {
      SUM_S(i, j);
      SUM_Q(i, j);
    }
    CLEAR_Q(i);
  }
}

/* The last column is left out. */
#pragma rewright transform bicg_without_last of bicg expect refuted
void bicg_without_last(int M, int N, double A[N][M], double s[M], double q[N], double p[M],
                       double r[N]) {
  for (int j = 0; j < M; j++)
    CLEAR_S(j);
  for (int i = 0; i < N; i++) {
    CLEAR_Q(i);
    for (int j = 0; j < M - 1; j++) {
      SUM_S(i, j);
      SUM_Q(i, j);
    }
  }
}

/* Every second element is taken twice. */
#pragma rewright transform bicg_halved of bicg expect refuted
void bicg_halved(int M, int N, double A[N][M], double s[M], double q[N], double p[M], double r[N]) {
  for (int j = 0; j < M; j++)
    CLEAR_S(j);
  for (int i = 0; i < N; i++) {
    CLEAR_Q(i);
    for (int j = 0; j < M; j++) {
      SUM_S(i, j);
      SUM_Q(i, j / 2);
    }
  }
}

/* One sum is taken twice. */
#pragma rewright transform bicg_twice of bicg expect refuted
void bicg_twice(int M, int N, double A[N][M], double s[M], double q[N], double p[M], double r[N]) {
  for (int j = 0; j < M; j++)
    CLEAR_S(j);
  for (int i = 0; i < N; i++) {
    CLEAR_Q(i);
    for (int j = 0; j < M; j++) {
      SUM_S(i, j);
      SUM_S(i, j);
      SUM_Q(i, j);
    }
  }
}

/* One sum is taken in another order. */
#pragma rewright transform bicg_backwards of bicg expect refuted
void bicg_backwards(int M, int N, double A[N][M], double s[M], double q[N], double p[M],
                    double r[N]) {
  for (int j = 0; j < M; j++)
    CLEAR_S(j);
  for (int i = N - 1; i >= 0; i--) {
    CLEAR_Q(i);
    for (int j = 0; j < M; j++) {
      SUM_S(i, j);
      SUM_Q(i, j);
    }
  }
}
