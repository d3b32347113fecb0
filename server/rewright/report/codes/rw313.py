"""RW313: threads of different blocks race."""

from rewright.report.codes import Code
from rewright.report.phrases import collision, other_access

CODE = Code(
    code="RW313",
    title="race between blocks",
    message=lambda facts: f"race between blocks: {collision(facts, 'and nothing orders blocks')}",
    related={"second": other_access},
    page="""
Threads of two blocks access the same element of global memory, at least one of them writes, not both atomically.
Nothing orders the blocks of a launch, no barrier of a block either.

```rw
kernel total(x: in f32[64], y: inout f32[1]) {
  launch grid(2), block(1)
  y[0] += x[block.x]                     // both blocks read and write `y[0]`
}
```

**What to do.** Use an atomic, give each block elements of its own, or launch a second kernel for what has to come
later.
""",
)
