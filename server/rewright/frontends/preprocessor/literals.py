"""Literals of C++: value and type from digits, prefix and suffix (C++17, [lex.icon], [lex.fcon], [lex.ccon]).

Must not know expressions.
"""

from __future__ import annotations

import re

from rewright.model.simt.constants import limits, rounded
from rewright.model.simt.instructions import Constant
from rewright.model.simt.types import Scalar

_INTEGER = re.compile(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)([uUlLzZ]*)")
_FLOAT = re.compile(r"((?:[0-9']+\.?[0-9']*|\.[0-9']+)(?:[eE][-+]?[0-9]+)?)([fFlL]?)")
_HEXADECIMAL = re.compile(r"(0[xX][0-9a-fA-F']*\.?[0-9a-fA-F']*[pP][-+]?[0-9]+)([fFlL]?)")
_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27}
_NUMERIC_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,8})|([0-7]{1,3}))")


def number(written: str) -> Constant | None:
    """The number as written, None if it is none that is read."""
    if match := _INTEGER.fullmatch(written):
        return _integer(match[1].replace("'", ""), match[2].lower())
    if match := _FLOAT.fullmatch(written):
        return _float(float(match[1].replace("'", "")), match[2])
    if match := _HEXADECIMAL.fullmatch(written):
        return _float(float.fromhex(match[1].replace("'", "")), match[2])
    return None


def _float(value: float, suffix: str) -> Constant:
    if suffix in ("f", "F"):
        return Constant(rounded(value, Scalar.F32), Scalar.F32)
    return Constant(value, Scalar.F64)


def _integer(digits: str, suffix: str) -> Constant | None:
    value = whole(digits)
    if value is None:
        return None
    decimal = digits.isdigit() and not _is_octal(digits)
    unsigned, wide = "u" in suffix, "l" in suffix or "z" in suffix
    for scalar in (Scalar.S32, Scalar.U32, Scalar.S64, Scalar.U64):
        is_candidate = scalar.is_signed != unsigned or (not scalar.is_signed and not decimal)
        if is_candidate and (not wide or scalar.bits == 64) and value <= limits(scalar)[1]:
            return Constant(value, scalar)
    return None


def whole(digits: str) -> int | None:
    """The number that decimal, octal, hexadecimal or binary digits stand for, None if none do."""
    try:
        return int(digits, 8 if _is_octal(digits) else 0)
    except ValueError:
        return None


def _is_octal(digits: str) -> bool:
    return digits[0] == "0" and digits.isdigit()


def character(written: str) -> Constant | None:
    """The character between quotes as a `char`, None if it is none that is read."""
    code = code_of(written[1:-1])
    return None if code is None or code > 255 else Constant(code - 256 if code > 127 else code, Scalar.S8)


_STRING = re.compile(
    r'(?:u8)?(?:"(?P<plain>(?:[^"\\]|\\.)*)"|R"(?P<mark>[^()\\\s]*)\((?P<raw>.*)\)(?P=mark)")', re.DOTALL
)
_PIECE = re.compile(r"\\x[0-9a-fA-F]+|\\[0-7]{1,3}|\\.|[^\\]", re.DOTALL)


def string(written: str) -> bytes | None:
    """The bytes that a string literal stands for, the last zero left out; None if it is none that is read."""
    match = _STRING.fullmatch(written)
    if match is None:
        return None
    if match["raw"] is not None:
        return match["raw"].encode()
    found = bytearray()
    for piece in _PIECE.findall(match["plain"]):
        code = code_of(piece) if piece[0] == "\\" else None
        if code is not None and code > 255:
            return None
        found += piece.encode() if code is None else bytes([code])
    return bytes(found)


def code_of(inside: str) -> int | None:
    """The code of the one character that stands between quotes, perhaps by an escape; None if there are others."""
    if match := _NUMERIC_ESCAPE.fullmatch(inside):
        return int(match[1], 16) if match[1] is not None else int(match[2], 8)
    if len(inside) == 2 and inside[0] == "\\" and inside[1] != "x":
        return _ESCAPES.get(inside[1], ord(inside[1]))
    return ord(inside) if len(inside) == 1 and inside != "\\" else None
