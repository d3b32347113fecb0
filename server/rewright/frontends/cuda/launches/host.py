"""Host code around a call: which variables are in reach, what they are set to where that happens once, functions.

Must not know what expressions mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tree_sitter import Node

from rewright.frontends.cuda.launches.signatures import functions
from rewright.frontends.cuda.reading.declarators import declared_name
from rewright.frontends.cuda.reading.tree import text, walk


@dataclass(frozen=True, slots=True)
class Host:
    """The host code around one call: variables in reach and what they are set to, functions by name.

    `known` are names with what stands for them in our syntax.
    """

    variables: Mapping[str, Node]
    functions: Mapping[str, Node]
    known: Mapping[str, str] = field(default_factory=dict)
    depth: int = 0


class HostCode:
    """All host code of a document; what a function sets is found once."""

    def __init__(self, roots: list[Node]) -> None:
        self._roots = roots
        self._inside: dict[int, dict[str, Node]] = {}

    def around(self, call: Node) -> Host:
        """The host code in reach of a call: its function, and what the file defines."""
        inside: Node | None = call
        while inside is not None and inside.type != "function_definition":
            inside = inside.parent
        if inside is None:
            return Host(self._outside, self._functions)
        if inside.start_byte not in self._inside:
            own = _set_once(walk(inside))
            outer = {name: value for name, value in self._outside.items() if name not in own}
            self._inside[inside.start_byte] = outer | {name: value for name, value in own.items() if value is not None}
        return Host(self._inside[inside.start_byte], self._functions)

    @cached_property
    def _outside(self) -> dict[str, Node]:
        found = _set_once(node for root in self._roots for node in _outside_functions(root))
        return {name: value for name, value in found.items() if value is not None}

    @cached_property
    def _functions(self) -> dict[str, Node]:
        defined = (node for root in self._roots for node in functions(root))
        return {name: node for node in defined if (name := _name(node)) is not None}


def _set_once(nodes: Iterable[Node]) -> dict[str, Node | None]:
    """The variables that these nodes set, with what they are set to where that happens once."""
    values: dict[str, Node | None] = {}
    for node in nodes:
        for name, value in _set(node):
            values[name] = None if name in values else value
    return values


def settings_in(node: Node) -> Iterator[tuple[str, Node | None]]:
    """Every place in a node where a variable is set or may be, with what it is set to if that is known."""
    return (found for inner in walk(node) for found in _set(inner))


def _outside_functions(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(child for child in reversed(current.named_children) if child.type != "function_definition")


def _set(node: Node) -> Iterator[tuple[str, Node | None]]:
    """The variables that a node sets, and to what; None where that is not known."""
    match node.type:
        case "init_declarator":
            name = node.child_by_field_name("declarator")
            value = node.child_by_field_name("value")
            if name is not None and name.type == "identifier":
                yield text(name), value
        case "assignment_expression":
            target, plain = node.child_by_field_name("left"), text(node.child_by_field_name("operator") or node) == "="
            if target is not None and target.type == "identifier":
                yield text(target), node.child_by_field_name("right") if plain else None
            elif target is not None and (names := [n for n in walk(target) if n.type == "identifier"]):
                yield text(names[0]), None
        case "update_expression" | "pointer_expression":
            argument = node.child_by_field_name("argument")
            if argument is not None and argument.type == "identifier" and not text(node).startswith("*"):
                yield text(argument), None
        case "parameter_declaration":
            name = declared_name(node.child_by_field_name("declarator") or node)
            if name is not None:
                yield text(name), None
        case _:
            return


def _name(function: Node) -> str | None:
    declarator = function.child_by_field_name("declarator")
    name = declared_name(declarator) if declarator is not None else None
    return None if name is None else text(name)
