/* Heat in space, from one array to another one and back */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define FORTH(i, j, k) \
  B[i][j][k] = A[i][j][k] + 0.1 * (A[i - 1][j][k] + A[i + 1][j][k] + A[i][j - 1][k] + \
                                   A[i][j + 1][k] + A[i][j][k - 1] + A[i][j][k + 1])
#define BACK(i, j, k) \
  A[i][j][k] = B[i][j][k] + 0.1 * (B[i - 1][j][k] + B[i + 1][j][k] + B[i][j - 1][k] + \
                                   B[i][j + 1][k] + B[i][j][k - 1] + B[i][j][k + 1])

void heat_in_space(int T, int N, double A[N][N][N], double B[N][N][N]) {
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 1; k++)
          FORTH(i, j, k);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 1; k++)
          BACK(i, j, k);
  }
#pragma endscop
}

#pragma rewright transform heat_in_space_tiled of heat_in_space
void heat_in_space_tiled(int T, int N, double A[N][N][N], double B[N][N][N]) {
  for (int t = 0; t < T; t++) {
    for (int ii = 1; ii < N - 1; ii += 8)
      for (int jj = 1; jj < N - 1; jj += 8)
        for (int i = ii; i < min(ii + 8, N - 1); i++)
          for (int j = jj; j < min(jj + 8, N - 1); j++)
            for (int k = 1; k < N - 1; k++)
              FORTH(i, j, k);
    for (int k = 1; k < N - 1; k++)
      for (int j = 1; j < N - 1; j++)
        for (int i = 1; i < N - 1; i++)
          BACK(i, j, k);
  }
}

/* The way back is one plane behind. */
#pragma rewright transform heat_in_space_shifted of heat_in_space
void heat_in_space_shifted(int T, int N, double A[N][N][N], double B[N][N][N]) {
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N; i++) {
      if (i < N - 1)
        for (int j = 1; j < N - 1; j++)
          for (int k = 1; k < N - 1; k++)
            FORTH(i, j, k);
      if (i > 1)
        for (int j = 1; j < N - 1; j++)
          for (int k = 1; k < N - 1; k++)
            BACK(i - 1, j, k);
    }
}

/* The way back needs the next plane. */
#pragma rewright transform heat_in_space_fused of heat_in_space expect refuted
void heat_in_space_fused(int T, int N, double A[N][N][N], double B[N][N][N]) {
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++) {
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 1; k++)
          FORTH(i, j, k);
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 1; k++)
          BACK(i, j, k);
    }
}

/* The last plane is left out. */
#pragma rewright transform heat_in_space_without_last of heat_in_space expect refuted
void heat_in_space_without_last(int T, int N, double A[N][N][N], double B[N][N][N]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 1; k++)
          FORTH(i, j, k);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 2; k++)
          BACK(i, j, k);
  }
}
