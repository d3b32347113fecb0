"""Declared functions of elements, as finite tables.

Owns what a `fn` makes of elements: the table's result where the operands are listed, else what the table says of all
others. Invariant: the same operands always have the same result. A function is strict, like every operator: undefined
where an operand is undefined or infinite. Must not know where its entries come from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from rewright.model.rule import FunctionDeclaration
from rewright.replay.elements import UNDECIDED, UNDEFINED, Element, element_text, read_element, usual
from rewright.replay.enclosures import Enclosure
from rewright.verdict import FunctionValue

Operands = tuple[Element, ...]


class FunctionTable(Struct, frozen=True, eq=False):
    """A function: results by operands, and what gives the result of operands that are not listed.

    `other` may only add entries: what it once returned for some operands it returns, or `entries` holds, ever after.
    """

    entries: dict[Operands, Element]
    other: Callable[[Operands], Element]


def apply(table: FunctionTable, operands: Operands) -> Element:
    """The result of a function; undecided where an operand is known only by its enclosure."""
    if any(operand is UNDEFINED or isinstance(operand, float) for operand in operands):
        return UNDEFINED
    if any(operand is UNDECIDED or isinstance(operand, Enclosure) for operand in operands):
        return UNDECIDED
    found = table.entries.get(operands)
    return table.other(operands) if found is None else found


def remembering(draw: Callable[[Operands], Element]) -> FunctionTable:
    """A function whose results are drawn when they are first asked for; its entries are those asked for so far."""
    return continued({}, draw)


def continued(known: Mapping[Operands, Element], draw: Callable[[Operands], Element]) -> FunctionTable:
    """A function with these entries, all further ones drawn when they are first asked for."""
    entries = dict(known)

    def other(operands: Operands) -> Element:
        return entries.setdefault(operands, draw(operands))

    return FunctionTable(entries, other)


def read_function(declared: FunctionDeclaration, value: FunctionValue, domains: tuple[str, ...]) -> FunctionTable:
    """The function of a witness; `domains` are those of the parameters, then the result's. Raises `ValueError`."""
    *parameters, result = domains
    entries: dict[Operands, Element] = {}
    for texts, text in value:
        if len(texts) != len(parameters):
            raise ValueError(f"`{declared.name}` takes {len(parameters)} operands, got {len(texts)}")
        operands = tuple(read_element(each, domain) for each, domain in zip(texts, parameters, strict=True))
        if entries.setdefault(operands, read_element(text, result)) != read_element(text, result):
            raise ValueError(f"`{declared.name}` has two results for {', '.join(texts)}")
    return FunctionTable(entries, lambda operands: usual(result))


def function_value(table: FunctionTable) -> FunctionValue:
    """The function's entries as witnesses carry them."""
    return tuple(
        (tuple(element_text(operand) for operand in operands), element_text(result))
        for operands, result in table.entries.items()
    )
