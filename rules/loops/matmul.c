/* C += A * B by divide and conquer, as programs in Cilk multiply matrices. */

#define MULTIPLY(c, a, b) c += a * b

void matmul(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N]) {
#pragma scop
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < K; k++)
        MULTIPLY(C[i][j], A[i][k], B[k][j]);
#pragma endscop
}

/* Halves the longest side of a block. */
static void halves(int i0, int i1, int j0, int j1, int k0, int k1, int N, int K, double A[][K],
                   double B[][N], double C[][N]) {
  int di = i1 - i0, dj = j1 - j0, dk = k1 - k0;
  if (di <= 2 && dj <= 2 && dk <= 2) {
    for (int i = i0; i < i1; i++)
      for (int j = j0; j < j1; j++)
        for (int k = k0; k < k1; k++)
          MULTIPLY(C[i][j], A[i][k], B[k][j]);
  } else if (di >= dj && di >= dk) {
    halves(i0, i0 + di / 2, j0, j1, k0, k1, N, K, A, B, C);
    halves(i0 + di / 2, i1, j0, j1, k0, k1, N, K, A, B, C);
  } else if (dj >= dk) {
    halves(i0, i1, j0, j0 + dj / 2, k0, k1, N, K, A, B, C);
    halves(i0, i1, j0 + dj / 2, j1, k0, k1, N, K, A, B, C);
  } else {
    halves(i0, i1, j0, j1, k0, k0 + dk / 2, N, K, A, B, C);
    halves(i0, i1, j0, j1, k0 + dk / 2, k1, N, K, A, B, C);
  }
}

#pragma rewright transform matmul_rectangular of matmul
void matmul_rectangular(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N]) {
  halves(0, M, 0, N, 0, K, N, K, A, B, C);
}

/* Eight products of quadrants, those that add to one quadrant of C one after the other. */
static void quadrants(int i0, int i1, int j0, int j1, int k0, int k1, int N, int K, double A[][K],
                      double B[][N], double C[][N]) {
  if (i0 == i1 || j0 == j1 || k0 == k1)
    return;
  if (i1 - i0 == 1 && j1 - j0 == 1 && k1 - k0 == 1) {
    MULTIPLY(C[i0][j0], A[i0][k0], B[k0][j0]);
    return;
  }
  int i = (i0 + i1) / 2, j = (j0 + j1) / 2, k = (k0 + k1) / 2;
  if (i1 - i0 == 1)
    i = i1;
  if (j1 - j0 == 1)
    j = j1;
  if (k1 - k0 == 1)
    k = k1;
  quadrants(i0, i, j0, j, k0, k, N, K, A, B, C);
  quadrants(i0, i, j, j1, k0, k, N, K, A, B, C);
  quadrants(i, i1, j0, j, k0, k, N, K, A, B, C);
  quadrants(i, i1, j, j1, k0, k, N, K, A, B, C);
  quadrants(i0, i, j0, j, k, k1, N, K, A, B, C);
  quadrants(i0, i, j, j1, k, k1, N, K, A, B, C);
  quadrants(i, i1, j0, j, k, k1, N, K, A, B, C);
  quadrants(i, i1, j, j1, k, k1, N, K, A, B, C);
}

#pragma rewright transform matmul_recursive of matmul
void matmul_recursive(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N]) {
  quadrants(0, M, 0, N, 0, K, N, K, A, B, C);
}

/* Rows are handed on; blocks of columns begin where a list of cuts says. */
static void row(int N, int K, int from, int to, double *c, double *a, double B[][N]) {
  int k = 0;
  while (k < K) {
    for (int j = from; j < to; j++)
      MULTIPLY(c[j], a[k], B[k][j]);
    k++;
  }
}

#pragma rewright transform matmul_by_rows of matmul
void matmul_by_rows(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N]) {
  int cuts[4] = {0, N / 3, N / 2, N};
  for (int block = 0; block < 3; block++)
    for (int i = 0; i < M; i++) {
      double *c = C[i];
      row(N, K, cuts[block], cuts[block + 1], c, A[i], B);
    }
}

/* The second half of the sum comes first. */
static void backwards(int k0, int k1, int i, int j, int N, int K, double A[][K], double B[][N],
                      double C[][N]) {
  if (k1 - k0 == 1) {
    MULTIPLY(C[i][j], A[i][k0], B[k0][j]);
  } else if (k1 - k0 > 1) {
    backwards((k0 + k1) / 2, k1, i, j, N, K, A, B, C);
    backwards(k0, (k0 + k1) / 2, i, j, N, K, A, B, C);
  }
}

#pragma rewright transform matmul_backwards of matmul expect refuted
void matmul_backwards(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      backwards(0, K, i, j, N, K, A, B, C);
}

/* The last block ends too soon. */
#pragma rewright transform matmul_cut_short of matmul expect refuted
void matmul_cut_short(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N]) {
  int cuts[4] = {0, N / 3, N / 2, N / 4 * 4};
  for (int block = 0; block < 3; block++)
    for (int i = 0; i < M; i++)
      row(N, K, cuts[block], cuts[block + 1], C[i], A[i], B);
}

/* A wrong row of A. */
#pragma rewright transform matmul_of_another_row of matmul expect refuted
void matmul_of_another_row(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N]) {
  int i = 0;
  do {
    row(N, K, 0, N, C[i], A[i / 2], B);
    i++;
  } while (i < M);
}
