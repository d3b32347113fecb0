"""The operator table: every operator of the language, and which of them this version decides.

The one place from which the table in the language page is generated and which hovers and completions read. The meaning
follows StableHLO's specification, restated for axis groups of unknown rank. Must not know how a rule is decided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from rewright.model.operators import Attribute, Family, Operator, Texts
from rewright.model.types import Need

_EQUAL_SHAPES = "shapes equal; a scalar is spread"
_OPERANDS = "operands defined"
_FINITE = "operands defined and finite"
_CHOSEN = "the operand chosen is defined"
_AS_STABLEHLO = "as in StableHLO"


def _pointwise(spelling: str, call: str, element: str, need: Need) -> Operator:
    """An elementwise operator that this version decides; `spelling` is its name, its aliases and its signs."""
    types = _TYPES[need]
    operator = _elementwise(spelling, Texts(call, types, "that of the operands", _EQUAL_SHAPES, _OPERANDS, element))
    result = "pred" if operator.family is Family.COMPARISON else "the operands'"
    defined = _FINITE if operator.name in _ARITHMETIC else _OPERANDS
    texts = replace(operator.texts, types=f"{types}; result: {result}", defined=defined)
    return replace(operator, need=need, monoid=operator.name in _MONOIDS, texts=texts)


def _undecided(spelling: str, call: str, element: str, need: Need) -> Operator:
    """An elementwise operator that is checked but not decided."""
    types = {Need.LOGIC: "pred, machine integers", Need.FRACTION: "real, floats"}.get(need, "numbers")
    texts = Texts(call, f"{types}; result: the operands'", "that of the operands", _EQUAL_SHAPES, _FINITE, element)
    return replace(_elementwise(spelling, texts), need=need, decided=False)


def _elementwise(spelling: str, texts: Texts) -> Operator:
    names, signs = _names_and_signs(spelling)
    family = Family.COMPARISON if names[0] in _COMPARISONS else Family.POINTWISE
    operands = sum(operand in texts.call for operand in "XYZ")
    return Operator(names[0], names[1:], signs, family, operands, None, (), False, True, texts)


def _names_and_signs(spelling: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words = spelling.split()
    names = tuple(word for word in words if word.isidentifier())
    return names, tuple(word for word in words if not word.isidentifier() or word in _KEYWORDS)


def _structural(name: str, family: Family, texts: Texts, *attributes: Attribute) -> Operator:
    """An operator that moves, makes or combines data and that this version decides."""
    return Operator(name, (), (), family, 0, _NEEDS.get(name), attributes, False, True, texts)


def _known(spelling: str, call: str, shape: str, element: str) -> Operator:
    """An operator of which only the names in its arguments are checked."""
    operator = _elementwise(spelling, Texts(call, _AS_STABLEHLO, shape, _AS_STABLEHLO, _OPERANDS, element))
    return replace(operator, family=Family.NAMES_ONLY, operands=0, decided=False)


def _general(operator: Operator, texts: Texts) -> Operator:
    """The operator with the form of it that is only known."""
    return replace(operator, general=texts)


def _where(operator: Operator, condition: str) -> Operator:
    """The operator with what its operands must satisfy, over int and real, for the element to be defined."""
    return replace(operator, texts=replace(operator.texts, defined=f"{operator.texts.defined}, {condition}"))


def _only(operator: Operator, types: str) -> Operator:
    """The operator with what its operands may be, where that needs more words."""
    return replace(operator, texts=replace(operator.texts, types=types))


def _called(spelling: str, operator: Operator) -> Operator:
    """The operator with other names and signs."""
    names, signs = _names_and_signs(spelling)
    return replace(operator, aliases=names, signs=signs)


_TYPES = {
    Need.NUMBER: "numbers",
    Need.ORDER: "numbers",
    Need.EQUALITY: "all but `any`",
    Need.LOGIC: "pred",
    Need.FRACTION: "real, floats",
}
_KEYWORDS = frozenset({"and", "or", "not"})
_COMPARISONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
_ARITHMETIC = frozenset({"add", "subtract", "multiply", "divide", "remainder", "abs", "sign", "exponential"})
_NEEDS = {"clamp": Need.ORDER, "iota": Need.NUMBER, "dot": Need.NUMBER, "convolution": Need.NUMBER}
_MONOIDS = frozenset({"add", "multiply", "maximum", "minimum", "and", "or"})

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

_ARITHMETIC_AND_LOGIC = (
    _pointwise("add +", "X + Y", "X[i] + Y[i]", Need.NUMBER),
    _pointwise("subtract -", "X - Y", "X[i] − Y[i]", Need.NUMBER),
    _pointwise("multiply *", "X * Y", "X[i] · Y[i]", Need.NUMBER),
    _where(_pointwise("divide /", "X / Y", "X[i] / Y[i]; truncated on integers", Need.NUMBER), "Y[i] ≠ 0"),
    _only(
        _where(_pointwise("remainder %", "X % Y", "X[i] rem Y[i], with the sign of X[i]", Need.NUMBER), "Y[i] ≠ 0"),
        "numbers, not decided over real yet; result: the operands'",
    ),
    _pointwise("abs", "abs(X)", "|X[i]|", Need.NUMBER),
    _pointwise("sign", "sign(X)", "the sign of X[i]: −1, 0 or 1", Need.NUMBER),
    _pointwise("exponential exp", "exp(X)", "e to the power X[i]", Need.FRACTION),
    _pointwise("negate", "-X", "−X[i]", Need.NUMBER),
    _pointwise("maximum max", "max(X, Y)", "the greater of X[i] and Y[i]", Need.ORDER),
    _pointwise("minimum min", "min(X, Y)", "the lesser of X[i] and Y[i]", Need.ORDER),
    _pointwise("eq ==", "X == Y", "X[i] = Y[i]", Need.EQUALITY),
    _pointwise("ne !=", "X != Y", "X[i] ≠ Y[i]", Need.EQUALITY),
    _pointwise("lt <", "X < Y", "X[i] < Y[i]", Need.ORDER),
    _pointwise("le <=", "X <= Y", "X[i] ≤ Y[i]", Need.ORDER),
    _pointwise("gt >", "X > Y", "X[i] > Y[i]", Need.ORDER),
    _pointwise("ge >=", "X >= Y", "X[i] ≥ Y[i]", Need.ORDER),
    _pointwise("and &", "X and Y", "X[i] ∧ Y[i]", Need.LOGIC),
    _pointwise("or |", "X or Y", "X[i] ∨ Y[i]", Need.LOGIC),
    _pointwise("not ~", "not X", "¬X[i]", Need.LOGIC),
)

_STRUCTURAL = (
    _structural(
        "select",
        Family.SELECT,
        Texts(
            "select(P, X, Y)",
            "P: pred; X, Y: any",
            "that of the operands",
            _EQUAL_SHAPES,
            f"P[i] is defined and {_CHOSEN}",
            "P[i] ? X[i] : Y[i]",
        ),
    ),
    _structural(
        "clamp",
        Family.CLAMP,
        Texts(
            "clamp(lo, X, hi)",
            "numbers",
            "that of the operands",
            _EQUAL_SHAPES,
            _OPERANDS,
            "min(max(X[i], lo[i]), hi[i])",
        ),
    ),
    _structural(
        "broadcast",
        Family.BROADCAST,
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
    _structural(
        "iota",
        Family.IOTA,
        Texts(
            "iota(d, A: n, d: m)",
            "numbers; `iota(T, d, …)` says which",
            "as listed",
            "d is an `axis`; sizes >= 0",
            "always",
            "elem(i_d)",
        ),
        Attribute("size", None),
    ),
    _structural(
        "slice",
        Family.SLICE,
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
    _structural(
        "dynamic_slice",
        Family.DYNAMIC_SLICE,
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
    _structural(
        "dynamic_update_slice",
        Family.DYNAMIC_UPDATE_SLICE,
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
    _structural(
        "pad",
        Family.PAD,
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
    _structural(
        "concatenate",
        Family.CONCATENATE,
        Texts(
            "concatenate(X, Y, …, d)",
            "any, the same for all",
            "the sum on d",
            "d is an `axis`; same groups, sizes equal elsewhere",
            _CHOSEN,
            "the operand that i_d falls into, i_d less the sizes before it",
        ),
    ),
    _structural(
        "reverse",
        Family.REVERSE,
        Texts("reverse(X, A)", "any", "that of X", "", "X is defined there", "X[n − 1 − i on A]"),
    ),
    _structural(
        "transpose",
        Family.TRANSPOSE,
        Texts(
            "transpose(X, I -> J, J -> I)",
            "any",
            "X's with the groups renamed",
            "a group is renamed within its rank class, no two alike",
            "X is defined there",
            "X[i by the old names]",
        ),
    ),
    _general(
        _structural(
            "reshape",
            Family.RESHAPE,
            Texts(
                "reshape(X, D -> [], [] -> E)",
                "any",
                "X's without D, and E with 1 on each axis",
                "D is a group of X with n = 1; E is not a group of X; `[D, E]` for several",
                "X is defined there",
                "X[i without E, 0 on D]",
            ),
        ),
        Texts(
            "reshape(X, [A, B] -> M)",
            _AS_STABLEHLO,
            "the target's, as in `M -> [A: n1, B: n2]`; one without a size is a single `axis`",
            "equal number of elements",
            _OPERANDS,
            "X at the same linear position, row-major in the order listed",
        ),
    ),
    _structural(
        "reduce",
        Family.REDUCE,
        Texts(
            "reduce(add, X, C, init = z)",
            "by the operator: `add`, `multiply`, `max`, `min`: numbers; `and`, `or`: pred",
            "X's without C; `[C, D]` for several",
            "z is a scalar; without it, the identity",
            "z and all X[i, c] are defined; what is added or multiplied is finite",
            "z combined with X[i, c] over all c",
        ),
    ),
    _called(
        "dot_general @",
        _structural(
            "dot",
            Family.DOT,
            Texts(
                "dot(X, Y, contract = C, batch = B)",
                "numbers, the same for X and Y; `@` is not decided",
                "X's without C, and Y's other groups",
                "C and B are all groups of both, `[C, D]` for several, none by default; equal sizes on them",
                "all X[i, c] and Y[i, c] are defined and finite",
                "the sum of X[i, c] · Y[i, c] over all c",
            ),
        ),
    ),
    _structural(
        "reduce_window",
        Family.REDUCE_WINDOW,
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
    _structural(
        "convolution",
        Family.CONVOLUTION,
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
    ),
)

_ELEMENTWISE_LATER = (
    _where(_undecided("power", "power(X, Y)", "X[i] to the power Y[i]", Need.NUMBER), "the power is a number"),
    _where(_undecided("log", "log(X)", "the natural logarithm of X[i]", Need.FRACTION), "X[i] > 0"),
    _undecided("logistic", "logistic(X)", "1 / (1 + exp(−X[i]))", Need.FRACTION),
    _undecided("tanh", "tanh(X)", "the hyperbolic tangent of X[i]", Need.FRACTION),
    _undecided("sine", "sine(X)", "the sine of X[i]", Need.FRACTION),
    _undecided("cosine", "cosine(X)", "the cosine of X[i]", Need.FRACTION),
    _where(_undecided("sqrt", "sqrt(X)", "the square root of X[i]", Need.FRACTION), "X[i] >= 0"),
    _where(_undecided("rsqrt", "rsqrt(X)", "1 / sqrt(X[i])", Need.FRACTION), "X[i] > 0"),
    _undecided("floor", "floor(X)", "X[i] rounded down", Need.FRACTION),
    _undecided("ceil", "ceil(X)", "X[i] rounded up", Need.FRACTION),
    _undecided("xor ^", "X ^ Y", "X[i] ⊕ Y[i]", Need.LOGIC),
    _undecided("shift_left <<", "X << Y", _AS_STABLEHLO, Need.NUMBER),
    _undecided("shift_right_arithmetic >>", "X >> Y", _AS_STABLEHLO, Need.NUMBER),
    _undecided("shift_right_logical", "shift_right_logical(X, Y)", _AS_STABLEHLO, Need.NUMBER),
)

_LATER = (
    _known("gather", "gather(X, …)", _AS_STABLEHLO, _AS_STABLEHLO),
    _known("scatter", "scatter(X, …)", _AS_STABLEHLO, _AS_STABLEHLO),
    _known("sort", "let (v, i) = sort(…)", _AS_STABLEHLO, _AS_STABLEHLO),
    _known("convert", "convert(X, S)", "that of X", "X[i] as an element of S"),
    _known("bitcast_convert", "bitcast_convert(X, S)", _AS_STABLEHLO, _AS_STABLEHLO),
)

DECIDED: tuple[Operator, ...] = _ARITHMETIC_AND_LOGIC + _STRUCTURAL
NOT_DECIDED: tuple[Operator, ...] = _ELEMENTWISE_LATER + _LATER
OPERATORS: tuple[Operator, ...] = DECIDED + NOT_DECIDED

_BY_NAME: Mapping[str, Operator] = MappingProxyType(
    {
        name: operator
        for operator in OPERATORS
        if operator.family is not Family.COMPARISON
        for name in (operator.name, *operator.aliases)
    }
)
_BY_SIGN: Mapping[str, Operator] = MappingProxyType(
    {sign: operator for operator in OPERATORS for sign in operator.signs}
)

_SIGNS: Mapping[str, str] = MappingProxyType({each.name: each.signs[0] for each in OPERATORS if each.signs})

OPERATOR_NAMES = frozenset(_BY_NAME)
"""Every name and alias that can be called, none of which may be declared. Comparisons are only written as signs."""

BUILT_IN_NAMES = frozenset({"elem", "prod", "identity", "lowest", "highest", "true", "false"})
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
    if sign in _KEYWORDS:
        return f"{sign} {operands[0]}"
    if name == "negate":
        return f"-({operands[0]})" if operands[0].startswith("-") else f"-{operands[0]}"
    operator = operator_named(name)
    short = min((operator.name, *operator.aliases), key=len) if operator else name
    return f"{short}({', '.join(operands)})"
