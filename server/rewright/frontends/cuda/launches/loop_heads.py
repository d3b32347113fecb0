"""Loops of host code around a call, as far as their heads bound their variables. Must not know launches."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from tree_sitter import Node

from rewright.frontends.cuda.launches.references import References
from rewright.frontends.cuda.launches.settings import settings_in
from rewright.frontends.cuda.reading.tree import text

_UP, _DOWN, _FALLING = frozenset({"++", "+="}), frozenset({"--", "-="}), frozenset({">>=", "/="})
_BELOW, _ABOVE = frozenset({"<", "<=", "!="}), frozenset({">", ">="})


class LoopHead(Struct, frozen=True):
    """The head of a `for` that alone sets its variable: from the first value on upwards (`>=`), or downwards (`<=`).

    The loop begins at a byte of the text.
    """

    variable: str
    first: Node
    order: str
    condition: Node
    begins: int


def loops_around(node: Node, known: References) -> Iterator[LoopHead]:
    """The heads of the loops that a node stands in the bodies of, the innermost one first."""
    while node.parent is not None and node.type not in ("function_definition", "lambda_expression"):
        outer = node.parent
        if outer.type == "for_statement" and outer.child_by_field_name("body") == node:
            head = _head(outer, known)
            if head is not None:
                yield head
        node = outer


def _head(loop: Node, known: References) -> LoopHead | None:
    condition, update = (loop.child_by_field_name(each) for each in ("condition", "update"))
    started = _started(loop)
    if condition is None or update is None or started is None or _operand(update, "left", "argument") != started[0]:
        return None
    compared = text(condition.child_by_field_name("operator") or condition)
    is_first = _operand(condition, "left") == started[0]
    step = text(update.child_by_field_name("operator") or update)
    if step in _UP and is_first and compared in _BELOW:
        order = ">="
    elif is_first and ((step in _DOWN and compared in _ABOVE) or (step in _FALLING and _is_above_0(condition))):
        order = "<="
    else:
        return None
    times = sum(1 for name, _ in settings_in(loop, known) if name == started[0])
    return LoopHead(*started, order, condition, loop.start_byte) if times == _BY_HEAD else None


_BY_HEAD = 2
"""How often the head of a loop sets its variable: first, and after each pass."""


def _started(loop: Node) -> tuple[str, Node] | None:
    """The variable that a loop sets first, and to what."""
    begins = loop.child_by_field_name("initializer")
    if begins is None:
        return None
    if begins.type == "declaration":
        begins = begins.child_by_field_name("declarator") or begins
        name, value = begins.child_by_field_name("declarator"), begins.child_by_field_name("value")
    else:
        name, value = begins.child_by_field_name("left"), begins.child_by_field_name("right")
    return None if name is None or value is None or name.type != "identifier" else (text(name), value)


def _operand(node: Node, *fields: str) -> str:
    found = next((each for field in fields if (each := node.child_by_field_name(field)) is not None), None)
    return "" if found is None else text(found)


def _is_above_0(condition: Node) -> bool:
    """Whether a condition is `x > 0`, or greater than another number: then halves are not above what they are of."""
    right = condition.child_by_field_name("right")
    compared = text(condition.child_by_field_name("operator") or condition)
    least = text(right) if right is not None else ""
    return least.isdigit() and (compared == ">" or (compared == ">=" and int(least) > 0))
