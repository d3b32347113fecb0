"""Whole numbers in C that are unsigned: where they are not the numbers that they are written as.

What is less than 0 wraps around where it becomes unsigned, so an expression with an unsigned operand is taken only
where nothing in it is negative. Must not know what an expression is for.
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from rewright.frontends.c.tree import field, operator, parts, text, unwrapped

UNSIGNED = frozenset({"unsigned", "size_t", "uintptr_t", *(f"uint{bits}_t" for bits in (8, 16, 32, 64))})
"""Words of types of whole numbers that wrap around at 0."""

_WHOLE = frozenset({"int", "long", "signed", "const", "ptrdiff_t", "ssize_t", "int64_t", "int32_t"})
WIDE = frozenset({"long", "ptrdiff_t", "ssize_t", "int64_t"})
"""Words of types of whole numbers that have 64 bits."""


def may_be_unsigned(written: Node, is_unsigned: Callable[[str], bool]) -> bool:
    """Whether the value of an expression may be of an unsigned type; `is_unsigned` says so of a variable."""
    node = unwrapped(written)
    match node.type:
        case "identifier":
            return is_unsigned(text(node))
        case "number_literal":
            return "u" in text(node).lower().removeprefix("0x")
        case "cast_expression":
            return is_unsigned_type(field(node, "type"))
        case "unary_expression":
            return operator(node) != "!" and may_be_unsigned(field(node, "argument"), is_unsigned)
        case "binary_expression" if operator(node) in ("<<", ">>"):
            return may_be_unsigned(field(node, "left"), is_unsigned)
        case "binary_expression" if operator(node) in _TRUTHS:
            return False
        case "binary_expression":
            return any(may_be_unsigned(field(node, each), is_unsigned) for each in ("left", "right"))
        case "conditional_expression":
            return any(may_be_unsigned(field(node, each), is_unsigned) for each in ("consequence", "alternative"))
        case "call_expression":
            return any(may_be_unsigned(each, is_unsigned) for each in parts(field(node, "arguments")))
    return False


_TRUTHS = frozenset({"<", "<=", ">", ">=", "==", "!=", "&&", "||"})


def is_unsigned_type(written: Node) -> bool:
    """Whether a type is that of whole numbers that are never negative."""
    return bool(UNSIGNED & set(text(written).split()))


def keeps_integers(written: Node) -> bool:
    """Whether a cast to a type leaves whole numbers as they are, if they do not overflow."""
    words = set(text(written).replace("*", " * ").split())
    return bool(words - {"const"}) and words <= _WHOLE


def is_wide(written: Node) -> bool:
    """Whether a type of whole numbers has 64 bits."""
    return bool(WIDE & set(text(written).split()))
