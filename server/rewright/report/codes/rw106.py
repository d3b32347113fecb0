"""RW106: element types differ."""

from rewright.report.codes import Code, Facts


def _message(facts: Facts) -> str:
    operator = f"`{facts['operator']}`"
    if "operand" in facts:
        return f"{operator} takes a `{facts['left']}` as operand {facts['operand']}, got `{facts['right']}`"
    return f"{operator} needs one element type, has `{facts['left']}` and `{facts['right']}`"


CODE = Code(
    code="RW106",
    title="element types differ",
    message=_message,
    page="""
Operands have one element type, those of a `fn` the types of its parameters; comparisons give `pred`; the two sides of
a rule have the same type. Two type parameters are different types, whatever their constraints.

```rw
rule r<T: num> {
  axes A
  map n on A
  tensor X: T[A: n]
  tensor P: pred[A: n]

  select(X, P, P) => P   // the first operand of `select` is a `pred`
}
```

**What to do.** Compare (`X != 0`), convert, or declare the operands with one type.
""",
)
