"""RW109: unknown operator."""

from rewright.report.codes import Code
from rewright.report.phrases import nearest
from rewright.verdict.diagnostics.names import UnknownOperator


def _message(told: UnknownOperator) -> str:
    return f"unknown operator `{told.name}`{nearest(told.nearest)}"


CODE = Code(
    code="RW109",
    title="unknown operator",
    message=_message,
    page="""
There is no operator of this name. Operators have their StableHLO names, with the short forms `max`, `min`, `exp` and
`dot`; arithmetic, comparisons and logic are written with signs.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  revers(reverse(X, A), A) => X
}
```

**What to do.** Correct the name; here is a list of all [operators](../operators.md). An operator of your own is
declared by `fn f: (T, T) -> T`.
""",
)
