"""RW005: a reserved word used as a name."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.syntax import WordAsName


def _message(diagnosis: WordAsName) -> str:
    return f"`{diagnosis.word}` starts a declaration and cannot be a name"


CODE = Code(
    code="RW005",
    title="reserved word",
    message=_message,
    page="""
The words that start a declaration, such as `rule`, `kernel` or `lift`, cannot be names. They are reserved everywhere,
so that a half-typed declaration does not swallow the next one. All other words can be names where a name is expected.

```rw
rule r<T: any> {
  axes A
  map lift on A            // `lift` starts a declaration
}
```

**What to do.** Choose another name. If you meant to start a declaration, start it on a new line.
""",
)
