"""RW303: threads of a block wait at different barriers."""

from rewright.report.codes import Code, Facts
from rewright.report.phrases import interval, of_block, thread

_ELSEWHERE = {"left": "has left the kernel", "passes by": "never comes here", "waits elsewhere": "waits elsewhere"}


def _message(facts: Facts) -> str:
    other = _ELSEWHERE[facts["second"]]
    return (
        f"barrier divergence: {thread(facts)}{of_block(facts)} waits here, but"
        f" {thread(facts, 'second')} {other} {interval(facts)}"
    )


def _other(facts: Facts) -> str:
    return f"{thread(facts, 'second')} {'leaves' if facts['second'] == 'left' else 'waits'} here"


CODE = Code(
    code="RW303",
    title="barrier divergence",
    message=_message,
    related={"second": _other},
    page="""
A barrier of the whole block must be reached by all its threads, at the same place. Here one thread waits while
another has left the kernel, waits elsewhere, or went another way and never comes to the barrier.

```rw
kernel half(x: inout f32[32]) {
  launch block(32)
  if thread.x < 16 { barrier() }         // the other threads never come
}
```

Where whole warps have left by `return` before the barrier, it opens for the others: that is RW315, a warning.

**What to do.** Move the barrier out of the branch, so that every thread passes it; where threads leave early, guard
what follows instead. Quick fixes do either where that is enough.
""",
)
