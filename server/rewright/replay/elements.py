"""Elements as Python values, and what the elementwise operators and monoids make of them.

Owns exact arithmetic on elements: `int` for int, `Fraction` for real (an `Enclosure` where a number has no exact
value), `bool` for pred, the text itself for any (a token that is only moved and compared), `math.inf` with a sign for
`highest` and `lowest`, `UNDEFINED` for an element outside an operation's domain and `UNDECIDED` where enclosures do not
tell what an element is, or whether it is defined. Every operator is strict in undefined operands except `select`, which
looks only at the operand chosen. Must not know axes or shapes. The meaning is that of the language page, section 1,
"Elements".
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from fractions import Fraction
from functools import reduce
from typing import Any

from rewright.model.index import Name
from rewright.model.tensor import ElementType
from rewright.replay import enclosures, real_functions
from rewright.replay.enclosures import Enclosure


class SpecialElement(Enum):
    """The elements that are no value."""

    UNDEFINED = "undefined"
    UNDECIDED = "undecided"


UNDEFINED = SpecialElement.UNDEFINED
UNDECIDED = SpecialElement.UNDECIDED

Element = int | Fraction | Enclosure | bool | str | float | SpecialElement
"""`float` only for the two infinities."""


class NotReplayable(Exception):
    """An element type, an operator or a size of tensor that this replay does not evaluate; the text says which."""


class TooLarge(NotReplayable):
    """A tensor of more elements than are evaluated: other inputs of the same rule may be replayed."""


def domain_of(type_: ElementType, domain: Mapping[Name, str]) -> str:
    """The element domain ("any", "int", "real" or "pred") of a type. Raises `NotReplayable` for machine types."""
    name = type_.name if type_.parameter is None else domain[type_.parameter]
    if name not in {"any", "int", "real", "pred"}:
        raise NotReplayable(f"elements of type `{name}` are not replayed")
    return name


def read_element(text: str, domain: str) -> Element:
    """The element that `text` denotes. Raises `ValueError` where it denotes none of that domain."""
    match domain:
        case "int":
            return int(text)
        case "real":
            return Fraction(text)
        case "pred":
            if text not in {"true", "false"}:
                raise ValueError(f"`{text}` is not `true` or `false`")
            return text == "true"
        case _:
            return text


def constant(text: str, domain: str) -> Element:
    """The element of a constant as written in a rule; `lowest` and `highest` are infinite over int and real."""
    if text in {"lowest", "highest"} and domain in {"int", "real"}:
        return math.inf if text == "highest" else -math.inf
    return read_element(text, domain)


def element_of(number: int, domain: str) -> Element:
    """`elem(number)` over int and real. Raises `NotReplayable` elsewhere: no other domain here has numbers."""
    if domain not in {"int", "real"}:
        raise NotReplayable(f"an index as an element of `{domain}`")
    return number if domain == "int" else Fraction(number)


def usual(domain: str) -> Element:
    """The element that stands where none is given: 0, `false`, or the token `0`."""
    return read_element("false" if domain == "pred" else "0", domain)


def element_text(element: Element) -> str:
    """The text of an element as witnesses carry it."""
    match element:
        case SpecialElement():
            return element.value
        case bool():
            return "true" if element else "false"
        case float():
            return "inf" if element > 0 else "-inf"
        case Enclosure():
            return enclosures.decimal(element)
        case _:
            return str(element)


def equal(left: Element, right: Element) -> bool | None:
    """Whether two elements are the same value; None where that is not decided, and for one that is no value."""
    found = pointwise("eq", (left, right))
    return found if isinstance(found, bool) else None


def pointwise(name: str, operands: tuple[Element, ...]) -> Element:
    """The value of an elementwise operator. Raises `NotReplayable` for one that is not evaluated here."""
    if name == "select":
        return _select(*operands)
    if _EXACT.issuperset(map(type, operands)):
        return _function(name, _ALL)(*operands)
    kinds = set(map(type, operands))
    if SpecialElement in kinds and any(operand is UNDEFINED for operand in operands):
        return UNDEFINED
    if float in kinds and name in _FINITE:
        return UNDEFINED
    if SpecialElement in kinds:
        return UNDECIDED
    return _function(name, _ENCLOSED if Enclosure in kinds else _ALL)(*operands)


def _function(name: str, table: Mapping[str, Callable[..., Element]]) -> Callable[..., Element]:
    function = table.get(name)
    if function is None:
        raise NotReplayable(f"the elementwise operator `{name}` is not replayed")
    return function


def combine(monoid: str, elements: Iterable[Element], start: Element) -> Element:
    """`start` combined with all elements by the monoid; `start` itself where there are none."""
    listed = tuple(elements)
    kinds = {type(start), *map(type, listed)}
    if listed and (kinds <= _EXACT or (kinds <= _ORDERED and monoid not in _FINITE)):
        return reduce(_function(monoid, _ALL), listed, start)
    total = start
    for element in listed:
        total = pointwise(monoid, (total, element))
    return total


def identity(monoid: str, domain: str) -> Element:
    """The identity of a monoid over a domain. Raises `NotReplayable` where there is none."""
    match monoid:
        case "monoid" if domain == "any":
            return NOTHING
        case "add" | "multiply":
            return element_of(0 if monoid == "add" else 1, domain)
        case "and" | "or":
            return monoid == "and"
        case "maximum" | "minimum" if domain == "pred":
            return monoid == "minimum"
        case "maximum" | "minimum" if domain in {"int", "real"}:
            return -math.inf if monoid == "maximum" else math.inf
        case _:
            raise NotReplayable(f"the monoid `{monoid}` over `{domain}` is not replayed")


NOTHING = "identity"
"""The identity of a declared monoid."""

_BETWEEN = "·"


def united(*operands: Element) -> Element:
    """What a declared monoid makes of tokens: the tokens that they consist of, beside each other, in order.

    This is the free commutative monoid: an equation that fails in any commutative monoid fails in it. Raises
    `NotReplayable` for elements that are no tokens.
    """
    if not all(isinstance(operand, str) for operand in operands):
        raise NotReplayable("a `monoid` on elements that have operators of their own is not replayed")
    parts = [part for operand in operands if operand != NOTHING for part in str(operand).split(_BETWEEN)]
    return _BETWEEN.join(sorted(parts)) if parts else NOTHING


def _select(predicate: Element, on_true: Element, on_false: Element) -> Element:
    if isinstance(predicate, SpecialElement):
        return predicate
    return on_true if predicate else on_false


Number = int | Fraction


def _quotient(left: Number, right: Number) -> Element:
    """Exact over real, truncated towards 0 over int; undefined for the divisor 0."""
    if right == 0:
        return UNDEFINED
    if isinstance(left, Fraction):
        return left / right
    return _truncated(left, right)


def _remainder(left: Number, right: Number) -> Element:
    """What the truncated quotient leaves, with the sign of the dividend; undefined for the divisor 0."""
    return UNDEFINED if right == 0 else left - right * _truncated(left, right)


def _truncated(left: Number, right: Number) -> int:
    return math.trunc(Fraction(left) / Fraction(right))


def _sign(operand: Number) -> Element:
    return type(operand)((operand > 0) - (operand < 0))


Enclosed = Any
"""A finite real element: a `Fraction` or an `Enclosure`; beside one of them an infinity may stand in a comparison."""


def _decided(found: Element | None) -> Element:
    return UNDECIDED if found is None else found


def _of_real(function: Callable[..., Any]) -> Callable[..., Element]:
    """The function as an operator: no value outside its domain, and undecided where that is not decided."""

    def value(*operands: Enclosed) -> Element:
        found = function(*operands)
        return UNDEFINED if found is real_functions.OUTSIDE else _decided(found)

    return value


_WITHOUT_EXACT_VALUES: dict[str, Callable[..., Element]] = {
    "exponential": _of_real(real_functions.exponential),
    "exponential_minus_one": _of_real(real_functions.exponential_less_one),
    "log": _of_real(real_functions.logarithm),
    "log_plus_one": _of_real(real_functions.logarithm_plus_one),
    "sqrt": _of_real(real_functions.root),
    "rsqrt": _of_real(real_functions.reciprocal_root),
    "logistic": _of_real(real_functions.logistic),
    "tanh": _of_real(real_functions.hyperbolic_tangent),
    "erf": _of_real(real_functions.error_function),
    "sine": _of_real(real_functions.sine),
    "cosine": _of_real(real_functions.cosine),
}
"""The same for numbers with and without exact values."""


def _power(base: Number, exponent: Number) -> Element:
    """Exact over int; over real as the function of reals."""
    integers = isinstance(base, int) and isinstance(exponent, int)
    return _of_real(real_functions.whole_power if integers else real_functions.power)(base, exponent)


_FINITE: dict[str, Callable[..., Element]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": _quotient,
    "remainder": _remainder,
    "abs": abs,
    "sign": _sign,
    "floor": _of_real(real_functions.floor),
    "ceil": _of_real(real_functions.ceiling),
    "power": _power,
    **_WITHOUT_EXACT_VALUES,
}
"""The operators that are undefined where an operand is infinite.

This table and the next two repeat names of the operator table, and what it says of them, on purpose: a replay that read
the rows would share their faults with what it confirms. `tests/unit/house/test_operator_rows.py` compares them.
"""

_ORDER_AND_LOGIC: dict[str, Callable[..., Element]] = {
    "negate": operator.neg,
    "maximum": max,
    "minimum": min,
    "clamp": lambda low, operand, high: min(max(operand, low), high),
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "and": lambda left, right: left and right,
    "or": lambda left, right: left or right,
    "xor": operator.ne,
    "not": operator.not_,
    "monoid": united,
}

_ALL = {**_FINITE, **_ORDER_AND_LOGIC}

_EXACT = frozenset({int, Fraction, bool, str})
"""The types of elements on which every operator is its function: neither infinite nor special nor enclosed."""

_ORDERED = _EXACT | {float}
"""The same and infinite ones: on them the operators that are not for finite elements alone are theirs."""


def _opposite(found: bool | None) -> Element:
    return UNDECIDED if found is None else not found


def _enclosed_sign(operand: Enclosed) -> Element:
    found = enclosures.sign(operand)
    return UNDECIDED if found is None else Fraction(found)


def _clamped(low: Enclosed, operand: Enclosed, high: Enclosed) -> Element:
    return enclosures.minimum(enclosures.maximum(operand, low), high)


_ENCLOSED: dict[str, Callable[..., Element]] = {
    "add": enclosures.add,
    "subtract": enclosures.subtract,
    "multiply": enclosures.multiply,
    "divide": lambda left, right: UNDEFINED if right == 0 else _decided(enclosures.divide(left, right)),
    "remainder": lambda left, right: UNDEFINED if right == 0 else _decided(enclosures.remainder(left, right)),
    "abs": enclosures.absolute,
    "sign": _enclosed_sign,
    "floor": _of_real(real_functions.floor),
    "ceil": _of_real(real_functions.ceiling),
    "power": _of_real(real_functions.power),
    **_WITHOUT_EXACT_VALUES,
    "negate": enclosures.negate,
    "maximum": enclosures.maximum,
    "minimum": enclosures.minimum,
    "clamp": _clamped,
    "eq": lambda left, right: _decided(enclosures.equals(left, right)),
    "ne": lambda left, right: _opposite(enclosures.equals(left, right)),
    "lt": lambda left, right: _decided(enclosures.below(left, right)),
    "le": lambda left, right: _decided(enclosures.at_most(left, right)),
    "gt": lambda left, right: _decided(enclosures.below(right, left)),
    "ge": lambda left, right: _decided(enclosures.at_most(right, left)),
}
"""The operators over real where an operand is an enclosure. An infinity is compared as what it is."""
