"""How a row of the operator table is put together: operators by what they have in common with others.

Owns the words that many rows share. Must not know what any of them means.
"""

from __future__ import annotations

from msgspec.structs import replace

from rewright.model.operators import Attribute, Family, Operator, Texts, Trait
from rewright.model.types import Need

EQUAL_SHAPES = "shapes equal; a scalar is spread"
OPERANDS_DEFINED = "operands defined"
OPERANDS_FINITE = "operands defined and finite"
AS_STABLEHLO = "as in StableHLO"
KEYWORDS = frozenset({"and", "or", "not"})

_TYPES = {
    Need.NUMBER: "numbers",
    Need.ORDER: "numbers and pred, where false < true",
    Need.EQUALITY: "all but `any`",
    Need.LOGIC: "pred",
    Need.FRACTION: "real, floats",
}


def pointwise(spelling: str, call: str, element: str, need: Need, *traits: Trait, reduction: str = "") -> Operator:
    """An elementwise operator that this version decides; `spelling` is its name, its aliases and its signs."""
    defined = OPERANDS_FINITE if Trait.FINITE in traits else OPERANDS_DEFINED
    texts = Texts(call, _with_result(_TYPES[need]), "that of the operands", EQUAL_SHAPES, defined, element)
    operator = _elementwise(spelling, Family.POINTWISE, texts)
    return replace(operator, need=need, traits=frozenset(traits), reduction=reduction)


def of_reals(spelling: str, call: str, element: str) -> Operator:
    """An elementwise operator of one operand that has no exact values."""
    return pointwise(spelling, call, element, Need.FRACTION, Trait.FINITE, Trait.TRANSCENDENTAL)


def comparison(spelling: str, call: str, element: str, need: Need) -> Operator:
    """An elementwise operator that compares two elements; it is called by its sign only."""
    types = _with_result(_TYPES[need], "pred")
    texts = Texts(call, types, "that of the operands", EQUAL_SHAPES, OPERANDS_DEFINED, element)
    return replace(_elementwise(spelling, Family.COMPARISON, texts), need=need)


def undecided(spelling: str, call: str, element: str, need: Need) -> Operator:
    """An elementwise operator that is checked but not decided."""
    texts = Texts(call, _with_result(_TYPES[need]), "that of the operands", EQUAL_SHAPES, OPERANDS_FINITE, element)
    return replace(
        _elementwise(spelling, Family.POINTWISE, texts), need=need, traits=frozenset({Trait.FINITE}), decided=False
    )


def _elementwise(spelling: str, family: Family, texts: Texts) -> Operator:
    names, signs = _names_and_signs(spelling)
    operands = sum(operand in texts.call for operand in "XYZ")
    return Operator(names[0], names[1:], signs, family, operands, None, texts)


def _with_result(types: str, result: str = "the operands'") -> str:
    return f"{types}; result: {result}"


def _names_and_signs(spelling: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words = spelling.split()
    names = tuple(word for word in words if word.isidentifier())
    return names, tuple(word for word in words if not word.isidentifier() or word in KEYWORDS)


def structural(
    family: Family, operands: int | None, texts: Texts, *attributes: Attribute, need: Need | None = None
) -> Operator:
    """An operator that moves, makes or combines data and that this version decides, with the name of its family."""
    return Operator(family.name.lower(), (), (), family, operands, need, texts, attributes)


def known(spelling: str, call: str, shape: str, element: str) -> Operator:
    """An operator of which only the names in its arguments are checked."""
    texts = Texts(call, AS_STABLEHLO, shape, AS_STABLEHLO, OPERANDS_DEFINED, element)
    return replace(_elementwise(spelling, Family.NAMES_ONLY, texts), operands=None, decided=False)


def where(operator: Operator, condition: str) -> Operator:
    """The operator with what its operands must satisfy, over int and real, for the element to be defined."""
    return replace(operator, texts=replace(operator.texts, defined=f"{operator.texts.defined}, {condition}"))


def undecided_over(domain: str, operator: Operator) -> Operator:
    """The operator with an element domain over which its meaning is not decided."""
    types = operator.texts.types.replace(";", f", not decided over {domain} yet;", 1)
    return replace(operator, undecided_over=(domain,), texts=replace(operator.texts, types=types))


def called(spelling: str, operator: Operator) -> Operator:
    """The operator with other names and signs."""
    names, signs = _names_and_signs(spelling)
    return replace(operator, aliases=names, signs=signs)
