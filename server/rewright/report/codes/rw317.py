"""RW317: atomics of block scope meet atomics of another block."""

from rewright.report.codes import Code
from rewright.report.phrases import access, collision
from rewright.verdict import Role
from rewright.verdict.diagnostics.kernels import BlockScopeBetweenBlocks


def _message(diagnosis: BlockScopeBetweenBlocks) -> str:
    return f"block scope: {collision(diagnosis.collision)}, which needs an atomic of device scope"


CODE = Code(
    code="RW317",
    title="atomic of block scope between blocks",
    message=_message,
    related={Role.SECOND: lambda diagnosis: access(diagnosis.collision.second, diagnosis.collision.element)},
    page="""
Threads of two blocks change the same element by atomics, and at least one of these has block scope: its name ends in
`_block`. Such an atomic is atomic only for the threads of its own block. Another block may interfere, and an update may
be lost.

```rw
kernel count(total: inout u32[1]) from "count.cu"::count {
  launch grid(2), block(32)
}
```

```cuda
// count.cu
__global__ void count(unsigned *total) {
  atomicAdd_block(total, 1);            // both blocks change `total[0]`
}
```

**What to do.** Use the function without `_block`, or give each block an element of its own.
""",
)
