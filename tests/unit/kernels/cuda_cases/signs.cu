#if (1 ? -1 : 0u) > 0
#define TRUE_SIDE 1
#else
#define TRUE_SIDE 2
#endif
#if (0 ? 0u : -1) > 0
#define FALSE_SIDE 1
#else
#define FALSE_SIDE 2
#endif
#if (1 ? -1 : 0) > 0 || (1 ? (0 ? 1u : -1) : 0) < 0
#define NEITHER 1
#else
#define NEITHER 2
#endif
#if -1 > 0u && (2 || 0u) - 2 < 0 && ~0u > 0 && -1 >> 1 < 0 && (-1 | 0u) > 0 && -1 / 2u > 1 && (1u < 2) - 2 < 0
#define ARITHMETIC 1
#else
#define ARITHMETIC 2
#endif
#if 0x8000000000000000 > 0 && 9223372036854775807 + 1 < 0 && (1 << 2u) - 5 < 0 && (1u << 2) - 5 > 0
#define LITERALS 1
#else
#define LITERALS 2
#endif
__global__ void signs(int *ints, float *reals, const int *in, int n) {
  int *out = ints + threadIdx.x * 16;
  out[0] = TRUE_SIDE; out[1] = FALSE_SIDE; out[2] = NEITHER; out[3] = ARITHMETIC; out[4] = LITERALS;
}
