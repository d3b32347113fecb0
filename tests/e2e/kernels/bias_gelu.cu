// Adds a bias to each row of an activation and applies GELU to the sum, four values at a time.
#include <torch/extension.h>
#include <cuda_runtime.h>

__device__ __forceinline__ float gelu(float x) {
  return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

__global__ void bias_gelu(const float *bias, float *x, int cols) {
  float *row = x + blockIdx.x * cols;
  for (int c = 4 * threadIdx.x; c < cols; c += 4 * blockDim.x) {
    float4 v = *reinterpret_cast<float4 *>(&row[c]);
    const float4 b = *reinterpret_cast<const float4 *>(&bias[c]);
    v.x = gelu(v.x + b.x);
    v.y = gelu(v.y + b.y);
    v.z = gelu(v.z + b.z);
    v.w = gelu(v.w + b.w);
    *reinterpret_cast<float4 *>(&row[c]) = v;
  }
}

torch::Tensor bias_gelu(torch::Tensor x, torch::Tensor bias) {
  const int rows = x.size(0);
  const int cols = x.size(1);
  const int threads = 256;
  bias_gelu<<<rows, threads>>>(bias.data_ptr<float>(), x.data_ptr<float>(), cols);
  return x;
}
