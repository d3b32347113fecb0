"""RW401: an output has no clean expression."""

from rewright.report.codes import Code
from rewright.report.departures import RELATED, departure
from rewright.verdict.diagnostics.graphs import NoCleanExpression


def _message(diagnosis: NoCleanExpression) -> str:
    return f"the ranks do not hold `{diagnosis.output}`{departure(diagnosis)}"


CODE = Code(
    code="RW401",
    title="an output has no clean expression",
    message=_message,
    related=RELATED,
    page="""
An output of the sequential graph cannot be rebuilt from what the ranks hold at the end by rearranging it (slices,
concatenations, transposes, reshapes) or by a reduction over ranks. So the distributed graph does not compute the same.

The report has an input at which an element of that output equals no entry of the distributed outputs, and no sum of one
entry from each of several ranks. It was replayed in exact arithmetic on all ranks.

**What to do.** Look at the operator that is underlined. Usually a collective is missing, or there is one too many.
""",
)
