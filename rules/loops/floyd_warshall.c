/* Shortest paths */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define SHORTEN(i, j, k) d[i][j] = d[i][j] < d[i][k] + d[k][j] ? d[i][j] : d[i][k] + d[k][j]

void floyd_warshall(int N, double d[N][N]) {
#pragma scop
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        SHORTEN(i, j, k);
#pragma endscop
}

#pragma rewright transform floyd_warshall_interchanged of floyd_warshall
void floyd_warshall_interchanged(int N, double d[N][N]) {
  for (int k = 0; k < N; k++)
    for (int j = 0; j < N; j++)
      for (int i = 0; i < N; i++)
        SHORTEN(i, j, k);
}

#pragma rewright transform floyd_warshall_tiled of floyd_warshall
void floyd_warshall_tiled(int N, double d[N][N]) {
  for (int k = 0; k < N; k++)
    for (int ii = 0; ii < N; ii += 8)
      for (int jj = 0; jj < N; jj += 8)
        for (int i = ii; i < min(ii + 8, N); i++)
          for (int j = jj; j < min(jj + 8, N); j++)
            SHORTEN(i, j, k);
}

/* The points on the way are gone through inside. */
#pragma rewright transform floyd_warshall_inside of floyd_warshall expect refuted
void floyd_warshall_inside(int N, double d[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        SHORTEN(i, j, k);
}

/* Half of the pairs are left out. */
#pragma rewright transform floyd_warshall_of_one_half of floyd_warshall expect refuted
void floyd_warshall_of_one_half(int N, double d[N][N]) {
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < i; j++)
        SHORTEN(i, j, k);
}
