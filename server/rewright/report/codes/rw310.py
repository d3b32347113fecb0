"""RW310: a construct of a kernel that is not checked."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.kernels import NotChecked


def _message(told: NotChecked) -> str:
    return f"not checked: {told.reason}"


CODE = Code(
    code="RW310",
    title="not checked",
    message=_message,
    page="""
The kernel uses a construct that this version does not check, or no launch and contents were found at which it can be
run. The kernel is unknown for that reason, and nothing is claimed about it. RW318 says that a budget is used up, RW319
that data is handed over by atomics, RW320 that the result depends on the last places of floats.

```rw
kernel none_fits(y: out s32[64]) {
  launch block(64)
  requires 1 == 2                        // no contents are as required
  y[thread.x] = 1
}
```

**What to do.** The message says what is not handled, at its place.
""",
)
