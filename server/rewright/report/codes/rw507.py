"""RW507: a loop nest executes nothing."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.loops import NothingToExecute


def _message(diagnosis: NothingToExecute) -> str:
    return "vacuous: nothing is executed, at no size that `requires` allows"


CODE = Code(
    code="RW507",
    title="a loop nest executes nothing",
    message=_message,
    page="""
No statement of the nest is executed at any size: its loops are empty, or `requires` contradicts itself. Whatever is
said of such a nest says nothing.

```rw
loops empty(N) {
  array A: f64[N]
  for i in N..0 {                          // `step -1` is missing
    S: A[i] = 0.0
  }
}
```

**What to do.** Correct the bounds, or the requirement.
""",
)
