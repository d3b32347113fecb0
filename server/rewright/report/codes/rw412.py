"""RW412: a size is no number of elements."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.graphs import NoWholeSize


def _message(diagnosis: NoWholeSize) -> str:
    return f"a size is a number of elements, got `{diagnosis.size}`"


CODE = Code(
    code="RW412",
    title="a size is no number of elements",
    message=_message,
    page="""
A size that is a number has to be a whole one. Where a size is cut into parts by `/`, by `reduce_scatter` or by
`all_to_all`, the number of parts must divide it.

```rw
graph part(X: f32[6/tp]) -> X on mesh(tp = 4) {
}
```

**What to do.** Choose a size that the number of ranks divides.
""",
)
