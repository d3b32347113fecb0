"""RW004: an attribute at a wrong place."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.syntax import MisplacedAttribute


def _message(diagnosis: MisplacedAttribute) -> str:
    return f"`{diagnosis.text}` must stand on a line of its own above a declaration"


CODE = Code(
    code="RW004",
    title="misplaced attribute",
    message=_message,
    page="""
An attribute such as `@expect(refuted)` must stand on a line of its own, directly above a declaration.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  @expect(refuted)         // belongs above the rule
  reverse(X, A) => X
}
```

**What to do.** Move it above the declaration.
""",
)
