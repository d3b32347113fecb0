"""RW307: an integer division by zero."""

from rewright.report.codes import Code
from rewright.report.phrases import whole
from rewright.verdict.diagnostics.kernels import IntegerDividedByZero


def _message(diagnosis: IntegerDividedByZero) -> str:
    return f"{whole(diagnosis.who)} divides an integer by zero"


CODE = Code(
    code="RW307",
    title="division by zero",
    message=_message,
    page="""
A thread divides an integer by zero. The result is undefined.

```rw
kernel inverse(y: out s32[64]) {
  launch block(64)
  y[thread.x] = 1000 / thread.x          // thread 0
}
```

**What to do.** Guard the division, or state with `requires` that the divisor is not zero.
""",
)
