/* Covariances of the columns of a table */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define CLEAR_MEAN(j) mean[j] = 0.0
#define SUM_MEAN(i, j) mean[j] += data[i][j]
#define MEAN(j) mean[j] /= count
#define CENTRE(i, j) data[i][j] -= mean[j]
#define CLEAR(i, j) cov[i][j] = 0.0
#define PRODUCT(i, j, k) cov[i][j] += data[k][i] * data[k][j]
#define NORM(i, j) cov[i][j] /= count - 1.0
#define MIRROR(i, j) cov[j][i] = cov[i][j]

void covariance(int M, int N, double count, double data[N][M], double mean[M], double cov[M][M]) {
#pragma scop
  for (int j = 0; j < M; j++) {
    CLEAR_MEAN(j);
    for (int i = 0; i < N; i++)
      SUM_MEAN(i, j);
    MEAN(j);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      CENTRE(i, j);
  for (int i = 0; i < M; i++)
    for (int j = i; j < M; j++) {
      CLEAR(i, j);
      for (int k = 0; k < N; k++)
        PRODUCT(i, j, k);
      NORM(i, j);
      MIRROR(i, j);
    }
#pragma endscop
}

#pragma rewright transform covariance_copied of covariance
void covariance_copied(int M, int N, double count, double data[N][M], double mean[M],
                       double cov[M][M]) {
  for (int j = 0; j < M; j++) {
    CLEAR_MEAN(j);
    for (int i = 0; i < N; i++)
      SUM_MEAN(i, j);
    MEAN(j);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      CENTRE(i, j);
  for (int i = 0; i < M; i++)
    for (int j = i; j < M; j++) {
      CLEAR(i, j);
      for (int k = 0; k < N; k++)
        PRODUCT(i, j, k);
      NORM(i, j);
      MIRROR(i, j);
    }
}

#pragma rewright transform covariance_by_rows of covariance
void covariance_by_rows(int M, int N, double count, double data[N][M], double mean[M],
                        double cov[M][M]) {
  for (int j = 0; j < M; j++)
    CLEAR_MEAN(j);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      SUM_MEAN(i, j);
  for (int j = 0; j < M; j++)
    MEAN(j);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      CENTRE(i, j);
  for (int i = 0; i < M; i++) {
    for (int j = i; j < M; j++)
      CLEAR(i, j);
    for (int k = 0; k < N; k++)
      for (int j = i; j < M; j++)
        PRODUCT(i, j, k);
    for (int j = i; j < M; j++) {
      NORM(i, j);
      MIRROR(i, j);
    }
  }
}

#pragma rewright transform covariance_tiled of covariance
void covariance_tiled(int M, int N, double count, double data[N][M], double mean[M],
                      double cov[M][M]) {
  for (int j = 0; j < M; j++)
    CLEAR_MEAN(j);
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < M; jj += 32)
      for (int i = ii; i < min(ii + 32, N); i++)
        for (int j = jj; j < min(jj + 32, M); j++)
          SUM_MEAN(i, j);
  for (int j = 0; j < M; j++)
    MEAN(j);
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < M; jj += 32)
      for (int i = ii; i < min(ii + 32, N); i++)
        for (int j = jj; j < min(jj + 32, M); j++)
          CENTRE(i, j);
  for (int i = 0; i < M; i++) {
    for (int j = i; j < M; j++)
      CLEAR(i, j);
    for (int kk = 0; kk < N; kk += 32)
      for (int jj = i; jj < M; jj += 32)
        for (int k = kk; k < min(kk + 32, N); k++)
          for (int j = jj; j < min(jj + 32, M); j++)
            PRODUCT(i, j, k);
    for (int j = i; j < M; j++) {
      NORM(i, j);
      MIRROR(i, j);
    }
  }
}

#pragma rewright transform covariance_parametric(tile) of covariance at tile = 3, 16
void covariance_parametric(int M, int N, int tile, double count, double data[N][M], double mean[M],
                           double cov[M][M]) {
  for (int j = 0; j < M; j++)
    CLEAR_MEAN(j);
  for (int ii = 0; ii < N; ii += tile)
    for (int jj = 0; jj < M; jj += tile)
      for (int i = ii; i < min(ii + tile, N); i++)
        for (int j = jj; j < min(jj + tile, M); j++)
          SUM_MEAN(i, j);
  for (int j = 0; j < M; j++)
    MEAN(j);
  for (int ii = 0; ii < N; ii += tile)
    for (int jj = 0; jj < M; jj += tile)
      for (int i = ii; i < min(ii + tile, N); i++)
        for (int j = jj; j < min(jj + tile, M); j++)
          CENTRE(i, j);
  for (int i = 0; i < M; i++) {
    for (int j = i; j < M; j++)
      CLEAR(i, j);
    for (int kk = 0; kk < N; kk += tile)
      for (int jj = i; jj < M; jj += tile)
        for (int k = kk; k < min(kk + tile, N); k++)
          for (int j = jj; j < min(jj + tile, M); j++)
            PRODUCT(i, j, k);
    for (int j = i; j < M; j++) {
      NORM(i, j);
      MIRROR(i, j);
    }
  }
}

#pragma rewright transform covariance_unrolled of covariance
void covariance_unrolled(int M, int N, double count, double data[N][M], double mean[M],
                         double cov[M][M]) {
  for (int j = 0; j < M; j++) {
    CLEAR_MEAN(j);
    {
      const int last_i = N / 4 * 4;
      for (int i = 0; i < last_i; i += 4) {
        SUM_MEAN(i, j);
        SUM_MEAN(i + 1, j);
        SUM_MEAN(i + 2, j);
        SUM_MEAN(i + 3, j);
      }
      for (int i = last_i; i < N; i++)
        SUM_MEAN(i, j);
    }
    MEAN(j);
  }
  for (int i = 0; i < N; i++) {
    const int last_j = M / 4 * 4;
    for (int j = 0; j < last_j; j += 4) {
      CENTRE(i, j);
      CENTRE(i, j + 1);
      CENTRE(i, j + 2);
      CENTRE(i, j + 3);
    }
    for (int j = last_j; j < M; j++)
      CENTRE(i, j);
  }
  for (int i = 0; i < M; i++)
    for (int j = i; j < M; j++) {
      CLEAR(i, j);
      {
        const int last_k = N / 4 * 4;
        for (int k = 0; k < last_k; k += 4) {
          PRODUCT(i, j, k);
          PRODUCT(i, j, k + 1);
          PRODUCT(i, j, k + 2);
          PRODUCT(i, j, k + 3);
        }
        for (int k = last_k; k < N; k++)
          PRODUCT(i, j, k);
      }
      NORM(i, j);
      MIRROR(i, j);
    }
}

#pragma rewright transform covariance_hoisted of covariance
void covariance_hoisted(int M, int N, double count, double data[N][M], double mean[M],
                        double cov[M][M]) {
  {
    const int lb_j = 0, ub_j = M;
    for (int j = lb_j; j < ub_j; j++) {
      CLEAR_MEAN(j);
      {
        const int lb_i = 0, ub_i = N;
        for (int i = lb_i; i < ub_i; i++)
          SUM_MEAN(i, j);
      }
      MEAN(j);
    }
  }
  {
    const int lb_i = 0, ub_i = N;
    for (int i = lb_i; i < ub_i; i++) {
      const int lb_j = 0, ub_j = M;
      for (int j = lb_j; j < ub_j; j++)
        CENTRE(i, j);
    }
  }
  {
    const int lb_i = 0, ub_i = M;
    for (int i = lb_i; i < ub_i; i++) {
      const int lb_j = i, ub_j = M;
      for (int j = lb_j; j < ub_j; j++) {
        CLEAR(i, j);
        {
          const int lb_k = 0, ub_k = N;
          for (int k = lb_k; k < ub_k; k++)
            PRODUCT(i, j, k);
        }
        NORM(i, j);
        MIRROR(i, j);
      }
    }
  }
}

/* Full tiles have plain bounds. */
#pragma rewright transform covariance_tiled_apart of covariance
void covariance_tiled_apart(int M, int N, double count, double data[N][M], double mean[M],
                            double cov[M][M]) {
  for (int j = 0; j < M; j++)
    CLEAR_MEAN(j);
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < M; jj += 32)
      if (ii + 32 <= N && jj + 32 <= M) {
        for (int i = ii; i < ii + 32; i++)
          for (int j = jj; j < jj + 32; j++)
            SUM_MEAN(i, j);
      } else {
        for (int i = ii; i < min(ii + 32, N); i++)
          for (int j = jj; j < min(jj + 32, M); j++)
            SUM_MEAN(i, j);
      }
  for (int j = 0; j < M; j++)
    MEAN(j);
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < M; jj += 32)
      if (ii + 32 <= N && jj + 32 <= M) {
        for (int i = ii; i < ii + 32; i++)
          for (int j = jj; j < jj + 32; j++)
            CENTRE(i, j);
      } else {
        for (int i = ii; i < min(ii + 32, N); i++)
          for (int j = jj; j < min(jj + 32, M); j++)
            CENTRE(i, j);
      }
  for (int i = 0; i < M; i++) {
    for (int j = i; j < M; j++)
      CLEAR(i, j);
    for (int kk = 0; kk < N; kk += 32)
      for (int jj = i; jj < M; jj += 32)
        if (kk + 32 <= N && jj + 32 <= M) {
          for (int k = kk; k < kk + 32; k++)
            for (int j = jj; j < jj + 32; j++)
              PRODUCT(i, j, k);
        } else {
          for (int k = kk; k < min(kk + 32, N); k++)
            for (int j = jj; j < min(jj + 32, M); j++)
              PRODUCT(i, j, k);
        }
    for (int j = i; j < M; j++) {
      NORM(i, j);
      MIRROR(i, j);
    }
  }
}

/* Centred by a mean that is not complete. */
#pragma rewright transform covariance_centred_early of covariance expect refuted
void covariance_centred_early(int M, int N, double count, double data[N][M], double mean[M],
                              double cov[M][M]) {
  for (int j = 0; j < M; j++) {
    CLEAR_MEAN(j);
    for (int i = 0; i < N; i++) {
      SUM_MEAN(i, j);
      CENTRE(i, j);
    }
    MEAN(j);
  }
  for (int i = 0; i < M; i++)
    for (int j = i; j < M; j++) {
      CLEAR(i, j);
      for (int k = 0; k < N; k++)
        PRODUCT(i, j, k);
      NORM(i, j);
      MIRROR(i, j);
    }
}

/* The last row is left out. */
#pragma rewright transform covariance_without_last of covariance expect refuted
void covariance_without_last(int M, int N, double count, double data[N][M], double mean[M],
                             double cov[M][M]) {
  for (int j = 0; j < M; j++) {
    CLEAR_MEAN(j);
    for (int i = 0; i < N; i++)
      SUM_MEAN(i, j);
    MEAN(j);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      CENTRE(i, j);
  for (int i = 0; i < M; i++)
    for (int j = i; j < M; j++) {
      CLEAR(i, j);
      for (int k = 0; k < N - 1; k++)
        PRODUCT(i, j, k);
      NORM(i, j);
      MIRROR(i, j);
    }
}

/* Every second row is taken twice. */
#pragma rewright transform covariance_halved of covariance expect refuted
void covariance_halved(int M, int N, double count, double data[N][M], double mean[M],
                       double cov[M][M]) {
  for (int j = 0; j < M; j++) {
    CLEAR_MEAN(j);
    for (int i = 0; i < N; i++)
      SUM_MEAN(i, j);
    MEAN(j);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      CENTRE(i, j);
  for (int i = 0; i < M; i++)
    for (int j = i; j < M; j++) {
      CLEAR(i, j);
      for (int k = 0; k < N; k++)
        PRODUCT(i, j, k / 2);
      NORM(i, j);
      MIRROR(i, j);
    }
}

/* Divided twice. */
#pragma rewright transform covariance_twice of covariance expect refuted
void covariance_twice(int M, int N, double count, double data[N][M], double mean[M],
                      double cov[M][M]) {
  for (int j = 0; j < M; j++) {
    CLEAR_MEAN(j);
    for (int i = 0; i < N; i++)
      SUM_MEAN(i, j);
    MEAN(j);
    MEAN(j);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      CENTRE(i, j);
  for (int i = 0; i < M; i++)
    for (int j = i; j < M; j++) {
      CLEAR(i, j);
      for (int k = 0; k < N; k++)
        PRODUCT(i, j, k);
      NORM(i, j);
      MIRROR(i, j);
    }
}

/* Mirrored before it is divided. */
#pragma rewright transform covariance_mirrored_early of covariance expect refuted
void covariance_mirrored_early(int M, int N, double count, double data[N][M], double mean[M],
                               double cov[M][M]) {
  for (int j = 0; j < M; j++) {
    CLEAR_MEAN(j);
    for (int i = 0; i < N; i++)
      SUM_MEAN(i, j);
    MEAN(j);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      CENTRE(i, j);
  for (int i = 0; i < M; i++)
    for (int j = i; j < M; j++) {
      CLEAR(i, j);
      for (int k = 0; k < N; k++)
        PRODUCT(i, j, k);
      MIRROR(i, j);
      NORM(i, j);
    }
}
