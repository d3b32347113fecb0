// y = a * x + y, four elements of a thread at once where the length allows it.
#include <cuda_runtime.h>

__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void saxpy_vector(int n, float a, const float4 *__restrict__ x, float4 *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = x[i], q = y[i];
  q.x += a * p.x;
  q.y += a * p.y;
  q.z += a * p.z;
  q.w += a * p.w;
  y[i] = q;
}

int main() {
  const int n = 1 << 16;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  saxpy<<<(n + 255) / 256, 256>>>(n, 2.0f, x, y);
  saxpy_vector<<<n / 4 / 256, 256>>>(n / 4, 2.0f, (const float4 *)x, (float4 *)y);
  cudaDeviceSynchronize();
  return 0;
}
