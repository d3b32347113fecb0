"""RW207: only empty results satisfy the preconditions."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.rules import OnlyEmptyResults


def _message(diagnosis: OnlyEmptyResults) -> str:
    return "the rule was proved, but only inputs with an empty result satisfy the preconditions"


CODE = Code(
    code="RW207",
    title="only empty results",
    message=_message,
    page="""
The rule holds, but it may not say what you mean: every input that satisfies the preconditions has an empty result, so
no element was ever compared. The verdict does not change.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  slice(X, n, n) => slice(reverse(X, A), n, n)
}
```

**What to do.** Look for a precondition that forces a size to 0.
""",
)
