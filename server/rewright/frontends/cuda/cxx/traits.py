"""What the standard library says of types: `numeric_limits`, `is_same`. Known when the text is read.

Must not know expressions.
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from rewright.emit.emitter import Emitter
from rewright.emit.operators import integer
from rewright.emit.types import BOOL, INT, Arithmetic, Pointer, TemplateArgument, TemplateArguments
from rewright.emit.values import Rvalue
from rewright.frontends.cuda.reading.tree import text
from rewright.model.simt.constants import limits
from rewright.model.simt.instructions import Constant
from rewright.model.simt.types import Scalar

TRAITS: dict[str, Callable[[TemplateArguments], bool]] = {
    "is_same": lambda given: len(given) == 2 and given[0] == given[1],
    "is_integral": lambda given: isinstance(given[0], Arithmetic) and not given[0].scalar.is_float,
    "is_floating_point": lambda given: isinstance(given[0], Arithmetic) and given[0].scalar.is_float,
    "is_arithmetic": lambda given: isinstance(given[0], Arithmetic),
    "is_pointer": lambda given: isinstance(given[0], Pointer),
    "is_signed": lambda given: (
        isinstance(given[0], Arithmetic) and (given[0].scalar.is_float or given[0].scalar.is_signed)
    ),
    "is_unsigned": lambda given: isinstance(given[0], Arithmetic) and given[0].scalar.value[0] == "u",
}


def trait(name: str, given: TemplateArguments) -> Rvalue | None:
    """The value of `name<…>::value`, None if there is no such trait here."""
    known = TRAITS.get(name)
    return None if known is None or not given else Rvalue(BOOL, (integer(int(known(given)), Scalar.PRED),))


def limit(emitter: Emitter, kind: TemplateArgument, name: Node) -> Rvalue:
    """The value of `numeric_limits<T>::name`, called or not."""
    if not isinstance(kind, Arithmetic):
        emitter.refuse(name, "limits are known of numbers only")
    scalar, word = kind.scalar, text(name)
    if word in ("digits", "is_integer", "is_signed", "has_infinity"):
        return Rvalue(INT, (integer(_property(scalar, word)),))
    value = _of_float(scalar, word) if scalar.is_float else _of_integer(scalar, word)
    if value is None:
        emitter.refuse(name, f"`{word[:40]}` is not known here")
    return Rvalue(kind, (Constant(value, scalar),))


def _property(scalar: Scalar, word: str) -> int:
    match word:
        case "is_integer":
            return int(not scalar.is_float)
        case "is_signed":
            return int(scalar.is_float or scalar.is_signed)
        case "has_infinity":
            return int(scalar.is_float)
        case _:
            return _DIGITS.get(scalar, scalar.bits - scalar.is_signed)


def _of_integer(scalar: Scalar, word: str) -> int | None:
    least, most = limits(scalar)
    return {"max": most, "min": least, "lowest": least}.get(word)


_DIGITS = {Scalar.F16: 11, Scalar.BF16: 8, Scalar.F32: 24, Scalar.F64: 53}
"""How many binary digits of a number each float type keeps."""

_EXPONENTS = {Scalar.F16: 16, Scalar.BF16: 128, Scalar.F32: 128, Scalar.F64: 1024}
"""The power of two that each float type no longer holds (`max_exponent`)."""


def _of_float(scalar: Scalar, word: str) -> float | None:
    digits, exponent = _DIGITS[scalar], _EXPONENTS[scalar]
    most = (2 - 2.0 ** (1 - digits)) * 2.0 ** (exponent - 1)
    found = {"max": most, "lowest": -most, "min": 2.0 ** (2 - exponent), "epsilon": 2.0 ** (1 - digits)}
    found |= {"infinity": float("inf"), "quiet_NaN": float("nan")}
    return found.get(word)
