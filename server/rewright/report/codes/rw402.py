"""RW402: an expectation about an output fails."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.report.departures import RELATED, departure
from rewright.verdict import Role
from rewright.verdict.diagnostics.graphs import HeldOtherwise, SidesDiffer


def _message(diagnosis: HeldOtherwise | SidesDiffer) -> str:
    match diagnosis:
        case HeldOtherwise(output=output, placement=placement):
            return f"`{output}` is not held as `{placement}`{departure(diagnosis)}"
        case SidesDiffer(left=left, right=right):
            return f"`{left} = {right}` does not hold{departure(diagnosis)}"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW402",
    title="an expectation about an output fails",
    message=_message,
    related={Role.FIRST: lambda _: "the expectation", **RELATED},
    page="""
A refinement states how the ranks hold an output, as in `expect Y: shard(0, dp)`, or what both graphs are to agree on,
as in `expect transpose(Y, [1, 0]) = all_gather(Y, 1, over = dp)`. At the inputs that the report names they hold
something else. That was replayed in exact arithmetic on all ranks.

**What to do.** Correct the distributed graph, or the expectation if the output is meant to be held otherwise.
""",
)
