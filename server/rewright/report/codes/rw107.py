"""RW107: ambiguous element type."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import TypeNotUnique


def _message(diagnosis: TypeNotUnique) -> str:
    fix = f", write `{diagnosis.fix}`" if diagnosis.fix else ""
    return f"the element type of `{diagnosis.what}` is not unique here{fix}"


CODE = Code(
    code="RW107",
    title="ambiguous element type",
    message=_message,
    page="""
Nothing says which element type is meant. The type of number literals, `iota`, `elem`, `lowest` and `highest` comes from
the elements that they are combined with, and here there are none.

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
