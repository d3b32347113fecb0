"""RW114: axis group does not fit."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.report.phrases import groups
from rewright.verdict.diagnostics.names import (
    GroupAbsent,
    GroupOfBoth,
    GroupPresent,
    GroupTwice,
    GroupWithoutRole,
    SurplusGroup,
)

WrongGroup = GroupAbsent | GroupPresent | GroupWithoutRole | GroupOfBoth | SurplusGroup | GroupTwice


def _message(diagnosis: WrongGroup) -> str:
    match diagnosis:
        case GroupAbsent(operator=operator, group=group, groups=known):
            return f"`{operator}` cannot use `{group}`: its operand has {groups(known)}"
        case GroupPresent(operator=operator, group=group, groups=known):
            return f"`{operator}` adds axis groups, and `{group}` is one of {groups(known)} already"
        case GroupWithoutRole(operator=operator, group=group, given=given):
            return f"`{operator}` needs the role of `{group}`: {given}"
        case GroupOfBoth(operator=operator, group=group, role=role):
            return f"`{operator}` cannot use `{group}` as {role}: both operands have it"
        case SurplusGroup(operator=operator, group=group):
            return f"`{operator}` works along one axis, `{group}` is a second one"
        case GroupTwice(group=group):
            return f"the axis group `{group}` occurs twice"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW114",
    title="axis group does not fit",
    message=_message,
    page="""
The operator names an axis group that does not fit its operand. A group to be sliced, reversed or summed must be a group
of the operand, and be named once. A group that `broadcast` adds must be new. `dot` says of each group that both
operands have whether it is contracted or a batch. `convolution` says which groups are batch, features and output
features.

```rw
rule r<T: any> {
  axes A, B
  map n on A
  tensor X: T[A: n]

  reverse(X, B) => X                    // X has no group `B`
}
```

**What to do.** Name a group that fits. Hover over the operand to see its groups.
""",
)
