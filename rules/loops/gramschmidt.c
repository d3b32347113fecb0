/* Orthogonal columns */

#define CLEAR(k) norm = 0.0
#define SQUARE(i, k) norm += A[i][k] * A[i][k]
#define ROOT(k) R[k][k] = sqrt(norm)
#define UNIT(i, k) Q[i][k] = A[i][k] / R[k][k]
#define START(k, j) R[k][j] = 0.0
#define SUM(i, k, j) R[k][j] += Q[i][k] * A[i][j]
#define SUBTRACT(i, k, j) A[i][j] = A[i][j] - Q[i][k] * R[k][j]

void gramschmidt(int M, int N, double norm, double A[M][N], double R[N][N], double Q[M][N]) {
#pragma scop
  for (int k = 0; k < N; k++) {
    CLEAR(k);
    for (int i = 0; i < M; i++)
      SQUARE(i, k);
    ROOT(k);
    for (int i = 0; i < M; i++)
      UNIT(i, k);
    for (int j = k + 1; j < N; j++) {
      START(k, j);
      for (int i = 0; i < M; i++)
        SUM(i, k, j);
      for (int i = 0; i < M; i++)
        SUBTRACT(i, k, j);
    }
  }
#pragma endscop
}

#pragma rewright transform gramschmidt_by_rows of gramschmidt
void gramschmidt_by_rows(int M, int N, double norm, double A[M][N], double R[N][N],
                         double Q[M][N]) {
  for (int k = 0; k < N; k++) {
    CLEAR(k);
    for (int i = 0; i < M; i++)
      SQUARE(i, k);
    ROOT(k);
    for (int j = k + 1; j < N; j++)
      START(k, j);
    for (int i = 0; i < M; i++) {
      UNIT(i, k);
      for (int j = k + 1; j < N; j++)
        SUM(i, k, j);
    }
    for (int i = 0; i < M; i++)
      for (int j = k + 1; j < N; j++)
        SUBTRACT(i, k, j);
  }
}

/* Subtracted before the sum is complete. */
#pragma rewright transform gramschmidt_fused of gramschmidt expect refuted
void gramschmidt_fused(int M, int N, double norm, double A[M][N], double R[N][N], double Q[M][N]) {
  for (int k = 0; k < N; k++) {
    CLEAR(k);
    for (int i = 0; i < M; i++)
      SQUARE(i, k);
    ROOT(k);
    for (int i = 0; i < M; i++)
      UNIT(i, k);
    for (int j = k + 1; j < N; j++) {
      START(k, j);
      for (int i = 0; i < M; i++) {
        SUM(i, k, j);
        SUBTRACT(i, k, j);
      }
    }
  }
}

/* All columns are made units first, before others are subtracted from them. */
#pragma rewright transform gramschmidt_of_changed_columns of gramschmidt expect refuted
void gramschmidt_of_changed_columns(int M, int N, double norm, double A[M][N], double R[N][N],
                                    double Q[M][N]) {
  for (int k = 0; k < N; k++) {
    CLEAR(k);
    for (int i = 0; i < M; i++)
      SQUARE(i, k);
    ROOT(k);
    for (int i = 0; i < M; i++)
      UNIT(i, k);
  }
  for (int k = 0; k < N; k++)
    for (int j = k + 1; j < N; j++) {
      START(k, j);
      for (int i = 0; i < M; i++)
        SUM(i, k, j);
      for (int i = 0; i < M; i++)
        SUBTRACT(i, k, j);
    }
}
