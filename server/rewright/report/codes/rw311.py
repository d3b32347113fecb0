"""RW311: threads write the same value to one element."""

from rewright.report.codes import Code
from rewright.report.phrases import access, collision, interval
from rewright.verdict import Role
from rewright.verdict.diagnostics.kernels import EqualWrites


def _message(diagnosis: EqualWrites) -> str:
    both = collision(diagnosis.collision, "with no barrier between")
    return f"{both}: both write the same value {interval(diagnosis.interval)}"


CODE = Code(
    code="RW311",
    title="equal values written",
    message=_message,
    related={Role.SECOND: lambda diagnosis: access(diagnosis.collision.second, diagnosis.collision.element)},
    page="""
Two threads write one element with no barrier between, but in every run both write the same value. The result does not
depend on the order, so this is a warning, and the verdict does not change. CUDA still calls it a race.

```rw
kernel flag(x: in f32[64], found: out s32[1]) {
  launch block(64)
  found[0] = 1                           // all threads write 1
}
```

**What to do.** Let one thread write (`if (threadIdx.x == 0)`), or use an atomic.
""",
)
