"""What well-known libraries define in headers that few have beside a source: types of ATen and cuFFT, ATen's shuffles.

A text that defines such a name itself means its own. Must not know the others.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace
from tree_sitter import Node

from rewright.emit.emitter import Emitter
from rewright.emit.types import CONSTANT, Arithmetic, OpaqueType, TemplateArguments, Type, vector
from rewright.emit.values import Value
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, BuiltInFunction, BuiltInType, Lowering, NamesInScope
from rewright.frontends.cuda.cxx.operands import scalar
from rewright.frontends.cuda.intrinsics.operands import counted
from rewright.frontends.cuda.intrinsics.warps import WHOLE, shuffle
from rewright.model.simt.instructions import ShuffleKind
from rewright.model.simt.types import Scalar

_ACCUMULATED = {
    **dict.fromkeys((Scalar.F16, Scalar.BF16, Scalar.F32), Scalar.F32),
    Scalar.F64: Scalar.F64,
    **dict.fromkeys((Scalar.S8, Scalar.U8, Scalar.S16, Scalar.S32, Scalar.S64), Scalar.S64),
    Scalar.PRED: Scalar.PRED,
}
"""The types in which CUDA code of ATen adds up numbers (`ATen/AccumulateType.h`)."""

_COMPUTED = {**{scalar: scalar for scalar in Scalar}, Scalar.F16: Scalar.F32, Scalar.BF16: Scalar.F32}
"""The types in which it computes with others than their own (`ATen/OpMathType.h`)."""


def _made_of(known: Mapping[Scalar, Scalar], count: int) -> BuiltInType:
    """A type that a table makes of another, on the device where that is asked."""

    def made(emitter: Emitter, names: NamesInScope, given: TemplateArguments, node: Node) -> Type:
        match given:
            case (Arithmetic(scalar=of), *rest) if len(given) == count and rest in ([], [1]) and of in known:
                return Arithmetic(known[of])
            case _:
                emitter.refuse_construct(node, "this type of ATen")

    return made


def _same_as(kind: Type) -> BuiltInType:
    """Another name of a type."""

    def made(emitter: Emitter, names: NamesInScope, given: TemplateArguments, node: Node) -> Type:
        return kind

    return made


def _shuffle(kind: ShuffleKind) -> BuiltInFunction:
    """`WARP_SHFL_XOR(value, lane, width = warpSize, mask = 0xffffffff)`."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        counted(lowering.emitter, call, 2, 4)
        mask = scalar(lowering, call.arguments[3], Scalar.U32) if len(call.arguments) > 3 else WHOLE
        return shuffle(lowering, replace(call, arguments=call.arguments[:3]), (kind, mask), call.arguments[:3])

    return lower


def _vector(name: str) -> BuiltInType:
    kind = vector(name)
    assert kind is not None, name
    return _same_as(kind)


FUNCTIONS: Mapping[str, BuiltInFunction] = {
    "WARP_SHFL": _shuffle(ShuffleKind.INDEX),
    "WARP_SHFL_UP": _shuffle(ShuffleKind.UP),
    "WARP_SHFL_DOWN": _shuffle(ShuffleKind.DOWN),
    "WARP_SHFL_XOR": _shuffle(ShuffleKind.XOR),
}


def _constant(emitter: Emitter, names: NamesInScope, given: TemplateArguments, node: Node) -> Type:
    """`std::bool_constant<true>`, `std::integral_constant<int, 4>`."""
    if not given or not isinstance(given[-1], int):
        emitter.refuse(node, "a constant needs a number that is known when the text is read")
    return OpaqueType(CONSTANT, (given[-1],))


TYPES: Mapping[str, BuiltInType] = {
    "bool_constant": _constant,
    "integral_constant": _constant,
    "acc_type": _made_of(_ACCUMULATED, 2),
    "opmath_type": _made_of(_COMPUTED, 1),
    "cufftReal": _same_as(Arithmetic(Scalar.F32)),
    "cufftDoubleReal": _same_as(Arithmetic(Scalar.F64)),
    **dict.fromkeys(("cufftComplex", "cuComplex", "cuFloatComplex"), _vector("float2")),
    **dict.fromkeys(("cufftDoubleComplex", "cuDoubleComplex"), _vector("double2")),
    **dict.fromkeys(("cudaStream_t", "cudaEvent_t"), _same_as(Arithmetic(Scalar.U64))),
}
