"""RW206: a precondition that is not needed."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.rules import NotNeeded


def _message(diagnosis: NotNeeded) -> str:
    return f"this {diagnosis.what} is not needed: the rule was proved without it"


CODE = Code(
    code="RW206",
    title="not needed",
    message=_message,
    page="""
The rule holds without this precondition or assumption. It was proved again without it, for every type and in each
direction that it claims. If several carry this hint, all of them can be left out together. The verdict does not change.

```rw
rule r<T: any> {
  axes A
  map n, s, e on A
  tensor X: T[A: n]

  slice(X, s, e) => slice(X, s, e, 1)
  where s <= e                          // the left side is not valid otherwise
}
```

The search is short, so a precondition without this hint may be unneeded, too. Of two preconditions that imply each
other, the last one carries the hint.

**What to do.** Leave it out: a rewrite that asks for less applies more often. Or keep it, if it helps a reader.
""",
)
