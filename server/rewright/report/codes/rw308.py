"""RW308: an assertion that does not hold."""

from rewright.report.codes import Code
from rewright.report.phrases import whole
from rewright.verdict.diagnostics.kernels import AssertionFails


def _message(diagnosis: AssertionFails) -> str:
    return f"the assertion does not hold for {whole(diagnosis.who)}"


CODE = Code(
    code="RW308",
    title="assertion fails",
    message=_message,
    page="""
An `assert` is false for some thread, at the launch in the message.

```rw
kernel bounded(y: out s32[64]) {
  launch block(64)
  assert thread.x < 32
  y[thread.x] = 1
}
```

**What to do.** Correct the kernel or the assertion. The hover shows the launch, the sizes and the thread.
""",
)
