"""RW007: a number that ends in a dot."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.syntax import NumberEndsInDot


def _message(diagnosis: NumberEndsInDot) -> str:
    return f"a number does not end in a dot, write `{diagnosis.text}.0` or `{diagnosis.text}`"


CODE = Code(
    code="RW007",
    title="number ends in a dot",
    message=_message,
    page="""
A number must not end in a dot, which could be taken for the start of a range such as `0..n`.

```rw
rule r<T: real> {
  axes A
  map n on A
  tensor X: T[A: n]
  X => X + 0.
}
```

**What to do.** Write `1.0` for a fraction and `1` for an integer.
""",
)
