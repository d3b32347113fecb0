"""RW316: a kernel writes constant memory."""

from rewright.report.codes import Code
from rewright.report.phrases import acts, element
from rewright.verdict.diagnostics.kernels import StoreToConstant


def _message(told: StoreToConstant) -> str:
    return f"{acts(told.act)} {element(told.element)}, which is constant memory: only the host may write it"


CODE = Code(
    code="RW316",
    title="store to constant memory",
    message=_message,
    page="""
A `__constant__` variable is written by the host (`cudaMemcpyToSymbol`) and read by kernels. A kernel that writes it, by
its name, through a pointer or a reference, or by an atomic, has no defined result: the machine caches constant memory
and does not expect it to change.

```rw
kernel keep(x: in f32[4]) from "keep.cu"::keep {
  launch block(4)
}
```

```cuda
// keep.cu
__constant__ float scale[4];

__global__ void keep(const float *x) {
  scale[threadIdx.x] = x[threadIdx.x];     // constant memory is only read here
}
```

**What to do.** Declare the variable `__device__` if kernels write it, or copy to it from the host before the launch.
""",
)
