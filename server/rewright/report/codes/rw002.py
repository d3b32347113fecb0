"""RW002: something is missing."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.syntax import SomethingMissing


def _message(diagnosis: SomethingMissing) -> str:
    return f"missing {diagnosis.what}"


CODE = Code(
    code="RW002",
    title="something is missing",
    message=_message,
    page="""
The declaration is not complete: at this place a name, a bracket or an operand must follow.

```rw
rule r<T: any> {
  axes A
  map n on          // on which axis group?
}
```

**What to do.** Write what the message asks for. An item ends at the end of its line, unless a bracket is open, a comma
or an operator stands at the end, or the next line starts with `=>`.
""",
)
