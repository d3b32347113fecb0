"""What an expression is as it is written: the value of a literal, the names in it, a word for it in a message.

Must not know what any name stands for.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import assert_never

from rewright.syntax.nodes import (
    And,
    Binary,
    Call,
    Compare,
    Expression,
    Field,
    Hole,
    Index,
    Keyed,
    ListExpr,
    Missing,
    Name,
    Node,
    Not,
    Number,
    Or,
    Quantified,
    Range,
    Spread,
    String,
    Tuple,
    Unary,
)

_LONGEST_LITERAL = 1000
"""Characters of a number: Python itself refuses integers of more than 4300 digits, by an exception."""

_LARGEST_EXPONENT = 1000
"""The exponent of a number: its value is kept exactly, so an exponent of 9 digits would fill the memory."""


def integer_of(text: str) -> int | None:
    """The value of an integer literal (`12`, `0x1f`, `1_000`), None if it is none or unreasonably long."""
    if len(text) > _LONGEST_LITERAL:
        return None
    try:
        return int(text, 16) if text[:2].lower() == "0x" else int(text)
    except ValueError:
        return None


def number_of(text: str) -> Fraction | None:
    """The exact value of a number literal (also `0.5` and `1e-6`), None if it is none or unreasonably long."""
    whole = integer_of(text)
    if whole is not None:
        return Fraction(whole)
    _, _, exponent = text.lower().partition("e")
    size = integer_of(exponent) if exponent else 0
    if len(text) > _LONGEST_LITERAL or size is None or abs(size) > _LARGEST_EXPONENT:
        return None
    try:
        return Fraction(text)
    except ValueError:
        return None


def names_in(node: Node) -> Iterator[Name]:
    """Every name in a node that stands for something declared: not those of operators and their attributes."""
    if isinstance(node, Name):
        yield node
        return
    own = {Call: "callee", Keyed: "name", Field: "name"}.get(type(node))
    for name in node.__struct_fields__:
        if name == own or name == "span":
            continue
        value = getattr(node, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Node):
                yield from names_in(part)


def kind_of(node: Expression) -> str:
    """A word for an expression, with its article."""
    match node:
        case Name(text=text) | Number(text=text):
            return f"`{text}`"
        case String():
            return "a string"
        case Hole() | Missing():
            return "nothing"
        case Call(callee=callee):
            return f"`{callee.text}(…)`"
        case Index():
            return "an indexed tensor"
        case Field():
            return "a field"
        case Unary(operator=operator) | Binary(operator=operator):
            return f"`{operator}`"
        case Compare():
            return "a comparison"
        case Not() | And() | Or():
            return "a formula"
        case Range():
            return "a range"
        case Quantified(word=word):
            return f"`{word}`"
        case ListExpr():
            return "a list"
        case Tuple():
            return "a list in parentheses"
        case Spread():
            return "`e...`"
        case _:
            assert_never(node)
