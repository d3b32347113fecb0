/* The best way to put brackets, all splits kept */

#define CLEAR(i, j) c[i][j] = 0.0
#define START(i, j) s[i][j][i] = 0.0
#define SUM(i, j, k) s[i][j][k] = s[i][j][k - 1] + c[i][k] + c[k][j]
#define STORE(i, j) c[i][j] = s[i][j][j - 1] + w[i][j]
#define ADD(L) out += c[0][L - 1]

void dynprog(int T, int L, double out, double c[L][L], double s[L][L][L], double w[L][L]) {
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < L; i++)
      for (int j = 0; j < L; j++)
        CLEAR(i, j);
    for (int i = 0; i < L - 1; i++)
      for (int j = i + 1; j < L; j++) {
        START(i, j);
        for (int k = i + 1; k < j; k++)
          SUM(i, j, k);
        STORE(i, j);
      }
    ADD(L);
  }
#pragma endscop
}

#pragma rewright transform dynprog_by_columns of dynprog
void dynprog_by_columns(int T, int L, double out, double c[L][L], double s[L][L][L],
                        double w[L][L]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < L; j++)
      for (int i = 0; i < L; i++)
        CLEAR(i, j);
    for (int j = 1; j < L; j++)
      for (int i = 0; i < j; i++) {
        START(i, j);
        for (int k = i + 1; k < j; k++)
          SUM(i, j, k);
        STORE(i, j);
      }
    ADD(L);
  }
}

/* The last row is first, so that sums find other values below. */
#pragma rewright transform dynprog_upwards of dynprog expect refuted
void dynprog_upwards(int T, int L, double out, double c[L][L], double s[L][L][L], double w[L][L]) {
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < L; i++)
      for (int j = 0; j < L; j++)
        CLEAR(i, j);
    for (int i = L - 2; i >= 0; i--)
      for (int j = i + 1; j < L; j++) {
        START(i, j);
        for (int k = i + 1; k < j; k++)
          SUM(i, j, k);
        STORE(i, j);
      }
    ADD(L);
  }
}

/* Stored before the sum is complete. */
#pragma rewright transform dynprog_stored_early of dynprog expect refuted
void dynprog_stored_early(int T, int L, double out, double c[L][L], double s[L][L][L],
                          double w[L][L]) {
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < L; i++)
      for (int j = 0; j < L; j++)
        CLEAR(i, j);
    for (int i = 0; i < L - 1; i++)
      for (int j = i + 1; j < L; j++) {
        START(i, j);
        STORE(i, j);
        for (int k = i + 1; k < j; k++)
          SUM(i, j, k);
      }
    ADD(L);
  }
}
