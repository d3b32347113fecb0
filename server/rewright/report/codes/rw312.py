"""RW312: a barrier that is not needed."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.kernels import BarrierNotNeeded


def _message(diagnosis: BarrierNotNeeded) -> str:
    return f"this barrier is not needed: without it nothing goes wrong at {diagnosis.launches}"


CODE = Code(
    code="RW312",
    title="barrier not needed",
    message=_message,
    page="""
The kernel gives the same verdict without this barrier, so nothing needs the order that it makes. It costs time and can
mislead a reader. The kernel was checked once more without it, at the same launches.

```rw
kernel twice(x: in f32[64], y: out f32[64]) {
  launch block(64)
  shared s: f32[64]
  s[thread.x] = x[thread.x]
  barrier()                              // each thread reads what it wrote
  y[thread.x] = s[thread.x]
}
```

**What to do.** Remove the barrier, if the launches that were run are those that matter.
""",
)
