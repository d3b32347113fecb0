"""RW505: a subscript is outside its array."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.loops import OutsideArray


def _message(diagnosis: OutsideArray) -> str:
    first = f" (first at {diagnosis.sizes})" if diagnosis.sizes else ""
    where = f"dimension {diagnosis.dimension} of which has the size {diagnosis.size}"
    return f"bounds: {diagnosis.operation} accesses `{diagnosis.element}`, {where}{first}"


CODE = Code(
    code="RW505",
    title="a subscript is outside its array",
    message=_message,
    page="""
At some size a statement of a loop nest accesses an element that its array does not have. The sizes are the smallest at
which it happens.

```rw
loops differences(N) {
  array A, B: f64[N]
  for i in 0..N {
    S: A[i] = B[i + 1] - B[i]              // B[N] at the last iteration
  }
}
```

**What to do.** Correct the subscript or the bound, declare the array larger, or state in `requires` what holds of the
parameters.
""",
)
