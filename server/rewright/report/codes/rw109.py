"""RW109: unknown operator."""

from rewright.report.codes import Code
from rewright.report.phrases import nearest
from rewright.verdict.diagnostics.names import UnknownOperator


def _message(diagnosis: UnknownOperator) -> str:
    return f"unknown operator `{diagnosis.name}`{nearest(diagnosis.nearest)}"


CODE = Code(
    code="RW109",
    title="unknown operator",
    message=_message,
    page="""
There is no operator of this name. Operators have the names of StableHLO, and some have a short form, such as `max` for
`maximum`. Arithmetic, comparisons and logic are written with signs and words: `X + Y`, `X <= Y`, `P and Q`.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  revers(reverse(X, A), A) => X
}
```

**What to do.** Correct the name; see the list of [operators](../operators.md). To use an operator of your own, declare
`fn f: (T, T) -> T`.
""",
)
