"""RW203: the right side is not valid."""

from rewright.report.codes import Code
from rewright.report.phrases import instance
from rewright.verdict.diagnostics.rules import SideNotValid


def _message(diagnosis: SideNotValid) -> str:
    return f"the {diagnosis.side} side is not valid: {diagnosis.reason}{instance(diagnosis.given)}"


CODE = Code(
    code="RW203",
    title="the right side is not valid",
    message=_message,
    page="""
The rule is wrong: for the input in the message, the left side is valid and the right side is not. The right side breaks
a condition of one of its operators, such as a slice that starts after its limit. This counts even if the result is
empty. For the reverse claim of `<=>`, the sides are exchanged.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  reverse(X, A) => slice(X, 1, n)        // at n = 0 the slice starts after its end
  where n <= 0
}
```

**What to do.** Correct the attribute, or exclude the input with a `where`. The quick fix offers preconditions with
which the rule was proved.
""",
)
