"""RW101: unknown name."""

from rewright.report.codes import Code
from rewright.report.phrases import nearest
from rewright.verdict.diagnostics.names import UnknownName


def _message(diagnosis: UnknownName) -> str:
    return f"unknown {diagnosis.what} `{diagnosis.name}`{nearest(diagnosis.nearest)}"


CODE = Code(
    code="RW101",
    title="unknown name",
    message=_message,
    page="""
The name is not declared. Every axis group, map, integer, scalar, tensor and type parameter of a declaration has to be
declared in it. The names of other declarations are those of the same file and of the files that it imports. A name is
reported once, where it is first used.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: m]      // there is no `m`

  X => X
}
```

**What to do.** Declare the name, or correct it: the message offers the declared name that is spelled most alike.
""",
)
