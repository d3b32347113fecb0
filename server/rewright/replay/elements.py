"""Elements as Python values, and what the elementwise operators and monoids make of them.

Owns exact arithmetic on elements: `int` for int, `Fraction` for real, `bool` for pred, the text itself for any (a token
that is only moved and compared), `math.inf` with a sign for `highest` and `lowest`, and `UNDEFINED` for an element
outside an operation's domain. Every operator is strict in undefined operands except `select`, which looks only at the
operand chosen. Must not know axes or shapes. The meaning is that of the language page, section 1, "Elements".
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from fractions import Fraction

from rewright.model.index import Name
from rewright.model.tensor import ElementType


class Special(Enum):
    """The one element that is no value."""

    UNDEFINED = "undefined"


UNDEFINED = Special.UNDEFINED

Element = int | Fraction | bool | str | float | Special
"""`float` only for the two infinities."""


class NotReplayable(Exception):
    """An element type, an operator or a size of tensor that this replay does not evaluate; the text says which."""


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


def element_text(element: Element) -> str:
    """The text of an element as witnesses carry it."""
    match element:
        case Special():
            return "undefined"
        case bool():
            return "true" if element else "false"
        case float():
            return "inf" if element > 0 else "-inf"
        case _:
            return str(element)


def pointwise(name: str, operands: tuple[Element, ...]) -> Element:
    """The value of an elementwise operator. Raises `NotReplayable` for one that has no exact evaluation here."""
    if name == "select":
        return _select(*operands)
    if any(operand is UNDEFINED for operand in operands):
        return UNDEFINED
    if name in _ARITHMETIC and any(isinstance(operand, float) for operand in operands):
        return UNDEFINED
    function = _ARITHMETIC.get(name) or _ORDER_AND_LOGIC.get(name)
    if function is None:
        raise NotReplayable(f"the elementwise operator `{name}` is not replayed")
    return function(*operands)


def combine(monoid: str, elements: Iterable[Element], start: Element) -> Element:
    """`start` combined with all elements by the monoid; `start` itself where there are none."""
    total = start
    for element in elements:
        total = pointwise(monoid, (total, element))
    return total


def identity(monoid: str, domain: str) -> Element:
    """The identity of a monoid over a domain."""
    match monoid:
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


def _select(predicate: Element, on_true: Element, on_false: Element) -> Element:
    if predicate is UNDEFINED:
        return UNDEFINED
    return on_true if predicate else on_false


_ARITHMETIC: dict[str, Callable[..., Element]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
}

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
    "not": operator.not_,
}
