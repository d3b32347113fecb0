"""RW102: name already taken."""

from rewright.report.codes import Code, Facts
from rewright.verdict import Role


def _message(facts: Facts) -> str:
    match facts["by"]:
        case "built-in":
            return f"`{facts['name']}` has a fixed meaning and cannot be declared"
        case "import":
            return f"`{facts['name']}` is already the name of an imported declaration"
        case _:
            return f"`{facts['name']}` is already declared"


CODE = Code(
    code="RW102",
    title="name already taken",
    message=_message,
    related={Role.FIRST: lambda facts: f"`{facts['name']}` is first declared here"},
    page="""
A declaration has one namespace for its axis groups, maps, integers, scalars, tensors, type parameters, `let`s and
bound indices, and the names of declarations are unique in a file, imported ones included. Names of operators (`add`,
`slice`, `max`, …) and of types (`int`, `f32`, …) cannot be declared. Only the parameters of a kernel `from` a source
may be called as they are there: `min: f32` is a parameter, and `min(a, b)` the function.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor n: T[A: n]      // `n` is a map already

  n => n
}
```

**What to do.** Choose another name.
""",
)
