"""RW202: the two sides have different shapes."""

from rewright.report.codes import Code
from rewright.report.phrases import instance
from rewright.verdict.diagnostics.rules import ShapesDiffer


def _message(told: ShapesDiffer) -> str:
    sizes = f"the left side has size {told.left} on {told.axis}, the right side {told.right}"
    return f"{sizes}{instance(told.given)}"


CODE = Code(
    code="RW202",
    title="the shapes differ",
    message=_message,
    page="""
The rule is refuted: there is an input that satisfies the preconditions and makes the left side valid, and the two
sides have different shapes. Shapes must be equal also when the result is empty.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  slice(X, 1, n) => X      // the left is shorter
  where n >= 1
}
```

**What to do.** Correct the sizes that the right side computes, or exclude the input with a `where`: the quick fix
offers preconditions with which the rule was proved.
""",
)
