"""The mathematical functions by name, on values of one float type.

Each is computed in the type itself where NumPy knows it, else in f64 and rounded; `fma` in f64 and rounded, so twice
for f64 itself. A bf16 is computed in f32 and rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from rewright.kernels.execution.groups import Value
from rewright.kernels.execution.numbers import DTYPES, rounded
from rewright.model.simt.types import Scalar

Computed = Callable[..., Value]


def function(name: str, scalar: Scalar) -> Computed:
    """What the function of this name does with operands of a type."""
    if scalar is Scalar.BF16:
        computed = function(name, Scalar.F32)
        return lambda *operands: rounded(computed(*operands))
    if name == "fma":
        return _fused(scalar)
    return _FUNCTIONS[name]


EXACT = frozenset(("sqrt", "reciprocal", "floor", "ceil", "round_even", "round_away", "trunc", "fmod", "copysign"))
"""Those whose result is the nearest number of the type, so that every machine computes the same."""


def _fused(scalar: Scalar) -> Computed:
    dtype = DTYPES[scalar]
    if scalar is Scalar.F64:
        return lambda x, y, z: x * y + z
    return lambda x, y, z: (x.astype(np.float64) * y + z).astype(dtype)


def _exp10(x: Value) -> Value:
    return np.power(x.dtype.type(10), x)


def _reciprocal_root(x: Value) -> Value:
    return x.dtype.type(1) / np.sqrt(x)


def _reciprocal(x: Value) -> Value:
    return x.dtype.type(1) / x


def _rounded_away(x: Value) -> Value:
    """To the nearest integer, away from zero if there are two."""
    whole = np.trunc(x)
    step = np.copysign((abs(x - whole) >= 0.5).astype(x.dtype), x)
    return (
        np.where(np.isfinite(x), whole + step, x)
        if isinstance(x, np.ndarray)
        else (whole + step if np.isfinite(x) else x)
    )


def _each(scalar_function: Callable[[float], float]) -> Computed:
    """A function of Python's floats on values."""

    def computed(x: Value) -> Value:
        if isinstance(x, np.ndarray):
            return np.array([scalar_function(float(one)) for one in x], x.dtype)
        found: Any = x.dtype.type(scalar_function(float(x)))
        return found

    return computed


_FUNCTIONS: dict[str, Computed] = {
    "exp": np.exp,
    "exp2": np.exp2,
    "exp10": _exp10,
    "expm1": np.expm1,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "sqrt": np.sqrt,
    "rsqrt": _reciprocal_root,
    "cbrt": np.cbrt,
    "reciprocal": _reciprocal,
    "erf": _each(math.erf),
    "erfc": _each(math.erfc),
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "floor": np.floor,
    "ceil": np.ceil,
    "round_even": np.rint,
    "round_away": _rounded_away,
    "trunc": np.trunc,
    "pow": np.power,
    "atan2": np.arctan2,
    "fmod": np.fmod,
    "hypot": np.hypot,
    "copysign": np.copysign,
}
