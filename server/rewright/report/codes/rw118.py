"""RW118: incomplete declaration of a name."""

from rewright.report.codes import Code, Facts


def _message(facts: Facts) -> str:
    match facts["problem"]:
        case "constraint":
            return f"the type parameter `{facts['item']}` needs a constraint, as in `{facts['item']}: any`"
        case "value":
            return f"the type parameter `{facts['item']}` of a rule takes no value"
        case "size":
            return f"the size `{facts['item']}` of a kernel takes no type, only a value, as in `{facts['item']} = 512`"
        case "array":
            return f"the array `{facts['item']}` takes no value"
        case "shape":
            fix = "; declare a `tensor`" if facts["item"] == "scalar" else ""
            return f"a {facts['item']} has no axis groups{fix}"
        case "function shape":
            return "a function is of elements: its parameters and its result have no axis groups"
        case "parameters":
            return "a function has at least one parameter; declare a `scalar`"
        case "group":
            return "a size needs its axis group, as in `A: n`"
        case _:
            return "`check over` needs a type parameter to choose the type of"


CODE = Code(
    code="RW118",
    title="incomplete declaration of a name",
    message=_message,
    page="""
A type parameter needs a constraint and takes no value, a scalar has no shape, a `fn` has parameters without a shape,
and each size in a tensor's shape stands with its axis group. In a kernel, a size takes a value and no type, and an
array no value. `check over` chooses among the types of the type parameters, so there must be one.

```rw
rule r<T> {                             // write `<T: any>`
  axes A
  map n on A
  tensor X: T[n]                        // write `T[A: n]`

  X => X
}
```

**What to do.** Complete it as the message says.
""",
)
