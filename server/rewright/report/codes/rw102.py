"""RW102: name already taken."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.verdict import Role
from rewright.verdict.diagnostics.names import NameTaken, TakenBy


def _message(diagnosis: NameTaken) -> str:
    match diagnosis.by:
        case TakenBy.BUILT_IN:
            return f"`{diagnosis.name}` has a fixed meaning and cannot be declared"
        case TakenBy.IMPORT:
            return f"`{diagnosis.name}` is already the name of an imported declaration"
        case TakenBy.DECLARATION:
            return f"`{diagnosis.name}` is already declared"
        case _:
            assert_never(diagnosis.by)


CODE = Code(
    code="RW102",
    title="name already taken",
    message=_message,
    related={Role.FIRST: lambda diagnosis: f"`{diagnosis.name}` is first declared here"},
    page="""
The name already stands for something else here. All names of a declaration share one namespace: axis groups, maps,
integers, scalars, tensors, type parameters, `let`s and bound indices. The names of declarations are unique in a file,
imported ones included. Names of operators (`slice`, `max`, …) and of types (`int`, `f32`, …) cannot be declared.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor n: T[A: n]      // `n` is a map already

  n => n
}
```

There is one exception. The parameters of a kernel `from` a source may be called as they are there: `min: f32` is a
parameter, and `min(a, b)` the function.

**What to do.** Choose another name.
""",
)
