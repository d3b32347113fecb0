"""RW503: a transform executes more than the specification."""

from rewright.report.codes import Code
from rewright.verdict import Role
from rewright.verdict.diagnostics.loops import ExecutedTooOften


def _message(diagnosis: ExecutedTooOften) -> str:
    first = f" (first at {diagnosis.sizes})" if diagnosis.sizes else ""
    return f"extra: {diagnosis.operation} writes `{diagnosis.element}` once more than the specification{first}"


CODE = Code(
    code="RW503",
    title="a transform executes more than the specification",
    message=_message,
    related={Role.SECOND: lambda diagnosis: "in this loop"},
    page="""
An operation of the transform writes an element to which the specification writes nothing any more, or nothing at all.
Usually a bound is off by one, or tiles overlap. It is an error even if the same value is written twice.

```rw
loops copy(N) {
  array A, B: f64[N]
  for i in 0..N {
    S: A[i] = B[i]
  }
}

transform overlapping of copy {
  for ii in 0..N step 4, i in ii..min(ii + 5, N) {   // tiles of 4, but 5 are executed
    S: A[i] = B[i]
  }
}
```

**What to do.** Correct the bound of the loop that is named.
""",
)
