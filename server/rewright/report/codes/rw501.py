"""RW501: an element is read or written at another time than its dependences allow."""

from rewright.report.codes import Code
from rewright.verdict import Role
from rewright.verdict.diagnostics.loops import ReadOrWrittenTooSoon

_INITIAL = "the initial value"


def _message(diagnosis: ReadOrWrittenTooSoon) -> str:
    reads = f"order: {diagnosis.operation} reads `{diagnosis.element}`"
    if diagnosis.found == _INITIAL:
        said = f"{reads} before {diagnosis.expected} wrote it"
    elif diagnosis.expected == _INITIAL:
        said = f"{reads} after {diagnosis.found} wrote it, its value should be {_INITIAL}"
    else:
        said = f"{reads} of {diagnosis.found}, it should be that of {diagnosis.expected}"
    said = f"{said} (first at {diagnosis.sizes})" if diagnosis.sizes else said
    return f"{said}; `{diagnosis.allowing}` allows it" if diagnosis.allowing else said


CODE = Code(
    code="RW501",
    title="a transform breaks a dependence",
    message=_message,
    related={
        Role.FIRST: lambda diagnosis: "the statement of the specification",
        Role.SECOND: lambda diagnosis: "the order of this loop is the wrong one",
    },
    page="""
An operation of the transform reads an element whose value comes from another write than in the specification: the
writer has not run yet, or a later one has overwritten it. The sizes are the smallest at which it happens. Both programs
were run at them, one operation at a time.

```rw
loops prefix(N) {
  array A: f64[N]
  for i in 1..N {
    S: A[i] = A[i-1] + A[i]
  }
}

transform backwards of prefix {
  for i in N - 1..0 step -1 {
    S: A[i] = A[i-1] + A[i]                // reads A[i-1] before it is written
  }
}
```

**What to do.** Keep the order in which the elements are written and read. A loop that carries a dependence can be
skewed, so that a tiling or an interchange becomes legal. If the values only pass through an array for a while, say
`private`; if terms are added up in another order and that may be so, say `reduction`: where one of them would do, the
message says so.
""",
)
