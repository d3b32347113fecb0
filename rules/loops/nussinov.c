/* Folds of a sequence: the best of all its parts */

#define LEFT(i, j) best[i][j] = max(best[i][j], best[i][j - 1])
#define BELOW(i, j) best[i][j] = max(best[i][j], best[i + 1][j])
#define PAIR(i, j) best[i][j] = max(best[i][j], best[i + 1][j - 1] + pair[i][j])
#define NEXT(i, j) best[i][j] = max(best[i][j], best[i + 1][j - 1])
#define SPLIT(i, j, k) best[i][j] = max(best[i][j], best[i][k] + best[k + 1][j])

void nussinov(int N, double best[N][N], double pair[N][N]) {
#pragma scop
  for (int i = N - 1; i >= 0; i--)
    for (int j = i + 1; j < N; j++) {
      LEFT(i, j);
      BELOW(i, j);
      if (i < j - 1)
        PAIR(i, j);
      else
        NEXT(i, j);
      for (int k = i + 1; k < j; k++)
        SPLIT(i, j, k);
    }
#pragma endscop
}

/* Short parts first: all of one length may be done at once. */
#pragma rewright transform nussinov_by_diagonals of nussinov
void nussinov_by_diagonals(int N, double best[N][N], double pair[N][N]) {
  for (int i = 0; i < N - 1; i++) {
    LEFT(i, i + 1);
    BELOW(i, i + 1);
    NEXT(i, i + 1);
  }
  for (int length = 2; length < N; length++)
    for (int i = 0; i < N - length; i++) {
      LEFT(i, i + length);
      BELOW(i, i + length);
      PAIR(i, i + length);
      for (int k = i + 1; k < i + length; k++)
        SPLIT(i, i + length, k);
    }
}

#pragma rewright transform nussinov_by_columns of nussinov
void nussinov_by_columns(int N, double best[N][N], double pair[N][N]) {
  for (int j = 1; j < N; j++)
    for (int i = j - 1; i >= 0; i--) {
      LEFT(i, j);
      BELOW(i, j);
      if (i < j - 1)
        PAIR(i, j);
      else
        NEXT(i, j);
      for (int k = i + 1; k < j; k++)
        SPLIT(i, j, k);
    }
}

/* The first row is first, though it needs those below. */
#pragma rewright transform nussinov_upwards of nussinov expect refuted
void nussinov_upwards(int N, double best[N][N], double pair[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++) {
      LEFT(i, j);
      BELOW(i, j);
      if (i < j - 1)
        PAIR(i, j);
      else
        NEXT(i, j);
      for (int k = i + 1; k < j; k++)
        SPLIT(i, j, k);
    }
}

/* One split too many, which needs what is below the diagonal. */
#pragma rewright transform nussinov_split_once_more of nussinov expect refuted
void nussinov_split_once_more(int N, double best[N][N], double pair[N][N]) {
  for (int i = N - 1; i >= 0; i--)
    for (int j = i + 1; j < N; j++) {
      LEFT(i, j);
      BELOW(i, j);
      if (i < j - 1)
        PAIR(i, j);
      else
        NEXT(i, j);
      for (int k = i; k < j; k++)
        SPLIT(i, j, k);
    }
}
