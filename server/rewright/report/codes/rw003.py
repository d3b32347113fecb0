"""RW003: a brace is not closed."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.syntax import UnclosedBrace


def _message(told: UnclosedBrace) -> str:
    return f"the `{{` of {told.of} is not closed"


CODE = Code(
    code="RW003",
    title="a brace is not closed",
    message=_message,
    page="""
A declaration or a block has no closing `}`. The next declaration is read all the same: the words that start a
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
