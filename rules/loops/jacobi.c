/* Five-point averages over a plane, forth and back */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define FORTH(i, j) B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i - 1][j] + A[i + 1][j])
#define BACK(i, j) A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i - 1][j] + B[i + 1][j])

void jacobi(int T, int N, double A[N][N], double B[N][N]) {
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        FORTH(i, j);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        BACK(i, j);
  }
#pragma endscop
}

#pragma rewright transform jacobi_copied of jacobi
void jacobi_copied(int T, int N, double A[N][N], double B[N][N]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        FORTH(i, j);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        BACK(i, j);
  }
}

/* The way back is one row behind. */
#pragma rewright transform jacobi_shifted of jacobi
void jacobi_shifted(int T, int N, double A[N][N], double B[N][N]) {
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N; i++) {
      if (i < N - 1)
        for (int j = 1; j < N - 1; j++)
          FORTH(i, j);
      if (i > 1)
        for (int j = 1; j < N - 1; j++)
          BACK(i - 1, j);
    }
}

#pragma rewright transform jacobi_tiled of jacobi
void jacobi_tiled(int T, int N, double A[N][N], double B[N][N]) {
  for (int t = 0; t < T; t++) {
    for (int ii = 1; ii < N - 1; ii += 16)
      for (int jj = 1; jj < N - 1; jj += 16)
        for (int i = ii; i < min(ii + 16, N - 1); i++)
          for (int j = jj; j < min(jj + 16, N - 1); j++)
            FORTH(i, j);
    for (int ii = 1; ii < N - 1; ii += 16)
      for (int jj = 1; jj < N - 1; jj += 16)
        for (int i = ii; i < min(ii + 16, N - 1); i++)
          for (int j = jj; j < min(jj + 16, N - 1); j++)
            BACK(i, j);
  }
}

#pragma rewright transform jacobi_parametric(tile) of jacobi at tile = 3, 16
void jacobi_parametric(int T, int N, int tile, double A[N][N], double B[N][N]) {
  for (int t = 0; t < T; t++) {
    for (int ii = 1; ii < N - 1; ii += tile)
      for (int jj = 1; jj < N - 1; jj += tile)
        for (int i = ii; i < min(ii + tile, N - 1); i++)
          for (int j = jj; j < min(jj + tile, N - 1); j++)
            FORTH(i, j);
    for (int ii = 1; ii < N - 1; ii += tile)
      for (int jj = 1; jj < N - 1; jj += tile)
        for (int i = ii; i < min(ii + tile, N - 1); i++)
          for (int j = jj; j < min(jj + tile, N - 1); j++)
            BACK(i, j);
  }
}

#pragma rewright transform jacobi_unrolled of jacobi
void jacobi_unrolled(int T, int N, double A[N][N], double B[N][N]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++) {
      const int last_j = 1 + (N - 1 - 1) / 4 * 4;
      for (int j = 1; j < last_j; j += 4) {
        FORTH(i, j);
        FORTH(i, j + 1);
        FORTH(i, j + 2);
        FORTH(i, j + 3);
      }
      for (int j = last_j; j < N - 1; j++)
        FORTH(i, j);
    }
    for (int i = 1; i < N - 1; i++) {
      const int last_j = 1 + (N - 1 - 1) / 4 * 4;
      for (int j = 1; j < last_j; j += 4) {
        BACK(i, j);
        BACK(i, j + 1);
        BACK(i, j + 2);
        BACK(i, j + 3);
      }
      for (int j = last_j; j < N - 1; j++)
        BACK(i, j);
    }
  }
}

#pragma rewright transform jacobi_hoisted of jacobi
void jacobi_hoisted(int T, int N, double A[N][N], double B[N][N]) {
  const int lb_t = 0, ub_t = T;
  for (int t = lb_t; t < ub_t; t++) {
    {
      const int lb_i = 1, ub_i = N - 1;
      for (int i = lb_i; i < ub_i; i++) {
        const int lb_j = 1, ub_j = N - 1;
        for (int j = lb_j; j < ub_j; j++)
          FORTH(i, j);
      }
    }
    {
      const int lb_i = 1, ub_i = N - 1;
      for (int i = lb_i; i < ub_i; i++) {
        const int lb_j = 1, ub_j = N - 1;
        for (int j = lb_j; j < ub_j; j++)
          BACK(i, j);
      }
    }
  }
}

/* Full tiles have plain bounds. */
#pragma rewright transform jacobi_tiled_apart of jacobi
void jacobi_tiled_apart(int T, int N, double A[N][N], double B[N][N]) {
  for (int t = 0; t < T; t++) {
    for (int ii = 1; ii < N - 1; ii += 16)
      for (int jj = 1; jj < N - 1; jj += 16)
        if (ii + 16 <= N - 1 && jj + 16 <= N - 1) {
          for (int i = ii; i < ii + 16; i++)
            for (int j = jj; j < jj + 16; j++)
              FORTH(i, j);
        } else {
          for (int i = ii; i < min(ii + 16, N - 1); i++)
            for (int j = jj; j < min(jj + 16, N - 1); j++)
              FORTH(i, j);
        }
    for (int ii = 1; ii < N - 1; ii += 16)
      for (int jj = 1; jj < N - 1; jj += 16)
        if (ii + 16 <= N - 1 && jj + 16 <= N - 1) {
          for (int i = ii; i < ii + 16; i++)
            for (int j = jj; j < jj + 16; j++)
              BACK(i, j);
        } else {
          for (int i = ii; i < min(ii + 16, N - 1); i++)
            for (int j = jj; j < min(jj + 16, N - 1); j++)
              BACK(i, j);
        }
  }
}

/* The way back reads rows that are not there yet. */
#pragma rewright transform jacobi_fused of jacobi expect refuted
void jacobi_fused(int T, int N, double A[N][N], double B[N][N]) {
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) {
        FORTH(i, j);
        BACK(i, j);
      }
}

/* The last column is left out. */
#pragma rewright transform jacobi_without_last of jacobi expect refuted
void jacobi_without_last(int T, int N, double A[N][N], double B[N][N]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        FORTH(i, j);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1 - 1; j++)
        BACK(i, j);
  }
}

/* Other elements are averaged. */
#pragma rewright transform jacobi_halved of jacobi expect refuted
void jacobi_halved(int T, int N, double A[N][N], double B[N][N]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        FORTH(i, j);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        BACK(i, j / 2 + 1);
  }
}

/* Averaged twice. */
#pragma rewright transform jacobi_twice of jacobi expect refuted
void jacobi_twice(int T, int N, double A[N][N], double B[N][N]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) {
        FORTH(i, j);
        FORTH(i, j);
      }
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        BACK(i, j);
  }
}

/* Back before forth. */
#pragma rewright transform jacobi_swapped of jacobi expect refuted
void jacobi_swapped(int T, int N, double A[N][N], double B[N][N]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        BACK(i, j);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        FORTH(i, j);
  }
}

/* Tiles share their last row. */
#pragma rewright transform jacobi_tiles_overlapping(tile) of jacobi at tile = 3, 16 expect refuted
void jacobi_tiles_overlapping(int T, int N, int tile, double A[N][N], double B[N][N]) {
  for (int t = 0; t < T; t++) {
    for (int ii = 1; ii < N - 1; ii += tile)
      for (int jj = 1; jj < N - 1; jj += tile)
        for (int i = ii; i < min(ii + tile + 1, N - 1); i++)
          for (int j = jj; j < min(jj + tile, N - 1); j++)
            FORTH(i, j);
    for (int ii = 1; ii < N - 1; ii += tile)
      for (int jj = 1; jj < N - 1; jj += tile)
        for (int i = ii; i < min(ii + tile, N - 1); i++)
          for (int j = jj; j < min(jj + tile, N - 1); j++)
            BACK(i, j);
  }
}
