"""RW410: sizes do not fit."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.graphs import SizesDiffer


def _message(diagnosis: SizesDiffer) -> str:
    return f"sizes of `{diagnosis.operator}` do not fit: `{diagnosis.left}` and `{diagnosis.right}`"


CODE = Code(
    code="RW410",
    title="sizes do not fit",
    message=_message,
    page="""
The operator needs equal sizes. Two sizes are the same if they are equal as polynomials in the names of the sizes, where
the sizes of mesh axes are known. Elementwise operands align from the right, as in NumPy; a size 1 is spread.

```rw
graph product(X: f32[m, k], A: f32[h, k]) -> Y {
  Y = X @ A                              // `transpose(A, [1, 0])` fits
}
```

**What to do.** Compare the shapes: hover over the names to see them, those of one rank.
""",
)
