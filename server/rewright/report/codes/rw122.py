"""RW122: type not admitted."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import TypeNotAdmitted


def _message(diagnosis: TypeNotAdmitted) -> str:
    return f"`{diagnosis.name}: {diagnosis.constraint}` cannot be `{diagnosis.type}`"


CODE = Code(
    code="RW122",
    title="type not admitted",
    message=_message,
    page="""
`check over` asks about a type that a type parameter of the rule does not admit. `any` admits all types, `num` all
numbers, `int` and `real` their machine types.

```rw
rule r<T: int> {
  axes A
  map n on A
  tensor X: T[A: n]

  X => X

  check over f32                        // `T` is an integer
}
```

**What to do.** Check over a type that fits, or widen the constraint.
""",
)
