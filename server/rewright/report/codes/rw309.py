"""RW309: a race within a warp that only lock step would exclude."""

from rewright.report.codes import Code
from rewright.report.phrases import collision, interval, one_access, other_access

CODE = Code(
    code="RW309",
    title="relies on warp synchrony",
    message=lambda facts: (
        f"race within a warp: {collision(facts, 'with no barrier of the warp between')} {interval(facts)};"
        " threads of a warp do not run in lock step"
    ),
    related={"first": one_access, "second": other_access},
    page="""
Two threads of one warp access the same element, at least one of them writes, and only running in lock step would order
them. Since independent thread scheduling (sm_70) threads of a warp need not run so, not even where `volatile` is used.

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

Where such statements follow one another without a barrier, each races with the next, and through it with all others:
that is told once, at the first, with the other accesses beside it.

**What to do.** Put `__syncwarp()` (`barrier(warp)`) between the accesses, and between the reads and the next writes; or
use shuffles.
""",
)
