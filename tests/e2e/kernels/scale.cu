// Every element times a factor, one thread each.
__global__ void scale(const float *x, float *y, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = factor * x[i];
  }
}
