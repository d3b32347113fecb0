"""RW307: an integer division by zero."""

from rewright.report.codes import Code
from rewright.report.phrases import of_block, thread

CODE = Code(
    code="RW307",
    title="division by zero",
    message=lambda facts: f"{thread(facts)}{of_block(facts)} divides an integer by zero",
    page="""
An integer is divided by zero, which is undefined.

```rw
kernel inverse(y: out s32[64]) {
  launch block(64)
  y[thread.x] = 1000 / thread.x          // thread 0
}
```

**What to do.** Guard the division, or state with `requires` that the divisor is not zero.
""",
)
