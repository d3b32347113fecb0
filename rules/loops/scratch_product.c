/* C += A * B, the second half of each sum in a scratch matrix T */

#define CLEAR(i, j) T[i][j] = 0.0
#define FIRST(i, j, k) C[i][j] += A[i][k] * B[k][j]
#define SECOND(i, j, k) T[i][j] += A[i][k] * B[k][j]
#define ADD(i, j) C[i][j] += T[i][j]

void scratch_product(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N],
                     double T[M][N]) {
#pragma scop
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      CLEAR(i, j);
      for (int k = 0; k < K / 2; k++)
        FIRST(i, j, k);
      for (int k = K / 2; k < K; k++)
        SECOND(i, j, k);
      ADD(i, j);
    }
#pragma endscop
}

static void clear(int i0, int i1, int j0, int j1, int N, double T[][N]) {
  for (int i = i0; i < i1; i++)
    for (int j = j0; j < j1; j++)
      CLEAR(i, j);
}

/* Halves the longest side of a block. */
static void first(int i0, int i1, int j0, int j1, int k0, int k1, int N, int L, double A[][L],
                  double B[][N], double C[][N]) {
  int i = (i0 + i1) / 2, j = (j0 + j1) / 2, k = (k0 + k1) / 2;
  if (k0 == k1)
    return;
  if (i1 - i0 <= 1 && j1 - j0 <= 1 && k1 - k0 <= 1) {
    FIRST(i0, j0, k0);
  } else if (i1 - i0 >= j1 - j0 && i1 - i0 >= k1 - k0) {
    first(i0, i, j0, j1, k0, k1, N, L, A, B, C);
    first(i, i1, j0, j1, k0, k1, N, L, A, B, C);
  } else if (j1 - j0 >= k1 - k0) {
    first(i0, i1, j0, j, k0, k1, N, L, A, B, C);
    first(i0, i1, j, j1, k0, k1, N, L, A, B, C);
  } else {
    first(i0, i1, j0, j1, k0, k, N, L, A, B, C);
    first(i0, i1, j0, j1, k, k1, N, L, A, B, C);
  }
}

static void second(int i0, int i1, int j0, int j1, int k0, int k1, int N, int L, double A[][L],
                   double B[][N], double T[][N]) {
  int i = (i0 + i1) / 2, j = (j0 + j1) / 2, k = (k0 + k1) / 2;
  if (k0 == k1)
    return;
  if (i1 - i0 <= 1 && j1 - j0 <= 1 && k1 - k0 <= 1) {
    SECOND(i0, j0, k0);
  } else if (i1 - i0 >= j1 - j0 && i1 - i0 >= k1 - k0) {
    second(i0, i, j0, j1, k0, k1, N, L, A, B, T);
    second(i, i1, j0, j1, k0, k1, N, L, A, B, T);
  } else if (j1 - j0 >= k1 - k0) {
    second(i0, i1, j0, j, k0, k1, N, L, A, B, T);
    second(i0, i1, j, j1, k0, k1, N, L, A, B, T);
  } else {
    second(i0, i1, j0, j1, k0, k, N, L, A, B, T);
    second(i0, i1, j0, j1, k, k1, N, L, A, B, T);
  }
}

static void add(int i0, int i1, int j0, int j1, int N, double C[][N], double T[][N]) {
  for (int i = i0; i < i1; i++)
    for (int j = j0; j < j1; j++)
      ADD(i, j);
}

#pragma rewright transform scratch_product_recursive of scratch_product
void scratch_product_recursive(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N],
                               double T[M][N]) {
  clear(0, M, 0, N, N, T);
  first(0, M, 0, N, 0, K / 2, N, K, A, B, C);
  second(0, M, 0, N, K / 2, K, N, K, A, B, T);
  add(0, M, 0, N, N, C, T);
}

/* The scratch matrix is added before its sums are complete. */
#pragma rewright transform scratch_product_added_early of scratch_product expect refuted
void scratch_product_added_early(int M, int N, int K, double A[M][K], double B[K][N],
                                 double C[M][N], double T[M][N]) {
  clear(0, M, 0, N, N, T);
  first(0, M, 0, N, 0, K / 2, N, K, A, B, C);
  add(0, M, 0, N, N, C, T);
  second(0, M, 0, N, K / 2, K, N, K, A, B, T);
}

/* A row of the scratch matrix is not cleared. */
#pragma rewright transform scratch_product_not_cleared of scratch_product expect refuted
void scratch_product_not_cleared(int M, int N, int K, double A[M][K], double B[K][N],
                                 double C[M][N], double T[M][N]) {
  clear(0, M - 1, 0, N, N, T);
  first(0, M, 0, N, 0, K / 2, N, K, A, B, C);
  second(0, M, 0, N, K / 2, K, N, K, A, B, T);
  add(0, M, 0, N, N, C, T);
}
