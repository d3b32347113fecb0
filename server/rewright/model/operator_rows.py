"""How a row of the operator table is put together: operators by what they have in common with others.

Owns the words that many rows share, and which operators compare, compute and combine. Must not know what any of them
means.
"""

from __future__ import annotations

from dataclasses import replace

from rewright.model.operators import Attribute, Family, Operator, Texts
from rewright.model.types import Need

EQUAL_SHAPES = "shapes equal; a scalar is spread"
OPERANDS_DEFINED = "operands defined"
OPERANDS_FINITE = "operands defined and finite"
AS_STABLEHLO = "as in StableHLO"
KEYWORDS = frozenset({"and", "or", "not"})

_TYPES = {
    Need.NUMBER: "numbers",
    Need.ORDER: "numbers",
    Need.EQUALITY: "all but `any`",
    Need.LOGIC: "pred",
    Need.FRACTION: "real, floats",
}
_COMPARISONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
_ARITHMETIC = frozenset({"add", "subtract", "multiply", "divide", "remainder", "abs", "sign", "exponential"})
_NEEDS = {"clamp": Need.ORDER, "iota": Need.NUMBER, "dot": Need.NUMBER, "convolution": Need.NUMBER}
_MONOIDS = frozenset({"add", "multiply", "maximum", "minimum", "and", "or"})


def pointwise(spelling: str, call: str, element: str, need: Need) -> Operator:
    """An elementwise operator that this version decides; `spelling` is its name, its aliases and its signs."""
    types = _TYPES[need]
    operator = _elementwise(
        spelling, Texts(call, types, "that of the operands", EQUAL_SHAPES, OPERANDS_DEFINED, element)
    )
    result = "pred" if operator.family is Family.COMPARISON else "the operands'"
    defined = OPERANDS_FINITE if operator.name in _ARITHMETIC else OPERANDS_DEFINED
    texts = replace(operator.texts, types=f"{types}; result: {result}", defined=defined)
    return replace(operator, need=need, monoid=operator.name in _MONOIDS, texts=texts)


def undecided(spelling: str, call: str, element: str, need: Need) -> Operator:
    """An elementwise operator that is checked but not decided."""
    types = {Need.LOGIC: "pred, machine integers", Need.FRACTION: "real, floats"}.get(need, "numbers")
    texts = Texts(
        call, f"{types}; result: the operands'", "that of the operands", EQUAL_SHAPES, OPERANDS_FINITE, element
    )
    return replace(_elementwise(spelling, texts), need=need, decided=False)


def _elementwise(spelling: str, texts: Texts) -> Operator:
    names, signs = _names_and_signs(spelling)
    family = Family.COMPARISON if names[0] in _COMPARISONS else Family.POINTWISE
    operands = sum(operand in texts.call for operand in "XYZ")
    return Operator(names[0], names[1:], signs, family, operands, None, (), False, True, texts)


def _names_and_signs(spelling: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words = spelling.split()
    names = tuple(word for word in words if word.isidentifier())
    return names, tuple(word for word in words if not word.isidentifier() or word in KEYWORDS)


def structural(name: str, family: Family, texts: Texts, *attributes: Attribute) -> Operator:
    """An operator that moves, makes or combines data and that this version decides."""
    return Operator(name, (), (), family, 0, _NEEDS.get(name), attributes, False, True, texts)


def known(spelling: str, call: str, shape: str, element: str) -> Operator:
    """An operator of which only the names in its arguments are checked."""
    operator = _elementwise(spelling, Texts(call, AS_STABLEHLO, shape, AS_STABLEHLO, OPERANDS_DEFINED, element))
    return replace(operator, family=Family.NAMES_ONLY, operands=0, decided=False)


def general(operator: Operator, texts: Texts) -> Operator:
    """The operator with the form of it that is only known."""
    return replace(operator, general=texts)


def where(operator: Operator, condition: str) -> Operator:
    """The operator with what its operands must satisfy, over int and real, for the element to be defined."""
    return replace(operator, texts=replace(operator.texts, defined=f"{operator.texts.defined}, {condition}"))


def only(operator: Operator, types: str) -> Operator:
    """The operator with what its operands may be, where that needs more words."""
    return replace(operator, texts=replace(operator.texts, types=types))


def called(spelling: str, operator: Operator) -> Operator:
    """The operator with other names and signs."""
    names, signs = _names_and_signs(spelling)
    return replace(operator, aliases=names, signs=signs)
