"""What host code demands before it launches a kernel: assertions, guards and loops on the way to a call.

What callers of its function demand counts, too, if all calls of that are in the document. Only what the launch's own
names can say counts, and only of variables that are set once, or by the head of a loop. Must not know kernels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec.structs import replace
from tree_sitter import Node

from rewright.frontends.cuda.launches.callers import HostCall, calls_of
from rewright.frontends.cuda.launches.host import Choices, Host, leaves, line
from rewright.frontends.cuda.launches.host_expressions import FREE, HOLDS, as_number, integer, is_truth
from rewright.frontends.cuda.launches.loop_heads import loops_around
from rewright.frontends.cuda.reading.tree import parts, text, walk

ASSERTIONS = frozenset(
    {
        *("assert", "static_assert", "_Static_assert", "__builtin_assume", "CHECK", "DCHECK", "CV_Assert"),
        *("TORCH_CHECK", "TORCH_INTERNAL_ASSERT", "AT_ASSERT", "AT_ASSERTM", "GGML_ASSERT", "FT_CHECK"),
        *("CHECK_WITH_INFO", "FT_CHECK_WITH_INFO", "PADDLE_ENFORCE", "MXNET_ASSERT", "gpuAssert"),
    }
)
"""Calls whose first argument holds in whatever follows."""

TWO_SIDED = {
    "CHECK_EQ": "==",
    "CHECK_NE": "!=",
    "CHECK_LE": "<=",
    "CHECK_LT": "<",
    "CHECK_GE": ">=",
    "CHECK_GT": ">",
    "TORCH_CHECK_EQ": "==",
    "TORCH_CHECK_LE": "<=",
    "TORCH_CHECK_GE": ">=",
}
"""Calls whose two first arguments compare so."""

_NUMBERS = re.compile(r"([0-9]+) (<|<=|>|>=|==|!=) ([0-9]+)")

_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


def demands(call: Node, host: Host) -> tuple[str, ...]:
    """What holds of the names that stand for something in our syntax when the call is made.

    These are those known to the host and its free sizes. What chose the branches holds, too.
    """
    named = {**({} if host.free is None else host.free.names), **host.known}
    inside = replace(host, known=_steady(call, host, named), free=None)
    passed = host.choices.branches.values()
    found = dict.fromkeys(each for node in passed for each in _demanded(inside, *node))
    found |= dict.fromkeys(_around(call, inside, named, 0))
    names = set(named.values())
    return tuple(each for each in found if any(name in each for name in names))


def _steady(call: Node, host: Host, named: Mapping[str, str]) -> Mapping[str, str]:
    """Those of the names that the function around a call sets once at most."""
    sets = host.code.settings(_function(call))
    return {name: said for name, said in named.items() if len(sets.get(name, ())) <= 1}


def _around(call: Node, host: Host, named: Mapping[str, str], depth: int) -> Iterator[str]:
    """What holds at a call: by conditions and loops around it, and by those around the calls of its function.

    The host knows what is set once, and `named` are all names.
    """
    heads = [head for head in loops_around(call, host.code.references) if head.variable in named]
    for condition, holds in _on_the_way(call):
        of_loops = {head.variable: named[head.variable] for head in heads if head.begins < condition.start_byte}
        yield from _demanded(replace(host, known={**host.known, **of_loops}), condition, holds)
    for head in heads:
        variable, first = named[head.variable], integer(host, head.first)
        yield from _truths(replace(host, known={**host.known, head.variable: variable}), head.condition, holds=True)
        if first is not None:
            yield f"{variable} {head.order} {as_number(first)}"
    if depth < _MOST_CALLERS:
        yield from _by_callers(call, host, depth)


def _by_callers(call: Node, host: Host, depth: int) -> Iterator[str]:
    """What the callers of the function around a call demand: each of several callers is a way of its own."""
    calls = calls_of(host, _function(call))
    said = [_by_caller(host, each, depth + 1) for each in calls]
    if any(said):
        way = host.choices.pick(("caller", _function(call).start_byte), len(said)) if len(set(said)) > 1 else 0
        yield from said[way]


def _by_caller(host: Host, of: HostCall, depth: int) -> tuple[str, ...]:
    """What a caller demands: what it passes as it is stands for what the parameter stands for.

    Nothing, where that depends on a way to the call.
    """
    pairs = ((line(given), host.known.get(name)) for name, given in of.passed.items() if given.type in FREE)
    named = {name: said for name, said in pairs if said is not None}
    caller = replace(host, known=_steady(of.node, host, named), types=of.types, choices=Choices())
    said = tuple(_around(of.node, caller, named, depth))
    return () if caller.choices.taken else said


_MOST_CALLERS = 2
"""Functions around a launch whose calls are looked at, one around the other."""


def is_excluded(call: Node, host: Host) -> bool:
    """Whether the types and constants of an instance keep it from a call: `if (sizeof(T) == 2)` where `T` is `float`.

    Nothing is, where that depends on a way to the call.
    """
    inside = replace(host, known={}, free=None, choices=Choices())
    found = [each for condition, holds in _on_the_way(call) for each in _demanded(inside, condition, holds)]
    compared = (_NUMBERS.fullmatch(each) for each in found)
    never = any(each is not None and not HOLDS[each[2]](int(each[1]), int(each[3])) for each in compared)
    return never and not inside.choices.taken


def _function(call: Node) -> Node:
    """The function that a node is in, or the outermost node around it."""
    node = call
    while node.type != "function_definition" and node.parent is not None:
        node = node.parent
    return node


def _on_the_way(call: Node) -> Iterator[tuple[Node, bool]]:
    """The conditions that were passed before a call, each with whether it was true."""
    node = call
    while node.parent is not None and node.type != "function_definition":
        outer = node.parent
        if outer.type == "compound_statement":
            for before in outer.named_children:
                if before.start_byte >= node.start_byte:
                    break
                yield from _passed(before)
        elif outer.type == "if_statement":
            condition = outer.child_by_field_name("condition")
            if condition is not None and outer.child_by_field_name("consequence") == node:
                yield condition, True
            elif condition is not None and outer.child_by_field_name("alternative") == node:
                yield condition, False
        node = outer


def _passed(statement: Node) -> Iterator[tuple[Node, bool]]:
    """The conditions that hold after a statement, if it says any: an assertion, or a way out."""
    match statement.type:
        case "expression_statement" if parts(statement) and parts(statement)[0].type == "call_expression":
            yield parts(statement)[0], True
        case "static_assert_declaration":
            condition = statement.child_by_field_name("condition")
            if condition is not None:
                yield condition, True
        case "if_statement" if statement.child_by_field_name("alternative") is None:
            condition, then = (statement.child_by_field_name(each) for each in ("condition", "consequence"))
            if condition is not None and then is not None and leaves(then):
                yield condition, False
        case _:
            return


def _demanded(host: Host, node: Node, holds: bool) -> Iterator[str]:
    function, written = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.type != "call_expression" or function is None or written is None:
        yield from _truths(host, node, holds)
        return
    given = parts(written)
    name = text(function)
    if name in ASSERTIONS and given:
        yield from _truths(host, given[0], holds=True)
    elif name in TWO_SIDED and len(given) > 1:
        sides = [as_number(said) for each in given[:2] if (said := integer(host, each)) is not None]
        if len(sides) == 2:
            yield f"{sides[0]} {TWO_SIDED[name]} {sides[1]}"


def _truths(host: Host, node: Node, holds: bool) -> list[str]:
    """What is known to hold if the condition does, or does not: each a truth of our syntax."""
    inner = _inner(node)
    if inner is not None:
        return _truths(host, inner, holds)
    operator = text(node.child_by_field_name("operator") or node)
    if node.type == "unary_expression" and operator == "!":
        argument = node.child_by_field_name("argument")
        return [] if argument is None else _truths(host, argument, not holds)
    sides = [node.child_by_field_name(side) for side in ("left", "right")]
    if node.type != "binary_expression" or operator not in ("&&", "||", *_OPPOSITE):
        value = integer(host, node)
        if value is not None and is_truth(value):
            return [value] if holds else []
        return [] if value is None else [f"{value} {'!=' if holds else '=='} 0"]
    if operator in _OPPOSITE:
        read = [as_number(said) for side in sides if side is not None and (said := integer(host, side)) is not None]
        return [f"{read[0]} {operator if holds else _OPPOSITE[operator]} {read[1]}"] if len(read) == 2 else []
    left, right = (_truths(host, side, holds) if side is not None else [] for side in sides)
    if (operator == "&&") is holds:
        return [*left, *right]
    whole = [" and ".join(each) for each in (left, right) if each]
    return [f"({whole[0]}) or ({whole[1]})"] if len(whole) == 2 and _is_whole(node, (left, right)) else []


def _is_whole(node: Node, sides: tuple[list[str], list[str]]) -> bool:
    """Whether nothing of two alternatives was left out: each is a single comparison."""
    return all(len(side) == 1 for side in sides) and not any(
        each.type in ("&&", "||") for side in ("left", "right") for each in walk(node.child_by_field_name(side) or node)
    )


def _inner(node: Node) -> Node | None:
    """The condition inside parentheses."""
    if node.type in ("parenthesized_expression", "condition_clause"):
        return node.child_by_field_name("value") or next(iter(parts(node)), None)
    return None
