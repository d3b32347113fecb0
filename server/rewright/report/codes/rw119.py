"""RW119: `let` that needs itself."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import LetNeedsItself


def _message(told: LetNeedsItself) -> str:
    return f"the `let` of `{told.name}` needs its own value"


CODE = Code(
    code="RW119",
    title="`let` that needs itself",
    message=_message,
    page="""
A `let` names an expression; it may use other `let`s, above or below it, but not itself.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  let a = b + 1
  let b = a + 1                         // `a` needs `b`, `b` needs `a`

  X => X
}
```

**What to do.** Break the cycle. An unknown value is declared by `map` or `int` and fixed by a `where`.
""",
)
