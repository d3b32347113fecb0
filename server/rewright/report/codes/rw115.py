"""RW115: not defined on this element type."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import NotDefinedOnType


def _message(diagnosis: NotDefinedOnType) -> str:
    type_ = diagnosis.type if diagnosis.type == diagnosis.constraint else f"{diagnosis.type}: {diagnosis.constraint}"
    return f"`{diagnosis.operator}` needs {diagnosis.need}, elements of `{type_}` have none"


CODE = Code(
    code="RW115",
    title="not defined on this element type",
    message=_message,
    page="""
The element type does not have this operator. Elements of type `any` can only be moved and selected, so that one proof
covers every type. Arithmetic, order and number literals need numbers, equality needs any type but `any`, and logic
needs `pred` or machine integers.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]

  X + X => X                            // declare `<T: num>`
}
```

**What to do.** Choose a constraint that has what the rule uses: `num` for arithmetic, `real` for fractions such as
`0.5`. [Types](../reference/types.md) lists them.
""",
)
