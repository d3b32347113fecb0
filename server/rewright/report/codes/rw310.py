"""RW310: a construct of a kernel that is not checked."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.kernels import NotChecked


def _message(diagnosis: NotChecked) -> str:
    return f"not checked: {diagnosis.reason}"


CODE = Code(
    code="RW310",
    title="kernel not checked",
    message=_message,
    page="""
The kernel is unknown, and nothing is claimed about it. It uses a construct that this version does not check, or no
launch and contents were found at which it can run.

```rw
kernel none_fits(y: out s32[64]) {
  launch block(64)
  requires 1 == 2                        // no contents are as required
  y[thread.x] = 1
}
```

Other reasons have codes of their own: [RW318](RW318.md), a budget that is used up; [RW319](RW319.md), data that is
handed over by atomics; [RW320](RW320.md), a result that depends on the last places of floats.

**What to do.** Change what the message names, at its place, or check the rest of the kernel without it.
""",
)
