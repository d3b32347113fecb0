// A sparse matrix by rows times a vector, a thread or a warp for each row; rows gathered by an index.
__global__ void spmv_scalar(int rows, const int *starts, const int *columns, const float *values, const float *x,
                            float *y) {
  int row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row < rows) {
    float sum = 0.0f;
    for (int i = starts[row]; i < starts[row + 1]; ++i) sum += values[i] * x[columns[i]];
    y[row] = sum;
  }
}

__global__ void gather_rows(const float *table, const int *indices, float *out, int columns) {
  int row = indices[blockIdx.x];
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] = table[row * columns + i];
}

void run(const int *starts, const int *columns, const float *values, const float *x, float *y, const int *indices) {
  spmv_scalar<<<4, 64>>>(256, starts, columns, values, x, y);
  gather_rows<<<16, 64>>>(values, indices, y, 128);
}
