"""RW108: wrong arguments."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.report.phrases import groups
from rewright.verdict.diagnostics.names import (
    MixedAttributes,
    NeededByGroup,
    OperandCount,
    OperatorAttributeTwice,
    OperatorNeeds,
    SurplusAttribute,
    UnknownOperatorAttribute,
)

WrongArguments = (
    OperandCount
    | SurplusAttribute
    | UnknownOperatorAttribute
    | OperatorNeeds
    | OperatorAttributeTwice
    | MixedAttributes
    | NeededByGroup
)


def _message(diagnosis: WrongArguments) -> str:
    operator = f"`{diagnosis.operator}`"
    match diagnosis:
        case OperandCount(expected=expected, given=given):
            return f"{operator} takes {expected} operand{'' if expected == 1 else 's'}, got {given}"
        case SurplusAttribute(accepted=accepted):
            return f"{operator} takes no further attribute here, only {accepted}"
        case UnknownOperatorAttribute(attribute=attribute, accepted=""):
            return f"`{attribute}` is not an attribute of {operator}"
        case UnknownOperatorAttribute(attribute=attribute, accepted=accepted):
            return f"`{attribute}` is not an attribute of {operator}, which takes {accepted}"
        case OperatorNeeds(attribute=attribute):
            return f"{operator} needs {attribute}"
        case OperatorAttributeTwice(attribute=attribute):
            return f"`{attribute}` of {operator} is given twice"
        case MixedAttributes():
            return f"{operator} takes its attributes either one after the other or by axis group, not both"
        case NeededByGroup(form=form, groups=known):
            over = "" if known is None else f", as the tensor has {groups(known)}"
            return f"{operator} takes its attributes by axis group here, as in `{form}`{over}"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW108",
    title="wrong arguments",
    message=_message,
    page="""
The operator does not take these arguments. There are too many or too few operands, or an attribute is unknown, missing
or given twice. If a tensor has one axis group, attributes stand one after the other. If it has several, they stand by
group.

```rw
rule r<T: any> {
  axes A, B
  map n on A
  map m on B
  tensor X: T[A: n, B: m]

  slice(X, 0, n) => X                   // by group: `slice(X, A: (0, n))`
}
```

**What to do.** Look up the [operator](../operators.md), or hover over its name.
""",
)
