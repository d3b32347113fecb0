/* A tensor by a matrix, along its last dimension, in place */

#define min(a, b) ((a) < (b) ? (a) : (b))

#define CLEAR(p) sum[p] = 0.0
#define SUM(r, q, p, s) sum[p] += A[r][q][s] * C[s][p]
#define STORE(r, q, p) A[r][q][p] = sum[p]

void doitgen(int R, int Q, int P, double A[R][Q][P], double C[P][P], double sum[P]) {
#pragma scop
  for (int r = 0; r < R; r++)
    for (int q = 0; q < Q; q++) {
      for (int p = 0; p < P; p++) {
        CLEAR(p);
        for (int s = 0; s < P; s++)
          SUM(r, q, p, s);
      }
      for (int p = 0; p < P; p++)
        STORE(r, q, p);
    }
#pragma endscop
}

#pragma rewright transform doitgen_copied of doitgen
void doitgen_copied(int R, int Q, int P, double A[R][Q][P], double C[P][P], double sum[P]) {
  for (int r = 0; r < R; r++)
    for (int q = 0; q < Q; q++) {
      for (int p = 0; p < P; p++) {
        CLEAR(p);
        for (int s = 0; s < P; s++)
          SUM(r, q, p, s);
      }
      for (int p = 0; p < P; p++)
        STORE(r, q, p);
    }
}

#pragma rewright transform doitgen_by_rows of doitgen
void doitgen_by_rows(int R, int Q, int P, double A[R][Q][P], double C[P][P], double sum[P]) {
  for (int r = 0; r < R; r++)
    for (int q = 0; q < Q; q++) {
      for (int p = 0; p < P; p++)
        CLEAR(p);
      for (int s = 0; s < P; s++)
        for (int p = 0; p < P; p++)
          SUM(r, q, p, s);
      for (int p = 0; p < P; p++)
        STORE(r, q, p);
    }
}

#pragma rewright transform doitgen_tiled of doitgen
void doitgen_tiled(int R, int Q, int P, double A[R][Q][P], double C[P][P], double sum[P]) {
  for (int r = 0; r < R; r++)
    for (int q = 0; q < Q; q++) {
      for (int p = 0; p < P; p++)
        CLEAR(p);
      for (int ss = 0; ss < P; ss += 32)
        for (int pp = 0; pp < P; pp += 32)
          for (int s = ss; s < min(ss + 32, P); s++)
            for (int p = pp; p < min(pp + 32, P); p++)
              SUM(r, q, p, s);
      for (int p = 0; p < P; p++)
        STORE(r, q, p);
    }
}

#pragma rewright transform doitgen_parametric(tile) of doitgen at tile = 3, 16
void doitgen_parametric(int R, int Q, int P, int tile, double A[R][Q][P], double C[P][P],
                        double sum[P]) {
  for (int r = 0; r < R; r++)
    for (int q = 0; q < Q; q++) {
      for (int p = 0; p < P; p++)
        CLEAR(p);
      for (int ss = 0; ss < P; ss += tile)
        for (int pp = 0; pp < P; pp += tile)
          for (int s = ss; s < min(ss + tile, P); s++)
            for (int p = pp; p < min(pp + tile, P); p++)
              SUM(r, q, p, s);
      for (int p = 0; p < P; p++)
        STORE(r, q, p);
    }
}

#pragma rewright transform doitgen_unrolled of doitgen
void doitgen_unrolled(int R, int Q, int P, double A[R][Q][P], double C[P][P], double sum[P]) {
  for (int r = 0; r < R; r++)
    for (int q = 0; q < Q; q++) {
      for (int p = 0; p < P; p++) {
        CLEAR(p);
        {
          const int last_s = P / 4 * 4;
          for (int s = 0; s < last_s; s += 4) {
            SUM(r, q, p, s);
            SUM(r, q, p, s + 1);
            SUM(r, q, p, s + 2);
            SUM(r, q, p, s + 3);
          }
          for (int s = last_s; s < P; s++)
            SUM(r, q, p, s);
        }
      }
      {
        const int last_p = P / 4 * 4;
        for (int p = 0; p < last_p; p += 4) {
          STORE(r, q, p);
          STORE(r, q, p + 1);
          STORE(r, q, p + 2);
          STORE(r, q, p + 3);
        }
        for (int p = last_p; p < P; p++)
          STORE(r, q, p);
      }
    }
}

#pragma rewright transform doitgen_hoisted of doitgen
void doitgen_hoisted(int R, int Q, int P, double A[R][Q][P], double C[P][P], double sum[P]) {
  const int lb_r = 0, ub_r = R;
  for (int r = lb_r; r < ub_r; r++) {
    const int lb_q = 0, ub_q = Q;
    for (int q = lb_q; q < ub_q; q++) {
      {
        const int lb_p = 0, ub_p = P;
        for (int p = lb_p; p < ub_p; p++) {
          CLEAR(p);
          {
            const int lb_s = 0, ub_s = P;
            for (int s = lb_s; s < ub_s; s++)
              SUM(r, q, p, s);
          }
        }
      }
      {
        const int lb_p = 0, ub_p = P;
        for (int p = lb_p; p < ub_p; p++)
          STORE(r, q, p);
      }
    }
  }
}

/* Full tiles have plain bounds. */
#pragma rewright transform doitgen_tiled_apart of doitgen
void doitgen_tiled_apart(int R, int Q, int P, double A[R][Q][P], double C[P][P], double sum[P]) {
  for (int r = 0; r < R; r++)
    for (int q = 0; q < Q; q++) {
      for (int p = 0; p < P; p++)
        CLEAR(p);
      for (int ss = 0; ss < P; ss += 32)
        for (int pp = 0; pp < P; pp += 32)
          if (ss + 32 <= P && pp + 32 <= P) {
            for (int s = ss; s < ss + 32; s++)
              for (int p = pp; p < pp + 32; p++)
                SUM(r, q, p, s);
          } else {
            for (int s = ss; s < min(ss + 32, P); s++)
              for (int p = pp; p < min(pp + 32, P); p++)
                SUM(r, q, p, s);
          }
      for (int p = 0; p < P; p++)
        STORE(r, q, p);
    }
}

/* Stored while the sums still need what was there. */
#pragma rewright transform doitgen_fused of doitgen expect refuted
void doitgen_fused(int R, int Q, int P, double A[R][Q][P], double C[P][P], double sum[P]) {
  for (int r = 0; r < R; r++)
    for (int q = 0; q < Q; q++)
      for (int p = 0; p < P; p++) {
        CLEAR(p);
        for (int s = 0; s < P; s++)
          SUM(r, q, p, s);
        STORE(r, q, p);
      }
}

/* The last summand is left out. */
#pragma rewright transform doitgen_without_last of doitgen expect refuted
void doitgen_without_last(int R, int Q, int P, double A[R][Q][P], double C[P][P], double sum[P]) {
  for (int r = 0; r < R; r++)
    for (int q = 0; q < Q; q++) {
      for (int p = 0; p < P; p++) {
        CLEAR(p);
        for (int s = 0; s < P - 1; s++)
          SUM(r, q, p, s);
      }
      for (int p = 0; p < P; p++)
        STORE(r, q, p);
    }
}

/* Every second summand is taken twice. */
#pragma rewright transform doitgen_halved of doitgen expect refuted
void doitgen_halved(int R, int Q, int P, double A[R][Q][P], double C[P][P], double sum[P]) {
  for (int r = 0; r < R; r++)
    for (int q = 0; q < Q; q++) {
      for (int p = 0; p < P; p++) {
        CLEAR(p);
        for (int s = 0; s < P; s++)
          SUM(r, q, p, s / 2);
      }
      for (int p = 0; p < P; p++)
        STORE(r, q, p);
    }
}

/* Stored twice. */
#pragma rewright transform doitgen_twice of doitgen expect refuted
void doitgen_twice(int R, int Q, int P, double A[R][Q][P], double C[P][P], double sum[P]) {
  for (int r = 0; r < R; r++)
    for (int q = 0; q < Q; q++) {
      for (int p = 0; p < P; p++) {
        CLEAR(p);
        for (int s = 0; s < P; s++)
          SUM(r, q, p, s);
      }
      for (int p = 0; p < P; p++) {
        STORE(r, q, p);
        STORE(r, q, p);
      }
    }
}

/* Stored before the sums are formed. */
#pragma rewright transform doitgen_stored_early of doitgen expect refuted
void doitgen_stored_early(int R, int Q, int P, double A[R][Q][P], double C[P][P], double sum[P]) {
  for (int r = 0; r < R; r++)
    for (int q = 0; q < Q; q++) {
      for (int p = 0; p < P; p++)
        STORE(r, q, p);
      for (int p = 0; p < P; p++) {
        CLEAR(p);
        for (int s = 0; s < P; s++)
          SUM(r, q, p, s);
      }
    }
}
