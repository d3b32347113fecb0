"""The call around a place, with the argument that is being written.

Invariant: a signature is the call of an operator's row, or what a function was declared as; its parameters are parts of
that text. Must not know the protocol.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rewright.model.operator_table import operator_named
from rewright.model.operators import Operator
from rewright.writing.graph_calls import GRAPH_CALLS
from rewright.writing.place import Cursor, Level
from rewright.writing.scope import RuleNames
from rewright.writing.words import ATTRIBUTES, BUILT_INS

_WRITTEN: Final = {
    "expect": 'expect(verdict, over = type, direction = "<=", code = RW201)',
    "budget": "budget(times)",
    "forall": "forall(size)",
    "source": "source(text)",
    "elem": "elem(integer)",
    "prod": "prod(map)",
    "identity": "identity(monoid)",
    "grid": "grid(x, y, z)",
    "block": "block(x, y, z)",
    "shared": "shared(bytes)",
    "barrier": "barrier(warp, mask)",
}
"""Calls that are in no row of the operator table."""


class CallPart(Struct, frozen=True):
    """A parameter: its name, empty if it has none, and where in the signature it stands."""

    name: str
    start: int
    end: int


class CallHelp(Struct, frozen=True):
    """A call as it is written, its parameters, and the number of the one that is written, None if it is none of them.

    `page` is the operator whose row explains it, `meaning` what else there is to say; either may be empty.
    """

    label: str
    parameters: tuple[CallPart, ...]
    active: int | None
    page: str = ""
    meaning: str = ""


def signature(place: Cursor, names: RuleNames) -> CallHelp | None:
    """The signature of the innermost call around the place that has one."""
    if place.in_comment:
        return None
    levels = place.levels
    for at in range(len(levels) - 1, 0, -1):
        if levels[at].opening == "{":
            return None
        if levels[at].opening == "(" and levels[at].called:
            is_graph = place.declaration in ("graph", "refine")
            known = _of_graph(levels[at].called) if is_graph else None
            known = known or _known(levels[at].called, names)
            return None if known is None else _with_active(known, levels[at:], names)
    return None


def _of_graph(name: str) -> CallHelp | None:
    given = GRAPH_CALLS.get(name)
    if given is None:
        return None
    page = name if operator_named(name) is not None else ""
    return CallHelp(given.written, _parameters(given.written), None, page, given.meaning)


def _known(name: str, names: RuleNames) -> CallHelp | None:
    operator = operator_named(name)
    if operator is not None:
        return _of_operator(operator, name)
    if name in names.functions or name in names.monoids:
        count = names.functions.get(name, 2)
        label = f"{name}({', '.join('XYZUVW'[at % 6] for at in range(count))})"
        return CallHelp(label, _parameters(label), None, "", f"`{names.details.get(name, name)}`")
    if name in _WRITTEN:
        word = ATTRIBUTES.get(name) or BUILT_INS.get(name)
        label = _WRITTEN[name]
        return CallHelp(label, _parameters(label), None, "", word.meaning if word is not None else "")
    return None


@lru_cache(maxsize=512)
def _of_operator(operator: Operator, name: str) -> CallHelp:
    """The call of an operator by one of its names; one that has a sign is written as a call here."""
    call = operator.texts.call
    if re.match(r"\w+\(", call):
        label = f"{name}{call[call.index('(') :]}"
    else:
        label = f"{name}({', '.join('XYZ'[: operator.operands or 1])})"
    parameters = _parameters(label)
    if len(operator.attributes) == 1:
        only = operator.attributes[0].name
        parameters = tuple(
            replace(each, name=only) if ":" in label[each.start : each.end] else each for each in parameters
        )
    return CallHelp(label, parameters, None, operator.name)


def _parameters(label: str) -> tuple[CallPart, ...]:
    """The arguments of a call in text; of `A: (low, high)` each attribute is one."""
    return tuple(_parts(label, label.index("(") + 1, len(label) - 1))


def _parts(label: str, start: int, end: int) -> Iterator[CallPart]:
    for begin, stop in _separated(label, start, end):
        text = label[begin:stop]
        grouped = re.match(r"\w+: \(", text)
        if grouped:
            yield from _parts(label, begin + grouped.end(), stop - 1)
        elif text != "…":
            attribute = re.match(r"\w+: (\w+)$", text)
            named = re.match(r"(\w+) = ", text)
            name = attribute[1] if attribute else named[1] if named else text
            yield CallPart(name, begin, stop)


def _separated(label: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a text between commas outside of brackets, without blanks around them."""
    depth, begin = 0, start
    for at in range(start, end + 1):
        if at == end or (label[at] == "," and depth == 0):
            part = label[begin:at]
            yield begin + len(part) - len(part.lstrip()), begin + len(part.rstrip())
            begin = at + 1
        depth += (label[at] in "([") - (label[at] in ")]")


def _with_active(known: CallHelp, levels: Sequence[Level], names: RuleNames) -> CallHelp:
    """The signature with the parameter at the place, which stands at most in the attributes of a group."""
    operator = operator_named(levels[0].called)
    argument, inner = levels[0].argument, levels[-1]
    attributes = [attribute.name for attribute in operator.attributes] if operator is not None else []
    active: int | None
    if argument[1:2] == [":"] and argument[0] in names.groups:
        in_tuple = len(levels) > 1 and levels[1].opening == "("
        active = _named(known, _attribute(levels[1] if in_tuple else inner, attributes, in_tuple))
    elif argument[1:2] == ["="]:
        active = _named(known, argument[0])
    else:
        active = _at(known, levels[0].commas)
    return CallHelp(known.label, known.parameters, active, known.page, known.meaning)


def _attribute(level: Level, attributes: Sequence[str], in_tuple: bool) -> str:
    """The attribute of a group that is being written: by its name, by its number, or the only one."""
    if in_tuple and level.argument[1:2] == ["="]:
        return level.argument[0]
    number = level.commas if in_tuple else 0
    return attributes[number] if number < len(attributes) else ""


def _named(known: CallHelp, name: str) -> int | None:
    return next((at for at, each in enumerate(known.parameters) if each.name == name), None)


def _at(known: CallHelp, number: int) -> int | None:
    """The parameter at a number; of a call of any number of operands the last operand goes on."""
    if number < len(known.parameters):
        return number
    return len(known.parameters) - 1 if "…" in known.label and known.parameters else None
