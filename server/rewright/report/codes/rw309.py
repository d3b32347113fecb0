"""RW309: a race within a warp that only lock step would exclude."""

from rewright.report.codes import Code
from rewright.report.phrases import access, collision, interval
from rewright.verdict import Role
from rewright.verdict.diagnostics.kernels import RaceWithinWarp


def _message(diagnosis: RaceWithinWarp) -> str:
    race = f"{collision(diagnosis.collision, 'with no barrier of the warp between')} {interval(diagnosis.interval)}"
    return f"race within a warp: {race}; threads of a warp do not run in lock step"


CODE = Code(
    code="RW309",
    title="relies on warp synchrony",
    message=_message,
    related={
        Role.FIRST: lambda diagnosis: access(diagnosis.collision.first, diagnosis.collision.element),
        Role.SECOND: lambda diagnosis: access(diagnosis.collision.second, diagnosis.collision.element),
    },
    page="""
Two threads of one warp access the same element, at least one of them writes, and nothing but lockstep orders them.
Since independent thread scheduling (sm_70), threads of a warp need not run in lockstep, even if `volatile` is used. So
the result is not determined.

```rw
kernel tail(x: in f32[64], y: out f32[1]) {
  launch block(64)
  shared s: f32[64]
  s[thread.x] = x[thread.x]
  barrier()
  if thread.x < 32 {
    s[thread.x] += s[thread.x + 32]
    s[thread.x] += s[thread.x + 16]      // may be read before it is written
  }
  barrier()
  if thread.x == 0 { y[0] = s[0] }
}
```

In a sequence of such statements without a barrier, each races with the next. That is reported once, at the first, with
the other accesses as related places.

**What to do.** Put `__syncwarp()` (`barrier(warp)`) between the accesses, and between the reads and the next writes. Or
use shuffles.
""",
)
