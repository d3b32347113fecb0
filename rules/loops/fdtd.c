/* Electric and magnetic fields over a plane */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define SOURCE(t, j) ey[0][j] = source[t]
#define EY(i, j) ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j])
#define EX(i, j) ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1])
#define HZ(i, j) hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j])

void fdtd(int T, int M, int N, double ex[M][N], double ey[M][N], double hz[M][N],
          double source[T]) {
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < N; j++)
      SOURCE(t, j);
    for (int i = 1; i < M; i++)
      for (int j = 0; j < N; j++)
        EY(i, j);
    for (int i = 0; i < M; i++)
      for (int j = 1; j < N; j++)
        EX(i, j);
    for (int i = 0; i < M - 1; i++)
      for (int j = 0; j < N - 1; j++)
        HZ(i, j);
  }
#pragma endscop
}

#pragma rewright transform fdtd_copied of fdtd
void fdtd_copied(int T, int M, int N, double ex[M][N], double ey[M][N], double hz[M][N],
                 double source[T]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < N; j++)
      SOURCE(t, j);
    for (int i = 1; i < M; i++)
      for (int j = 0; j < N; j++)
        EY(i, j);
    for (int i = 0; i < M; i++)
      for (int j = 1; j < N; j++)
        EX(i, j);
    for (int i = 0; i < M - 1; i++)
      for (int j = 0; j < N - 1; j++)
        HZ(i, j);
  }
}

/* The magnetic field follows one column behind. */
#pragma rewright transform fdtd_fused of fdtd
void fdtd_fused(int T, int M, int N, double ex[M][N], double ey[M][N], double hz[M][N],
                double source[T]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < N; j++)
      SOURCE(t, j);
    for (int i = 1; i < M; i++)
      for (int j = 0; j < N; j++)
        EY(i, j);
    for (int i = 0; i < M - 1; i++)
      for (int j = 0; j < N - 1; j++) {
        EX(i, j + 1);
        HZ(i, j);
      }
    for (int j = 1; j < N; j++)
      EX(M - 1, j);
  }
}

#pragma rewright transform fdtd_tiled of fdtd
void fdtd_tiled(int T, int M, int N, double ex[M][N], double ey[M][N], double hz[M][N],
                double source[T]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < N; j++)
      SOURCE(t, j);
    for (int ii = 1; ii < M; ii += 16)
      for (int jj = 0; jj < N; jj += 16)
        for (int i = ii; i < min(ii + 16, M); i++)
          for (int j = jj; j < min(jj + 16, N); j++)
            EY(i, j);
    for (int ii = 0; ii < M; ii += 16)
      for (int jj = 1; jj < N; jj += 16)
        for (int i = ii; i < min(ii + 16, M); i++)
          for (int j = jj; j < min(jj + 16, N); j++)
            EX(i, j);
    for (int ii = 0; ii < M - 1; ii += 16)
      for (int jj = 0; jj < N - 1; jj += 16)
        for (int i = ii; i < min(ii + 16, M - 1); i++)
          for (int j = jj; j < min(jj + 16, N - 1); j++)
            HZ(i, j);
  }
}

#pragma rewright transform fdtd_parametric(tile) of fdtd at tile = 3, 16
void fdtd_parametric(int T, int M, int N, int tile, double ex[M][N], double ey[M][N],
                     double hz[M][N], double source[T]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < N; j++)
      SOURCE(t, j);
    for (int ii = 1; ii < M; ii += tile)
      for (int jj = 0; jj < N; jj += tile)
        for (int i = ii; i < min(ii + tile, M); i++)
          for (int j = jj; j < min(jj + tile, N); j++)
            EY(i, j);
    for (int ii = 0; ii < M; ii += tile)
      for (int jj = 1; jj < N; jj += tile)
        for (int i = ii; i < min(ii + tile, M); i++)
          for (int j = jj; j < min(jj + tile, N); j++)
            EX(i, j);
    for (int ii = 0; ii < M - 1; ii += tile)
      for (int jj = 0; jj < N - 1; jj += tile)
        for (int i = ii; i < min(ii + tile, M - 1); i++)
          for (int j = jj; j < min(jj + tile, N - 1); j++)
            HZ(i, j);
  }
}

#pragma rewright transform fdtd_unrolled of fdtd
void fdtd_unrolled(int T, int M, int N, double ex[M][N], double ey[M][N], double hz[M][N],
                   double source[T]) {
  for (int t = 0; t < T; t++) {
    {
      const int last_j = N / 4 * 4;
      for (int j = 0; j < last_j; j += 4) {
        SOURCE(t, j);
        SOURCE(t, j + 1);
        SOURCE(t, j + 2);
        SOURCE(t, j + 3);
      }
      for (int j = last_j; j < N; j++)
        SOURCE(t, j);
    }
    for (int i = 1; i < M; i++) {
      const int last_j = N / 4 * 4;
      for (int j = 0; j < last_j; j += 4) {
        EY(i, j);
        EY(i, j + 1);
        EY(i, j + 2);
        EY(i, j + 3);
      }
      for (int j = last_j; j < N; j++)
        EY(i, j);
    }
    for (int i = 0; i < M; i++) {
      const int last_j = 1 + (N - 1) / 4 * 4;
      for (int j = 1; j < last_j; j += 4) {
        EX(i, j);
        EX(i, j + 1);
        EX(i, j + 2);
        EX(i, j + 3);
      }
      for (int j = last_j; j < N; j++)
        EX(i, j);
    }
    for (int i = 0; i < M - 1; i++) {
      const int last_j = (N - 1) / 4 * 4;
      for (int j = 0; j < last_j; j += 4) {
        HZ(i, j);
        HZ(i, j + 1);
        HZ(i, j + 2);
        HZ(i, j + 3);
      }
      for (int j = last_j; j < N - 1; j++)
        HZ(i, j);
    }
  }
}

#pragma rewright transform fdtd_hoisted of fdtd
void fdtd_hoisted(int T, int M, int N, double ex[M][N], double ey[M][N], double hz[M][N],
                  double source[T]) {
  const int lb_t = 0, ub_t = T;
  for (int t = lb_t; t < ub_t; t++) {
    {
      const int lb_j = 0, ub_j = N;
      for (int j = lb_j; j < ub_j; j++)
        SOURCE(t, j);
    }
    {
      const int lb_i = 1, ub_i = M;
      for (int i = lb_i; i < ub_i; i++) {
        const int lb_j = 0, ub_j = N;
        for (int j = lb_j; j < ub_j; j++)
          EY(i, j);
      }
    }
    {
      const int lb_i = 0, ub_i = M;
      for (int i = lb_i; i < ub_i; i++) {
        const int lb_j = 1, ub_j = N;
        for (int j = lb_j; j < ub_j; j++)
          EX(i, j);
      }
    }
    {
      const int lb_i = 0, ub_i = M - 1;
      for (int i = lb_i; i < ub_i; i++) {
        const int lb_j = 0, ub_j = N - 1;
        for (int j = lb_j; j < ub_j; j++)
          HZ(i, j);
      }
    }
  }
}

/* Full tiles have plain bounds. */
#pragma rewright transform fdtd_tiled_apart of fdtd
void fdtd_tiled_apart(int T, int M, int N, double ex[M][N], double ey[M][N], double hz[M][N],
                      double source[T]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < N; j++)
      SOURCE(t, j);
    for (int ii = 1; ii < M; ii += 16)
      for (int jj = 0; jj < N; jj += 16)
        if (ii + 16 <= M && jj + 16 <= N) {
          for (int i = ii; i < ii + 16; i++)
            for (int j = jj; j < jj + 16; j++)
              EY(i, j);
        } else {
          for (int i = ii; i < min(ii + 16, M); i++)
            for (int j = jj; j < min(jj + 16, N); j++)
              EY(i, j);
        }
    for (int ii = 0; ii < M; ii += 16)
      for (int jj = 1; jj < N; jj += 16)
        if (ii + 16 <= M && jj + 16 <= N) {
          for (int i = ii; i < ii + 16; i++)
            for (int j = jj; j < jj + 16; j++)
              EX(i, j);
        } else {
          for (int i = ii; i < min(ii + 16, M); i++)
            for (int j = jj; j < min(jj + 16, N); j++)
              EX(i, j);
        }
    for (int ii = 0; ii < M - 1; ii += 16)
      for (int jj = 0; jj < N - 1; jj += 16)
        if (ii + 16 <= M - 1 && jj + 16 <= N - 1) {
          for (int i = ii; i < ii + 16; i++)
            for (int j = jj; j < jj + 16; j++)
              HZ(i, j);
        } else {
          for (int i = ii; i < min(ii + 16, M - 1); i++)
            for (int j = jj; j < min(jj + 16, N - 1); j++)
              HZ(i, j);
        }
  }
}

/* The magnetic field of the electric one before. */
#pragma rewright transform fdtd_magnetic_first of fdtd expect refuted
void fdtd_magnetic_first(int T, int M, int N, double ex[M][N], double ey[M][N], double hz[M][N],
                         double source[T]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < N; j++)
      SOURCE(t, j);
    for (int i = 0; i < M - 1; i++)
      for (int j = 0; j < N - 1; j++)
        HZ(i, j);
    for (int i = 1; i < M; i++)
      for (int j = 0; j < N; j++)
        EY(i, j);
    for (int i = 0; i < M; i++)
      for (int j = 1; j < N; j++)
        EX(i, j);
  }
}

/* The last column is left out. */
#pragma rewright transform fdtd_without_last of fdtd expect refuted
void fdtd_without_last(int T, int M, int N, double ex[M][N], double ey[M][N], double hz[M][N],
                       double source[T]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < N; j++)
      SOURCE(t, j);
    for (int i = 1; i < M; i++)
      for (int j = 0; j < N; j++)
        EY(i, j);
    for (int i = 0; i < M; i++)
      for (int j = 1; j < N; j++)
        EX(i, j);
    for (int i = 0; i < M - 1; i++)
      for (int j = 0; j < N - 1 - 1; j++)
        HZ(i, j);
  }
}

/* Every second column is taken twice. */
#pragma rewright transform fdtd_halved of fdtd expect refuted
void fdtd_halved(int T, int M, int N, double ex[M][N], double ey[M][N], double hz[M][N],
                 double source[T]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < N; j++)
      SOURCE(t, j);
    for (int i = 1; i < M; i++)
      for (int j = 0; j < N; j++)
        EY(i, j / 2);
    for (int i = 0; i < M; i++)
      for (int j = 1; j < N; j++)
        EX(i, j);
    for (int i = 0; i < M - 1; i++)
      for (int j = 0; j < N - 1; j++)
        HZ(i, j);
  }
}

/* One field is advanced twice. */
#pragma rewright transform fdtd_twice of fdtd expect refuted
void fdtd_twice(int T, int M, int N, double ex[M][N], double ey[M][N], double hz[M][N],
                double source[T]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < N; j++)
      SOURCE(t, j);
    for (int i = 1; i < M; i++)
      for (int j = 0; j < N; j++)
        EY(i, j);
    for (int i = 0; i < M; i++)
      for (int j = 1; j < N; j++) {
        EX(i, j);
        EX(i, j);
      }
    for (int i = 0; i < M - 1; i++)
      for (int j = 0; j < N - 1; j++)
        HZ(i, j);
  }
}

/* The magnetic field needs one column more. */
#pragma rewright transform fdtd_fused_wrongly of fdtd expect refuted
void fdtd_fused_wrongly(int T, int M, int N, double ex[M][N], double ey[M][N], double hz[M][N],
                        double source[T]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < N; j++)
      SOURCE(t, j);
    for (int i = 1; i < M; i++)
      for (int j = 0; j < N; j++)
        EY(i, j);
    for (int i = 0; i < M - 1; i++)
      for (int j = 0; j < N - 1; j++) {
        if (j > 0)
          EX(i, j);
        HZ(i, j);
      }
    for (int i = 0; i < M - 1; i++)
      EX(i, N - 1);
    for (int j = 1; j < N; j++)
      EX(M - 1, j);
  }
}
