/* A Toeplitz system of equations */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define START(i) y[i] = -r[i]
#define START_BETA(i) beta = 1.0
#define START_ALPHA(i) alpha = -r[i]
#define BETA(k) beta = (1.0 - alpha * alpha) * beta
#define CLEAR(k) sum = 0.0
#define SUM(k, i) sum += r[k - i - 1] * y[i]
#define ALPHA(k) alpha = -(r[k] + sum) / beta
#define FORTH(k, i) z[i] = y[i] + alpha * y[k - i - 1]
#define BACK(k, i) y[i] = z[i]
#define LAST(k) y[k] = alpha

void durbin(int N, double alpha, double beta, double sum, double r[N], double y[N], double z[N]) {
#pragma scop
  START(0);
  START_BETA(0);
  START_ALPHA(0);
  for (int k = 1; k < N; k++) {
    BETA(k);
    CLEAR(k);
    for (int i = 0; i < k; i++)
      SUM(k, i);
    ALPHA(k);
    for (int i = 0; i < k; i++)
      FORTH(k, i);
    for (int i = 0; i < k; i++)
      BACK(k, i);
    LAST(k);
  }
#pragma endscop
}

#pragma rewright transform durbin_tiled of durbin
void durbin_tiled(int N, double alpha, double beta, double sum, double r[N], double y[N],
                  double z[N]) {
  START(0);
  START_ALPHA(0);
  START_BETA(0);
  for (int k = 1; k < N; k++) {
    CLEAR(k);
    for (int i = 0; i < k; i++)
      SUM(k, i);
    BETA(k);
    ALPHA(k);
    for (int ii = 0; ii < k; ii += 8)
      for (int i = ii; i < min(ii + 8, k); i++)
        FORTH(k, i);
    LAST(k);
    for (int ii = 0; ii < k; ii += 8)
      for (int i = ii; i < min(ii + 8, k); i++)
        BACK(k, i);
  }
}

/* Overwritten while it is still read from the other end. */
#pragma rewright transform durbin_fused of durbin expect refuted
void durbin_fused(int N, double alpha, double beta, double sum, double r[N], double y[N],
                  double z[N]) {
  START(0);
  START_BETA(0);
  START_ALPHA(0);
  for (int k = 1; k < N; k++) {
    BETA(k);
    CLEAR(k);
    for (int i = 0; i < k; i++)
      SUM(k, i);
    ALPHA(k);
    for (int i = 0; i < k; i++) {
      FORTH(k, i);
      BACK(k, i);
    }
    LAST(k);
  }
}

/* The last term of each sum is left out. */
#pragma rewright transform durbin_without_last of durbin expect refuted
void durbin_without_last(int N, double alpha, double beta, double sum, double r[N], double y[N],
                         double z[N]) {
  START(0);
  START_BETA(0);
  START_ALPHA(0);
  for (int k = 1; k < N; k++) {
    BETA(k);
    CLEAR(k);
    for (int i = 0; i < k - 1; i++)
      SUM(k, i);
    ALPHA(k);
    for (int i = 0; i < k; i++)
      FORTH(k, i);
    for (int i = 0; i < k; i++)
      BACK(k, i);
    LAST(k);
  }
}
