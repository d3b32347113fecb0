"""RW118: incomplete declaration of a name."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import IncompleteDeclaration, WrongPart


def _message(diagnosis: IncompleteDeclaration) -> str:
    item = diagnosis.item
    match diagnosis.part:
        case WrongPart.CONSTRAINT:
            return f"the type parameter `{item}` needs a constraint, as in `{item}: any`"
        case WrongPart.VALUE:
            return f"the type parameter `{item}` of a rule takes no value"
        case WrongPart.SIZE:
            return f"the size `{item}` of a kernel takes no type, only a value, as in `{item} = 512`"
        case WrongPart.ARRAY:
            return f"the array `{item}` takes no value"
        case WrongPart.SHAPE:
            return f"a {item} has no axis groups{'; declare a `tensor`' if item == 'scalar' else ''}"
        case WrongPart.FUNCTION_SHAPE:
            return "a function maps elements to an element: its parameters and its result have no axis groups"
        case WrongPart.PARAMETERS:
            return "a function has at least one parameter; declare a `scalar`"
        case WrongPart.GROUP:
            return "a size needs its axis group, as in `A: n`"
        case WrongPart.PLUS:
            return f"`axis {item}` is exactly one axis, without `+`; a group of one or more is `axes {item}+`"
        case WrongPart.TYPE_PARAMETER:
            return "`check over` needs a type parameter to choose the type of"
        case _:
            assert_never(diagnosis.part)


CODE = Code(
    code="RW118",
    title="incomplete declaration of a name",
    message=_message,
    page="""
Something is missing in the declaration of a name, or it has something that this kind of name does not take. A type
parameter needs a constraint and takes no value. A scalar has no shape. A `fn` has parameters without a shape. Each size
in a tensor's shape stands with its axis group. A single `axis` takes no `+`. In a kernel, a size takes a value and no
type, and an array takes no value. `check over` needs a type parameter to choose types for.

```rw
rule r<T> {                             // write `<T: any>`
  axes A
  map n on A
  tensor X: T[n]                        // write `T[A: n]`

  X => X
}
```

**What to do.** Complete the declaration as the message says.
""",
)
