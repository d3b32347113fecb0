"""RW204: no input satisfies the preconditions."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.rules import NothingSatisfies


def _message(diagnosis: NothingSatisfies) -> str:
    return "no input satisfies the preconditions and makes the left side valid, so the rule says nothing"


CODE = Code(
    code="RW204",
    title="no input satisfies the preconditions",
    message=_message,
    page="""
The rule says nothing: no input satisfies the preconditions and makes the left side valid. Such a rule is counted as
refuted, since it would be true of any two sides. Inputs of rank 0 do not count, because there every test on all axes
holds.

```rw
rule vacuous<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  reverse(X, A) => X
  where n < 0               // sizes are never negative
}
```

The solver decided that there is no input. The replay tried all small inputs and found none either.

**What to do.** Look for a precondition that contradicts another one, or that contradicts the validity of the left side.
""",
)
