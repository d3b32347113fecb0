"""Textures: objects that kernels are passed, references outside functions, and fetches from them.

A fetch is never out of bounds: what lies outside is clamped, wrapped or zero, as the host has set the texture up. So a
fetch gives any texel: here one that its coordinates pick out of an array of bytes whose contents are chosen. Must not
know filters.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace
from tree_sitter import Node

from rewright.emit.emitter import Emitter
from rewright.emit.memory import loaded
from rewright.emit.operators import binary, convert, integer
from rewright.emit.types import (
    TEXTURE,
    Arithmetic,
    OpaqueType,
    TemplateArguments,
    Type,
    is_texture,
    leaves_of,
    vector,
)
from rewright.emit.values import InMemory, Rvalue, Value
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, BuiltInFunction, BuiltInType, Lowering, NamesInScope
from rewright.frontends.cuda.cxx.operands import number, rvalue
from rewright.frontends.cuda.intrinsics.operands import counted
from rewright.model.simt.instructions import Constant, Operand
from rewright.model.simt.types import BinaryOperator, Scalar
from rewright.verdict import Place

_TEXELS = 500
"""Texels that coordinates are told apart by; each has 16 bytes of the array, the largest texel."""

_FACTORS = (1, 37, 211, 307)
"""Of the coordinates: none divides `_TEXELS` or another, so that neighbours along each axis are different texels."""


def _texture(emitter: Emitter, names: NamesInScope, given: TemplateArguments, node: Node) -> Type:
    return TEXTURE


def _reference(emitter: Emitter, names: NamesInScope, given: TemplateArguments, node: Node) -> Type:
    """`texture<uchar4, 2, cudaReadModeNormalizedFloat>`: the texel is that of its fetches."""
    if not given or isinstance(given[0], int):
        emitter.refuse(node, "a texture needs the type of a texel, as in `texture<float>`")
    return replace(TEXTURE, arguments=(_normalised(given[0]) if _NORMALISED in given else given[0],))


def _normalised(kind: Type) -> Type:
    """The floats that integers are read as."""
    count = len(leaves_of(kind))
    return (vector(f"float{count}") if count > 1 else None) or Arithmetic(Scalar.F32)


def _mode(kind: OpaqueType) -> BuiltInType:
    return lambda emitter, names, given, node: kind


def _fetch(axes: int) -> BuiltInFunction:
    """`tex2D<float>(texture, x, y)`, `tex2D(reference, x, y)`."""

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        emitter, place = lowering.emitter, call.place
        counted(emitter, call, 1 + axes)
        texture = rvalue(lowering, call.arguments[0])
        if not is_texture(texture.type):
            emitter.refuse(call.arguments[0], "expected a texture object")
        kind = _texel_type(emitter, call, texture.type)
        at: Operand = integer(0, Scalar.S64)
        for factor, argument in zip(_FACTORS, call.arguments[1:], strict=False):
            axis = convert(emitter, number(lowering, argument), Scalar.S64, place)
            part = binary(emitter, BinaryOperator.MULTIPLY, (axis, integer(factor, Scalar.S64)), place)
            at = binary(emitter, BinaryOperator.ADD, (at, part), place)
        offset = binary(emitter, BinaryOperator.MULTIPLY, (_within(emitter, at, place), _u64(16)), place)
        address = binary(emitter, BinaryOperator.ADD, (texture.operand, offset), place)
        leaves = leaves_of(kind)
        if not leaves or leaves[-1].offset + leaves[-1].scalar.bytes > 16:
            emitter.refuse(call.node, "a texel of this type is not supported yet")
        return Rvalue(kind, tuple(_texel(emitter, address, leaf.offset, leaf.scalar, place) for leaf in leaves))

    return lower


def _texel_type(emitter: Emitter, call: BuiltInCall, texture: OpaqueType) -> Type:
    """What a fetch gives: what the call says, else what the reference was declared with."""
    stated = call.template or texture.arguments
    if len(stated) != 1 or isinstance(stated[0], int | str):
        emitter.refuse(call.node, f"`{call.name}` needs the type of a texel, as in `{call.name}<float>`")
    return stated[0]


def _within(emitter: Emitter, at: Operand, place: Place) -> Operand:
    """The number of a texel that coordinates choose."""
    return binary(emitter, BinaryOperator.REMAINDER, (convert(emitter, at, Scalar.U64, place), _u64(_TEXELS)), place)


def _texel(emitter: Emitter, address: Operand, offset: int, scalar: Scalar, place: Place) -> Operand:
    """A component of a texel: a small number, as an index or a colour is, made of one byte or, of a float, of two."""
    at = binary(emitter, BinaryOperator.ADD, (address, _u64(offset)), place)
    read = Scalar.S16 if scalar.is_float else Scalar.S8 if scalar is Scalar.S8 else Scalar.U8
    number = convert(emitter, loaded(emitter, InMemory(Arithmetic(read), at), place).operand, scalar, place)
    if not scalar.is_float:
        return number
    return binary(emitter, BinaryOperator.MULTIPLY, (number, Constant(0.125, scalar)), place)


def _u64(value: int) -> Constant:
    return integer(value, Scalar.U64)


FUNCTIONS: Mapping[str, BuiltInFunction] = {
    "tex1Dfetch": _fetch(1),
    "tex1D": _fetch(1),
    "tex2D": _fetch(2),
    "tex3D": _fetch(3),
    "tex1DLod": _fetch(2),
    "tex2DLod": _fetch(3),
    "tex1DLayered": _fetch(2),
    "tex2DLayered": _fetch(3),
}

_NORMALISED = OpaqueType("read mode", ("normalised",))
_OTHER = OpaqueType("read mode")
_WORDS = ("cudaReadModeElementType", *(f"cudaTextureType{of}" for of in ("1D", "2D", "3D", "1DLayered", "2DLayered")))

TYPES: Mapping[str, BuiltInType] = {
    "cudaTextureObject_t": _texture,
    "CUtexObject": _texture,
    "texture": _reference,
    "cudaReadModeNormalizedFloat": _mode(_NORMALISED),
    **dict.fromkeys(_WORDS, _mode(_OTHER)),
}
