/* Heat diffusion on a grid, two buffers in turn: trapezoids in time and rows (Frigo and Strumpen). */

#define STEP(t, i, j) A[(t + 1) % 2][i][j] = 0.125 * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + \
  A[t % 2][i][j - 1] + A[t % 2][i][j + 1]) + 0.5 * A[t % 2][i][j]

void heat(int T, int N, double A[2][N][N]) {
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        STEP(t, i, j);
#pragma endscop
}

/* A trapezoid is cut in space if it is wide, else in time. */
static void walk(int t0, int t1, int x0, int dx0, int x1, int dx1, int N, double A[2][N][N]) {
  int height = t1 - t0;
  if (height == 1) {
    for (int i = x0; i < x1; i++)
      for (int j = 1; j < N - 1; j++)
        STEP(t0, i, j);
  } else if (height > 1 && 2 * (x1 - x0) + (dx1 - dx0) * height >= 4 * height) {
    int middle = (2 * (x0 + x1) + (2 + dx0 + dx1) * height) / 4;
    walk(t0, t1, x0, dx0, middle, -1, N, A);
    walk(t0, t1, middle, -1, x1, dx1, N, A);
  } else if (height > 1) {
    int half = height / 2;
    walk(t0, t0 + half, x0, dx0, x1, dx1, N, A);
    walk(t0 + half, t1, x0 + dx0 * half, dx0, x1 + dx1 * half, dx1, N, A);
  }
}

#pragma rewright transform heat_walk of heat
void heat_walk(int T, int N, double A[2][N][N]) {
  walk(0, T, 1, 0, N - 1, 0, N, A);
}

/* The rows of one step in halves, as programs in Cilk divide them. */
static void halves(int t, int x0, int x1, int N, double A[2][N][N]) {
  if (x1 - x0 > 2) {
    halves(t, x0, (x0 + x1) / 2, N, A);
    halves(t, (x0 + x1) / 2, x1, N, A);
    return;
  }
  for (int i = x0; i < x1; i++)
    for (int j = 1; j < N - 1; j++)
      STEP(t, i, j);
}

#pragma rewright transform heat_halves of heat
void heat_halves(int T, int N, double A[2][N][N]) {
  int t = 0;
  while (t < T) {
    halves(t, 1, N - 1, N, A);
    t++;
  }
}

/* The last row of a trapezoid is left out. */
static void short_walk(int t0, int t1, int x0, int dx0, int x1, int dx1, int N, double A[2][N][N]) {
  int height = t1 - t0;
  if (height == 1) {
    for (int i = x0; i < x1 - 1; i++)
      for (int j = 1; j < N - 1; j++)
        STEP(t0, i, j);
  } else if (height > 1 && 2 * (x1 - x0) + (dx1 - dx0) * height >= 4 * height) {
    int middle = (2 * (x0 + x1) + (2 + dx0 + dx1) * height) / 4;
    short_walk(t0, t1, x0, dx0, middle, -1, N, A);
    short_walk(t0, t1, middle, -1, x1, dx1, N, A);
  } else if (height > 1) {
    int half = height / 2;
    short_walk(t0, t0 + half, x0, dx0, x1, dx1, N, A);
    short_walk(t0 + half, t1, x0 + dx0 * half, dx0, x1 + dx1 * half, dx1, N, A);
  }
}

#pragma rewright transform heat_short_walk of heat expect refuted
void heat_short_walk(int T, int N, double A[2][N][N]) {
  short_walk(0, T, 1, 0, N - 1, 0, N, A);
}

/* The part that leans on the other comes first. */
static void swapped_walk(int t0, int t1, int x0, int dx0, int x1, int dx1, int N,
                         double A[2][N][N]) {
  int height = t1 - t0;
  if (height == 1) {
    for (int i = x0; i < x1; i++)
      for (int j = 1; j < N - 1; j++)
        STEP(t0, i, j);
  } else if (height > 1 && 2 * (x1 - x0) + (dx1 - dx0) * height >= 4 * height) {
    int middle = (2 * (x0 + x1) + (2 + dx0 + dx1) * height) / 4;
    swapped_walk(t0, t1, middle, -1, x1, dx1, N, A);
    swapped_walk(t0, t1, x0, dx0, middle, -1, N, A);
  } else if (height > 1) {
    int half = height / 2;
    swapped_walk(t0, t0 + half, x0, dx0, x1, dx1, N, A);
    swapped_walk(t0 + half, t1, x0 + dx0 * half, dx0, x1 + dx1 * half, dx1, N, A);
  }
}

#pragma rewright transform heat_swapped_walk of heat expect refuted
void heat_swapped_walk(int T, int N, double A[2][N][N]) {
  swapped_walk(0, T, 1, 0, N - 1, 0, N, A);
}
