/* Nine-point sweeps over a plane, in place */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define max(a, b) ((a) > (b) ? (a) : (b))
#define SWEEP(i, j) \
  A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] + \
             A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0

void gauss_seidel(int T, int N, double A[N][N]) {
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        SWEEP(i, j);
#pragma endscop
}

#pragma rewright transform gauss_seidel_copied of gauss_seidel
void gauss_seidel_copied(int T, int N, double A[N][N]) {
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        SWEEP(i, j);
}

#pragma rewright transform gauss_seidel_skewed of gauss_seidel
void gauss_seidel_skewed(int T, int N, double A[N][N]) {
  for (int t = 0; t < T; t++)
    for (int w = t + 1; w < t + N - 1; w++)
      for (int v = t + w + 1; v < t + w + N - 1; v++)
        SWEEP(w - t, v - t - w);
}

#pragma rewright transform gauss_seidel_tiled of gauss_seidel
void gauss_seidel_tiled(int T, int N, double A[N][N]) {
  for (int t = 0; t < T; t++)
    for (int ii = 1; ii < N - 1; ii += 16)
      for (int vv = ii + 1; vv < min(ii + 15, N - 2) + N - 1; vv += 16)
        for (int i = ii; i < min(ii + 16, N - 1); i++)
          for (int v = max(vv, i + 1); v < min(vv + 16, i + N - 1); v++)
            SWEEP(i, v - i);
}

#pragma rewright transform gauss_seidel_parametric(tile) of gauss_seidel at tile = 3, 16
void gauss_seidel_parametric(int T, int N, int tile, double A[N][N]) {
  for (int t = 0; t < T; t++)
    for (int ii = 1; ii < N - 1; ii += tile)
      for (int vv = ii + 1; vv < min(ii + tile - 1, N - 2) + N - 1; vv += tile)
        for (int i = ii; i < min(ii + tile, N - 1); i++)
          for (int v = max(vv, i + 1); v < min(vv + tile, i + N - 1); v++)
            SWEEP(i, v - i);
}

#pragma rewright transform gauss_seidel_unrolled of gauss_seidel
void gauss_seidel_unrolled(int T, int N, double A[N][N]) {
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++) {
      const int last_j = 1 + (N - 1 - 1) / 4 * 4;
      for (int j = 1; j < last_j; j += 4) {
        SWEEP(i, j);
        SWEEP(i, j + 1);
        SWEEP(i, j + 2);
        SWEEP(i, j + 3);
      }
      for (int j = last_j; j < N - 1; j++)
        SWEEP(i, j);
    }
}

#pragma rewright transform gauss_seidel_hoisted of gauss_seidel
void gauss_seidel_hoisted(int T, int N, double A[N][N]) {
  const int lb_t = 0, ub_t = T;
  for (int t = lb_t; t < ub_t; t++) {
    const int lb_i = 1, ub_i = N - 1;
    for (int i = lb_i; i < ub_i; i++) {
      const int lb_j = 1, ub_j = N - 1;
      for (int j = lb_j; j < ub_j; j++)
        SWEEP(i, j);
    }
  }
}

/* Full tiles have plain bounds. */
#pragma rewright transform gauss_seidel_tiled_apart of gauss_seidel
void gauss_seidel_tiled_apart(int T, int N, double A[N][N]) {
  for (int t = 0; t < T; t++)
    for (int ii = 1; ii < N - 1; ii += 16)
      for (int vv = ii + 1; vv < min(ii + 15, N - 2) + N - 1; vv += 16)
        if (ii + 16 <= N - 1 && vv >= ii + 16 && vv + 16 <= ii + N - 1) {
          for (int i = ii; i < ii + 16; i++)
            for (int v = vv; v < vv + 16; v++)
              SWEEP(i, v - i);
        } else {
          for (int i = ii; i < min(ii + 16, N - 1); i++)
            for (int v = max(vv, i + 1); v < min(vv + 16, i + N - 1); v++)
              SWEEP(i, v - i);
        }
}

/* A tile needs the one on its right, of the row above. */
#pragma rewright transform gauss_seidel_tiled_wrongly of gauss_seidel expect refuted
void gauss_seidel_tiled_wrongly(int T, int N, double A[N][N]) {
  for (int t = 0; t < T; t++)
    for (int ii = 1; ii < N - 1; ii += 16)
      for (int jj = 1; jj < N - 1; jj += 16)
        for (int i = ii; i < min(ii + 16, N - 1); i++)
          for (int j = jj; j < min(jj + 16, N - 1); j++)
            SWEEP(i, j);
}

/* The last column is left out. */
#pragma rewright transform gauss_seidel_without_last of gauss_seidel expect refuted
void gauss_seidel_without_last(int T, int N, double A[N][N]) {
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1 - 1; j++)
        SWEEP(i, j);
}

/* Other elements are averaged. */
#pragma rewright transform gauss_seidel_halved of gauss_seidel expect refuted
void gauss_seidel_halved(int T, int N, double A[N][N]) {
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        SWEEP(i, j / 2 + 1);
}

/* Averaged twice. */
#pragma rewright transform gauss_seidel_twice of gauss_seidel expect refuted
void gauss_seidel_twice(int T, int N, double A[N][N]) {
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) {
        SWEEP(i, j);
        SWEEP(i, j);
      }
}

/* All sweeps of a row before the row below. */
#pragma rewright transform gauss_seidel_sweeps_inside of gauss_seidel expect refuted
void gauss_seidel_sweeps_inside(int T, int N, double A[N][N]) {
  for (int i = 1; i < N - 1; i++)
    for (int t = 0; t < T; t++)
      for (int j = 1; j < N - 1; j++)
        SWEEP(i, j);
}
