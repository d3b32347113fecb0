// The types of enums: what they state, how large they are, what their enumerators convert to.
#include <cstdint>
enum Plain { PA, PB = 5, PC };
enum Small : unsigned char { SA = 200, SB };
enum class Scoped : short { A = -3, B, C = 30000 };
enum class Wide : unsigned long long { A = 1, B = 0xffffffff00ull };
enum Large { LA = 0xffffffff };
typedef enum { TA = 2, TB } Named;
enum struct Kind : std::int8_t { A = -1 };
namespace inner { enum class Deep : unsigned { A = 7 }; }
struct Holder { Small s; Scoped t; Plain p; enum Mode : char { M = 3 } m; };
template <Small S> __device__ int chosen() { return S == SB ? 1 : 2; }
__global__ void enums(int *ints, float *reals, const int *in, int n) {
  int i = threadIdx.x;
  Small small = i ? SA : SB;
  Scoped scoped = i == 2 ? Scoped::C : Scoped::A;
  Wide wide = Wide::B;
  ints[i] = small + 100;
  ints[4 + i] = (int)scoped;
  ints[8 + i] = (int)((unsigned long long)wide >> 8);
  ints[12] = sizeof(Plain) + 10 * sizeof(Small) + 100 * sizeof(Scoped) + 1000 * sizeof(Wide);
  ints[13] = sizeof(Holder);
  ints[14] = LA / 2;
  ints[15] = TB;
  ints[16] = (int)Kind::A;
  ints[17] = (int)inner::Deep::A + chosen<SB>();
  ints[18] = (Small)300;
  ints[19] = (int)(Scoped)70000;
  Holder h = {SA, Scoped::B, PC, Holder::M};
  ints[20 + i] = h.s + (int)h.t + h.p + h.m;
  switch (scoped) {
    case Scoped::A: ints[24 + i] = 1; break;
    case Scoped::C: ints[24 + i] = 2; break;
    default: ints[24 + i] = 3;
  }
  enum Plain again = PB;
  ints[28] = again + Plain::PC;
  struct Holder k = h;
  ints[29] = k.p;
}
