"""RW306: a vector access that is not aligned."""

from rewright.report.codes import Code
from rewright.report.phrases import acts, element
from rewright.verdict.diagnostics.kernels import MisalignedAccess


def _message(diagnosis: MisalignedAccess) -> str:
    reached = f"{diagnosis.width} bytes at {element(diagnosis.element)}, byte {diagnosis.offset} of the array"
    return f"misaligned: {acts(diagnosis.act)} {reached}, not a multiple of {diagnosis.alignment}"


CODE = Code(
    code="RW306",
    title="misaligned access",
    message=_message,
    page="""
A thread accesses several elements at once (`float4`, `reinterpret_cast<float2 *>`) at an address that is not a multiple
of the access's width. The hardware stops the kernel there.

```rw
kernel quarter(x: in f32[64], y: out f32[64]) from "quarter.cu"::quarter {
  launch block(15)
}
```

```cuda
// quarter.cu
__global__ void quarter(const float *x, float *y) {
  float4 v = reinterpret_cast<const float4 *>(x + threadIdx.x)[0];   // thread 1 reads at byte 4
  y[threadIdx.x] = v.x + v.y + v.z + v.w;
}
```

**What to do.** Index the array in units of the vector (`reinterpret_cast<const float4 *>(x)[i]`), or read the elements
one by one.
""",
)
