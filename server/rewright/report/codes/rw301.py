"""RW301: two threads race within a block."""

from rewright.report.codes import Code
from rewright.report.phrases import access, collision, interval
from rewright.verdict import Role
from rewright.verdict.diagnostics.kernels import DataRace


def _message(diagnosis: DataRace) -> str:
    return f"data race: {collision(diagnosis.collision, 'with no barrier between')} {interval(diagnosis.interval)}"


CODE = Code(
    code="RW301",
    title="data race",
    message=_message,
    related={Role.SECOND: lambda diagnosis: access(diagnosis.collision.second, diagnosis.collision.element)},
    page="""
Two threads of one block access the same element, at least one of them writes, and no barrier stands between. Which
access comes first is not determined, so the result of the kernel is not determined either. Two atomics do not race.

```rw
kernel reversed(x: in f32[256], y: out f32[256]) {
  launch block(256)
  shared buf: f32[256]
  buf[thread.x] = x[thread.x]
  y[thread.x] = buf[255 - thread.x]      // may be read before it is written
}
```

The message names the element, the two threads, the iterations of the loops around each access, and the barrier
interval: the number of barriers of the block before it. Both accesses are underlined. The race was replayed: the two
threads ran to the two accesses without a barrier between. `volatile`, fences, votes and shuffles order nothing.

**What to do.** Put a barrier (`barrier()`, `__syncthreads()`) between the two accesses that all threads of the block
reach. The quick fix puts it at the latest place that removes the race.
""",
)
