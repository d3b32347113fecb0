"""RW205: a rule's question was not decided."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.rules import NotDecided


def _message(told: NotDecided) -> str:
    return f"not decided: {told.reason}"


CODE = Code(
    code="RW205",
    title="not decided",
    message=_message,
    page="""
The rule was neither proved nor refuted. The message says why: a construct that this version does not decide yet, a
hole (`?`) that is still open, or a budget that ran out.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  reverse(X, A) => slice(X, ?, n)
}
```

**What to do.** A hole among the preconditions (`where ?`) or in an attribute (`low = ?`) is filled by a quick fix: an
expression, or up to three preconditions with the share of small inputs that each keeps. Each was found by replaying
small inputs and then proved; where none is offered within seconds, none was found. If the budget ran out, allow more
with `@budget(3)` above the rule (three times the usual steps). If an operator is not supported yet, the rule stays
unknown; it is never counted as proved. To accept this for now, say so: `@expect(unknown)`.
""",
)
