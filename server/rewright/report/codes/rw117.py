"""RW117: wrong expression here."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.report.phrases import groups
from rewright.verdict.diagnostics.names import CannotStandHere, NotAScalar


def _message(diagnosis: CannotStandHere | NotAScalar) -> str:
    match diagnosis:
        case CannotStandHere(what=what, expected=expected):
            return f"{what} is not allowed here, expected {expected}"
        case NotAScalar(groups=known, expected=expected):
            return f"a tensor over {groups(known)} is not allowed here, expected {expected}"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW117",
    title="wrong expression here",
    message=_message,
    page="""
The expression is well formed, but an expression of this kind has no meaning at this place. Examples are a list instead
of an index, a fraction as a size, and a tensor in a `where`, which is about sizes and attributes only.

```rw
rule r<T: num> {
  axes A
  map n on A
  tensor X: T[A: n]

  X => X

  where X > 0                           // write `assume forall i on A: X[i] > 0`
}
```

**What to do.** Write what the message expects. State what you know of a tensor's contents with
`assume forall i on A: …`.
""",
)
