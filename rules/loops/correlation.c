/* Correlations of the columns of a table */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define CLEAR_MEAN(j) mean[j] = 0.0
#define SUM_MEAN(i, j) mean[j] += data[i][j]
#define MEAN(j) mean[j] /= count
#define CLEAR_DEVIATION(j) deviation[j] = 0.0
#define SUM_DEVIATION(i, j) deviation[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j])
#define DEVIATION(j) deviation[j] = deviation[j] <= epsilon ? 1.0 : sqrt(deviation[j] / count)
#define CENTRE(i, j) data[i][j] -= mean[j]
#define SCALE(i, j) data[i][j] /= sqrt(count) * deviation[j]
#define ONE(i) corr[i][i] = 1.0
#define CLEAR(i, j) corr[i][j] = 0.0
#define PRODUCT(i, j, k) corr[i][j] += data[k][i] * data[k][j]
#define MIRROR(i, j) corr[j][i] = corr[i][j]

void correlation(int M, int N, double count, double epsilon, double data[N][M], double mean[M],
                 double deviation[M], double corr[M][M]) {
#pragma scop
  for (int j = 0; j < M; j++) {
    CLEAR_MEAN(j);
    for (int i = 0; i < N; i++)
      SUM_MEAN(i, j);
    MEAN(j);
  }
  for (int j = 0; j < M; j++) {
    CLEAR_DEVIATION(j);
    for (int i = 0; i < N; i++)
      SUM_DEVIATION(i, j);
    DEVIATION(j);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      CENTRE(i, j);
      SCALE(i, j);
    }
  for (int i = 0; i < M - 1; i++) {
    ONE(i);
    for (int j = i + 1; j < M; j++) {
      CLEAR(i, j);
      for (int k = 0; k < N; k++)
        PRODUCT(i, j, k);
      MIRROR(i, j);
    }
  }
  ONE(M - 1);
#pragma endscop
}

#pragma rewright transform correlation_copied of correlation
void correlation_copied(int M, int N, double count, double epsilon, double data[N][M],
                        double mean[M], double deviation[M], double corr[M][M]) {
  for (int j = 0; j < M; j++) {
    CLEAR_MEAN(j);
    for (int i = 0; i < N; i++)
      SUM_MEAN(i, j);
    MEAN(j);
  }
  for (int j = 0; j < M; j++) {
    CLEAR_DEVIATION(j);
    for (int i = 0; i < N; i++)
      SUM_DEVIATION(i, j);
    DEVIATION(j);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      CENTRE(i, j);
      SCALE(i, j);
    }
  for (int i = 0; i < M - 1; i++) {
    ONE(i);
    for (int j = i + 1; j < M; j++) {
      CLEAR(i, j);
      for (int k = 0; k < N; k++)
        PRODUCT(i, j, k);
      MIRROR(i, j);
    }
  }
  ONE(M - 1);
}

#pragma rewright transform correlation_by_rows of correlation
void correlation_by_rows(int M, int N, double count, double epsilon, double data[N][M],
                         double mean[M], double deviation[M], double corr[M][M]) {
  for (int j = 0; j < M; j++)
    CLEAR_MEAN(j);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      SUM_MEAN(i, j);
  for (int j = 0; j < M; j++)
    MEAN(j);
  for (int j = 0; j < M; j++)
    CLEAR_DEVIATION(j);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      SUM_DEVIATION(i, j);
  for (int j = 0; j < M; j++)
    DEVIATION(j);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      CENTRE(i, j);
      SCALE(i, j);
    }
  for (int i = 0; i < M - 1; i++) {
    ONE(i);
    for (int j = i + 1; j < M; j++)
      CLEAR(i, j);
    for (int k = 0; k < N; k++)
      for (int j = i + 1; j < M; j++)
        PRODUCT(i, j, k);
    for (int j = i + 1; j < M; j++)
      MIRROR(i, j);
  }
  ONE(M - 1);
}

#pragma rewright transform correlation_tiled of correlation
void correlation_tiled(int M, int N, double count, double epsilon, double data[N][M],
                       double mean[M], double deviation[M], double corr[M][M]) {
  for (int j = 0; j < M; j++)
    CLEAR_MEAN(j);
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < M; jj += 32)
      for (int i = ii; i < min(ii + 32, N); i++)
        for (int j = jj; j < min(jj + 32, M); j++)
          SUM_MEAN(i, j);
  for (int j = 0; j < M; j++)
    MEAN(j);
  for (int j = 0; j < M; j++)
    CLEAR_DEVIATION(j);
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < M; jj += 32)
      for (int i = ii; i < min(ii + 32, N); i++)
        for (int j = jj; j < min(jj + 32, M); j++)
          SUM_DEVIATION(i, j);
  for (int j = 0; j < M; j++)
    DEVIATION(j);
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < M; jj += 32)
      for (int i = ii; i < min(ii + 32, N); i++)
        for (int j = jj; j < min(jj + 32, M); j++) {
          CENTRE(i, j);
          SCALE(i, j);
        }
  for (int i = 0; i < M - 1; i++) {
    ONE(i);
    for (int j = i + 1; j < M; j++)
      CLEAR(i, j);
    for (int kk = 0; kk < N; kk += 32)
      for (int jj = i + 1; jj < M; jj += 32)
        for (int k = kk; k < min(kk + 32, N); k++)
          for (int j = jj; j < min(jj + 32, M); j++)
            PRODUCT(i, j, k);
    for (int j = i + 1; j < M; j++)
      MIRROR(i, j);
  }
  ONE(M - 1);
}

#pragma rewright transform correlation_parametric(tile) of correlation at tile = 3, 16
void correlation_parametric(int M, int N, int tile, double count, double epsilon, double data[N][M],
                            double mean[M], double deviation[M], double corr[M][M]) {
  for (int j = 0; j < M; j++)
    CLEAR_MEAN(j);
  for (int ii = 0; ii < N; ii += tile)
    for (int jj = 0; jj < M; jj += tile)
      for (int i = ii; i < min(ii + tile, N); i++)
        for (int j = jj; j < min(jj + tile, M); j++)
          SUM_MEAN(i, j);
  for (int j = 0; j < M; j++)
    MEAN(j);
  for (int j = 0; j < M; j++)
    CLEAR_DEVIATION(j);
  for (int ii = 0; ii < N; ii += tile)
    for (int jj = 0; jj < M; jj += tile)
      for (int i = ii; i < min(ii + tile, N); i++)
        for (int j = jj; j < min(jj + tile, M); j++)
          SUM_DEVIATION(i, j);
  for (int j = 0; j < M; j++)
    DEVIATION(j);
  for (int ii = 0; ii < N; ii += tile)
    for (int jj = 0; jj < M; jj += tile)
      for (int i = ii; i < min(ii + tile, N); i++)
        for (int j = jj; j < min(jj + tile, M); j++) {
          CENTRE(i, j);
          SCALE(i, j);
        }
  for (int i = 0; i < M - 1; i++) {
    ONE(i);
    for (int j = i + 1; j < M; j++)
      CLEAR(i, j);
    for (int kk = 0; kk < N; kk += tile)
      for (int jj = i + 1; jj < M; jj += tile)
        for (int k = kk; k < min(kk + tile, N); k++)
          for (int j = jj; j < min(jj + tile, M); j++)
            PRODUCT(i, j, k);
    for (int j = i + 1; j < M; j++)
      MIRROR(i, j);
  }
  ONE(M - 1);
}

#pragma rewright transform correlation_unrolled of correlation
void correlation_unrolled(int M, int N, double count, double epsilon, double data[N][M],
                          double mean[M], double deviation[M], double corr[M][M]) {
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
  for (int j = 0; j < M; j++) {
    CLEAR_DEVIATION(j);
    {
      const int last_i = N / 4 * 4;
      for (int i = 0; i < last_i; i += 4) {
        SUM_DEVIATION(i, j);
        SUM_DEVIATION(i + 1, j);
        SUM_DEVIATION(i + 2, j);
        SUM_DEVIATION(i + 3, j);
      }
      for (int i = last_i; i < N; i++)
        SUM_DEVIATION(i, j);
    }
    DEVIATION(j);
  }
  for (int i = 0; i < N; i++) {
    const int last_j = M / 4 * 4;
    for (int j = 0; j < last_j; j += 4) {
      CENTRE(i, j);
      SCALE(i, j);
      CENTRE(i, j + 1);
      SCALE(i, j + 1);
      CENTRE(i, j + 2);
      SCALE(i, j + 2);
      CENTRE(i, j + 3);
      SCALE(i, j + 3);
    }
    for (int j = last_j; j < M; j++) {
      CENTRE(i, j);
      SCALE(i, j);
    }
  }
  for (int i = 0; i < M - 1; i++) {
    ONE(i);
    for (int j = i + 1; j < M; j++) {
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
      MIRROR(i, j);
    }
  }
  ONE(M - 1);
}

#pragma rewright transform correlation_hoisted of correlation
void correlation_hoisted(int M, int N, double count, double epsilon, double data[N][M],
                         double mean[M], double deviation[M], double corr[M][M]) {
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
    const int lb_j = 0, ub_j = M;
    for (int j = lb_j; j < ub_j; j++) {
      CLEAR_DEVIATION(j);
      {
        const int lb_i = 0, ub_i = N;
        for (int i = lb_i; i < ub_i; i++)
          SUM_DEVIATION(i, j);
      }
      DEVIATION(j);
    }
  }
  {
    const int lb_i = 0, ub_i = N;
    for (int i = lb_i; i < ub_i; i++) {
      const int lb_j = 0, ub_j = M;
      for (int j = lb_j; j < ub_j; j++) {
        CENTRE(i, j);
        SCALE(i, j);
      }
    }
  }
  {
    const int lb_i = 0, ub_i = M - 1;
    for (int i = lb_i; i < ub_i; i++) {
      ONE(i);
      {
        const int lb_j = i + 1, ub_j = M;
        for (int j = lb_j; j < ub_j; j++) {
          CLEAR(i, j);
          {
            const int lb_k = 0, ub_k = N;
            for (int k = lb_k; k < ub_k; k++)
              PRODUCT(i, j, k);
          }
          MIRROR(i, j);
        }
      }
    }
  }
  ONE(M - 1);
}

/* Full tiles have plain bounds. */
#pragma rewright transform correlation_tiled_apart of correlation
void correlation_tiled_apart(int M, int N, double count, double epsilon, double data[N][M],
                             double mean[M], double deviation[M], double corr[M][M]) {
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
  for (int j = 0; j < M; j++)
    CLEAR_DEVIATION(j);
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < M; jj += 32)
      if (ii + 32 <= N && jj + 32 <= M) {
        for (int i = ii; i < ii + 32; i++)
          for (int j = jj; j < jj + 32; j++)
            SUM_DEVIATION(i, j);
      } else {
        for (int i = ii; i < min(ii + 32, N); i++)
          for (int j = jj; j < min(jj + 32, M); j++)
            SUM_DEVIATION(i, j);
      }
  for (int j = 0; j < M; j++)
    DEVIATION(j);
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < M; jj += 32)
      if (ii + 32 <= N && jj + 32 <= M) {
        for (int i = ii; i < ii + 32; i++)
          for (int j = jj; j < jj + 32; j++) {
            CENTRE(i, j);
            SCALE(i, j);
          }
      } else {
        for (int i = ii; i < min(ii + 32, N); i++)
          for (int j = jj; j < min(jj + 32, M); j++) {
            CENTRE(i, j);
            SCALE(i, j);
          }
      }
  for (int i = 0; i < M - 1; i++) {
    ONE(i);
    for (int j = i + 1; j < M; j++)
      CLEAR(i, j);
    for (int kk = 0; kk < N; kk += 32)
      for (int jj = i + 1; jj < M; jj += 32)
        if (kk + 32 <= N && jj + 32 <= M) {
          for (int k = kk; k < kk + 32; k++)
            for (int j = jj; j < jj + 32; j++)
              PRODUCT(i, j, k);
        } else {
          for (int k = kk; k < min(kk + 32, N); k++)
            for (int j = jj; j < min(jj + 32, M); j++)
              PRODUCT(i, j, k);
        }
    for (int j = i + 1; j < M; j++)
      MIRROR(i, j);
  }
  ONE(M - 1);
}

/* Scaled by a deviation that is not complete. */
#pragma rewright transform correlation_scaled_early of correlation expect refuted
void correlation_scaled_early(int M, int N, double count, double epsilon, double data[N][M],
                              double mean[M], double deviation[M], double corr[M][M]) {
  for (int j = 0; j < M; j++) {
    CLEAR_MEAN(j);
    for (int i = 0; i < N; i++)
      SUM_MEAN(i, j);
    MEAN(j);
  }
  for (int j = 0; j < M; j++) {
    CLEAR_DEVIATION(j);
    for (int i = 0; i < N; i++) {
      SUM_DEVIATION(i, j);
      SCALE(i, j);
    }
    DEVIATION(j);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      CENTRE(i, j);
  for (int i = 0; i < M - 1; i++) {
    ONE(i);
    for (int j = i + 1; j < M; j++) {
      CLEAR(i, j);
      for (int k = 0; k < N; k++)
        PRODUCT(i, j, k);
      MIRROR(i, j);
    }
  }
  ONE(M - 1);
}

/* The last diagonal element is left out. */
#pragma rewright transform correlation_without_last of correlation expect refuted
void correlation_without_last(int M, int N, double count, double epsilon, double data[N][M],
                              double mean[M], double deviation[M], double corr[M][M]) {
  for (int j = 0; j < M; j++) {
    CLEAR_MEAN(j);
    for (int i = 0; i < N; i++)
      SUM_MEAN(i, j);
    MEAN(j);
  }
  for (int j = 0; j < M; j++) {
    CLEAR_DEVIATION(j);
    for (int i = 0; i < N; i++)
      SUM_DEVIATION(i, j);
    DEVIATION(j);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      CENTRE(i, j);
      SCALE(i, j);
    }
  for (int i = 0; i < M - 1; i++) {
    ONE(i);
    for (int j = i + 1; j < M; j++) {
      CLEAR(i, j);
      for (int k = 0; k < N; k++)
        PRODUCT(i, j, k);
      MIRROR(i, j);
    }
  }
}

/* Every second row is taken twice. */
#pragma rewright transform correlation_halved of correlation expect refuted
void correlation_halved(int M, int N, double count, double epsilon, double data[N][M],
                        double mean[M], double deviation[M], double corr[M][M]) {
  for (int j = 0; j < M; j++) {
    CLEAR_MEAN(j);
    for (int i = 0; i < N; i++)
      SUM_MEAN(i, j);
    MEAN(j);
  }
  for (int j = 0; j < M; j++) {
    CLEAR_DEVIATION(j);
    for (int i = 0; i < N; i++)
      SUM_DEVIATION(i, j);
    DEVIATION(j);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      CENTRE(i, j);
      SCALE(i, j);
    }
  for (int i = 0; i < M - 1; i++) {
    ONE(i);
    for (int j = i + 1; j < M; j++) {
      CLEAR(i, j);
      for (int k = 0; k < N; k++)
        PRODUCT(i, j, k / 2);
      MIRROR(i, j);
    }
  }
  ONE(M - 1);
}

/* The root is taken twice. */
#pragma rewright transform correlation_twice of correlation expect refuted
void correlation_twice(int M, int N, double count, double epsilon, double data[N][M],
                       double mean[M], double deviation[M], double corr[M][M]) {
  for (int j = 0; j < M; j++) {
    CLEAR_MEAN(j);
    for (int i = 0; i < N; i++)
      SUM_MEAN(i, j);
    MEAN(j);
  }
  for (int j = 0; j < M; j++) {
    CLEAR_DEVIATION(j);
    for (int i = 0; i < N; i++)
      SUM_DEVIATION(i, j);
    DEVIATION(j);
    DEVIATION(j);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      CENTRE(i, j);
      SCALE(i, j);
    }
  for (int i = 0; i < M - 1; i++) {
    ONE(i);
    for (int j = i + 1; j < M; j++) {
      CLEAR(i, j);
      for (int k = 0; k < N; k++)
        PRODUCT(i, j, k);
      MIRROR(i, j);
    }
  }
  ONE(M - 1);
}

/* The deviation is from a mean that is not known yet. */
#pragma rewright transform correlation_deviation_first of correlation expect refuted
void correlation_deviation_first(int M, int N, double count, double epsilon, double data[N][M],
                                 double mean[M], double deviation[M], double corr[M][M]) {
  for (int j = 0; j < M; j++) {
    CLEAR_DEVIATION(j);
    for (int i = 0; i < N; i++)
      SUM_DEVIATION(i, j);
    DEVIATION(j);
  }
  for (int j = 0; j < M; j++) {
    CLEAR_MEAN(j);
    for (int i = 0; i < N; i++)
      SUM_MEAN(i, j);
    MEAN(j);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      CENTRE(i, j);
      SCALE(i, j);
    }
  for (int i = 0; i < M - 1; i++) {
    ONE(i);
    for (int j = i + 1; j < M; j++) {
      CLEAR(i, j);
      for (int k = 0; k < N; k++)
        PRODUCT(i, j, k);
      MIRROR(i, j);
    }
  }
  ONE(M - 1);
}
