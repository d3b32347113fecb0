"""Whether a transform declares the arrays of its specification as they are: of the same type, with the same rows.

Values are converted where they are stored, and the sizes of an array say where its rows begin. Must not know what is
done with the arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from rewright.frontends.c.declared import DeclaredName, resolved_type
from rewright.frontends.c.refusal import NotAffine
from rewright.frontends.c.scope import RegionScope
from rewright.frontends.c.sums import Sum, minus, sum_of
from rewright.model.nest import AffineExpression, Nest, NestArray
from rewright.model.nest_text import expression_text

_OURS = {
    "double": "f64",
    "float": "f32",
    **dict.fromkeys(("int", "signed", "signed int", "int32_t"), "i32"),
    **dict.fromkeys(("long", "long int", "long long", "long long int", "int64_t", "ptrdiff_t", "ssize_t"), "i64"),
    **dict.fromkeys(("short", "short int", "int16_t"), "i16"),
    **dict.fromkeys(("signed char", "int8_t"), "i8"),
    **dict.fromkeys(("unsigned", "unsigned int", "uint32_t"), "u32"),
    **dict.fromkeys(("unsigned long", "unsigned long int", "uint64_t", "size_t"), "u64"),
}
"""C's types with the names that our own syntax has for them."""


def element_type(written: str, named: Mapping[str, str]) -> str:
    """A type of elements as our own syntax names it; as it is written if it is none of them."""
    words = resolved_type(written, named)
    return _OURS.get(words, words)


def disagreements(scope: RegionScope, specification: Nest, named: Mapping[str, str]) -> Iterator[NotAffine]:
    """What is declared otherwise than in the specification."""
    for array in specification.arrays:
        declared = scope.names.declared.get(str(array.name))
        if declared is None or not array.element:
            continue
        here, due = element_type(declared.type, named), element_type(array.element, named)
        if here != due:
            said = f"`{array.name}` is `{declared.type}` here, and `{array.element}` in `{specification.name}`"
            yield NotAffine(f"{said}: values are converted", declared.node)
        elif len(declared.sizes) == len(array.sizes):
            yield from _other_rows(scope, array, declared, specification)


def _other_rows(scope: RegionScope, array: NestArray, declared: DeclaredName, of: Nest) -> Iterator[NotAffine]:
    # The first size of a parameter says nothing.
    is_parameter = declared.is_parameter
    here = declared.written
    there = array.written or tuple(None if size is None else expression_text(size) for size in array.sizes)
    for place, (written, size) in enumerate(zip(declared.sizes, array.sizes, strict=True)):
        if place == 0 and (written is None or size is None or is_parameter):
            continue
        difference = _difference(scope, written, size)
        if difference is not None:
            is_other = difference.number != 0 and (place > 0 or not scope.known.is_not_negative(difference))
        elif array.written:
            is_other = place > 0 and here[place] != there[place]
        else:
            is_other = place > 0 and size is not None
        if is_other:
            said = f"`{array.name}` has {_quoted(here[place])} elements in dimension {place} here"
            yield NotAffine(f"{said}, and {_quoted(there[place])} in `{of.name}`", declared.node)


def _quoted(size: str | None) -> str:
    return "any number of" if size is None else f"`{size}`"


def _difference(scope: RegionScope, written: Node | None, size: AffineExpression | None) -> Sum | None:
    """By how much a size here is above that in the specification, None if one of them is not affine."""
    if written is None or size is None:
        return None
    try:
        return minus(scope.reading().affine(written), sum_of(size))
    except NotAffine:
        return None
