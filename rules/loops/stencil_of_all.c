/* A stencil of all 27 neighbours in space, their sum by planes: trapezoids in time and the first dimension. */

#define STEP(t, i, j, k) A[(t + 1) % 2][i][j][k] = w[2] * A[t % 2][i - 1][j - 1][k - 1] + w[1] * \
  A[t % 2][i - 1][j - 1][k] + w[2] * A[t % 2][i - 1][j - 1][k + 1] + w[1] * A[t % 2][i - 1][j][k \
  - 1] + w[0] * A[t % 2][i - 1][j][k] + w[1] * A[t % 2][i - 1][j][k + 1] + w[2] * A[t % 2][i - \
  1][j + 1][k - 1] + w[1] * A[t % 2][i - 1][j + 1][k] + w[2] * A[t % 2][i - 1][j + 1][k + 1] + \
  w[2] * A[t % 2][i][j - 1][k - 1] + w[1] * A[t % 2][i][j - 1][k] + w[2] * A[t % 2][i][j - 1][k \
  + 1] + w[1] * A[t % 2][i][j][k - 1] + w[0] * A[t % 2][i][j][k] + w[1] * A[t % 2][i][j][k + 1] \
  + w[2] * A[t % 2][i][j + 1][k - 1] + w[1] * A[t % 2][i][j + 1][k] + w[2] * A[t % 2][i][j + \
  1][k + 1] + w[2] * A[t % 2][i + 1][j - 1][k - 1] + w[1] * A[t % 2][i + 1][j - 1][k] + w[2] * \
  A[t % 2][i + 1][j - 1][k + 1] + w[1] * A[t % 2][i + 1][j][k - 1] + w[0] * A[t % 2][i + \
  1][j][k] + w[1] * A[t % 2][i + 1][j][k + 1] + w[2] * A[t % 2][i + 1][j + 1][k - 1] + w[1] * \
  A[t % 2][i + 1][j + 1][k] + w[2] * A[t % 2][i + 1][j + 1][k + 1]

void stencil_of_all(int T, int N, double A[2][N][N][N], double w[3]) {
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 1; k++)
          STEP(t, i, j, k);
#pragma endscop
}

/* A trapezoid is cut in space if it is wide, else in time. */
static void walk(int t0, int t1, int x0, int dx0, int x1, int dx1, int N, double A[2][N][N][N],
                 double w[3]) {
  int height = t1 - t0;
  if (height == 1) {
    for (int i = x0; i < x1; i++)
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 1; k++)
          STEP(t0, i, j, k);
  } else if (height > 1 && 2 * (x1 - x0) + (dx1 - dx0) * height >= 4 * height) {
    int middle = (2 * (x0 + x1) + (2 + dx0 + dx1) * height) / 4;
    walk(t0, t1, x0, dx0, middle, -1, N, A, w);
    walk(t0, t1, middle, -1, x1, dx1, N, A, w);
  } else if (height > 1) {
    int half = height / 2;
    walk(t0, t0 + half, x0, dx0, x1, dx1, N, A, w);
    walk(t0 + half, t1, x0 + dx0 * half, dx0, x1 + dx1 * half, dx1, N, A, w);
  }
}

#pragma rewright transform stencil_of_all_walk of stencil_of_all
void stencil_of_all_walk(int T, int N, double A[2][N][N][N], double w[3]) {
  walk(0, T, 1, 0, N - 1, 0, N, A, w);
}

/* The last row of a trapezoid is left out. */
static void short_walk(int t0, int t1, int x0, int dx0, int x1, int dx1, int N,
                       double A[2][N][N][N], double w[3]) {
  int height = t1 - t0;
  if (height == 1) {
    for (int i = x0; i < x1 - 1; i++)
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 1; k++)
          STEP(t0, i, j, k);
  } else if (height > 1 && 2 * (x1 - x0) + (dx1 - dx0) * height >= 4 * height) {
    int middle = (2 * (x0 + x1) + (2 + dx0 + dx1) * height) / 4;
    short_walk(t0, t1, x0, dx0, middle, -1, N, A, w);
    short_walk(t0, t1, middle, -1, x1, dx1, N, A, w);
  } else if (height > 1) {
    int half = height / 2;
    short_walk(t0, t0 + half, x0, dx0, x1, dx1, N, A, w);
    short_walk(t0 + half, t1, x0 + dx0 * half, dx0, x1 + dx1 * half, dx1, N, A, w);
  }
}

#pragma rewright transform stencil_of_all_short_walk of stencil_of_all expect refuted
void stencil_of_all_short_walk(int T, int N, double A[2][N][N][N], double w[3]) {
  short_walk(0, T, 1, 0, N - 1, 0, N, A, w);
}

/* The part that leans on the other comes first. */
static void swapped_walk(int t0, int t1, int x0, int dx0, int x1, int dx1, int N,
                         double A[2][N][N][N], double w[3]) {
  int height = t1 - t0;
  if (height == 1) {
    for (int i = x0; i < x1; i++)
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 1; k++)
          STEP(t0, i, j, k);
  } else if (height > 1 && 2 * (x1 - x0) + (dx1 - dx0) * height >= 4 * height) {
    int middle = (2 * (x0 + x1) + (2 + dx0 + dx1) * height) / 4;
    swapped_walk(t0, t1, middle, -1, x1, dx1, N, A, w);
    swapped_walk(t0, t1, x0, dx0, middle, -1, N, A, w);
  } else if (height > 1) {
    int half = height / 2;
    swapped_walk(t0, t0 + half, x0, dx0, x1, dx1, N, A, w);
    swapped_walk(t0 + half, t1, x0 + dx0 * half, dx0, x1 + dx1 * half, dx1, N, A, w);
  }
}

#pragma rewright transform stencil_of_all_swapped_walk of stencil_of_all expect refuted
void stencil_of_all_swapped_walk(int T, int N, double A[2][N][N][N], double w[3]) {
  swapped_walk(0, T, 1, 0, N - 1, 0, N, A, w);
}
