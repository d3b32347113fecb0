"""RW510: an array of a loop nest has another number of subscripts."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.loops import SubscriptCount


def _message(diagnosis: SubscriptCount) -> str:
    of, given = diagnosis.expected, diagnosis.given
    return f"`{diagnosis.array}` has {of} dimension{'s' * (of != 1)}, got {given} subscript{'s' * (given != 1)}"


CODE = Code(
    code="RW510",
    title="another number of subscripts than dimensions",
    message=_message,
    page="""
An array of a loop nest takes a subscript for each dimension with which it is declared.

```rw
loops rows(N) {
  array A: f64[N, N]
  for i in 0..N {
    S: A[i] = 0.0
  }
}
```

**What to do.** Write all subscripts, or correct the declaration of the array.
""",
)
