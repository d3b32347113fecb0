"""What a parameter of a kernel is passed as: scalars and arrays, a struct field by field.

A declaration and a launch comment know no structs. A field is a parameter of its own there, with the field's path as
its name: `p.n`, `p.box.low`, `p.size[2]`. Invariant: the parts have the order of the type's scalars in memory. Must not
know declarations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rewright.emit.types import (
    CONSTANT,
    TEXTURE,
    Arithmetic,
    ArrayType,
    OpaqueType,
    Pointer,
    Reference,
    StructType,
    Type,
    Void,
    leaves_of,
    size_of,
    vector,
)
from rewright.model.simt.types import Scalar

MOST_PARTS = 64
"""Parts of one parameter: each is a value that the launch chooses, or an array."""

MOST_APART = 8
"""Elements of an array in a struct that are parameters of their own, as extents and strides are; a longer one is a
table, an array of its own."""

MOST_IN_TABLES = 256
"""Elements of the tables in one parameter; each thread has a copy."""


class PartOfRecord(NamedTuple):
    """A field of the structs that a pointer points to: `elements` scalars from `offset` on in each `size` bytes.

    `pointer` is the path of the pointer: the parts with one are the fields of one array of structs.
    """

    pointer: str
    scalar: Scalar
    offset: int
    elements: int
    size: int


class PassedPart(NamedTuple):
    """A scalar, a pointer, or an array in a struct; `path` is what follows the parameter's name.

    A pointer to structs has a part for each of their fields, too (`nodes.next`): `record` says which.
    """

    path: str
    type: Arithmetic | Pointer | ArrayType | OpaqueType
    record: PartOfRecord | None = None


class NotPassed(Exception):
    """A type that no parameter of a kernel can have here; says what it is."""


def parts_of(kind: Type) -> tuple[PassedPart, ...]:
    """The parts of a parameter of a type, none of a struct without fields. Raises `NotPassed`.

    >>> [part.path for part in parts_of(vector("int2"))]
    ['.x', '.y']
    """
    found = tuple(_parts("", kind))
    if len(found) > MOST_PARTS:
        raise NotPassed(f"a parameter of {len(found)} parts")
    tables = sum(len(leaves_of(part.type)) for part in found if isinstance(part.type, ArrayType))
    if tables > MOST_IN_TABLES:
        raise NotPassed(f"a parameter with {tables} elements of arrays in it")
    return found


def _parts(path: str, kind: Type) -> Iterator[PassedPart]:
    match kind:
        case Arithmetic():
            yield PassedPart(path, kind)
        case Pointer() if isinstance(element := _innermost(kind.to), StructType) and not _is_vector(element):
            if holds_pointer(element):
                raise NotPassed(f"a pointer to `{element.name}`, which has pointers,")
            found = list(_fields(path, path, element, 0, element.size))
            if not 0 < len(found) <= MOST_PARTS:
                raise NotPassed(f"a pointer to `{element.name}`, which has {len(found)} parts,")
            yield from (part._replace(type=kind) for part in found)
        case Pointer():
            element_of(kind)
            yield PassedPart(path, kind)
        case StructType(is_union=True):
            yield from _words(path, kind)
        case StructType():
            for field in kind.fields:
                yield from _parts(f"{path}.{field.name}" if field.name else path, field.type)
        case ArrayType(length=None):
            raise NotPassed("an array without a length in a parameter")
        case ArrayType() if _is_table(kind):
            yield PassedPart(path, kind)
        case ArrayType():
            for number in range(kind.length or 0):
                yield from _parts(f"{path}[{number}]", kind.of)
        case OpaqueType() if kind == TEXTURE:
            yield PassedPart(path, kind)
        case OpaqueType(kind=constants) if constants == CONSTANT:
            return
        case Reference():
            raise NotPassed("a reference as a parameter")
        case _:
            raise NotPassed("a parameter of this type")


def _words(path: str, kind: StructType) -> Iterator[PassedPart]:
    """The words of a union, which are numbers whatever its members are."""
    if holds_pointer(kind):
        raise NotPassed("a parameter with a pointer in a union")
    words = leaves_of(kind)
    for number, word in enumerate(words):
        yield PassedPart(path if len(words) == 1 else f"{path}[{number}]", Arithmetic(word.scalar))


def _fields(pointer: str, path: str, kind: Type, offset: int, size: int) -> Iterator[PassedPart]:
    """The fields of structs that a pointer points to; arrays of scalars, vectors and unions are one field each."""
    element, leaves = _innermost(kind), leaves_of(kind)
    match kind:
        case StructType() if not kind.is_union and not _is_vector(kind):
            for field in kind.fields:
                inside = f"{path}.{field.name}" if field.name else path
                yield from _fields(pointer, inside, field.type, offset + field.offset, size)
        case ArrayType() if isinstance(element, StructType) and not _is_vector(element):
            for number in range(kind.length or 0):
                yield from _fields(pointer, f"{path}[{number}]", kind.of, offset + number * size_of(kind.of), size)
        case _ if leaves:
            record = PartOfRecord(pointer, leaves[0].scalar, offset, len(leaves), size)
            yield PassedPart(path, Pointer(kind), record)
        case _:
            raise NotPassed("a pointer to structs with a member of this type")


def _is_vector(kind: StructType) -> bool:
    """Whether a struct is a built-in vector, or bytes without a meaning: scalars of one type without gaps."""
    return kind is vector(kind.name) or kind.name == "aligned_storage"


def _is_table(kind: ArrayType) -> bool:
    """Whether the elements are scalars, and too many to be parameters."""
    return isinstance(_innermost(kind), Arithmetic) and len(leaves_of(kind)) > MOST_APART


TEXTURE_BYTES = 8000
"""Bytes of the array that stands for a texture: all contents that are chosen of one."""


def extents_of(kind: ArrayType | OpaqueType) -> tuple[int, ...]:
    """The extents of an array in a struct, or of what a texture holds."""
    if isinstance(kind, OpaqueType):
        return (TEXTURE_BYTES,)
    inner = extents_of(kind.of) if isinstance(kind.of, ArrayType) else ()
    return (kind.length or 0, *inner)


def element_of(kind: Pointer | ArrayType | OpaqueType) -> Scalar:
    """The scalar that the elements of an array are made of. Raises `NotPassed` if it is not one and the same."""
    if isinstance(kind, OpaqueType):
        return Scalar.U8
    element = _innermost(kind.to if isinstance(kind, Pointer) else kind.of)
    match element:
        case Void():
            return Scalar.U8
        case Pointer():
            raise NotPassed("a pointer to pointers")
        case _:
            scalars = {leaf.scalar for leaf in leaves_of(element)}
    if len(scalars) != 1:
        raise NotPassed("a pointer to this type")
    return next(iter(scalars))


def holds_pointer(kind: Type) -> bool:
    """Whether a value of the type has an address in it."""
    match kind:
        case Pointer():
            return True
        case ArrayType():
            return holds_pointer(kind.of)
        case StructType():
            return any(holds_pointer(known.type) for known in kind.fields)
        case _:
            return False


def _innermost(kind: Type) -> Type:
    while isinstance(kind, ArrayType):
        kind = kind.of
    return kind
