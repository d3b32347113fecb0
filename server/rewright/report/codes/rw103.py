"""RW103: wrong kind of name."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import AnotherKind


def _message(diagnosis: AnotherKind) -> str:
    fix = f" ({diagnosis.fix})" if diagnosis.fix else ""
    return f"`{diagnosis.name}` is {diagnosis.kind}, expected {diagnosis.expected}{fix}"


CODE = Code(
    code="RW103",
    title="wrong kind of name",
    message=_message,
    page="""
The name is declared, but it stands for something that cannot be used here. Most often an index is used as an element,
or the other way round. Maps and integers are indices; scalars and tensors hold elements.

```rw
rule r<T: num> {
  axes A
  map n on A
  int k
  tensor X: T[A: n]

  X + k => X + k         // write `elem(k)`
}
```

**What to do.** Use a name of the kind that the message asks for. `elem(k)` makes an element of an index `k`. A scalar
of type `int` can be used as an index.
""",
)
