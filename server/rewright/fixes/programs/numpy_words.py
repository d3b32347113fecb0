"""The elementwise operators and monoids in NumPy, and the functions that NumPy does not have.

Owns texts only. A real number is a float there, and an element that is not defined is `nan`.
"""

from __future__ import annotations

from typing import Final

CALLS: Final = {
    "add": "{} + {}",
    "subtract": "{} - {}",
    "multiply": "{} * {}",
    "negate": "-{}",
    "abs": "np.abs({})",
    "sign": "np.sign({})",
    "exponential": "np.exp({})",
    "exponential_minus_one": "np.expm1({})",
    "log": "log({})",
    "log_plus_one": "log(1 + {})",
    "sqrt": "sqrt({})",
    "rsqrt": "1 / sqrt(np.where({0} > 0, {0}, np.nan))",
    "logistic": "1 / (1 + np.exp(-{}))",
    "tanh": "np.tanh({})",
    "sine": "np.sin({})",
    "cosine": "np.cos({})",
    "erf": "erf({})",
    "floor": "np.floor({})",
    "ceil": "np.ceil({})",
    "maximum": "np.maximum({}, {})",
    "minimum": "np.minimum({}, {})",
    "eq": "np.equal({}, {})",
    "ne": "np.not_equal({}, {})",
    "lt": "np.less({}, {})",
    "le": "np.less_equal({}, {})",
    "gt": "np.greater({}, {})",
    "ge": "np.greater_equal({}, {})",
    "and": "np.logical_and({}, {})",
    "or": "np.logical_or({}, {})",
    "xor": "np.logical_xor({}, {})",
    "not": "np.logical_not({})",
    "select": "np.where({}, {}, {})",
    "clamp": "np.minimum(np.maximum({1}, {0}), {2})",
    "divide": "divide({}, {})",
    "remainder": "remainder({}, {})",
    "power": "power({}, {})",
}
"""The elementwise operators by their names."""

CALLS_OF_INTEGERS: Final = {"divide": "divide_whole({}, {})", "power": "power_whole({}, {})"}
"""Those that are others on integers: division truncates, and no power is negative."""

MONOIDS: Final = {
    "add": ("np.add", "0"),
    "multiply": ("np.multiply", "1"),
    "maximum": ("np.maximum", "-np.inf"),
    "minimum": ("np.minimum", "np.inf"),
    "and": ("np.logical_and", "True"),
    "or": ("np.logical_or", "False"),
}
"""The monoids, with their identities."""

FUNCTIONS: Final = {
    "log": """def log(x):
    return np.log(np.where(x > 0, x, np.nan))""",
    "sqrt": """def sqrt(x):
    return np.sqrt(np.where(x >= 0, x, np.nan))""",
    "erf": """def erf(x):
    return np.vectorize(math.erf, otypes=[float])(x)""",
    "divide": """def divide(x, y):
    return x / np.where(y == 0, np.nan, y)""",
    "divide_whole": """def divide_whole(x, y):
    return np.trunc(x / np.where(y == 0, np.nan, y))""",
    "remainder": """def remainder(x, y):
    return np.fmod(x, np.where(y == 0, np.nan, y))""",
    "power": """def power(x, y):
    x, y = np.asarray(x, float), np.asarray(y, float)
    defined = (x > 0) | ((x == 0) & (y >= 0)) | ((x < 0) & (y == np.floor(y)))
    return np.where(defined, np.power(np.where(defined, x, 1), y), np.nan)""",
    "power_whole": """def power_whole(x, y):
    return np.where(y < 0, np.nan, np.power(np.asarray(x, float), np.maximum(y, 0)))""",
    "pad": """def pad(x, value, low, high, interior):
    x = np.asarray(x)
    sizes = zip(x.shape, low, high, interior)
    shape = [max(l + n + max(n - 1, 0) * i + h, 0) for n, l, h, i in sizes]
    y = np.full(shape, value, np.result_type(x, np.asarray(value)))
    for at in np.ndindex(*x.shape):
        to = tuple(l + n * (i + 1) for n, l, i in zip(at, low, interior))
        if all(0 <= n < size for n, size in zip(to, shape)):
            y[to] = x[at]
    return y""",
    "reduce_window": """def reduce_window(x, combine, start, size, stride, low, high, base, window):
    x = pad(x, start, low, high, [each - 1 for each in base])
    reach = [(n - 1) * w + 1 for n, w in zip(size, window)]
    shape = [max((n - r) // s + 1, 0) for n, r, s in zip(x.shape, reach, stride)]
    y = np.full(shape, start, x.dtype)
    for at in np.ndindex(*shape):
        cells = x[tuple(slice(n * s, n * s + r, w) for n, s, r, w in zip(at, stride, reach, window))]
        y[at] = combine.reduce(cells.ravel(), initial=start)
    return y""",
}
"""What NumPy does not have, or has with other values where an element is not defined."""

NEEDS: Final = {"reduce_window": "pad"}
"""Functions that call another one."""
