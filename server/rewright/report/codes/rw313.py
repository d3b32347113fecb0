"""RW313: threads of different blocks race."""

from rewright.report.codes import Code
from rewright.report.phrases import access, collision
from rewright.verdict import Role
from rewright.verdict.diagnostics.kernels import RaceBetweenBlocks


def _message(diagnosis: RaceBetweenBlocks) -> str:
    return f"race between blocks: {collision(diagnosis.collision, 'and nothing orders blocks')}"


CODE = Code(
    code="RW313",
    title="race between blocks",
    message=_message,
    related={Role.SECOND: lambda diagnosis: access(diagnosis.collision.second, diagnosis.collision.element)},
    page="""
Threads of two blocks access the same element of global memory, at least one of them writes, and not both accesses are
atomic. Nothing orders the blocks of a launch, not even a barrier, so the result is not determined.

```rw
kernel total(x: in f32[64], y: inout f32[1]) {
  launch grid(2), block(1)
  y[0] += x[block.x]                     // both blocks read and write `y[0]`
}
```

**What to do.** Use an atomic, or give each block elements of its own. If one access has to come later, launch a second
kernel for it.
""",
)
