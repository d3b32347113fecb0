"""RW008: a string without its closing quote."""

from rewright.report.codes import Code

CODE = Code(
    code="RW008",
    title="string is not closed",
    message=lambda facts: "the string has no closing quote on this line",
    page="""
A string ends on the line on which it begins.

```rw
import "other.rw
```

**What to do.** Add the closing `"`.
""",
)
