// Rotary embeddings of queries and keys, in place; an embedding look-up.
#include <cuda_runtime.h>

__global__ void rope(float *q, float *k, const int *positions, int heads, int size, float base) {
  int token = blockIdx.x, head = blockIdx.y, i = threadIdx.x;
  if (i >= size / 2) return;
  float angle = positions[token] * powf(base, -2.0f * i / size);
  float c = cosf(angle), s = sinf(angle);
  int at = (token * heads + head) * size + i;
  float q0 = q[at], q1 = q[at + size / 2];
  q[at] = q0 * c - q1 * s;
  q[at + size / 2] = q1 * c + q0 * s;
  float k0 = k[at], k1 = k[at + size / 2];
  k[at] = k0 * c - k1 * s;
  k[at + size / 2] = k1 * c + k0 * s;
}

__global__ void rope_pairs(float2 *x, const float2 *table, int tokens, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tokens * pairs) return;
  float2 v = x[i], t = table[i];
  x[i] = make_float2(v.x * t.x - v.y * t.y, v.x * t.y + v.y * t.x);
}

void run(float *q, float *k, const int *positions, const float2 *table) {
  const int tokens = 16, heads = 8, size = 64;
  rope<<<dim3(tokens, heads), size / 2>>>(q, k, positions, heads, size, 10000.0f);
  rope_pairs<<<(tokens * size / 2 + 255) / 256, 256>>>((float2 *)q, table, tokens, size / 2);
}
