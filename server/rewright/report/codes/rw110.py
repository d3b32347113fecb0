"""RW110: needs a single axis."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import NeedsSingleAxis


def _message(told: NeedsSingleAxis) -> str:
    return f"`{told.operator}` works along one axis, `{told.group}` is an axis group; declare `axis {told.group}`"


CODE = Code(
    code="RW110",
    title="needs a single axis",
    message=_message,
    page="""
`iota` counts along one axis and `concatenate` joins along one. An axis group (`axes A`) may have any number of axes.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X, Y: T[A: n]

  concatenate(X, Y, A) => X             // along which axis of `A`?
}
```

**What to do.** Declare the axis as `axis d`, beside the group of the others if there are any.
""",
)
