"""RW202: the two sides have different shapes."""

from rewright.report.codes import Code
from rewright.report.phrases import instance
from rewright.verdict.diagnostics.rules import ShapesDiffer


def _message(diagnosis: ShapesDiffer) -> str:
    sizes = f"the left side has size {diagnosis.left} on {diagnosis.axis}, the right side {diagnosis.right}"
    return f"{sizes}{instance(diagnosis.given)}"


CODE = Code(
    code="RW202",
    title="the sides have different shapes",
    message=_message,
    page="""
The rule is wrong: for the input in the message, the two sides have different shapes. The input satisfies the
preconditions, and the left side is valid for it. Shapes must be equal even if the result is empty.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  slice(X, 1, n) => X      // the left is shorter
  where n >= 1
}
```

**What to do.** Correct the sizes that the right side computes, or exclude the input with a `where`. The quick fix
offers preconditions with which the rule was proved.
""",
)
