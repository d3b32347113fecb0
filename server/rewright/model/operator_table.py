"""The operator table: every operator of the language, and which of them this version decides.

The one place where an operator is listed: its spelling, what it asks of types, whether it needs finite operands, what a
reduction by it is called, and what the language page and hovers say of it. What it means is in `meaning/`, its concrete
evaluation in `replay/`; `tests/unit/house/test_operator_rows.py` says which row is without either. The meaning is that
of StableHLO's specification, restated for axis groups of unknown rank. Must not know how a rule is decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from rewright.model.operator_rows import (
    AS_STABLEHLO,
    EQUAL_SHAPES,
    KEYWORDS,
    OPERANDS_DEFINED,
    called,
    comparison,
    known,
    of_reals,
    pointwise,
    structural,
    undecided,
    undecided_over,
    where,
)
from rewright.model.operators import Attribute, Family, Operator, Texts, Trait
from rewright.model.types import Need

_CHOSEN = "the operand chosen is defined"

_WINDOW = (
    Attribute("stride", "1"),
    Attribute("low", "0"),
    Attribute("high", "0"),
    Attribute("base", "1"),
    Attribute("window", "1"),
)
_POSITIONS = (
    "with p = low + n + max(n − 1, 0) · (base − 1) + high and d = (size − 1) · window + 1: "
    "0 on A if p = 0 or d > p, else ⌊(p − d) / stride⌋ + 1"
)

_POINTWISE = (
    pointwise("add +", "X + Y", "X[i] + Y[i]", Need.NUMBER, Trait.FINITE, reduction="the sum"),
    pointwise("subtract -", "X - Y", "X[i] − Y[i]", Need.NUMBER, Trait.FINITE),
    pointwise("multiply *", "X * Y", "X[i] · Y[i]", Need.NUMBER, Trait.FINITE, reduction="the product"),
    where(
        pointwise("divide /", "X / Y", "X[i] / Y[i]; truncated on integers", Need.NUMBER, Trait.FINITE),
        "Y[i] ≠ 0",
    ),
    undecided_over(
        "real",
        where(
            pointwise("remainder %", "X % Y", "X[i] rem Y[i], with the sign of X[i]", Need.NUMBER, Trait.FINITE),
            "Y[i] ≠ 0",
        ),
    ),
    pointwise("abs", "abs(X)", "|X[i]|", Need.NUMBER, Trait.FINITE),
    pointwise("sign", "sign(X)", "the sign of X[i]: −1, 0 or 1", Need.NUMBER, Trait.FINITE),
    of_reals("exponential exp", "exp(X)", "e to the power X[i]"),
    of_reals("exponential_minus_one expm1", "expm1(X)", "e to the power X[i], less 1"),
    where(of_reals("log", "log(X)", "the natural logarithm of X[i]"), "X[i] > 0"),
    where(of_reals("log_plus_one log1p", "log1p(X)", "the natural logarithm of X[i] + 1"), "X[i] > −1"),
    where(of_reals("sqrt", "sqrt(X)", "the square root of X[i]"), "X[i] >= 0"),
    where(of_reals("rsqrt", "rsqrt(X)", "1 / sqrt(X[i])"), "X[i] > 0"),
    of_reals("logistic", "logistic(X)", "1 / (1 + exp(−X[i]))"),
    of_reals("tanh", "tanh(X)", "the hyperbolic tangent of X[i]"),
    where(
        pointwise(
            "power",
            "power(X, Y)",
            "X[i] to the power Y[i], 1 if Y[i] = 0",
            Need.NUMBER,
            Trait.FINITE,
            Trait.TRANSCENDENTAL,
        ),
        "over int: Y[i] >= 0; over real: X[i] > 0, or X[i] = 0 and Y[i] >= 0, or X[i] < 0 and Y[i] is whole",
    ),
    of_reals("sine", "sine(X)", "the sine of X[i]"),
    of_reals("cosine", "cosine(X)", "the cosine of X[i]"),
    of_reals("erf", "erf(X)", "2 / sqrt(π) times the integral of exp(−t²) over 0 <= t <= X[i]"),
    pointwise("floor", "floor(X)", "X[i] rounded down", Need.FRACTION, Trait.FINITE),
    pointwise("ceil", "ceil(X)", "X[i] rounded up", Need.FRACTION, Trait.FINITE),
    pointwise("negate", "-X", "−X[i]", Need.NUMBER),
    pointwise(
        "maximum max",
        "max(X, Y)",
        "the greater of X[i] and Y[i]",
        Need.ORDER,
        Trait.OF_INDICES,
        reduction="the maximum",
    ),
    pointwise(
        "minimum min", "min(X, Y)", "the lesser of X[i] and Y[i]", Need.ORDER, Trait.OF_INDICES, reduction="the minimum"
    ),
    comparison("eq ==", "X == Y", "X[i] = Y[i]", Need.EQUALITY),
    comparison("ne !=", "X != Y", "X[i] ≠ Y[i]", Need.EQUALITY),
    comparison("lt <", "X < Y", "X[i] < Y[i]", Need.ORDER),
    comparison("le <=", "X <= Y", "X[i] ≤ Y[i]", Need.ORDER),
    comparison("gt >", "X > Y", "X[i] > Y[i]", Need.ORDER),
    comparison("ge >=", "X >= Y", "X[i] ≥ Y[i]", Need.ORDER),
    pointwise("and &", "X and Y", "X[i] ∧ Y[i]", Need.LOGIC, reduction="the conjunction"),
    pointwise("or |", "X or Y", "X[i] ∨ Y[i]", Need.LOGIC, reduction="the disjunction"),
    pointwise("xor ^", "X ^ Y", "X[i] ⊕ Y[i]", Need.LOGIC),
    pointwise("not ~", "not X", "¬X[i]", Need.LOGIC),
)

MONOIDS: tuple[Operator, ...] = tuple(operator for operator in _POINTWISE if operator.reduction)
"""The operators that `reduce` and its like combine elements by."""


FINITE = frozenset(operator.name for operator in _POINTWISE if Trait.FINITE in operator.traits)
"""The names of the decided operators that are undefined where an operand is infinite."""

COMPARISONS = tuple(operator.name for operator in _POINTWISE if operator.family is Family.COMPARISON)


def _names(operators: Iterable[Operator]) -> str:
    return ", ".join(f"`{operator.short}`" for operator in operators)


_OF_NUMBERS = _names(operator for operator in MONOIDS if operator.need is Need.NUMBER)
_OF_ORDER = _names(operator for operator in MONOIDS if operator.need is Need.ORDER)
_OF_TRUTHS = _names(operator for operator in MONOIDS if operator.need is Need.LOGIC)

_WITH_A_NODE = (
    structural(
        Family.SELECT,
        3,
        Texts(
            "select(P, X, Y)",
            "P: pred; X, Y: any",
            "that of the operands",
            EQUAL_SHAPES,
            f"P[i] is defined and {_CHOSEN}",
            "P[i] ? X[i] : Y[i]",
        ),
    ),
    structural(
        Family.CLAMP,
        3,
        Texts(
            "clamp(lo, X, hi)",
            "numbers and pred, where false < true",
            "that of the operands",
            EQUAL_SHAPES,
            OPERANDS_DEFINED,
            "min(max(X[i], lo[i]), hi[i])",
        ),
        need=Need.ORDER,
    ),
    structural(
        Family.BROADCAST,
        1,
        Texts(
            "broadcast(X, B: m)",
            "any",
            "X's groups and the new ones, with the sizes given",
            "B is not a group of X; m >= 0",
            "X is defined there",
            "X[i without B]",
        ),
        Attribute("size", None),
    ),
    structural(
        Family.IOTA,
        0,
        Texts(
            "iota(d, A: n, d: m)",
            "numbers; `iota(T, d, …)` says which",
            "as listed",
            "d is an `axis`; sizes >= 0",
            "always",
            "elem(i_d)",
        ),
        Attribute("size", None),
        need=Need.NUMBER,
    ),
    structural(
        Family.SLICE,
        1,
        Texts(
            "slice(X, A: (start, limit, stride))",
            "any",
            "⌈(limit − start) / stride⌉ on A",
            "0 <= start <= limit <= n, stride >= 1",
            "X is defined there",
            "X[start + i · stride]",
        ),
        Attribute("start", "0"),
        Attribute("limit", "the size"),
        Attribute("stride", "1"),
    ),
    structural(
        Family.DYNAMIC_SLICE,
        1,
        Texts(
            "dynamic_slice(X, A: (start, length))",
            "any",
            "length on A",
            "0 <= length <= n",
            "X is defined there",
            "X[min(max(start, 0), n − length) + i]",
        ),
        Attribute("start", None),
        Attribute("length", None),
    ),
    structural(
        Family.DYNAMIC_UPDATE_SLICE,
        2,
        Texts(
            "dynamic_update_slice(X, U, A: start)",
            "any, the same for X and U",
            "that of X",
            "same groups; size u of U: u <= n",
            _CHOSEN,
            "s <= i < s + u on every axis ? U[i − s] : X[i], with s = min(max(start, 0), n − u); start 0 if left out",
        ),
        Attribute("start", None),
    ),
    structural(
        Family.PAD,
        2,
        Texts(
            "pad(X, v, A: (low, high, interior))",
            "any, the same for X and the scalar v",
            "low + n + max(n − 1, 0) · interior + high on A",
            "interior >= 0, result >= 0",
            _CHOSEN,
            "i = low + k · (interior + 1) with 0 <= k < n on every axis ? X[k] : v",
        ),
        Attribute("low", "0"),
        Attribute("high", "0"),
        Attribute("interior", "0"),
    ),
    structural(
        Family.CONCATENATE,
        None,
        Texts(
            "concatenate(X, Y, …, d)",
            "any, the same for all",
            "the sum on d",
            "d is an `axis`; same groups, sizes equal elsewhere",
            _CHOSEN,
            "the operand that i_d falls into, i_d less the sizes before it",
        ),
    ),
    structural(
        Family.REVERSE,
        1,
        Texts("reverse(X, A)", "any", "that of X", "", "X is defined there", "X[n − 1 − i on A]"),
    ),
    structural(
        Family.TRANSPOSE,
        1,
        Texts(
            "transpose(X, I -> J, J -> I)",
            "any",
            "X's with the groups renamed",
            "a group is renamed within its rank class, no two alike",
            "X is defined there",
            "X[i by the old names]",
        ),
    ),
    structural(
        Family.RESHAPE,
        1,
        Texts(
            "reshape(X, D -> [], [] -> E)",
            "any",
            "X's without D, and E with 1 on each axis",
            "D is a group of X with n = 1; E is not a group of X; `[D, E]` for several",
            "X is defined there",
            "X[i without E, 0 on D]",
        ),
    ),
    structural(
        Family.BITCAST,
        1,
        Texts(
            "bitcast(X, [A, b] -> [C: p, d: q])",
            "any",
            "X's without A, b, and C of sizes p, d of size q; of an `axis` d alone, that is the number of elements",
            "A, b are groups of X, C, d new or these; p, q >= 0, together as many elements as along A and b",
            "X is defined there",
            "X at the same place, row-major in the order listed",
        ),
    ),
    structural(
        Family.REDUCE,
        1,
        Texts(
            "reduce(add, X, C, init = z)",
            f"by the operator: {_OF_NUMBERS}: numbers; {_OF_ORDER}: numbers and pred; {_OF_TRUTHS}: pred",
            "X's without C; `[C, D]` for several",
            "z is a scalar; without it, the identity",
            "z and all X[i, c] are defined; what is added or multiplied is finite",
            "z combined with X[i, c] over all c",
        ),
    ),
    called(
        "dot_general @",
        structural(
            Family.DOT,
            2,
            Texts(
                "dot(X, Y, contract = C, batch = B)",
                "numbers, the same for X and Y; `@` is not decided",
                "X's without C, and Y's other groups",
                "C and B are all groups of both, `[C, D]` for several, none by default; equal sizes on them",
                "all X[i, c] and Y[i, c] are defined and finite",
                "the sum of X[i, c] · Y[i, c] over all c",
            ),
            need=Need.NUMBER,
        ),
    ),
    structural(
        Family.REDUCE_WINDOW,
        1,
        Texts(
            "reduce_window(add, X, A: (size, stride, low, high, base, window), init = z)",
            "by the operator, as for `reduce`",
            _POSITIONS,
            "size >= 1, stride >= 1, base >= 1, window >= 1; z is a scalar; without it, the identity",
            "z and all P[i · stride + k · window] are defined; what is added or multiplied is finite",
            "z combined with P[i · stride + k · window] over all 0 <= k < size, "
            "with P = pad(X, z, A: (low, high, base − 1))",
        ),
        Attribute("size", None),
        *_WINDOW,
    ),
    structural(
        Family.CONVOLUTION,
        2,
        Texts(
            "convolution(X, W, batch = N, feature = F, output = O, S: (stride, low, high, base, window, reversal), "
            "feature_groups = a, batch_groups = b)",
            "numbers, the same for X and W",
            "n / b on N, O's sizes, and on S as for `reduce_window` with the sizes of W",
            "N: all groups of X alone, O: of W alone, F and S: of both; "
            "stride, base, window, W's size on S, a, b >= 1; a = 1 or b = 1; n = a · (W's size) on F, "
            "b divides n on N, a and b divide O's; what a or b other than 1 cuts is an `axis`",
            "all that is multiplied is defined and finite",
            "the sum over all f, k of P[j, f', i · stride + k · window] · W[o, f, k], k from its end if reversal, with "
            "P = pad(X, 0, S: (low, high, base − 1)), j = i + ⌊o · b / O⌋ · (n / b) on N, "
            "f' = f + ⌊o · a / O⌋ · (n / a) on F",
        ),
        *_WINDOW,
        Attribute("reversal", "false"),
        need=Need.NUMBER,
    ),
)

_POINTWISE_LATER = (
    undecided("shift_left <<", "X << Y", AS_STABLEHLO, Need.NUMBER),
    undecided("shift_right_arithmetic >>", "X >> Y", AS_STABLEHLO, Need.NUMBER),
    undecided("shift_right_logical", "shift_right_logical(X, Y)", AS_STABLEHLO, Need.NUMBER),
)

_LATER = (
    known("gather", "gather(X, …)", AS_STABLEHLO, AS_STABLEHLO),
    known("scatter", "scatter(X, …)", AS_STABLEHLO, AS_STABLEHLO),
    known("sort", "let (v, i) = sort(…)", AS_STABLEHLO, AS_STABLEHLO),
    known("convert", "convert(X, S)", "that of X", "X[i] as an element of S"),
    known("bitcast_convert", "bitcast_convert(X, S)", AS_STABLEHLO, AS_STABLEHLO),
)

DECIDED: tuple[Operator, ...] = _POINTWISE + _WITH_A_NODE
NOT_DECIDED: tuple[Operator, ...] = _POINTWISE_LATER + _LATER
OPERATORS: tuple[Operator, ...] = DECIDED + NOT_DECIDED

ROWS: Mapping[str, Operator] = MappingProxyType({operator.name: operator for operator in OPERATORS})
"""Each operator by its one name."""

_BY_NAME: Mapping[str, Operator] = MappingProxyType(
    {name: row for row in OPERATORS if row.family is not Family.COMPARISON for name in row.names}
)
_BY_SIGN: Mapping[str, Operator] = MappingProxyType(
    {sign: operator for operator in OPERATORS for sign in operator.signs}
)

_SIGNS: Mapping[str, str] = MappingProxyType({each.name: each.signs[0] for each in OPERATORS if each.signs})

COMMUTATIVE = f"a commutative operator: {_names(MONOIDS)}"
"""What may be written for the operator of a reduction, in messages."""

OPERATOR_NAMES = frozenset(_BY_NAME)
"""Every name and alias that can be called, none of which may be declared. Comparisons are only written as signs."""

CONSTANT_NAMES = frozenset({"lowest", "highest", "true", "false"})
"""Names of elements, which take no operands."""

BUILT_IN_NAMES = frozenset({"elem", "prod", "identity", *CONSTANT_NAMES})
"""Names with a fixed meaning that are no operators, none of which may be declared."""


def operator_named(name: str) -> Operator | None:
    """The operator that is called by a name or alias."""
    return _BY_NAME.get(name)


def operator_signed(sign: str) -> Operator:
    """The operator with an infix or prefix sign of the grammar."""
    return _BY_SIGN[sign]


def applied(name: str, operands: Sequence[str]) -> str:
    """An elementwise operator or a function on operands, as it is written: `1 + 2`, `-3`, `max(1, 2)`."""
    sign = _SIGNS.get(name)
    if sign and len(operands) == 2:
        return f"{operands[0]} {sign} {operands[1]}"
    if sign in KEYWORDS:
        return f"{sign} {operands[0]}"
    if name == "negate":
        return f"-({operands[0]})" if operands[0].startswith("-") else f"-{operands[0]}"
    operator = operator_named(name)
    return f"{operator.short if operator else name}({', '.join(operands)})"


def is_call(name: str, operands: int) -> bool:
    """Whether an operator on so many operands is written as a name with parentheses: nothing binds stronger."""
    sign = _SIGNS.get(name)
    return name != "negate" and sign not in KEYWORDS and not (sign and operands == 2)
