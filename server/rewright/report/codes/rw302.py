"""RW302: threads of a warp wait for each other for ever."""

from rewright.report.codes import Code, Facts
from rewright.report.phrases import interval, of_block, thread


def _message(facts: Facts) -> str:
    if facts["second"] == "outside":
        who = f"{thread(facts)}{of_block(facts)}"
        return f"deadlock: {who} waits here with the mask {facts['mask']}, which does not name it {interval(facts)}"
    other = "has left the kernel" if facts["second"] == "left" else "waits elsewhere, or for other threads"
    mask = f" for the threads in the mask {facts['mask']}" if facts["mask"] else ""
    return (
        f"deadlock: {thread(facts)}{of_block(facts)} waits here{mask}, but"
        f" {thread(facts, 'second')} {other} {interval(facts)}"
    )


CODE = Code(
    code="RW302",
    title="deadlock",
    message=_message,
    related={"second": lambda facts: f"{thread(facts, 'second')} waits here"},
    page="""
Threads of one warp wait at warp-level barriers, shuffles or votes for threads that never come: those wait elsewhere, or
at such a barrier with another mask. Nobody can go on. A thread that waits with a mask in which it is not named itself
waits for ever, too.

```rw
kernel apart(x: inout s32[32]) {
  launch block(32)
  if thread.x < 16 { barrier(warp); barrier() } else { barrier(); barrier(warp) }
}
```

**What to do.** Give all threads that are to meet the same mask, one that names exactly them, and let them meet at one
place that all of them reach.
""",
)
