"""RW131: a kernel of which no launch is known."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.sources import NoLaunchKnown


def _message(diagnosis: NoLaunchKnown) -> str:
    offered = f"; state one above it, as in `{diagnosis.comment}`" if diagnosis.comment else ""
    reason = f" ({diagnosis.reason})" if diagnosis.reason else ": the source has no call of it"
    return f"`{diagnosis.kernel}` is not checked: no launch of it is known{reason}{offered}"


CODE = Code(
    code="RW131",
    title="no launch is known",
    message=_message,
    page="""
This kernel is not checked, because nothing says how it is launched: no comment above it states a launch, no `.rw` file
declares it, and the file has no call `kernel<<<grid, block>>>(…)`, or none that can be read. Nothing is
claimed about it. The message says which call there is, and what keeps it from being read.

```cuda
__global__ void fill(float *y, int n) {
  if (threadIdx.x < n) y[threadIdx.x] = 0;
}
```

**What to do.** State a launch in a comment above the kernel. In the editor, a lens above the kernel offers one that
fits.

```cuda
// rewright: launch block(256); n = 200
__global__ void fill(float *y, int n) {
  if (threadIdx.x < n) y[threadIdx.x] = 0;
}
```

`rewright check FILE.cu` exits with 2 if no kernel of the file has a launch.
""",
)
