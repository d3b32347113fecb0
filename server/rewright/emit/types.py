"""The types of CUDA C++ and their layout in bytes (the ABI of x86-64, which CUDA follows on the device).

Invariant: a type is complete except a `StructType` while its own body is read. Qualifiers are no part of a type. Must
not know text.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, TypeGuard, assert_never

from msgspec import Struct, field

from rewright.model.simt.types import Scalar


class Arithmetic(Struct, frozen=True):
    """An integer, a truth or a float."""

    scalar: Scalar


class Void(Struct, frozen=True):
    """No value; what `void*` points to."""


class Pointer(Struct, frozen=True):
    """A pointer."""

    to: Type


class ArrayType(Struct, frozen=True):
    """An array; without a length where the text leaves it to the initialiser or to the launch."""

    of: Type
    length: int | None


class Reference(Struct, frozen=True):
    """A reference, as the type of a parameter, a variable or a result."""

    to: Type


class Field(NamedTuple):
    """A member of a struct, at an offset in bytes."""

    name: str
    type: Type
    offset: int


class StructType(Struct, eq=False):
    """A struct, class or union, equal only to itself; its fields are entered when its body was read.

    A `vector` (float4) is read and written in one access. Methods and static members are found in its text.
    """

    name: str
    fields: tuple[Field, ...] = ()
    size: int = 1
    alignment: int = 1
    is_union: bool = False
    is_vector: bool = False

    def member(self, name: str) -> Field | None:
        """The field with this name; those of unnamed members count as the struct's own."""
        for known in self.fields:
            if known.name == name:
                return known
            if not known.name and isinstance(known.type, StructType) and (inner := known.type.member(name)) is not None:
                return inner._replace(offset=known.offset + inner.offset)
        return None


class ScalarLeaf(NamedTuple):
    """A scalar of a larger value, at an offset in bytes."""

    offset: int
    scalar: Scalar


class OpaqueType(Struct, frozen=True):
    """A type that the front end gives meaning to (a thread group, a wmma fragment): what it is, and what it holds.

    `arguments` are known when the text is read; `leaves` are what each thread holds at run time.
    """

    kind: str
    arguments: tuple[int | str | Type, ...] = ()
    leaves: tuple[ScalarLeaf, ...] = ()


class Closure(Struct, frozen=True):
    """The type of a lambda: a number that stands for its text and what it captured."""

    number: int


class DeducedType(Struct, frozen=True):
    """The type of a template parameter while it is deduced."""

    name: str = field(default="")


Type = Arithmetic | Void | Pointer | ArrayType | Reference | StructType | OpaqueType | Closure | DeducedType

TemplateArgument = int | Type
TemplateArguments = tuple[TemplateArgument, ...]

BOOL = Arithmetic(Scalar.PRED)
INT = Arithmetic(Scalar.S32)
UNSIGNED = Arithmetic(Scalar.U32)
LONG = Arithmetic(Scalar.S64)
SIZE = Arithmetic(Scalar.U64)
VOID = Void()
FUNCTION = DeducedType("function")
"""What a declarator with parameters declares, and what a pointer to a function points to."""
CONSTANT = "constant"
"""The kind of types that are one value, as `std::bool_constant<true>` is; nothing of them is left at run time."""
TEXTURE = OpaqueType("texture", (), (ScalarLeaf(0, Scalar.U64),))
"""A texture object, as kernels are passed it: what it holds is an array of bytes. A reference states its texel."""


def is_texture(kind: Type) -> TypeGuard[OpaqueType]:
    """Whether a type is that of texture objects, or of references to textures."""
    return isinstance(kind, OpaqueType) and kind.kind == TEXTURE.kind


def size_of(kind: Type) -> int:
    """The size in bytes; an array without a length has none."""
    match kind:
        case Arithmetic():
            return kind.scalar.bytes
        case Pointer() | Reference():
            return 8
        case ArrayType():
            return size_of(kind.of) * (kind.length or 0)
        case StructType():
            return kind.size
        case OpaqueType():
            return max((leaf.offset + leaf.scalar.bytes for leaf in kind.leaves), default=1)
        case Void() | Closure() | DeducedType():
            return 1
        case _:
            assert_never(kind)


def alignment_of(kind: Type) -> int:
    """The alignment in bytes."""
    match kind:
        case ArrayType():
            return alignment_of(kind.of)
        case StructType():
            return kind.alignment
        case OpaqueType():
            return max((leaf.scalar.bytes for leaf in kind.leaves), default=1)
        case _:
            return size_of(kind)


def leaves_of(kind: Type) -> tuple[ScalarLeaf, ...]:
    """The scalars that a value is made of, by ascending offset; a union is as many words as cover it."""
    match kind:
        case Arithmetic():
            return (ScalarLeaf(0, kind.scalar),)
        case Pointer() | Reference():
            return (ScalarLeaf(0, Scalar.U64),)
        case ArrayType():
            size, inner = size_of(kind.of), leaves_of(kind.of)
            return tuple(
                ScalarLeaf(i * size + leaf.offset, leaf.scalar) for i in range(kind.length or 0) for leaf in inner
            )
        case StructType() if kind.is_union:
            word = _WORDS[min(kind.alignment, 8)]
            return tuple(ScalarLeaf(offset, word) for offset in range(0, kind.size, word.bytes))
        case StructType():
            return tuple(
                ScalarLeaf(known.offset + leaf.offset, leaf.scalar)
                for known in kind.fields
                for leaf in leaves_of(known.type)
            )
        case OpaqueType():
            return kind.leaves
        case Void() | Closure() | DeducedType():
            return ()
        case _:
            assert_never(kind)


_WORDS = {1: Scalar.U8, 2: Scalar.U16, 4: Scalar.U32, 8: Scalar.U64}


def lay_out(made: StructType, members: list[tuple[str, Type]], alignment: int = 1) -> None:
    """Enters the fields of a struct in their order, each at the next offset that its type may have."""
    offset, fields = 0, []
    for name, kind in members:
        align = alignment_of(kind)
        alignment = max(alignment, align)
        offset = 0 if made.is_union else -(-offset // align) * align
        fields.append(Field(name, kind, offset))
        offset += size_of(kind)
    end = max((known.offset + size_of(known.type) for known in fields), default=1)
    made.fields, made.alignment = tuple(fields), alignment
    made.size = -(-max(end, 1) // alignment) * alignment


# -------------------------------------------------------------------------------------------------- types by their name

VECTOR_BASES = {
    "char": Scalar.S8,
    "uchar": Scalar.U8,
    "short": Scalar.S16,
    "ushort": Scalar.U16,
    "int": Scalar.S32,
    "uint": Scalar.U32,
    "long": Scalar.S64,
    "ulong": Scalar.U64,
    "longlong": Scalar.S64,
    "ulonglong": Scalar.U64,
    "float": Scalar.F32,
    "double": Scalar.F64,
}
"""What the names of vector types begin with, and the scalars that these are of."""


_SAME = {"dim3": "uint3", "__half2": "half2", "nv_bfloat162": "__nv_bfloat162"}


@cache
def vector(name: str) -> StructType | None:
    """The built-in vector type with this name (CUDA C++ Programming Guide, "Built-in Vector Types"), if it is one."""
    if name in _SAME:
        return vector(_SAME[name])
    halves = {"half2": Scalar.F16, "__nv_bfloat162": Scalar.BF16}
    scalar = halves.get(name) or VECTOR_BASES.get(name[:-1])
    if scalar is None or name[-1] not in "1234":
        return None
    count = 2 if name in halves else int(name[-1])
    made = StructType(name, is_vector=count in (2, 4))
    width = scalar.bytes
    lay_out(made, [(axis, Arithmetic(scalar)) for axis in "xyzw"[:count]], _vector_alignment(count, width))
    return made


@cache
def storage(size: int, alignment: int) -> StructType:
    """Bytes without a meaning, copied in one access where the machine can."""
    width = max(word for word in _WORDS if size % word == 0 and (word <= alignment or word == 1))
    width = 4 if (size, alignment) == (16, 16) else width
    made = StructType("aligned_storage", is_vector=size == alignment and size // width in (1, 2, 4))
    lay_out(made, [(f"word{i}", Arithmetic(_WORDS[width])) for i in range(size // width)], alignment)
    return made


def _vector_alignment(count: int, width: int) -> int:
    return width if count in (1, 3) else min(count * width, 16)


NAMED: dict[str, Scalar] = {
    "bool": Scalar.PRED,
    "char": Scalar.S8,
    "short": Scalar.S16,
    "int": Scalar.S32,
    "long": Scalar.S64,
    "float": Scalar.F32,
    "double": Scalar.F64,
    "size_t": Scalar.U64,
    "ptrdiff_t": Scalar.S64,
    "intptr_t": Scalar.S64,
    "uintptr_t": Scalar.U64,
    "clock_t": Scalar.S64,
    "uchar": Scalar.U8,
    "ushort": Scalar.U16,
    "uint": Scalar.U32,
    "ulong": Scalar.U64,
    "half": Scalar.F16,
    "__half": Scalar.F16,
    "Half": Scalar.F16,
    "BFloat16": Scalar.BF16,
    "__nv_bfloat16": Scalar.BF16,
    "nv_bfloat16": Scalar.BF16,
    **{
        f"{prefix}int{bits}_t": Scalar(f"{letter}{bits}")
        for prefix, letter in (("", "s"), ("u", "u"))
        for bits in (8, 16, 32, 64)
    },
}
_UNSIGNED = {Scalar.S8: Scalar.U8, Scalar.S16: Scalar.U16, Scalar.S32: Scalar.U32, Scalar.S64: Scalar.U64}


def scalar_named(words: tuple[str, ...]) -> Scalar | None:
    """The type that the words of a specifier name (`unsigned long`), None if they name none; `long` has 64 bits."""
    if len(words) == 1 and words[0] in NAMED:
        return NAMED[words[0]]
    if words == ("long", "double"):
        return Scalar.F64
    if not words or not set(words) <= {"unsigned", "signed", "char", "short", "int", "long"}:
        return None
    base = next((word for word in ("char", "short", "long") if word in words), "int")
    return _UNSIGNED[NAMED[base]] if "unsigned" in words else NAMED[base]
