"""RW318: a kernel takes more than it may."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.kernels import BudgetUsedUp

_HOW = "`@budget(3)` above the declaration or in the launch comment allows three times as many"


def _message(diagnosis: BudgetUsedUp) -> str:
    raised = f"; {_HOW}" if diagnosis.can_be_raised else ""
    return f"not decided within the budget: {diagnosis.reason}{raised}"


CODE = Code(
    code="RW318",
    title="budget used up",
    message=_message,
    page="""
The check of this kernel was not finished, and nothing is claimed about it. Either the steps of its budget are used up,
or it exceeds a fixed limit: the bytes of all its arrays, or the accesses between two barriers. Errors that were found
before are reported, and the kernel is then refuted, not unknown.

```rw
kernel long(y: out s32[64]) {
  launch block(64)
  for i in 0..1000000000 { y[thread.x] = i }
}
```

**What to do.** Give smaller sizes. If steps ran out, the message says so, and you can allow more: with `@budget(3)`
above a declaration in a `.rw` file, with `@budget(3)` in the launch comment of a `.cu` file, or for all questions with
`budget` under `[check]` in `rewright.toml`.
""",
)
