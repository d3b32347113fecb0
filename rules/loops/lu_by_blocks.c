/* A matrix as a product of triangles, by blocks that are factorised recursively */

#define UPDATE(i, j, k) A[i][j] -= A[i][k] * A[k][j]
#define DIVIDE(i, j) A[i][j] /= A[j][j]

void lu_by_blocks(int N, double A[N][N]) {
#pragma scop
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        UPDATE(i, j, k);
      DIVIDE(i, j);
    }
    for (int j = i; j < N; j++)
      for (int k = 0; k < i; k++)
        UPDATE(i, j, k);
  }
#pragma endscop
}

/* A block is updated by the steps from b to m; its longer side is halved. */
static void schur(int i0, int i1, int j0, int j1, int b, int m, int N, double A[][N]) {
  if (i1 - i0 <= 2 && j1 - j0 <= 2) {
    for (int i = i0; i < i1; i++)
      for (int j = j0; j < j1; j++)
        for (int k = b; k < m; k++)
          UPDATE(i, j, k);
  } else if (i1 - i0 >= j1 - j0) {
    schur(i0, (i0 + i1) / 2, j0, j1, b, m, N, A);
    schur((i0 + i1) / 2, i1, j0, j1, b, m, N, A);
  } else {
    schur(i0, i1, j0, (j0 + j1) / 2, b, m, N, A);
    schur(i0, i1, (j0 + j1) / 2, j1, b, m, N, A);
  }
}

/* The block below the diagonal one from b to m is divided, column by column. */
static void below(int b, int m, int e, int N, double A[][N]) {
  for (int j = b; j < m; j++)
    for (int i = m; i < e; i++) {
      for (int k = b; k < j; k++)
        UPDATE(i, j, k);
      DIVIDE(i, j);
    }
}

/* The block beside the diagonal one from b to m, row by row. */
static void beside(int b, int m, int e, int N, double A[][N]) {
  for (int k = b; k < m; k++)
    for (int i = k + 1; i < m; i++)
      for (int j = m; j < e; j++)
        UPDATE(i, j, k);
}

static void factorise(int b, int e, int N, double A[][N]) {
  int m = (b + e) / 2;
  if (e - b <= 1)
    return;
  factorise(b, m, N, A);
  below(b, m, e, N, A);
  beside(b, m, e, N, A);
  schur(m, e, m, e, b, m, N, A);
  factorise(m, e, N, A);
}

#pragma rewright transform lu_by_blocks_recursive of lu_by_blocks
void lu_by_blocks_recursive(int N, double A[N][N]) {
  factorise(0, N, N, A);
}

/* The second block is factorised before it is updated. */
static void factorise_late(int b, int e, int N, double A[][N]) {
  int m = (b + e) / 2;
  if (e - b <= 1)
    return;
  factorise_late(b, m, N, A);
  below(b, m, e, N, A);
  beside(b, m, e, N, A);
  factorise_late(m, e, N, A);
  schur(m, e, m, e, b, m, N, A);
}

#pragma rewright transform lu_by_blocks_updated_late of lu_by_blocks expect refuted
void lu_by_blocks_updated_late(int N, double A[N][N]) {
  factorise_late(0, N, N, A);
}

/* The second block is updated by one that is not divided yet. */
static void factorise_by_undivided(int b, int e, int N, double A[][N]) {
  int m = (b + e) / 2;
  if (e - b <= 1)
    return;
  factorise_by_undivided(b, m, N, A);
  beside(b, m, e, N, A);
  schur(m, e, m, e, b, m, N, A);
  below(b, m, e, N, A);
  factorise_by_undivided(m, e, N, A);
}

#pragma rewright transform lu_by_blocks_schur_first of lu_by_blocks expect refuted
void lu_by_blocks_schur_first(int N, double A[N][N]) {
  factorise_by_undivided(0, N, N, A);
}

/* The last column of each block is not updated. */
static void factorise_short(int b, int e, int N, double A[][N]) {
  int m = (b + e) / 2;
  if (e - b <= 1)
    return;
  factorise_short(b, m, N, A);
  below(b, m, e, N, A);
  beside(b, m, e, N, A);
  schur(m, e, m, e - 1, b, m, N, A);
  factorise_short(m, e, N, A);
}

#pragma rewright transform lu_by_blocks_cut_short of lu_by_blocks expect refuted
void lu_by_blocks_cut_short(int N, double A[N][N]) {
  factorise_short(0, N, N, A);
}
