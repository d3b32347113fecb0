"""RW311: threads write the same value to one element."""

from rewright.report.codes import Code
from rewright.report.phrases import collision, interval, other_access

CODE = Code(
    code="RW311",
    title="equal values written",
    message=lambda facts: f"{collision(facts, 'with no barrier between')}: both write the same value {interval(facts)}",
    related={"second": other_access},
    page="""
Two threads write one element with no barrier between, and in every run that was made both write the same value. The
result does not depend on the order, so this is a warning and leaves the verdict; the language still calls it a race.

```rw
kernel flag(x: in f32[64], found: out s32[1]) {
  launch block(64)
  found[0] = 1                           // all threads write 1
}
```

**What to do.** Let one thread write (`if (threadIdx.x == 0)`), or make it an atomic.
""",
)
