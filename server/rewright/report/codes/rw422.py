"""RW422: a sum in fewer bits than its terms."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.graphs import NarrowTerms


def _message(diagnosis: NarrowTerms) -> str:
    terms = "" if diagnosis.terms is None else f"{diagnosis.terms} "
    before = "" if diagnosis.wider is None else f", which were `{diagnosis.wider}`"
    return f"{terms}terms are added in `{diagnosis.element}`{before}"


CODE = Code(
    code="RW422",
    title="a sum in fewer bits than its terms",
    message=_message,
    page="""
A reduction on one rank adds in `bf16` or `f16` numbers that were in a wider type, or more numbers than the type can
count: once a sum in `bf16` is 256, adding 1 leaves it as it is. In `f16` that is so from 2048 on.

It is a warning of its own. A refinement speaks of real numbers, and its verdict stays what it is.

**What to do.** Add in `f32`, and convert the sum.
""",
)
