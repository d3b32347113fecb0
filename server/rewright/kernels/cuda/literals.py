"""Literals of C++: value and type from digits, prefix and suffix (C++17, [lex.icon], [lex.fcon], [lex.ccon]).

Must not know expressions.
"""

from __future__ import annotations

import re

import numpy as np

from rewright.model.simt.instructions import Constant
from rewright.model.simt.types import Scalar

_INTEGER = re.compile(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)([uUlLzZ]*)")
_FLOAT = re.compile(r"((?:[0-9']+\.?[0-9']*|\.[0-9']+)(?:[eE][-+]?[0-9]+)?)([fFlL]?)")
_HEXADECIMAL = re.compile(r"(0[xX][0-9a-fA-F']*\.?[0-9a-fA-F']*[pP][-+]?[0-9]+)([fFlL]?)")
_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11}


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
        with np.errstate(over="ignore"):
            return Constant(float(np.float32(value)), Scalar.F32)
    return Constant(value, Scalar.F64)


def _integer(digits: str, suffix: str) -> Constant | None:
    octal = digits[0] == "0" and digits.isdigit()
    try:
        value = int(digits, 8 if octal else 0)
    except ValueError:
        return None
    decimal = digits.isdigit() and not octal
    unsigned, wide = "u" in suffix, "l" in suffix or "z" in suffix
    for scalar in (Scalar.S32, Scalar.U32, Scalar.S64, Scalar.U64):
        is_candidate = scalar.is_signed != unsigned or (not scalar.is_signed and not decimal)
        if is_candidate and (not wide or scalar.bits == 64) and value < 1 << (scalar.bits - scalar.is_signed):
            return Constant(value, scalar)
    return None


def character(written: str) -> Constant | None:
    """The character between quotes as a `char`, None if it is none that is read."""
    inside = written[1:-1]
    if len(inside) == 1:
        code = ord(inside)
    elif inside.startswith("\\x"):
        code = int(inside[2:], 16)
    elif inside.startswith("\\"):
        code = _ESCAPES.get(inside[1:], ord(inside[-1]))
    else:
        return None
    return Constant(code - 256 if code > 127 else code, Scalar.S8) if code < 256 else None
