// Windows of an image as columns, as a convolution by a matrix product needs them; max pooling.
#define KERNEL_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

__global__ void im2col(int n, const float *image, int height, int width, int size, int pad, int stride, int out_height,
                       int out_width, float *columns) {
  KERNEL_LOOP(index, n) {
    int w = index % out_width, h = (index / out_width) % out_height, channel = index / out_width / out_height;
    int h0 = h * stride - pad, w0 = w * stride - pad;
    float *column = columns + (channel * size * size * out_height + h) * out_width + w;
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) {
        int y = h0 + i, x = w0 + j;
        *column = y >= 0 && x >= 0 && y < height && x < width ? image[(channel * height + y) * width + x] : 0.0f;
        column += out_height * out_width;
      }
  }
}

__global__ void max_pool(int n, const float *image, int height, int width, int size, float *out, int *where) {
  KERNEL_LOOP(index, n) {
    int out_width = width / size, out_height = height / size;
    int w = index % out_width, h = (index / out_width) % out_height, channel = index / out_width / out_height;
    float best = -3.4e38f;
    int at = -1;
    for (int i = h * size; i < h * size + size; ++i)
      for (int j = w * size; j < w * size + size; ++j) {
        float value = image[(channel * height + i) * width + j];
        if (value > best) {
          best = value;
          at = i * width + j;
        }
      }
    out[index] = best;
    where[index] = at;
  }
}

void run(const float *image, float *columns, float *pooled, int *where) {
  const int channels = 3, height = 16, width = 16, size = 3, pad = 1, stride = 1;
  const int out_height = (height + 2 * pad - size) / stride + 1, out_width = (width + 2 * pad - size) / stride + 1;
  const int n = channels * out_height * out_width;
  im2col<<<(n + 255) / 256, 256>>>(n, image, height, width, size, pad, stride, out_height, out_width, columns);
  const int pooled_n = channels * (height / 2) * (width / 2);
  max_pool<<<(pooled_n + 127) / 128, 128>>>(pooled_n, image, height, width, 2, pooled, where);
}
