"""RW316: a kernel writes constant memory."""

from rewright.report.codes import Code
from rewright.report.phrases import acts, element
from rewright.verdict.diagnostics.kernels import StoreToConstant


def _message(diagnosis: StoreToConstant) -> str:
    return f"{acts(diagnosis.act)} {element(diagnosis.element)}, which is constant memory: only the host may write it"


CODE = Code(
    code="RW316",
    title="store to constant memory",
    message=_message,
    page="""
The kernel writes a `__constant__` variable, by its name, through a pointer or a reference, or by an atomic. The result
is undefined: the hardware caches constant memory and does not expect it to change during a launch. The host writes such
a variable (`cudaMemcpyToSymbol`), and kernels read it.

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
