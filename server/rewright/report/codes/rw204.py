"""RW204: no input satisfies the preconditions."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.rules import NothingSatisfies


def _message(told: NothingSatisfies) -> str:
    return "no input satisfies the preconditions and makes the left side valid, so the rule says nothing"


CODE = Code(
    code="RW204",
    title="nothing satisfies the preconditions",
    message=_message,
    page="""
Success on nothing is a failure: with every axis group at rank 1 or more (where its class allows), no input
satisfies the preconditions and makes the left side valid. At rank 0 every test on all axes holds, so rank 0 does
not count as an input here.

```rw
rule vacuous<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  reverse(X, A) => X
  where n < 0               // sizes are never negative
}
```

That there is no input was decided by the solver; an exhaustive search over small inputs by the replay found none
either.

**What to do.** Look for a precondition that contradicts another one, or the validity of the left side.
""",
)
