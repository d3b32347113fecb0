"""RW110: needs a single axis."""

from rewright.report.codes import Code, Facts

CODE: Code[Facts] = Code(
    code="RW110",
    title="needs a single axis",
    message=lambda facts: (
        f"`{facts['operator']}` works along one axis, `{facts['group']}` is an axis group; "
        f"declare `axis {facts['group']}`"
    ),
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
