"""RW121: groups of different rank classes."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import OtherRankClass


def _message(diagnosis: OtherRankClass) -> str:
    return f"`{diagnosis.source}` cannot be renamed to `{diagnosis.target}`: they are of different rank classes"


CODE = Code(
    code="RW121",
    title="groups of different rank classes",
    message=_message,
    page="""
`transpose` renames one axis group to another that may have a different rank. Source and target must have the same rank
and corresponding axes, so they have to be linked by `~`.

```rw
rule r<T: any> {
  axes A, B                             // write `axes A ~ B`
  map n on A
  tensor X: T[A: n]

  transpose(X, A -> B) => X
}
```

**What to do.** Declare the groups in one rank class: `axes A ~ B`.
""",
)
