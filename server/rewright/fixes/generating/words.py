"""What a person is told who asked for a nest in another order."""

from __future__ import annotations

from typing import assert_never

from rewright.fixes.generating.question import NotWritten, OrderForbidden, TransformReply, WrittenTransform
from rewright.model.nest_text import values_text

_MEETINGS = {
    "flow": "the first writes an element of `{}` that the second reads",
    "anti": "the first reads an element of `{}` that the second writes",
    "output": "both write one element of `{}`",
}


def said(reply: TransformReply) -> str:
    """The outcome in a sentence.

    >>> said(NotWritten("there is no loop `k`", complete=True))
    'there is no loop `k`'
    """
    match reply:
        case WrittenTransform(coverage=coverage, assumptions=assumptions):
            assumed = f"; assumes {', '.join(assumptions)}" if assumptions else ""
            unmarked = "; its loops are not marked as parallel, as loops of the nest are" if reply.is_unmarked else ""
            return f"`{reply.name}` is {reply.verdict}: {coverage}{assumed}{unmarked}"
        case OrderForbidden():
            first, second = _operation(reply.first, reply.first_at), _operation(reply.second, reply.second_at)
            met = _MEETINGS[reply.kind].format(reply.array)
            at = f", first at {values_text(reply.sizes)}" if reply.sizes else ""
            return f"a dependence forbids this order: {first} must come before {second}, since {met}{at}"
        case NotWritten(reason=reason):
            return reason
        case _:
            assert_never(reply)


def _operation(name: str, at: tuple[tuple[str, int], ...]) -> str:
    return f"`{name}` at {values_text(at)}" if at else f"`{name}`"
