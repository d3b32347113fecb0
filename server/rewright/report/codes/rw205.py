"""RW205: a rule's question was not decided."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.rules import NotDecided


def _message(diagnosis: NotDecided) -> str:
    return f"not decided: {diagnosis.reason}"


CODE = Code(
    code="RW205",
    title="not decided",
    message=_message,
    page="""
The rule was neither proved nor refuted, and is not counted as proved. The message says why: a construct that this
version does not decide, an open hole (`?`), or a budget that ran out.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  reverse(X, A) => slice(X, ?, n)
}
```

**What to do.** That depends on the reason:

* *An open hole.* The quick fix fills `where ?` or `low = ?` with an expression, or offers up to three preconditions and
  says which share of small inputs each keeps. Each was found by replaying small inputs, and then proved. If none is
  offered within seconds, none was found.
* *A budget that ran out.* Put `@budget(3)` above the rule for three times the usual steps.
* *A construct that is not decided.* The rule stays unknown. To accept that for now, put `@expect(unknown)` above it.
""",
)
