"""RW119: `let` defined by itself."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import LetNeedsItself


def _message(diagnosis: LetNeedsItself) -> str:
    return f"the `let` of `{diagnosis.name}` needs its own value"


CODE = Code(
    code="RW119",
    title="`let` defined by itself",
    message=_message,
    page="""
A `let` uses its own name, directly or by way of other `let`s. It may use other `let`s, above or below it, as long as
none of them needs it.

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

**What to do.** Break the cycle. If the value is unknown, declare it by `map` or `int`, and state what holds of it in
`where`.
""",
)
