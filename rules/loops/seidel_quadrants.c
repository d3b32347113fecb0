/* Gauss-Seidel sweeps of two neighbours by recursion on quadrants (PolyCheck, figure 6). */

#define SWEEP(i, j) A[i][j] = A[i - 1][j] + A[i][j - 1]

void seidel_quadrants(int T, int N, double A[N][N]) {
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N; i++)
      for (int j = 1; j < N; j++)
        SWEEP(i, j);
#pragma endscop
}

static void quadrants(int t, int ilo, int ihi, int jlo, int jhi, int T, int N, double A[N][N]) {
  if (ilo > ihi || jlo > jhi)
    return;
  if (ilo == ihi && jlo == jhi) {
    SWEEP(ilo, jlo);
  } else {
    int i = (ilo + ihi) / 2, j = (jlo + jhi) / 2;
    quadrants(t, ilo, i, jlo, j, T, N, A);
    quadrants(t, ilo, i, j + 1, jhi, T, N, A);
    quadrants(t, i + 1, ihi, jlo, j, T, N, A);
    quadrants(t, i + 1, ihi, j + 1, jhi, T, N, A);
  }
  if (ilo == 1 && ihi == N - 1 && jlo == 1 && jhi == N - 1 && t < T - 1)
    quadrants(t + 1, ilo, ihi, jlo, jhi, T, N, A);
}

#pragma rewright transform seidel_quadrants_recursive of seidel_quadrants
void seidel_quadrants_recursive(int T, int N, double A[N][N]) {
  quadrants(0, 1, N - 1, 1, N - 1, T, N, A);
}

/* Goes on while `t < T`, as the paper has it: one sweep too many. */
static void once_more(int t, int ilo, int ihi, int jlo, int jhi, int T, int N, double A[N][N]) {
  if (ilo > ihi || jlo > jhi)
    return;
  if (ilo == ihi && jlo == jhi) {
    SWEEP(ilo, jlo);
  } else {
    int i = (ilo + ihi) / 2, j = (jlo + jhi) / 2;
    once_more(t, ilo, i, jlo, j, T, N, A);
    once_more(t, ilo, i, j + 1, jhi, T, N, A);
    once_more(t, i + 1, ihi, jlo, j, T, N, A);
    once_more(t, i + 1, ihi, j + 1, jhi, T, N, A);
  }
  if (ilo == 1 && ihi == N - 1 && jlo == 1 && jhi == N - 1 && t < T)
    once_more(t + 1, ilo, ihi, jlo, jhi, T, N, A);
}

#pragma rewright transform seidel_quadrants_once_more of seidel_quadrants expect refuted
void seidel_quadrants_once_more(int T, int N, double A[N][N]) {
  once_more(0, 1, N - 1, 1, N - 1, T, N, A);
}

/* The last two calls are swapped (table 4 of the paper). */
static void swapped(int t, int ilo, int ihi, int jlo, int jhi, int T, int N, double A[N][N]) {
  if (ilo > ihi || jlo > jhi)
    return;
  if (ilo == ihi && jlo == jhi) {
    SWEEP(ilo, jlo);
  } else {
    int i = (ilo + ihi) / 2, j = (jlo + jhi) / 2;
    swapped(t, ilo, i, jlo, j, T, N, A);
    swapped(t, ilo, i, j + 1, jhi, T, N, A);
    swapped(t, i + 1, ihi, j + 1, jhi, T, N, A);
    swapped(t, i + 1, ihi, jlo, j, T, N, A);
  }
  if (ilo == 1 && ihi == N - 1 && jlo == 1 && jhi == N - 1 && t < T - 1)
    swapped(t + 1, ilo, ihi, jlo, jhi, T, N, A);
}

#pragma rewright transform seidel_quadrants_swapped of seidel_quadrants expect refuted
void seidel_quadrants_swapped(int T, int N, double A[N][N]) {
  swapped(0, 1, N - 1, 1, N - 1, T, N, A);
}
