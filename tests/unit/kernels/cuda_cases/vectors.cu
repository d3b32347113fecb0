__global__ void vectors(int *ints, float *reals, const int *in, int n) {
  int t = threadIdx.x; int *out = ints + t * 16; float *real = reals + t * 16;
  float4 v = make_float4(t, 1, 2.5f, 3); v.y += v.x; real[0] = v.y; float4 w = v; w.x = 9;
  real[1] = v.x + w.x;
  float2 pair = {1.5f, (float)t}; pair = make_float2(pair.y, pair.x); real[2] = pair.x; real[3] = pair.y;
  const int4 four = reinterpret_cast<const int4 *>(&in[t * 4])[0]; out[0] = four.x + four.w;
  int4 fill = {1, 2};
  *(int4 *)(&out[4]) = four; ((int2 *)out)[4] = make_int2(t, -t); out[10] = fill.y + fill.z;
  float4 many[2] = {};
  many[1].z = 4; real[4] = many[t % 2].z; float *inside = &v.x; real[5] = inside[2];
  out[11] = sizeof(float4) + sizeof(float3);
  float3 three = {1, 2, 3}; float3 copy; copy = three; real[6] = copy.z; real[7] = (t > 1 ? v : w).x;
  reinterpret_cast<float4 *>(&real[8])[0] = v; auto z = v; z.w = 1; real[12] = z.w + v.w;
}
