"""Number literals of C: value and type from digits, prefix and suffix. Must not know expressions."""

from __future__ import annotations

import re

from rewright.model.body import Expression, Integer, Real
from rewright.model.simt.types import Scalar
from rewright.verdict import Place

_INTEGER = re.compile(r"([-+]?)(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)([uUlL]*)")
_FLOAT = re.compile(r"[-+]?(?:[0-9']+\.?[0-9']*|\.[0-9']+)(?:[eE][-+]?[0-9]+)?([fFlL]?)")


def number(written: str, place: Place) -> Expression | None:
    """The literal as written, None if it is none that is read (C++17, [lex.icon] and [lex.fcon])."""
    if match := _INTEGER.fullmatch(written):
        return _integer(match[1], match[2].replace("'", ""), match[3].lower(), place)
    if match := _FLOAT.fullmatch(written):
        return Real(written, Scalar.F32 if match[1] in "fF" and match[1] else Scalar.F64, place)
    return None


def _integer(sign: str, digits: str, suffix: str, place: Place) -> Expression | None:
    octal = digits[0] == "0" and digits.isdigit()
    try:
        value = int(digits, 8 if octal else 0)
    except ValueError:
        return None
    decimal = digits.isdigit() and not octal
    unsigned, wide = "u" in suffix, "l" in suffix
    for scalar in (Scalar.S32, Scalar.U32, Scalar.S64, Scalar.U64):
        is_candidate = scalar.is_signed != unsigned or (not scalar.is_signed and not decimal)
        if is_candidate and (not wide or scalar.bits == 64) and value < 1 << (scalar.bits - scalar.is_signed):
            return Integer(-value if sign == "-" else value, scalar, place)
    return None
