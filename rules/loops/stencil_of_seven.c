/* A stencil of seven points in space: trapezoids in time and the first dimension. */

#define STEP(t, i, j, k) A[(t + 1) % 2][i][j][k] = a * A[t % 2][i][j][k] + b * (A[t % 2][i - \
  1][j][k] + A[t % 2][i + 1][j][k] + A[t % 2][i][j - 1][k] + A[t % 2][i][j + 1][k] + A[t % \
  2][i][j][k - 1] + A[t % 2][i][j][k + 1])

void stencil_of_seven(int T, int N, double A[2][N][N][N], double a, double b) {
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
                 double a, double b) {
  int height = t1 - t0;
  if (height == 1) {
    for (int i = x0; i < x1; i++)
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 1; k++)
          STEP(t0, i, j, k);
  } else if (height > 1 && 2 * (x1 - x0) + (dx1 - dx0) * height >= 4 * height) {
    int middle = (2 * (x0 + x1) + (2 + dx0 + dx1) * height) / 4;
    walk(t0, t1, x0, dx0, middle, -1, N, A, a, b);
    walk(t0, t1, middle, -1, x1, dx1, N, A, a, b);
  } else if (height > 1) {
    int half = height / 2;
    walk(t0, t0 + half, x0, dx0, x1, dx1, N, A, a, b);
    walk(t0 + half, t1, x0 + dx0 * half, dx0, x1 + dx1 * half, dx1, N, A, a, b);
  }
}

#pragma rewright transform stencil_of_seven_walk of stencil_of_seven
void stencil_of_seven_walk(int T, int N, double A[2][N][N][N], double a, double b) {
  walk(0, T, 1, 0, N - 1, 0, N, A, a, b);
}

/* The last row of a trapezoid is left out. */
static void short_walk(int t0, int t1, int x0, int dx0, int x1, int dx1, int N,
                       double A[2][N][N][N], double a, double b) {
  int height = t1 - t0;
  if (height == 1) {
    for (int i = x0; i < x1 - 1; i++)
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 1; k++)
          STEP(t0, i, j, k);
  } else if (height > 1 && 2 * (x1 - x0) + (dx1 - dx0) * height >= 4 * height) {
    int middle = (2 * (x0 + x1) + (2 + dx0 + dx1) * height) / 4;
    short_walk(t0, t1, x0, dx0, middle, -1, N, A, a, b);
    short_walk(t0, t1, middle, -1, x1, dx1, N, A, a, b);
  } else if (height > 1) {
    int half = height / 2;
    short_walk(t0, t0 + half, x0, dx0, x1, dx1, N, A, a, b);
    short_walk(t0 + half, t1, x0 + dx0 * half, dx0, x1 + dx1 * half, dx1, N, A, a, b);
  }
}

#pragma rewright transform stencil_of_seven_short_walk of stencil_of_seven expect refuted
void stencil_of_seven_short_walk(int T, int N, double A[2][N][N][N], double a, double b) {
  short_walk(0, T, 1, 0, N - 1, 0, N, A, a, b);
}

/* The part that leans on the other comes first. */
static void swapped_walk(int t0, int t1, int x0, int dx0, int x1, int dx1, int N,
                         double A[2][N][N][N], double a, double b) {
  int height = t1 - t0;
  if (height == 1) {
    for (int i = x0; i < x1; i++)
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 1; k++)
          STEP(t0, i, j, k);
  } else if (height > 1 && 2 * (x1 - x0) + (dx1 - dx0) * height >= 4 * height) {
    int middle = (2 * (x0 + x1) + (2 + dx0 + dx1) * height) / 4;
    swapped_walk(t0, t1, middle, -1, x1, dx1, N, A, a, b);
    swapped_walk(t0, t1, x0, dx0, middle, -1, N, A, a, b);
  } else if (height > 1) {
    int half = height / 2;
    swapped_walk(t0, t0 + half, x0, dx0, x1, dx1, N, A, a, b);
    swapped_walk(t0 + half, t1, x0 + dx0 * half, dx0, x1 + dx1 * half, dx1, N, A, a, b);
  }
}

#pragma rewright transform stencil_of_seven_swapped_walk of stencil_of_seven expect refuted
void stencil_of_seven_swapped_walk(int T, int N, double A[2][N][N][N], double a, double b) {
  swapped_walk(0, T, 1, 0, N - 1, 0, N, A, a, b);
}
