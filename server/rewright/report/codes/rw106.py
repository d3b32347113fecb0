"""RW106: element types differ."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import ElementTypesDiffer, OperandType


def _message(diagnosis: ElementTypesDiffer | OperandType) -> str:
    match diagnosis:
        case ElementTypesDiffer(operator=operator, left=left, right=right):
            return f"`{operator}` needs one element type, got `{left}` and `{right}`"
        case OperandType(operator=operator, operand=operand, expected=expected, given=given):
            return f"`{operator}` takes a `{expected}` as operand {operand}, got `{given}`"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW106",
    title="element types differ",
    message=_message,
    page="""
Two elements that must have the same type do not. Operands have one element type, the operands of a `fn` have those of
its parameters, and the two sides of a rule have the same type. Comparisons give `pred`. Two type parameters are
different types, whatever their constraints.

```rw
rule r<T: num> {
  axes A
  map n on A
  tensor X: T[A: n]
  tensor P: pred[A: n]

  select(X, P, P) => P   // the first operand of `select` is a `pred`
}
```

**What to do.** Compare (`X != 0` is a `pred`), or declare the operands with one type.
""",
)
