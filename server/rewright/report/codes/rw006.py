"""RW006: a chained comparison."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.syntax import ChainedComparison


def _message(diagnosis: ChainedComparison) -> str:
    return f"comparisons do not chain, write `{', '.join(diagnosis.links)}`"


CODE = Code(
    code="RW006",
    title="chained comparison",
    message=_message,
    page="""
A comparison has two operands: `0 <= a <= n` is not read as two comparisons.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  slice(X, 0, n) => X
  where 0 <= n <= 7
}
```

**What to do.** Write both, separated by a comma: `0 <= a, a <= n`.
""",
)
