"""RW103: another kind of name."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import AnotherKind


def _message(told: AnotherKind) -> str:
    fix = f" ({told.fix})" if told.fix else ""
    return f"`{told.name}` is {told.kind}, this place takes {told.wanted}{fix}"


CODE = Code(
    code="RW103",
    title="another kind of name",
    message=_message,
    page="""
The name is declared, but stands for something that does not fit here. Indices (maps and integers) and elements (scalars
and tensors) do not mix without a mark: `elem(k)` is the element of an integer `k`, and an `int` scalar used as an index
is its value.

```rw
rule r<T: num> {
  axes A
  map n on A
  int k
  tensor X: T[A: n]

  X + k => X + k         // write `elem(k)`
}
```

**What to do.** Use a name of the kind that the message asks for, or mark the step with `elem`.
""",
)
