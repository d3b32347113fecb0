/* The price of an American put option: trapezoids in time and price. */

#define STEP(t, i) V[(t + 1) % 2][i] = max(payoff[i], down * V[t % 2][i - 1] + stay * V[t % \
  2][i] + up * V[t % 2][i + 1])

void option(int T, int N, double V[2][N], double payoff[N], double down, double stay, double up) {
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++)
      STEP(t, i);
#pragma endscop
}

/* A trapezoid is cut in space if it is wide, else in time. */
static void walk(int t0, int t1, int x0, int dx0, int x1, int dx1, int N, double V[2][N],
                 double payoff[N], double down, double stay, double up) {
  int height = t1 - t0;
  if (height == 1) {
    for (int i = x0; i < x1; i++)
      STEP(t0, i);
  } else if (height > 1 && 2 * (x1 - x0) + (dx1 - dx0) * height >= 4 * height) {
    int middle = (2 * (x0 + x1) + (2 + dx0 + dx1) * height) / 4;
    walk(t0, t1, x0, dx0, middle, -1, N, V, payoff, down, stay, up);
    walk(t0, t1, middle, -1, x1, dx1, N, V, payoff, down, stay, up);
  } else if (height > 1) {
    int half = height / 2;
    walk(t0, t0 + half, x0, dx0, x1, dx1, N, V, payoff, down, stay, up);
    walk(t0 + half, t1, x0 + dx0 * half, dx0, x1 + dx1 * half, dx1, N, V, payoff, down, stay, up);
  }
}

#pragma rewright transform option_walk of option
void option_walk(int T, int N, double V[2][N], double payoff[N], double down, double stay, double up) {
  walk(0, T, 1, 0, N - 1, 0, N, V, payoff, down, stay, up);
}

/* The last row of a trapezoid is left out. */
static void short_walk(int t0, int t1, int x0, int dx0, int x1, int dx1, int N, double V[2][N],
                       double payoff[N], double down, double stay, double up) {
  int height = t1 - t0;
  if (height == 1) {
    for (int i = x0; i < x1 - 1; i++)
      STEP(t0, i);
  } else if (height > 1 && 2 * (x1 - x0) + (dx1 - dx0) * height >= 4 * height) {
    int middle = (2 * (x0 + x1) + (2 + dx0 + dx1) * height) / 4;
    short_walk(t0, t1, x0, dx0, middle, -1, N, V, payoff, down, stay, up);
    short_walk(t0, t1, middle, -1, x1, dx1, N, V, payoff, down, stay, up);
  } else if (height > 1) {
    int half = height / 2;
    short_walk(t0, t0 + half, x0, dx0, x1, dx1, N, V, payoff, down, stay, up);
    short_walk(t0 + half, t1, x0 + dx0 * half, dx0, x1 + dx1 * half, dx1, N, V, payoff, down, stay, up);
  }
}

#pragma rewright transform option_short_walk of option expect refuted
void option_short_walk(int T, int N, double V[2][N], double payoff[N], double down, double stay, double up) {
  short_walk(0, T, 1, 0, N - 1, 0, N, V, payoff, down, stay, up);
}

/* The part that leans on the other comes first. */
static void swapped_walk(int t0, int t1, int x0, int dx0, int x1, int dx1, int N, double V[2][N],
                         double payoff[N], double down, double stay, double up) {
  int height = t1 - t0;
  if (height == 1) {
    for (int i = x0; i < x1; i++)
      STEP(t0, i);
  } else if (height > 1 && 2 * (x1 - x0) + (dx1 - dx0) * height >= 4 * height) {
    int middle = (2 * (x0 + x1) + (2 + dx0 + dx1) * height) / 4;
    swapped_walk(t0, t1, middle, -1, x1, dx1, N, V, payoff, down, stay, up);
    swapped_walk(t0, t1, x0, dx0, middle, -1, N, V, payoff, down, stay, up);
  } else if (height > 1) {
    int half = height / 2;
    swapped_walk(t0, t0 + half, x0, dx0, x1, dx1, N, V, payoff, down, stay, up);
    swapped_walk(t0 + half, t1, x0 + dx0 * half, dx0, x1 + dx1 * half, dx1, N, V, payoff, down, stay, up);
  }
}

#pragma rewright transform option_swapped_walk of option expect refuted
void option_swapped_walk(int T, int N, double V[2][N], double payoff[N], double down, double stay, double up) {
  swapped_walk(0, T, 1, 0, N - 1, 0, N, V, payoff, down, stay, up);
}
