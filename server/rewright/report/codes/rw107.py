"""RW107: element type not unique."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import TypeNotUnique


def _message(told: TypeNotUnique) -> str:
    fix = f", write `{told.fix}`" if told.fix else ""
    return f"the element type of `{told.what}` is not unique here{fix}"


CODE = Code(
    code="RW107",
    title="element type not unique",
    message=_message,
    page="""
The type of number literals, `iota`, `elem`, `lowest` and `highest` follows from what they meet. Here nothing says
which type is meant.

```rw
rule r {
  axis d
  map n on d

  iota(d, d: n) => iota(d, d: n)        // of which type?
}
```

**What to do.** Name the type: `iota(int, d, d: n)`, `elem(T, 0)`.
""",
)
