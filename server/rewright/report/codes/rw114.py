"""RW114: axis group does not fit."""

from rewright.report.codes import Code, Facts


def _message(facts: Facts) -> str:
    group, operator = f"`{facts['group']}`", f"`{facts['operator']}`"
    match facts["problem"]:
        case "absent":
            return f"{operator} cannot use {group}: its operand has {facts['groups']}"
        case "present":
            return f"{operator} adds axis groups, and {group} is one of {facts['groups']} already"
        case "unnamed":
            return f"{operator} is not told what {group} is: {facts['given']}"
        case "both":
            return f"{operator} cannot use {group} as {facts['role']}: both operands have it"
        case "surplus":
            return f"{operator} works along one axis, {group} is a second one"
        case _:
            return f"the axis group {group} is there twice"


CODE = Code(
    code="RW114",
    title="axis group does not fit",
    message=_message,
    page="""
An operator names axis groups of its operand: those to be sliced, reversed, summed. Each must be a group of the operand,
and be named once; `broadcast` adds groups that are not there yet. `dot` says of each group that both operands have
whether it is contracted or a batch; `convolution` says which groups are batch, features and output features.

```rw
rule r<T: any> {
  axes A, B
  map n on A
  tensor X: T[A: n]

  reverse(X, B) => X                    // X has no group `B`
}
```

**What to do.** Name a group of the operand; hover over the operand to see which it has.
""",
)
