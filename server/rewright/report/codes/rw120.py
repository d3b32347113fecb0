"""RW120: unknown element type."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import UnknownElementType


def _message(told: UnknownElementType) -> str:
    return f"`{told.name}` is no element type, there are {told.accepted}"


CODE = Code(
    code="RW120",
    title="unknown element type",
    message=_message,
    page="""
The constraint of a type parameter is `any`, `num`, `int`, `real`, `pred` or a machine type; `check over` takes
concrete types.

```rw
rule r<T: number> {                     // write `<T: num>`
  axes A
  map n on A
  tensor X: T[A: n]

  X => X

  check over float                      // write `f32`
}
```

**What to do.** Use one of the types that the message lists.
""",
)
