// Forces between bodies, tile by tile through shared memory.
#include <cuda_runtime.h>

#define TILE 64

__device__ float3 pulled(float4 own, float4 other, float3 sum) {
  float3 r = make_float3(other.x - own.x, other.y - own.y, other.z - own.z);
  float inverse = rsqrtf(r.x * r.x + r.y * r.y + r.z * r.z + 1e-3f);
  float s = other.w * inverse * inverse * inverse;
  sum.x += r.x * s;
  sum.y += r.y * s;
  sum.z += r.z * s;
  return sum;
}

__global__ void forces(const float4 *positions, float4 *accelerations, int n) {
  __shared__ float4 shared[TILE];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 own = positions[i];
  float3 sum = make_float3(0.0f, 0.0f, 0.0f);
  for (int tile = 0; tile < n / TILE; ++tile) {
    shared[threadIdx.x] = positions[tile * TILE + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < TILE; ++j) sum = pulled(own, shared[j], sum);
    __syncthreads();
  }
  accelerations[i] = make_float4(sum.x, sum.y, sum.z, 0.0f);
}

void run(const float4 *positions, float4 *accelerations) {
  const int n = 256;
  forces<<<n / TILE, TILE>>>(positions, accelerations, n);
}
