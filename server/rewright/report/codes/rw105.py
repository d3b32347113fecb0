"""RW105: axis groups differ."""

from rewright.report.codes import Code
from rewright.report.phrases import groups
from rewright.verdict.diagnostics.names import GroupsDiffer


def _message(diagnosis: GroupsDiffer) -> str:
    both = f"has {groups(diagnosis.left)} and {groups(diagnosis.right)}"
    found = f"`{diagnosis.operator}` needs the same axis groups on both sides, {both}"
    is_scalar = not diagnosis.left or not diagnosis.right
    return (
        f"{found}; `broadcast` gives a scalar a shape" if is_scalar and diagnosis.operator in ("=>", "<=>") else found
    )


CODE = Code(
    code="RW105",
    title="axis groups differ",
    message=_message,
    page="""
Two tensors that must have the same axis groups do not. This is asked of the operands of an elementwise operator, the
parts of a concatenation, a tensor and its update, and the two sides of a rule. The order of groups does not matter.

```rw
rule r<T: num> {
  axes A, B
  map n on A
  map m on B
  tensor X: T[A: n]
  tensor Y: T[A: n, B: m]

  X + Y => Y             // X has no group `B`
}
```

A scalar, which has no groups, is spread where it meets a tensor as an operand. It is not spread as a whole side of a
rule.

**What to do.** Add the missing groups: `broadcast(X, B: m)`.
""",
)
