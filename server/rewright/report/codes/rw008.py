"""RW008: a string without its closing quote."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.syntax import UnclosedString


def _message(diagnosis: UnclosedString) -> str:
    return "the string has no closing quote on this line"


CODE = Code(
    code="RW008",
    title="unclosed string",
    message=_message,
    page="""
A string has no closing `"` on the line on which it begins.

```rw
import "other.rw
```

**What to do.** Add the closing `"`.
""",
)
