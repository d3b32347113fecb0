"""RW110: single axis needed."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import NeedsSingleAxis


def _message(diagnosis: NeedsSingleAxis) -> str:
    group = diagnosis.group
    return f"`{diagnosis.operator}` works along one axis, `{group}` is an axis group; declare `axis {group}`"


CODE = Code(
    code="RW110",
    title="single axis needed",
    message=_message,
    page="""
The operator works along exactly one axis, but an axis group (`axes A`) can have any number of axes.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X, Y: T[A: n]

  concatenate(X, Y, A) => X             // along which axis of `A`?
}
```

**What to do.** Declare the axis as `axis d`, next to the group of the other axes if there are any.
""",
)
