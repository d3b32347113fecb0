"""The head of a loop in C: which name it counts, from where, to where, by how much.

Must not know its body.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace
from tree_sitter import Node

from rewright.frontends.c.integers import Integers, shown
from rewright.frontends.c.known import IteratorBounds
from rewright.frontends.c.refusal import NotAffine
from rewright.frontends.c.scope import RegionScope
from rewright.frontends.c.sums import Sum, extremum, minus, number, plus, quotient, scaled, variable
from rewright.frontends.c.tree import field, operator, text, unwrapped
from rewright.model.index import Name
from rewright.model.nest import AffineExpression, AffineNumber, AffineOperation, AffineVariable
from rewright.verdict.diagnostics.names import CannotStandHere


class CountedLoop(Struct, frozen=True):
    """From `low` up to and without `high`, or down to it where the step is negative."""

    iterator: Name
    low: Sum
    high: Sum
    step: int

    @property
    def bounds(self) -> IteratorBounds:
        """What is known of the iterator in the loop."""
        last = plus(self.high, number(-1 if self.step > 0 else 1))
        ends = ((self.low,), (last,)) if self.step > 0 else ((last,), (self.low,))
        return IteratorBounds(self.iterator, *ends)


class Counter(Struct, frozen=True, eq=False):
    """What a loop counts, as it is written: the name, its first value, and where both stand."""

    name: str
    node: Node
    first: Node


def beginnings(node: Node) -> Iterator[Counter]:
    """What the head of a loop assigns before the loop runs. Raises `NotAffine`."""
    start = node.child_by_field_name("initializer")
    if start is None:
        return
    if start.type == "declaration":
        for each in start.children_by_field_name("declarator"):
            named = field(each, "declarator")
            if each.type != "init_declarator" or named.type != "identifier":
                raise NotAffine(f"`{shown(each)}` has no first value", each)
            yield Counter(text(named), named, field(each, "value"))
        return
    yield from _assignments(start)


def _assignments(node: Node) -> Iterator[Counter]:
    if node.type == "comma_expression":
        yield from _assignments(field(node, "left"))
        yield from _assignments(field(node, "right"))
        return
    target = unwrapped(field(node, "left"))
    if node.type != "assignment_expression" or operator(node) != "=" or target.type != "identifier":
        raise NotAffine(f"`{shown(node)}` does not begin a loop that counts", node)
    yield Counter(text(target), target, field(node, "right"))


def counted_by(node: Node) -> tuple[str, Node, int | Node]:
    """The name that a loop counts, where it is counted, and the step, as it is written if it is no 1. May refuse."""
    update = node.child_by_field_name("update")
    if update is None:
        raise NotAffine("a loop that does not count is not affine", node)
    update = unwrapped(update)
    match update.type, operator(update):
        case "update_expression", ("++" | "--") as sign:
            target, step = field(update, "argument"), 1 if sign == "++" else -1
            return _name(target), update, step
        case "assignment_expression", ("+=" | "-="):
            return _name(field(update, "left")), update, field(update, "right")
        case "assignment_expression", "=":
            return _name(field(update, "left")), update, field(update, "right")
    raise NotAffine(f"`{shown(update)}` is no step of a loop that counts", update)


def _name(target: Node) -> str:
    node = unwrapped(target)
    if node.type != "identifier":
        raise NotAffine(f"`{shown(node)}` is no iterator", node)
    return text(node)


def step_of(reading: Integers, update: Node, step: int | Node, iterator: Name) -> int:
    """By how much a loop counts. Raises `NotAffine`."""
    if isinstance(step, int):
        return step
    sign = operator(update)
    by = reading.affine(step)
    if sign == "=":
        by = minus(by, variable(iterator))
    elif sign == "-=":
        by = scaled(by, -1)
    if by.number is None:
        raise NotAffine("a step that is no number is not affine", step)
    if by.number == 0:
        raise NotAffine("a step of 0", step, CannotStandHere("`0`", "a step that is not 0"))
    return by.number


def head(scope: RegionScope, node: Node, low: Sum, iterator: Name) -> CountedLoop:
    """The head of a loop whose iterator has its value in the scope. Raises `NotAffine`."""
    _, update, written = counted_by(node)
    step = step_of(scope.reading(), update, written, iterator)
    condition = node.child_by_field_name("condition")
    if condition is None:
        raise NotAffine("a loop without an end is not affine", node)
    if step < 0 and iterator in scope.names.unsigned:
        raise NotAffine(f"`{iterator}` is unsigned, and counted down", update)
    reading = scope.reading()
    if step > 0:
        # The end is tested at the first value and above it.
        reading = replace(reading, known=reading.known.inside(IteratorBounds(iterator, (low,), ())))
    ends = list(_ends(reading, unwrapped(condition), iterator, step))
    high = ends[0]
    for each in ends[1:]:
        high = extremum("min" if step > 0 else "max", high, each)
    return CountedLoop(iterator, low, high, step)


def _ends(reading: Integers, node: Node, iterator: Name, step: int) -> Iterator[Sum]:
    """Where the conditions of a loop end it: values that its iterator does not reach."""
    sign = operator(node)
    if node.type == "binary_expression" and sign == "&&":
        yield from _ends(reading, unwrapped(field(node, "left")), iterator, step)
        yield from _ends(reading, unwrapped(field(node, "right")), iterator, step)
        return
    if node.type != "binary_expression" or sign not in ("<", "<=", ">", ">="):
        raise NotAffine(f"`{shown(node)}` is no end of a loop that counts", node)
    # The loop goes on while `factor * iterator <= most`.
    compared = minus(*reading.both(node))
    compared = compared if sign in ("<", "<=") else scaled(compared, -1)
    factor = dict(compared.terms).get(AffineVariable(iterator), 0)
    rest = minus(compared, scaled(variable(iterator), factor))
    if factor == 0 or any(_mentions(atom, iterator) for atom, _ in rest.terms):
        raise NotAffine(f"`{shown(node)}` does not bound `{iterator}`", node)
    if (factor > 0) != (step > 0):
        way = "upward" if step > 0 else "downward"
        raise NotAffine(f"`{shown(node)}` does not end a loop that counts {way}", node)
    most = minus(number(0 if sign in ("<=", ">=") else -1), rest)
    if factor > 0:
        yield plus(quotient(most, factor), number(1))
    else:
        yield minus(scaled(quotient(most, -factor), -1), number(1))


def _mentions(found: AffineExpression, iterator: Name) -> bool:
    match found:
        case AffineVariable(name=name):
            return name == iterator
        case AffineOperation(left=left, right=right):
            return _mentions(left, iterator) or _mentions(right, iterator)
        case AffineNumber():
            return False
        case _:
            assert_never(found)
