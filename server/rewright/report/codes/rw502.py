"""RW502: a transform leaves operations out."""

from rewright.report.codes import Code
from rewright.verdict import Role
from rewright.verdict.diagnostics.loops import NeverExecuted


def _message(diagnosis: NeverExecuted) -> str:
    first = f" (first at {diagnosis.sizes})" if diagnosis.sizes else ""
    more = f", nor {'is' if diagnosis.more == 1 else 'are'} {diagnosis.more} more" if diagnosis.more else ""
    return f"missing: {diagnosis.operation} is never executed{more}{first}"


CODE = Code(
    code="RW502",
    title="a transform leaves operations out",
    message=_message,
    related={
        Role.FIRST: lambda diagnosis: "the statement of the specification",
        Role.SECOND: lambda diagnosis: "this loop does not reach it",
    },
    page="""
The specification executes an operation that the transform does not. Usually a bound is off by one, or the rest of an
unrolled or tiled loop is missing. The sizes are the smallest at which it happens.

```rw
loops copy(N) {
  array A, B: f64[N]
  for i in 0..N {
    S: A[i] = B[i]
  }
}

transform short of copy {
  for i in 0..N - 1 {                      // N - 1 is left out
    S: A[i] = B[i]
  }
}
```

**What to do.** Correct the bound of the loop that is named, or add a loop for the rest.
""",
)
