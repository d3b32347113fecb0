"""Why a distributed graph does not compute what the sequential one does, as the end of a sentence."""

from __future__ import annotations

from rewright.verdict import RefinementCause, RefinementCauseKind


def departure(cause: RefinementCause | None) -> str:
    """What the ranks have instead, with a colon before it; empty if that is not known."""
    said = _said(cause) if cause is not None else ""
    return f": {said}" if said else ""


def _said(cause: RefinementCause) -> str:
    rank = f"rank {cause.rank}" if cause.rank is not None else "a rank"
    match cause.kind:
        case RefinementCauseKind.UNREDUCED if cause.box:
            part = cause.box[0]
            return f"here {rank} has the terms {part.start} .. {part.limit} alone of those over {part.dimension}"
        case RefinementCauseKind.UNREDUCED:
            return f"here {rank} has some of the terms alone"
        case RefinementCauseKind.SCALED if cause.factor:
            return f"here it is {cause.factor} times what it should be"
        case RefinementCauseKind.DOUBLED if cause.factor:
            return f"here a term counts {cause.factor} times"
        case RefinementCauseKind.SHIFTED:
            return f"here {rank} takes a part at another offset"
        case RefinementCauseKind.MISSING:
            return "here a term is missing"
        case _:
            return ""
