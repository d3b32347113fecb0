"""The mathematical functions that `Function` names, with their number of operands.

Each is computed in the type of its operands. Integers have operators instead.
"""

from __future__ import annotations

ARITY = (
    dict.fromkeys(
        (
            *("exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p"),
            *("sqrt", "rsqrt", "cbrt", "reciprocal", "erf", "erfc"),
            *("sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "asinh", "acosh", "atanh"),
            *("floor", "ceil", "round_even", "round_away", "trunc"),
        ),
        1,
    )
    | dict.fromkeys(("pow", "atan2", "fmod", "hypot", "copysign"), 2)
    | {"fma": 3}
)
