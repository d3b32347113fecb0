"""RW420: a sum over ranks in few bits."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.graphs import NarrowSum

BITS = {"f16": 11, "bf16": 8}
"""Binary digits of a number of each type, the leading one counted."""


def _message(diagnosis: NarrowSum) -> str:
    return f"this is added over the ranks in `{diagnosis.element}`, which keeps {BITS[diagnosis.element]} binary digits"


CODE = Code(
    code="RW420",
    title="a sum over ranks in few bits",
    message=_message,
    page="""
A collective adds what the ranks hold in `bf16` or `f16`. Each addition rounds, so the result depends on the number of
ranks and on the order in which they are added; gradients drift from those of one device.

It is a warning of its own. A refinement speaks of real numbers, and its verdict stays what it is.

**What to do.** Convert to `f32` before the collective and back after it, or accept what is lost.
""",
)
