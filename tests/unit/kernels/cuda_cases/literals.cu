__global__ void literals(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  out[0] = 'a'; out[1] = '\n'; out[2] = '\0'; out[3] = '\x41'; out[4] = '\101'; out[5] = '\''; out[6] = '\\';
  out[7] = '\xff'; out[8] = 017 + 0b101 + 0x1F; out[9] = 1'000; out[10] = sizeof(4294967295) + sizeof(1u) + sizeof('a');
  out[11] = (2147483648 > 0) + (0xffffffff > 0) + (4000000000u > 0); real[0] = 1.5e2f + .5f + 3.f; real[1] = 0x1.8p3f;
#if '\101' == 65 && '\x41' == 'A' && 010 == 8 && 'ab' != 'b'
  out[12] = 1;
#endif
}
