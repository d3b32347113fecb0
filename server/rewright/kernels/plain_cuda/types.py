"""The C types that are read, by name. Must not know declarations."""

from __future__ import annotations

from tree_sitter import Node

from rewright.kernels.plain_cuda.reader import text
from rewright.model.simt.types import Scalar

_NAMED = {
    "bool": Scalar.PRED,
    "char": Scalar.S8,
    "short": Scalar.S16,
    "int": Scalar.S32,
    "long": Scalar.S64,
    "float": Scalar.F32,
    "double": Scalar.F64,
    "size_t": Scalar.U64,
    "ptrdiff_t": Scalar.S64,
    "uchar": Scalar.U8,
    "ushort": Scalar.U16,
    "uint": Scalar.U32,
    "ulong": Scalar.U64,
    **{
        f"{prefix}int{bits}_t": Scalar(f"{letter}{bits}")
        for prefix, letter in (("", "s"), ("u", "u"))
        for bits in (8, 16, 32, 64)
    },
}
_UNSIGNED = {
    Scalar.S8: Scalar.U8,
    Scalar.S16: Scalar.U16,
    Scalar.S32: Scalar.U32,
    Scalar.S64: Scalar.U64,
}


def scalar_type(node: Node | None) -> Scalar | None:
    """The type that a specifier names, None if it is not one of C's integers and floats; `long` has 64 bits."""
    if node is None:
        return None
    words = text(node).split()
    if len(words) == 1 and words[0] in _NAMED:
        return _NAMED[words[0]]
    if not set(words) <= {"unsigned", "signed", "char", "short", "int", "long"}:
        return None
    base = next((word for word in ("char", "short", "long") if word in words), "int")
    return _UNSIGNED[_NAMED[base]] if "unsigned" in words else _NAMED[base]
