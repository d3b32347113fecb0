// A sum whose terms may be added in any order, by recursion down to leaves of a size that the transform leaves open.

#pragma rewright spec sum_by_halves reduction S
void sum_by_halves(int N, double A[N], double s[1]) {
  s[0] = 0;
  for (int i = 0; i < N; i++)
    S: s[0] += A[i];
}

static void halves(int low, int high, int leaf, double *A, double *s) {
  if (high - low <= leaf) {
    for (int i = high - 1; i >= low; i--)
      s[0] += A[i];
    return;
  }
  int middle = (low + high) / 2;
  halves(middle, high, leaf, A, s);
  halves(low, middle, leaf, A, s);
}

#pragma rewright transform sum_by_halves_to_leaves(L) of sum_by_halves at L = 1, 3, 8
void sum_by_halves_to_leaves(int N, int L, double A[N], double s[1]) {
  s[0] = 0;
  halves(0, N, L, A, s);
}

static void overlapping(int low, int high, int leaf, double *A, double *s) {
  if (high - low <= leaf) {
    for (int i = high - 1; i >= low; i--)
      s[0] += A[i]; // of the middle twice
    return;
  }
  int middle = (low + high) / 2;
  overlapping(middle, high, leaf, A, s);
  overlapping(low, middle + 1, leaf, A, s);
}

#pragma rewright transform sum_by_halves_overlapping(L) of sum_by_halves at L = 2, 5 expect refuted
void sum_by_halves_overlapping(int N, int L, double A[N], double s[1]) {
  s[0] = 0;
  overlapping(0, N, L, A, s);
}
