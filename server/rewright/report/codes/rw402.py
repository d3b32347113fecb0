"""RW402: an expectation about an output fails."""

from rewright.report.codes import Code
from rewright.report.departures import RELATED, departure
from rewright.verdict import Role
from rewright.verdict.diagnostics.graphs import HeldOtherwise


def _message(diagnosis: HeldOtherwise) -> str:
    return f"`{diagnosis.output}` is not held as `{diagnosis.placement}`{departure(diagnosis)}"


CODE = Code(
    code="RW402",
    title="an expectation about an output fails",
    message=_message,
    related={Role.FIRST: lambda _: "the expectation", **RELATED},
    page="""
A refinement states how the ranks hold an output, as in `expect Y: shard(0, dp)`. At the inputs that the report names
they hold something else. That was replayed in exact arithmetic on all ranks.

**What to do.** Correct the distributed graph, or the expectation if the output is meant to be held otherwise.
""",
)
