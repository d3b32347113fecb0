/* A copy by recursion, as in Figure 1 (f) of PolyCheck: halves down to sections of at most four elements */

#define COPY(i) A[i] = B[i]

void copy_by_halves(int N, double A[N], double B[N]) {
#pragma scop
  for (int i = 0; i < N; i++)
    COPY(i);
#pragma endscop
}

static void section(int low, int high, double *A, double *B) {
  if (high - low <= 4) {
    for (int i = low; i < high; i++)
      COPY(i);
    return;
  }
  section(low, (low + high) / 2, A, B);
  section((low + high) / 2, high, A, B);
}

#pragma rewright transform copy_by_halves_recursive of copy_by_halves
void copy_by_halves_recursive(int N, double A[N], double B[N]) {
  section(0, N, A, B);
}

static void overlapping(int low, int high, double *A, double *B) {
  if (high - low <= 4) {
    for (int i = low; i < high; i++)
      COPY(i); /* the middle twice */
    return;
  }
  overlapping(low, (low + high) / 2 + 1, A, B);
  overlapping((low + high) / 2, high, A, B);
}

#pragma rewright transform copy_by_halves_overlapping of copy_by_halves expect refuted
void copy_by_halves_overlapping(int N, double A[N], double B[N]) {
  overlapping(0, N, A, B);
}

static void parted(int low, int high, double *A, double *B) {
  if (high - low <= 4) {
    for (int i = low; i < high; i++)
      COPY(i); /* all but the middle */
    return;
  }
  parted(low, (low + high) / 2, A, B);
  parted((low + high) / 2 + 1, high, A, B);
}

#pragma rewright transform copy_by_halves_parted of copy_by_halves expect refuted
void copy_by_halves_parted(int N, double A[N], double B[N]) {
  parted(0, N, A, B);
}
