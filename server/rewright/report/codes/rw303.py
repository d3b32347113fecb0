"""RW303: threads of a block wait at different barriers."""

from rewright.report.codes import Code
from rewright.report.phrases import interval, thread, whole
from rewright.verdict import Role
from rewright.verdict.diagnostics.kernels import BarrierDivergence, Whereabouts

_AWAY = {
    Whereabouts.LEFT: "has left the kernel",
    Whereabouts.PASSES_BY: "never comes here",
    Whereabouts.WAITS_ELSEWHERE: "waits elsewhere",
}


def _message(diagnosis: BarrierDivergence) -> str:
    away = f"{thread(diagnosis.other)} {_AWAY[diagnosis.whereabouts]}"
    return f"barrier divergence: {whole(diagnosis.who)} waits here, but {away} {interval(diagnosis.interval)}"


def _other(diagnosis: BarrierDivergence) -> str:
    return f"{thread(diagnosis.other)} {'leaves' if diagnosis.whereabouts is Whereabouts.LEFT else 'waits'} here"


CODE = Code(
    code="RW303",
    title="barrier divergence",
    message=_message,
    related={Role.SECOND: lambda diagnosis: _other(diagnosis)},
    page="""
A thread waits forever at a barrier of the whole block, because another thread does not reach that barrier. The other
one has left the kernel, waits elsewhere, or took another branch.

```rw
kernel half(x: inout f32[32]) {
  launch block(32)
  if thread.x < 16 { barrier() }         // the other threads never arrive
}
```

If whole warps have left by `return` before the barrier, it opens for the others: that is RW315, a warning.

**What to do.** Move the barrier out of the branch, so that every thread passes it. If threads leave early, guard what
follows instead. Quick fixes offer the one that suffices.
""",
)
