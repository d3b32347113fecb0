"""Barriers, fences, and what the threads of a warp do together: shuffles and votes.

The functions without `_sync` are for the threads that come to them together. Must not know thread groups.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tree_sitter import Node

from rewright.emit.emitter import Emitter
from rewright.emit.operators import convert, integer
from rewright.emit.types import Arithmetic
from rewright.emit.values import NOTHING, Rvalue, Value
from rewright.frontends.cuda.cxx.conversions import promotion
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, BuiltInFunction, Lowering
from rewright.frontends.cuda.cxx.operands import rvalue, scalar, truth
from rewright.frontends.cuda.intrinsics.operands import counted, given
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Operand, ShuffleKind, VoteKind
from rewright.model.simt.types import Scalar
from rewright.verdict import Place

LANES = 32
"""Threads of a warp."""

WHOLE = integer(0xFFFFFFFF, Scalar.U32)
"""The mask of a whole warp."""


# ------------------------------------------------------------------------------------------------------- whole blocks


def _barrier(lowering: Lowering, call: BuiltInCall) -> Value:
    counted(lowering.emitter, call, 0)
    lowering.emitter.emit(simt.Barrier(None, None, None, call.place))
    return NOTHING


def _voting_barrier(kind: VoteKind) -> BuiltInFunction:
    """`__syncthreads_count(p)` and its like; the result is an `int`."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        emitter = lowering.emitter
        counted(emitter, call, 1)
        operand = truth(lowering, call.arguments[0])
        result = emitter.temporary(_VOTED[kind])
        emitter.emit(simt.Barrier(kind, result, operand, call.place))
        return given(convert(emitter, result, Scalar.S32, call.place))

    return lower


def _fence(lowering: Lowering, call: BuiltInCall) -> Value:
    counted(lowering.emitter, call, 0)
    lowering.emitter.emit(simt.Fence(call.place))
    return NOTHING


# -------------------------------------------------------------------------------------------------------------- warps


def _warp_barrier(lowering: Lowering, call: BuiltInCall) -> Value:
    counted(lowering.emitter, call, 0, 1)
    mask = scalar(lowering, call.arguments[0], Scalar.U32) if call.arguments else WHOLE
    lowering.emitter.emit(simt.WarpBarrier(mask, call.place))
    return NOTHING


def active_mask(emitter: Emitter, place: Place) -> Operand:
    """The threads of the warp that are here together."""
    result = emitter.temporary(Scalar.U32)
    emitter.emit(simt.ActiveMask(result, place))
    return result


def _active(lowering: Lowering, call: BuiltInCall) -> Value:
    counted(lowering.emitter, call, 0)
    return given(active_mask(lowering.emitter, call.place))


def _shuffle_in(kind: ShuffleKind) -> BuiltInFunction:
    """`__shfl_down_sync(mask, value, lane, width = warpSize)`."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        counted(lowering.emitter, call, 3, 4)
        mask = scalar(lowering, call.arguments[0], Scalar.U32)
        return shuffle(lowering, call, (kind, mask), call.arguments[1:])

    return lower


def _shuffle_together(kind: ShuffleKind) -> BuiltInFunction:
    """`__shfl_down(value, lane, width = warpSize)`."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        counted(lowering.emitter, call, 2, 3)
        return shuffle(lowering, call, (kind, active_mask(lowering.emitter, call.place)), call.arguments)

    return lower


def shuffle(
    lowering: Lowering, call: BuiltInCall, how: tuple[ShuffleKind, Operand], written: tuple[Node, ...]
) -> Value:
    """The value of another lane: `written` are the value, the lane and maybe the width."""
    value = rvalue(lowering, written[0])
    lane = scalar(lowering, written[1], Scalar.S32)
    width = scalar(lowering, written[2], Scalar.S32) if len(written) > 2 else integer(LANES)
    return shuffled(lowering.emitter, ExchangeForm(*how, lane, width), value, call.place)


class ExchangeForm(NamedTuple):
    """How lanes exchange values: the kind, who takes part, the lane's index or distance, the size of a segment."""

    kind: ShuffleKind
    mask: Operand
    lane: Operand
    width: Operand


def shuffled(emitter: Emitter, how: ExchangeForm, value: Rvalue, place: Place) -> Rvalue:
    """The value of another lane, scalar by scalar; small integers are promoted."""
    if isinstance(value.type, Arithmetic) and not value.type.scalar.is_float:
        wide = promotion(value.type.scalar)
        value = Rvalue(Arithmetic(wide), (convert(emitter, value.operand, wide, place),))
    results = [emitter.temporary(leaf.type) for leaf in value.leaves]
    for result, leaf in zip(results, value.leaves, strict=True):
        emitter.emit(simt.Shuffle(how.kind, result, how.mask, leaf, how.lane, how.width, place))
    return Rvalue(value.type, tuple(results))


_VOTED = {
    VoteKind.ALL: Scalar.PRED,
    VoteKind.ANY: Scalar.PRED,
    VoteKind.COUNT: Scalar.U32,
    VoteKind.BALLOT: Scalar.U32,
}


def voted(emitter: Emitter, kind: VoteKind, who: tuple[Operand, Operand], place: Place) -> Rvalue:
    """What the truths of the lanes in a mask come to: a mask for a ballot, else an `int`; `who` is mask and truth."""
    result = emitter.temporary(_VOTED[kind])
    emitter.emit(simt.Vote(kind, result, *who, place))
    result_scalar = Scalar.U32 if kind is VoteKind.BALLOT else Scalar.S32
    return given(convert(emitter, result, result_scalar, place))


def _vote_in(kind: VoteKind) -> BuiltInFunction:
    """`__ballot_sync(mask, p)` and its like."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        counted(lowering.emitter, call, 2)
        mask = scalar(lowering, call.arguments[0], Scalar.U32)
        return voted(lowering.emitter, kind, (mask, truth(lowering, call.arguments[1])), call.place)

    return lower


def _vote_together(kind: VoteKind) -> BuiltInFunction:
    """`__ballot(p)` and its like."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        emitter = lowering.emitter
        counted(emitter, call, 1)
        operand = truth(lowering, call.arguments[0])
        return voted(emitter, kind, (active_mask(emitter, call.place), operand), call.place)

    return lower


_SHUFFLES = {"": ShuffleKind.INDEX, "_up": ShuffleKind.UP, "_down": ShuffleKind.DOWN, "_xor": ShuffleKind.XOR}
_VOTES = {"all": VoteKind.ALL, "any": VoteKind.ANY, "ballot": VoteKind.BALLOT}

FUNCTIONS: Mapping[str, BuiltInFunction] = {
    "__syncthreads": _barrier,
    "__syncthreads_count": _voting_barrier(VoteKind.COUNT),
    "__syncthreads_and": _voting_barrier(VoteKind.ALL),
    "__syncthreads_or": _voting_barrier(VoteKind.ANY),
    **dict.fromkeys(("__threadfence", "__threadfence_block", "__threadfence_system"), _fence),
    "__syncwarp": _warp_barrier,
    "__activemask": _active,
    **{f"__shfl{name}_sync": _shuffle_in(kind) for name, kind in _SHUFFLES.items()},
    **{f"__shfl{name}": _shuffle_together(kind) for name, kind in _SHUFFLES.items()},
    **{f"__{name}_sync": _vote_in(kind) for name, kind in _VOTES.items()},
    **{f"__{name}": _vote_together(kind) for name, kind in _VOTES.items()},
}
