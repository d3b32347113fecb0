"""RW421: narrowed before a sum over ranks."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.graphs import NarrowedBeforeSum


def _message(diagnosis: NarrowedBeforeSum) -> str:
    narrowed = f"narrowed from `{diagnosis.wider}` to `{diagnosis.element}`"
    return f"this is {narrowed} before it is added over the ranks, and not after"


CODE = Code(
    code="RW421",
    title="narrowed before a sum over ranks",
    message=_message,
    page="""
What the ranks add was computed in a wider element type, and converted to `bf16` or `f16` just before the collective. So
each rank's part is rounded, and each addition. Converted after the collective, the sum is rounded once.

It is a warning of its own. A refinement speaks of real numbers, and its verdict stays what it is.

**What to do.** Move the conversion behind the collective, unless half the bytes on the wire are worth it.
""",
)
