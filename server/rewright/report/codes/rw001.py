"""RW001: text that the grammar has no place for."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.syntax import UnexpectedText


def _message(diagnosis: UnexpectedText) -> str:
    return f"unexpected `{diagnosis.text}`"


CODE = Code(
    code="RW001",
    title="unexpected text",
    message=_message,
    page="""
The parser cannot use the text at this place. It skipped the text and read on: other declarations of the file are
checked as usual.

```rw
rule r<T: any> {
  axes A )          // the `)` closes nothing
}
```

**What to do.** Remove the text. Or look just before it for a missing bracket, comma or operator.
""",
)
