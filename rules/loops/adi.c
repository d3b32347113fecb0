/* Heat by alternating directions: columns, then rows */

#define START_V(i) v[0][i] = 1.0
#define START_P(i) p[i][0] = 0.0
#define START_Q(i) q[i][0] = v[0][i]
#define COLUMN_P(i, j) p[i][j] = -c / (a * p[i][j - 1] + b)
#define COLUMN_Q(i, j) \
  q[i][j] = (u[j][i - 1] + u[j][i] + u[j][i + 1] - a * q[i][j - 1]) / (a * p[i][j - 1] + b)
#define END_V(i) v[N - 1][i] = 1.0
#define COLUMN_BACK(i, j) v[j][i] = p[i][j] * v[j + 1][i] + q[i][j]
#define START_U(i) u[i][0] = 1.0
#define START_R(i) q[i][0] = u[i][0]
#define ROW_P(i, j) p[i][j] = -f / (d * p[i][j - 1] + e)
#define ROW_Q(i, j) \
  q[i][j] = (v[i - 1][j] + v[i][j] + v[i + 1][j] - d * q[i][j - 1]) / (d * p[i][j - 1] + e)
#define END_U(i) u[i][N - 1] = 1.0
#define ROW_BACK(i, j) u[i][j] = p[i][j] * u[i][j + 1] + q[i][j]

void adi(int T, int N, double a, double b, double c, double d, double e, double f, double u[N][N],
         double v[N][N], double p[N][N], double q[N][N]) {
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++) {
      START_V(i);
      START_P(i);
      START_Q(i);
      for (int j = 1; j < N - 1; j++) {
        COLUMN_P(i, j);
        COLUMN_Q(i, j);
      }
      END_V(i);
      for (int j = N - 2; j >= 1; j--)
        COLUMN_BACK(i, j);
    }
    for (int i = 1; i < N - 1; i++) {
      START_U(i);
      START_P(i);
      START_R(i);
      for (int j = 1; j < N - 1; j++) {
        ROW_P(i, j);
        ROW_Q(i, j);
      }
      END_U(i);
      for (int j = N - 2; j >= 1; j--)
        ROW_BACK(i, j);
    }
  }
#pragma endscop
}

/* Each step of the columns is done for all of them. */
#pragma rewright transform adi_by_steps of adi
void adi_by_steps(int T, int N, double a, double b, double c, double d, double e, double f,
                  double u[N][N], double v[N][N], double p[N][N], double q[N][N]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++) {
      START_V(i);
      START_P(i);
      START_Q(i);
    }
    for (int j = 1; j < N - 1; j++)
      for (int i = 1; i < N - 1; i++) {
        COLUMN_P(i, j);
        COLUMN_Q(i, j);
      }
    for (int i = 1; i < N - 1; i++)
      END_V(i);
    for (int j = N - 2; j >= 1; j--)
      for (int i = 1; i < N - 1; i++)
        COLUMN_BACK(i, j);
    for (int i = 1; i < N - 1; i++) {
      START_U(i);
      START_P(i);
      START_R(i);
      for (int j = 1; j < N - 1; j++) {
        ROW_P(i, j);
        ROW_Q(i, j);
      }
      END_U(i);
      for (int j = N - 2; j >= 1; j--)
        ROW_BACK(i, j);
    }
  }
}

/* A row is gone through before all columns are. */
#pragma rewright transform adi_fused of adi expect refuted
void adi_fused(int T, int N, double a, double b, double c, double d, double e, double f,
               double u[N][N], double v[N][N], double p[N][N], double q[N][N]) {
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++) {
      START_V(i);
      START_P(i);
      START_Q(i);
      for (int j = 1; j < N - 1; j++) {
        COLUMN_P(i, j);
        COLUMN_Q(i, j);
      }
      END_V(i);
      for (int j = N - 2; j >= 1; j--)
        COLUMN_BACK(i, j);
      START_U(i);
      START_P(i);
      START_R(i);
      for (int j = 1; j < N - 1; j++) {
        ROW_P(i, j);
        ROW_Q(i, j);
      }
      END_U(i);
      for (int j = N - 2; j >= 1; j--)
        ROW_BACK(i, j);
    }
}

/* The way back goes forwards. */
#pragma rewright transform adi_forwards of adi expect refuted
void adi_forwards(int T, int N, double a, double b, double c, double d, double e, double f,
                  double u[N][N], double v[N][N], double p[N][N], double q[N][N]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++) {
      START_V(i);
      START_P(i);
      START_Q(i);
      for (int j = 1; j < N - 1; j++) {
        COLUMN_P(i, j);
        COLUMN_Q(i, j);
      }
      END_V(i);
      for (int j = N - 2; j >= 1; j--)
        COLUMN_BACK(i, j);
    }
    for (int i = 1; i < N - 1; i++) {
      START_U(i);
      START_P(i);
      START_R(i);
      for (int j = 1; j < N - 1; j++) {
        ROW_P(i, j);
        ROW_Q(i, j);
      }
      END_U(i);
      for (int j = 1; j < N - 1; j++)
        ROW_BACK(i, j);
    }
  }
}
