"""RW303: threads of a block wait at different barriers."""

from rewright.report.codes import Code, Facts
from rewright.report.phrases import interval, of_block, thread


def _message(facts: Facts) -> str:
    other = "has left the kernel" if facts["second"] == "left" else "waits elsewhere"
    return (
        f"barrier divergence: {thread(facts)}{of_block(facts)} waits here, but"
        f" {thread(facts, 'second')} {other} {interval(facts)}"
    )


CODE = Code(
    code="RW303",
    title="barrier divergence",
    message=_message,
    related={"second": lambda facts: f"{thread(facts, 'second')} waits here"},
    page="""
A barrier of the whole block must be reached by all its threads, at the same place. Here one thread waits while
another has left the kernel or waits elsewhere.

```rw
kernel half(x: inout f32[32]) {
  launch block(32)
  if thread.x < 16 { barrier() }         // the other threads never come
}
```

**What to do.** Move the barrier out of the branch, so that every thread passes it; where threads leave early, guard
what follows instead. Quick fixes do either where that is enough.
""",
)
