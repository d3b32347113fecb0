constexpr int WIDTH = 4, AREA = WIDTH * WIDTH;
enum Colour { RED, GREEN = 5, BLUE };
enum class Mode : int { slow, fast = 7 };
typedef float number; using word = unsigned int;
__constant__ int table[3] = {7, 8, 9};
__device__ const float weights[] = {0.5f, 1.5f, 2.5f, 3.5f};
namespace deep { namespace er { const int K = 9; } static const int L = er::K + 1; }
__global__ void outside(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  out[0] = WIDTH * t + AREA; out[1] = RED + BLUE; out[2] = table[t % 3]; real[0] = weights[t];
  out[3] = (int)Mode::fast; Mode m = Mode::slow;
  out[4] = m == Mode::slow; number x = 2.5f; real[1] = x; word w = -1; out[5] = w > 0;
  enum { HERE = 6, THERE }; out[6] = THERE; out[7] = deep::er::K;
  const int fixed = WIDTH - 1; int list[fixed] = {}; out[8] = sizeof(list); static const int kept = 4;
  out[9] = kept; constexpr float scale = 0.5f; real[2] = scale * t;
  using namespace deep; out[10] = L; using alias = int; alias y = 3; out[11] = y;
  out[12] = sizeof(number) + sizeof(short) + sizeof(t);
  out[13] = (number)t + (word)(3); out[14] = static_cast<unsigned char>(in[t]);
  out[15] = (short)(in[t] * 1000) + (bool)in[t];
}
