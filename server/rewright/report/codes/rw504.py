"""RW504: a transform executes another operation than is due."""

from rewright.report.codes import Code
from rewright.verdict import Role
from rewright.verdict.diagnostics.loops import AnotherOperation


def _message(diagnosis: AnotherOperation) -> str:
    first = f" (first at {diagnosis.sizes})" if diagnosis.sizes else ""
    allowed = f"; `{diagnosis.allowing}` allows it" if diagnosis.allowing else ""
    if not diagnosis.reads:
        return f"operation: {diagnosis.operation} is executed where {diagnosis.due} is due{first}{allowed}"
    reads, should = diagnosis.reads, diagnosis.should_read
    return f"operation: {diagnosis.operation} reads `{reads}`, {diagnosis.due} reads `{should}`{first}{allowed}"


CODE = Code(
    code="RW504",
    title="a transform executes another operation",
    message=_message,
    related={Role.FIRST: lambda diagnosis: "the statement of the specification"},
    page="""
The n-th write to an element is not the operation that it is in the specification: it is another statement, it computes
something else, or it reads another element. A statement is compared as it is written: `B[i] + 0` is not `B[i]`.

```rw
loops copy(N) {
  array A: f64[N]
  array B: f64[N + 1]
  for i in 0..N {
    S: A[i] = B[i]
  }
}

transform shifted of copy {
  for i in 0..N {
    S: A[i] = B[i + 1]
  }
}
```

**What to do.** Correct the subscript, or write the statement as the specification does. If it adds up terms whose order
may change, say `reduction` and its label.
""",
)
