"""Where host code sets variables, and to what.

A call sets what it passes to a parameter that is a reference. Must not know which of the settings reaches a use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from tree_sitter import Node

from rewright.frontends.cuda.launches.references import References, changed_by
from rewright.frontends.cuda.reading.declarators import declared_name
from rewright.frontends.cuda.reading.tree import text, walk


class VariableSetting(Struct, frozen=True):
    """A place where a variable is set, or may be, and to what; None if that is not known."""

    at: int
    value: Node | None


VariableSettings = Mapping[str, Sequence[VariableSetting]]
"""The settings of variables, by name, in the order of the text."""


def all_settings(nodes: Iterator[Node], known: References) -> VariableSettings:
    """Where nodes set variables, by name; of a part, `name.part`."""
    found: defaultdict[str, list[VariableSetting]] = defaultdict(list)
    for node in nodes:
        for name, value in _set(node, known):
            found[name].append(VariableSetting(node.start_byte, value))
    return dict(found)


def outside_functions(node: Node) -> Iterator[Node]:
    """A node and all below it that stand in no function."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(child for child in reversed(current.named_children) if child.type != "function_definition")


def settings_in(node: Node, known: References) -> Iterator[tuple[str, Node | None]]:
    """Every place in a node where a variable is set or may be, with what it is set to if that is known."""
    return (found for inner in walk(node) for found in _set(inner, known))


def _set(node: Node, known: References) -> Iterator[tuple[str, Node | None]]:
    """The variables that a node sets, and to what; None where that is not known."""
    match node.type:
        case "init_declarator":
            name = node.child_by_field_name("declarator")
            value = node.child_by_field_name("value")
            if name is not None and name.type == "identifier":
                yield text(name), value
            elif name is not None and (named := declared_name(name)) is not None:
                yield text(named), None if name.type == "reference_declarator" else value
        case "declaration":
            kind = node.child_by_field_name("type")
            for name in node.children_by_field_name("declarator"):
                if name.type == "identifier" and kind is not None and text(kind) == "dim3":
                    yield text(name), kind
                elif name.type == "function_declarator" and (named := declared_name(name)) is not None:
                    # `dim3 grid(n);` may declare a function, as a parser sees it
                    yield text(named), name.child_by_field_name("parameters")
        case "assignment_expression":
            yield from _assigned(node)
        case "call_expression":
            yield from ((name, None) for name in changed_by(node, known))
        case "update_expression" | "pointer_expression":
            argument = node.child_by_field_name("argument")
            if argument is not None and argument.type == "identifier" and not text(node).startswith("*"):
                yield text(argument), None
        case "parameter_declaration" | "optional_parameter_declaration":
            name = _parameter_name(node)
            if name is not None:
                yield text(name), None
        case _:
            return


def is_set(name: Node, known: References) -> bool:
    """Whether the expression that a name stands in sets it, or may."""
    around = name.parent
    if around is not None and around.type == "argument_list":
        around = around.parent
    kinds = ("assignment_expression", "update_expression", "pointer_expression", "call_expression")
    return around is not None and around.type in kinds and any(each == text(name) for each, _ in _set(around, known))


def is_declared(name: Node) -> bool:
    """Whether what a name stands in declares it."""
    around = name.parent
    if around is None or around.child_by_field_name("value") == name:
        return False
    return around.type.endswith(("_declarator", "declaration"))


def _assigned(node: Node) -> Iterator[tuple[str, Node | None]]:
    target, plain = node.child_by_field_name("left"), text(node.child_by_field_name("operator") or node) == "="
    value = node.child_by_field_name("right") if plain else None
    if target is None:
        return
    whole, part = target.child_by_field_name("argument"), target.child_by_field_name("field")
    if target.type == "identifier":
        yield text(target), value
    elif target.type == "field_expression" and whole is not None and whole.type == "identifier" and part is not None:
        yield f"{text(whole)}.{text(part)}", value
    elif names := [each for each in walk(target) if each.type == "identifier"]:
        yield text(names[0]), None


def _parameter_name(node: Node) -> Node | None:
    """The name of a parameter of a function that has a body; what is listed elsewhere may be an expression."""
    declarator = node.child_by_field_name("declarator")
    listing = None if node.parent is None else node.parent.parent
    around = None if listing is None else listing.parent
    while around is not None and around.type.endswith("_declarator"):
        around = around.parent
    is_own = around is not None and around.type in ("function_definition", "lambda_expression")
    return declared_name(declarator) if declarator is not None and is_own else None
