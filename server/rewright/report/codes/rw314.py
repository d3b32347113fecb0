"""RW314: a shuffle takes a value from a lane that does not take part."""

from rewright.report.codes import Code
from rewright.report.phrases import whole
from rewright.verdict.diagnostics.kernels import ShuffleFromInactiveLane


def _message(diagnosis: ShuffleFromInactiveLane) -> str:
    return f"{whole(diagnosis.who)} takes the value of lane {diagnosis.lane}, which does not take part in this shuffle"


CODE = Code(
    code="RW314",
    title="shuffle from an inactive lane",
    message=_message,
    page="""
A thread asks by a shuffle for the value of a lane that does not take part: that lane has left, waits elsewhere or is
not in the mask. The value that the thread gets is undefined.

```rw
kernel beyond(x: in f32[24], y: out f32[24]) {
  launch block(24)
  y[thread.x] = shuffle_down(x[thread.x], 8)   // lane 16 asks lane 24, which does not exist
}
```

**What to do.** Let every lane that is asked take part: shuffle outside the branch, with full warps, and ignore what is
not needed afterwards.
""",
)
