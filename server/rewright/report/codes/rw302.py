"""RW302: threads of a warp wait for each other for ever."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.report.phrases import interval, thread, whole
from rewright.verdict import Role
from rewright.verdict.diagnostics.kernels import DeadlockOutsideMask, WarpDeadlock, Whereabouts


def _message(diagnosis: DeadlockOutsideMask | WarpDeadlock) -> str:
    where, when = whole(diagnosis.who), interval(diagnosis.interval)
    match diagnosis:
        case DeadlockOutsideMask(mask=mask):
            return f"deadlock: {where} waits here with the mask {mask:#x}, which does not name it {when}"
        case WarpDeadlock(mask=mask, other=other, whereabouts=whereabouts):
            left = whereabouts is Whereabouts.LEFT
            away = "has left the kernel" if left else "waits elsewhere, or for other threads"
            named = "" if mask is None else f" for the threads in the mask {mask:#x}"
            return f"deadlock: {where} waits here{named}, but {thread(other)} {away} {when}"
        case _:
            assert_never(diagnosis)


def _other(diagnosis: DeadlockOutsideMask | WarpDeadlock) -> str:
    return f"{thread(diagnosis.who if isinstance(diagnosis, DeadlockOutsideMask) else diagnosis.other)} waits here"


CODE = Code(
    code="RW302",
    title="deadlock",
    message=_message,
    related={Role.SECOND: lambda diagnosis: _other(diagnosis)},
    page="""
The kernel never ends: threads of one warp wait at a warp-level barrier, shuffle or vote for threads that never arrive.
These wait elsewhere, or with another mask. A thread that is not in its own mask waits forever, too.

```rw
kernel apart(x: inout s32[32]) {
  launch block(32)
  if thread.x < 16 { barrier(warp); barrier() } else { barrier(); barrier(warp) }
}
```

**What to do.** Use one mask that names exactly the threads that meet, and let all of them reach the same place.
""",
)
