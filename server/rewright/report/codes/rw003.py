"""RW003: missing closing brace."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.syntax import UnclosedBrace


def _message(diagnosis: UnclosedBrace) -> str:
    return f"the `{{` of {diagnosis.of} is not closed"


CODE = Code(
    code="RW003",
    title="missing closing brace",
    message=_message,
    page="""
A declaration or a block has no closing `}`. The declarations after it are read all the same, since a word that starts a
declaration cannot stand inside another one.

```rw
rule open<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  reverse(reverse(X, A), A) => X

rule next<T: any> {        // `open` ends here at the latest
  axes A
  map n on A
  tensor X: T[A: n]
  X => X
}
```

**What to do.** Add the `}`.
""",
)
