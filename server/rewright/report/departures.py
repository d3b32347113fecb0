"""Why a distributed graph does not compute what the sequential one does, as the end of a sentence."""

from __future__ import annotations

from rewright.verdict import RefinementCause, RefinementCauseKind, Role
from rewright.verdict.diagnostics.graphs import HeldOtherwise, NoCleanExpression, SidesDiffer

RELATED = {
    Role.SECOND: lambda _: "the operator of the sequential graph that it should be like",
    Role.ORIGIN: lambda _: "from here on each rank holds a part of a sum",
    Role.INPUT: lambda _: "what it reads is placed so",
    Role.ALSO: lambda _: "this departs, too",
}
"""What is said at places that a departure is related to."""


def departure(diagnosis: NoCleanExpression | HeldOtherwise | SidesDiffer) -> str:
    """What the ranks have instead, with a colon before it; empty if that is not known."""
    cause = diagnosis.cause
    said = _said(cause, diagnosis.is_never_summed) if cause is not None else ""
    return f": {said}" if said else ""


def _said(cause: RefinementCause, is_never_summed: bool) -> str:
    rank = f"rank {cause.rank}" if cause.rank is not None else "a rank"
    match cause.kind:
        case RefinementCauseKind.UNREDUCED if cause.box and is_never_summed:
            part = cause.box[0]
            held = f"the part {part.start} .. {part.limit} of the sum over {part.dimension}"
            return f"here {rank} holds {held}, which is summed on no later line"
        case RefinementCauseKind.UNREDUCED if cause.box:
            part = cause.box[0]
            return f"here {rank} has the terms {part.start} .. {part.limit} alone of those over {part.dimension}"
        case RefinementCauseKind.UNREDUCED:
            return f"here {rank} has some of the terms alone"
        case RefinementCauseKind.SCALED if cause.factor:
            return f"here it is {cause.factor} times what it should be"
        case RefinementCauseKind.DOUBLED if cause.factor:
            return f"here a term counts {cause.factor} times"
        case RefinementCauseKind.SHIFTED if len(cause.box) > 1:
            taken, due = cause.box[:2]
            of = f"{taken.start} .. {taken.limit} of {taken.dimension}"
            return f"here {rank} has {of}, where {due.start} .. {due.limit} belongs"
        case RefinementCauseKind.SHIFTED:
            return f"here {rank} holds another part than it should"
        case RefinementCauseKind.MISSING:
            return "here a term is missing"
        case _:
            return ""
