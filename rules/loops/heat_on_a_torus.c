/* Heat diffusion on a torus: trapezoids in time and rows, and those that close the seam */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define STEP(t, i, j, above, below, left, right) A[(t + 1) % 2][i][j] = 0.5 * A[t % 2][i][j] + \
  0.125 * (A[t % 2][above][j] + A[t % 2][below][j] + A[t % 2][i][left] + A[t % 2][i][right])

void heat_on_a_torus(int T, int N, double A[2][N][N]) {
#pragma scop
  if (N > 2)
    for (int t = 0; t < T; t++) {
      STEP(t, 0, 0, N - 1, 1, N - 1, 1);
      for (int j = 1; j < N - 1; j++)
        STEP(t, 0, j, N - 1, 1, j - 1, j + 1);
      STEP(t, 0, N - 1, N - 1, 1, N - 2, 0);
      for (int i = 1; i < N - 1; i++) {
        STEP(t, i, 0, i - 1, i + 1, N - 1, 1);
        for (int j = 1; j < N - 1; j++)
          STEP(t, i, j, i - 1, i + 1, j - 1, j + 1);
        STEP(t, i, N - 1, i - 1, i + 1, N - 2, 0);
      }
      STEP(t, N - 1, 0, N - 2, 0, N - 1, 1);
      for (int j = 1; j < N - 1; j++)
        STEP(t, N - 1, j, N - 2, 0, j - 1, j + 1);
      STEP(t, N - 1, N - 1, N - 2, 0, N - 2, 0);
    }
#pragma endscop
}

/* A trapezoid is cut in space if it is wide, else in time; its rows go on behind the last one. */
static void walk(int t0, int t1, int x0, int dx0, int x1, int dx1, int N, double A[2][N][N]) {
  int height = t1 - t0;
  if (height == 1) {
    for (int x = x0; x < x1; x++) {
      int i = x % N;
      for (int j = 0; j < N; j++)
        STEP(t0, i, j, (i + N - 1) % N, (i + 1) % N, (j + N - 1) % N, (j + 1) % N);
    }
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

#pragma rewright transform heat_on_a_torus_walk of heat_on_a_torus
void heat_on_a_torus_walk(int T, int N, double A[2][N][N]) {
  int t = 0;
  while (N > 2 && t < T) {
    int height = min(N / 2, T - t);
    walk(t, t + height, 0, 1, N, -1, N, A);
    walk(t, t + height, N, -1, N, 1, N, A);
    t += height;
  }
}

/* The rows at the seam need those beside them. */
#pragma rewright transform heat_on_a_torus_seam_first of heat_on_a_torus expect refuted
void heat_on_a_torus_seam_first(int T, int N, double A[2][N][N]) {
  int t = 0;
  while (N > 2 && t < T) {
    int height = min(N / 2, T - t);
    walk(t, t + height, N, -1, N, 1, N, A);
    walk(t, t + height, 0, 1, N, -1, N, A);
    t += height;
  }
}

/* The rows at the seam are left out. */
#pragma rewright transform heat_on_a_torus_open_seam of heat_on_a_torus expect refuted
void heat_on_a_torus_open_seam(int T, int N, double A[2][N][N]) {
  int t = 0;
  while (N > 2 && t < T) {
    int height = min(N / 2, T - t);
    walk(t, t + height, 0, 1, N, -1, N, A);
    walk(t, t + height, N, -1, N, 0, N, A);
    t += height;
  }
}
