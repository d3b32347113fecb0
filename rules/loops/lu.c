/* A matrix as a product of triangles, in place */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define LOWER(i, j, k) A[i][j] -= A[i][k] * A[k][j]
#define DIVIDE(i, j) A[i][j] /= A[j][j]
#define UPPER(i, j, k) A[i][j] -= A[i][k] * A[k][j]

void lu(int N, double A[N][N]) {
#pragma scop
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        LOWER(i, j, k);
      DIVIDE(i, j);
    }
    for (int j = i; j < N; j++)
      for (int k = 0; k < i; k++)
        UPPER(i, j, k);
  }
#pragma endscop
}

#pragma rewright transform lu_copied of lu
void lu_copied(int N, double A[N][N]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        LOWER(i, j, k);
      DIVIDE(i, j);
    }
    for (int j = i; j < N; j++)
      for (int k = 0; k < i; k++)
        UPPER(i, j, k);
  }
}

#pragma rewright transform lu_by_rows of lu
void lu_by_rows(int N, double A[N][N]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        LOWER(i, j, k);
      DIVIDE(i, j);
    }
    for (int k = 0; k < i; k++)
      for (int j = i; j < N; j++)
        UPPER(i, j, k);
  }
}

#pragma rewright transform lu_tiled of lu
void lu_tiled(int N, double A[N][N]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        LOWER(i, j, k);
      DIVIDE(i, j);
    }
    for (int kk = 0; kk < i; kk += 4)
      for (int jj = i; jj < N; jj += 4)
        for (int k = kk; k < min(kk + 4, i); k++)
          for (int j = jj; j < min(jj + 4, N); j++)
            UPPER(i, j, k);
  }
}

#pragma rewright transform lu_parametric(tile) of lu at tile = 3, 16
void lu_parametric(int N, int tile, double A[N][N]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        LOWER(i, j, k);
      DIVIDE(i, j);
    }
    for (int kk = 0; kk < i; kk += tile)
      for (int jj = i; jj < N; jj += tile)
        for (int k = kk; k < min(kk + tile, i); k++)
          for (int j = jj; j < min(jj + tile, N); j++)
            UPPER(i, j, k);
  }
}

#pragma rewright transform lu_unrolled of lu
void lu_unrolled(int N, double A[N][N]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      {
        const int last_k = j / 4 * 4;
        for (int k = 0; k < last_k; k += 4) {
          LOWER(i, j, k);
          LOWER(i, j, k + 1);
          LOWER(i, j, k + 2);
          LOWER(i, j, k + 3);
        }
        for (int k = last_k; k < j; k++)
          LOWER(i, j, k);
      }
      DIVIDE(i, j);
    }
    for (int j = i; j < N; j++) {
      const int last_k = i / 4 * 4;
      for (int k = 0; k < last_k; k += 4) {
        UPPER(i, j, k);
        UPPER(i, j, k + 1);
        UPPER(i, j, k + 2);
        UPPER(i, j, k + 3);
      }
      for (int k = last_k; k < i; k++)
        UPPER(i, j, k);
    }
  }
}

#pragma rewright transform lu_hoisted of lu
void lu_hoisted(int N, double A[N][N]) {
  const int lb_i = 0, ub_i = N;
  for (int i = lb_i; i < ub_i; i++) {
    {
      const int lb_j = 0, ub_j = i;
      for (int j = lb_j; j < ub_j; j++) {
        {
          const int lb_k = 0, ub_k = j;
          for (int k = lb_k; k < ub_k; k++)
            LOWER(i, j, k);
        }
        DIVIDE(i, j);
      }
    }
    {
      const int lb_j = i, ub_j = N;
      for (int j = lb_j; j < ub_j; j++) {
        const int lb_k = 0, ub_k = i;
        for (int k = lb_k; k < ub_k; k++)
          UPPER(i, j, k);
      }
    }
  }
}

/* Full tiles have plain bounds. */
#pragma rewright transform lu_tiled_apart of lu
void lu_tiled_apart(int N, double A[N][N]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        LOWER(i, j, k);
      DIVIDE(i, j);
    }
    for (int kk = 0; kk < i; kk += 4)
      for (int jj = i; jj < N; jj += 4)
        if (kk + 4 <= i && jj + 4 <= N) {
          for (int k = kk; k < kk + 4; k++)
            for (int j = jj; j < jj + 4; j++)
              UPPER(i, j, k);
        } else {
          for (int k = kk; k < min(kk + 4, i); k++)
            for (int j = jj; j < min(jj + 4, N); j++)
              UPPER(i, j, k);
        }
  }
}

/* Divided before the sum is complete. */
#pragma rewright transform lu_divided_early of lu expect refuted
void lu_divided_early(int N, double A[N][N]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      DIVIDE(i, j);
      for (int k = 0; k < j; k++)
        LOWER(i, j, k);
    }
    for (int j = i; j < N; j++)
      for (int k = 0; k < i; k++)
        UPPER(i, j, k);
  }
}

/* The last column is left out. */
#pragma rewright transform lu_without_last of lu expect refuted
void lu_without_last(int N, double A[N][N]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        LOWER(i, j, k);
      DIVIDE(i, j);
    }
    for (int j = i; j < N - 1; j++)
      for (int k = 0; k < i; k++)
        UPPER(i, j, k);
  }
}

/* Every second product is taken twice. */
#pragma rewright transform lu_halved of lu expect refuted
void lu_halved(int N, double A[N][N]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        LOWER(i, j, k);
      DIVIDE(i, j);
    }
    for (int j = i; j < N; j++)
      for (int k = 0; k < i; k++)
        UPPER(i, j, k / 2);
  }
}

/* Divided twice. */
#pragma rewright transform lu_twice of lu expect refuted
void lu_twice(int N, double A[N][N]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        LOWER(i, j, k);
      DIVIDE(i, j);
      DIVIDE(i, j);
    }
    for (int j = i; j < N; j++)
      for (int k = 0; k < i; k++)
        UPPER(i, j, k);
  }
}

/* The upper half is updated by a row that is not divided. */
#pragma rewright transform lu_upper_first of lu expect refuted
void lu_upper_first(int N, double A[N][N]) {
  for (int i = 0; i < N; i++) {
    for (int j = i; j < N; j++)
      for (int k = 0; k < i; k++)
        UPPER(i, j, k);
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        LOWER(i, j, k);
      DIVIDE(i, j);
    }
  }
}

/* The step is another than the size of a tile. */
#pragma rewright transform lu_tiles_of_another_size(tile) of lu at tile = 3, 16 expect refuted
void lu_tiles_of_another_size(int N, int tile, double A[N][N]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        LOWER(i, j, k);
      DIVIDE(i, j);
    }
    for (int kk = 0; kk < i; kk += tile)
      for (int jj = i; jj < N; jj += tile + 1)
        for (int k = kk; k < min(kk + tile, i); k++)
          for (int j = jj; j < min(jj + tile, N); j++)
            UPPER(i, j, k);
  }
}
