"""RW210: the left side is defined nowhere."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.rules import DefinedNowhere


def _message(diagnosis: DefinedNowhere) -> str:
    return "the rule was proved, but no element of this is defined, so that nothing was compared"


CODE = Code(
    code="RW210",
    title="defined nowhere",
    message=_message,
    page="""
The rule holds, but it says nothing: whatever the input is, no element of the left side is defined. A rule claims
something only where the left side is defined. The warning stands at the smallest part of which that is so. The verdict
does not change.

```rw
rule r<T: real> {
  axes A
  map n on A
  tensor X: T[A: n]
  log(-exp(X)) => X
}
```

**What to do.** Look at the domains of the operators: a logarithm needs an element above 0, a square root one that is
not below 0, a quotient a divisor other than 0. A sign or an argument may be wrong.
""",
)
