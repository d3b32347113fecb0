/* Paths through a triangle of means */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define SPREAD(j, i, c) diff[j][i][c] = sum_tang[j][i]
#define FIRST(j, i) sum_diff[j][i][0] = diff[j][i][0]
#define SUM(j, i, c) sum_diff[j][i][c] = sum_diff[j][i][c - 1] + diff[j][i][c]
#define MEAN(j, i) mean[j][i] = sum_diff[j][i][L - 1]
#define START(i) path[0][i] = mean[0][i]
#define PATH(j, i) path[j][i] = path[j - 1][i - 1] + mean[j][i]

void reg_detect(int T, int G, int L, double sum_tang[G][G], double diff[G][G][L],
                double sum_diff[G][G][L], double mean[G][G], double path[G][G]) {
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++)
        for (int c = 0; c < L; c++)
          SPREAD(j, i, c);
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++) {
        FIRST(j, i);
        for (int c = 1; c < L; c++)
          SUM(j, i, c);
        MEAN(j, i);
      }
    for (int i = 0; i < G; i++)
      START(i);
    for (int j = 1; j < G; j++)
      for (int i = j; i < G; i++)
        PATH(j, i);
  }
#pragma endscop
}

#pragma rewright transform reg_detect_copied of reg_detect
void reg_detect_copied(int T, int G, int L, double sum_tang[G][G], double diff[G][G][L],
                       double sum_diff[G][G][L], double mean[G][G], double path[G][G]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++)
        for (int c = 0; c < L; c++)
          SPREAD(j, i, c);
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++) {
        FIRST(j, i);
        for (int c = 1; c < L; c++)
          SUM(j, i, c);
        MEAN(j, i);
      }
    for (int i = 0; i < G; i++)
      START(i);
    for (int j = 1; j < G; j++)
      for (int i = j; i < G; i++)
        PATH(j, i);
  }
}

#pragma rewright transform reg_detect_fused of reg_detect
void reg_detect_fused(int T, int G, int L, double sum_tang[G][G], double diff[G][G][L],
                      double sum_diff[G][G][L], double mean[G][G], double path[G][G]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++) {
        for (int c = 0; c < L; c++)
          SPREAD(j, i, c);
        FIRST(j, i);
        for (int c = 1; c < L; c++)
          SUM(j, i, c);
        MEAN(j, i);
      }
    for (int i = 0; i < G; i++)
      START(i);
    for (int j = 1; j < G; j++)
      for (int i = j; i < G; i++)
        PATH(j, i);
  }
}

#pragma rewright transform reg_detect_tiled of reg_detect
void reg_detect_tiled(int T, int G, int L, double sum_tang[G][G], double diff[G][G][L],
                      double sum_diff[G][G][L], double mean[G][G], double path[G][G]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < G; j++)
      for (int ii = j; ii < G; ii += 16)
        for (int cc = 0; cc < L; cc += 16)
          for (int i = ii; i < min(ii + 16, G); i++)
            for (int c = cc; c < min(cc + 16, L); c++)
              SPREAD(j, i, c);
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++) {
        FIRST(j, i);
        for (int c = 1; c < L; c++)
          SUM(j, i, c);
        MEAN(j, i);
      }
    for (int i = 0; i < G; i++)
      START(i);
    for (int j = 1; j < G; j++)
      for (int i = j; i < G; i++)
        PATH(j, i);
  }
}

#pragma rewright transform reg_detect_parametric(tile) of reg_detect at tile = 3, 16
void reg_detect_parametric(int T, int G, int L, int tile, double sum_tang[G][G],
                           double diff[G][G][L], double sum_diff[G][G][L], double mean[G][G],
                           double path[G][G]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < G; j++)
      for (int ii = j; ii < G; ii += tile)
        for (int cc = 0; cc < L; cc += tile)
          for (int i = ii; i < min(ii + tile, G); i++)
            for (int c = cc; c < min(cc + tile, L); c++)
              SPREAD(j, i, c);
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++) {
        FIRST(j, i);
        for (int c = 1; c < L; c++)
          SUM(j, i, c);
        MEAN(j, i);
      }
    for (int i = 0; i < G; i++)
      START(i);
    for (int j = 1; j < G; j++)
      for (int i = j; i < G; i++)
        PATH(j, i);
  }
}

#pragma rewright transform reg_detect_unrolled of reg_detect
void reg_detect_unrolled(int T, int G, int L, double sum_tang[G][G], double diff[G][G][L],
                         double sum_diff[G][G][L], double mean[G][G], double path[G][G]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++) {
        const int last_c = L / 4 * 4;
        for (int c = 0; c < last_c; c += 4) {
          SPREAD(j, i, c);
          SPREAD(j, i, c + 1);
          SPREAD(j, i, c + 2);
          SPREAD(j, i, c + 3);
        }
        for (int c = last_c; c < L; c++)
          SPREAD(j, i, c);
      }
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++) {
        FIRST(j, i);
        {
          const int last_c = 1 + (L - 1) / 4 * 4;
          for (int c = 1; c < last_c; c += 4) {
            SUM(j, i, c);
            SUM(j, i, c + 1);
            SUM(j, i, c + 2);
            SUM(j, i, c + 3);
          }
          for (int c = last_c; c < L; c++)
            SUM(j, i, c);
        }
        MEAN(j, i);
      }
    {
      const int last_i = G / 4 * 4;
      for (int i = 0; i < last_i; i += 4) {
        START(i);
        START(i + 1);
        START(i + 2);
        START(i + 3);
      }
      for (int i = last_i; i < G; i++)
        START(i);
    }
    for (int j = 1; j < G; j++) {
      const int last_i = j + (G - j) / 4 * 4;
      for (int i = j; i < last_i; i += 4) {
        PATH(j, i);
        PATH(j, i + 1);
        PATH(j, i + 2);
        PATH(j, i + 3);
      }
      for (int i = last_i; i < G; i++)
        PATH(j, i);
    }
  }
}

#pragma rewright transform reg_detect_hoisted of reg_detect
void reg_detect_hoisted(int T, int G, int L, double sum_tang[G][G], double diff[G][G][L],
                        double sum_diff[G][G][L], double mean[G][G], double path[G][G]) {
  const int lb_t = 0, ub_t = T;
  for (int t = lb_t; t < ub_t; t++) {
    {
      const int lb_j = 0, ub_j = G;
      for (int j = lb_j; j < ub_j; j++) {
        const int lb_i = j, ub_i = G;
        for (int i = lb_i; i < ub_i; i++) {
          const int lb_c = 0, ub_c = L;
          for (int c = lb_c; c < ub_c; c++)
            SPREAD(j, i, c);
        }
      }
    }
    {
      const int lb_j = 0, ub_j = G;
      for (int j = lb_j; j < ub_j; j++) {
        const int lb_i = j, ub_i = G;
        for (int i = lb_i; i < ub_i; i++) {
          FIRST(j, i);
          {
            const int lb_c = 1, ub_c = L;
            for (int c = lb_c; c < ub_c; c++)
              SUM(j, i, c);
          }
          MEAN(j, i);
        }
      }
    }
    {
      const int lb_i = 0, ub_i = G;
      for (int i = lb_i; i < ub_i; i++)
        START(i);
    }
    {
      const int lb_j = 1, ub_j = G;
      for (int j = lb_j; j < ub_j; j++) {
        const int lb_i = j, ub_i = G;
        for (int i = lb_i; i < ub_i; i++)
          PATH(j, i);
      }
    }
  }
}

/* Full tiles have plain bounds. */
#pragma rewright transform reg_detect_tiled_apart of reg_detect
void reg_detect_tiled_apart(int T, int G, int L, double sum_tang[G][G], double diff[G][G][L],
                            double sum_diff[G][G][L], double mean[G][G], double path[G][G]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < G; j++)
      for (int ii = j; ii < G; ii += 16)
        for (int cc = 0; cc < L; cc += 16)
          if (ii + 16 <= G && cc + 16 <= L) {
            for (int i = ii; i < ii + 16; i++)
              for (int c = cc; c < cc + 16; c++)
                SPREAD(j, i, c);
          } else {
            for (int i = ii; i < min(ii + 16, G); i++)
              for (int c = cc; c < min(cc + 16, L); c++)
                SPREAD(j, i, c);
          }
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++) {
        FIRST(j, i);
        for (int c = 1; c < L; c++)
          SUM(j, i, c);
        MEAN(j, i);
      }
    for (int i = 0; i < G; i++)
      START(i);
    for (int j = 1; j < G; j++)
      for (int i = j; i < G; i++)
        PATH(j, i);
  }
}

/* The mean of a sum that is not complete. */
#pragma rewright transform reg_detect_mean_early of reg_detect expect refuted
void reg_detect_mean_early(int T, int G, int L, double sum_tang[G][G], double diff[G][G][L],
                           double sum_diff[G][G][L], double mean[G][G], double path[G][G]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++)
        for (int c = 0; c < L; c++)
          SPREAD(j, i, c);
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++) {
        FIRST(j, i);
        MEAN(j, i);
        for (int c = 1; c < L; c++)
          SUM(j, i, c);
      }
    for (int i = 0; i < G; i++)
      START(i);
    for (int j = 1; j < G; j++)
      for (int i = j; i < G; i++)
        PATH(j, i);
  }
}

/* The last element is left out. */
#pragma rewright transform reg_detect_without_last of reg_detect expect refuted
void reg_detect_without_last(int T, int G, int L, double sum_tang[G][G], double diff[G][G][L],
                             double sum_diff[G][G][L], double mean[G][G], double path[G][G]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++)
        for (int c = 0; c < L - 1; c++)
          SPREAD(j, i, c);
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++) {
        FIRST(j, i);
        for (int c = 1; c < L; c++)
          SUM(j, i, c);
        MEAN(j, i);
      }
    for (int i = 0; i < G; i++)
      START(i);
    for (int j = 1; j < G; j++)
      for (int i = j; i < G; i++)
        PATH(j, i);
  }
}

/* Every second element is spread twice. */
#pragma rewright transform reg_detect_halved of reg_detect expect refuted
void reg_detect_halved(int T, int G, int L, double sum_tang[G][G], double diff[G][G][L],
                       double sum_diff[G][G][L], double mean[G][G], double path[G][G]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++)
        for (int c = 0; c < L; c++)
          SPREAD(j, i, c / 2);
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++) {
        FIRST(j, i);
        for (int c = 1; c < L; c++)
          SUM(j, i, c);
        MEAN(j, i);
      }
    for (int i = 0; i < G; i++)
      START(i);
    for (int j = 1; j < G; j++)
      for (int i = j; i < G; i++)
        PATH(j, i);
  }
}

/* Each step of a path is taken twice. */
#pragma rewright transform reg_detect_twice of reg_detect expect refuted
void reg_detect_twice(int T, int G, int L, double sum_tang[G][G], double diff[G][G][L],
                      double sum_diff[G][G][L], double mean[G][G], double path[G][G]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++)
        for (int c = 0; c < L; c++)
          SPREAD(j, i, c);
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++) {
        FIRST(j, i);
        for (int c = 1; c < L; c++)
          SUM(j, i, c);
        MEAN(j, i);
      }
    for (int i = 0; i < G; i++)
      START(i);
    for (int j = 1; j < G; j++)
      for (int i = j; i < G; i++) {
        PATH(j, i);
        PATH(j, i);
      }
  }
}

/* Paths through the means of the step before. */
#pragma rewright transform reg_detect_path_first of reg_detect expect refuted
void reg_detect_path_first(int T, int G, int L, double sum_tang[G][G], double diff[G][G][L],
                           double sum_diff[G][G][L], double mean[G][G], double path[G][G]) {
  for (int t = 0; t < T; t++) {
    for (int j = 1; j < G; j++)
      for (int i = j; i < G; i++)
        PATH(j, i);
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++)
        for (int c = 0; c < L; c++)
          SPREAD(j, i, c);
    for (int j = 0; j < G; j++)
      for (int i = j; i < G; i++) {
        FIRST(j, i);
        for (int c = 1; c < L; c++)
          SUM(j, i, c);
        MEAN(j, i);
      }
    for (int i = 0; i < G; i++)
      START(i);
  }
}
