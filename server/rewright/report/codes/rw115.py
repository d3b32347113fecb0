"""RW115: not defined on this element type."""

from rewright.report.codes import Code, Facts


def _message(facts: Facts) -> str:
    type_ = facts["type"] if facts["type"] == facts["constraint"] else f"{facts['type']}: {facts['constraint']}"
    return f"`{facts['operator']}` needs {facts['need']}, elements of `{type_}` have none"


CODE = Code(
    code="RW115",
    title="not defined on this element type",
    message=_message,
    page="""
Elements of type `any` are only moved and selected, so that one proof covers every type. Arithmetic, order and
literals need numbers (`num`, `int`, `real`, a machine type), `==` and `!=` need anything but `any`, logic needs
`pred`, and a literal like `0.5` needs `real` or a float.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]

  X + X => X                            // declare `<T: num>`
}
```

**What to do.** Choose a constraint that has what the rule uses.
""",
)
