"""RW120: unknown element type."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import UnknownElementType


def _message(diagnosis: UnknownElementType) -> str:
    return f"`{diagnosis.name}` is not an element type; known are {diagnosis.accepted}"


CODE = Code(
    code="RW120",
    title="unknown element type",
    message=_message,
    page="""
There is no element type of this name. The message lists those that can stand here.

```rw
rule r<T: number> {                     // write `<T: num>`
  axes A
  map n on A
  tensor X: T[A: n]

  X => X

  check over float                      // write `f32`
}
```

**What to do.** Use one of the types in the message. [Types](../reference/types.md) says what each stands for.
""",
)
