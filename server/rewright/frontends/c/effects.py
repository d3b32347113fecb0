"""What the functions of a text do besides giving a value: variables that they share, elements that they change.

A call on a right side is taken as a function of its arguments, and calls in an expression are made in any order. Both
hold only of functions that are not named here. Must not know who calls them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from tree_sitter import Node

from rewright.frontends.c.declared import below, declarations, parameters_of
from rewright.frontends.c.regions import function_name, functions
from rewright.frontends.c.tree import field, parts, text, unwrapped, walk


class FunctionEffects(Struct, frozen=True):
    """Functions by name: with a variable that they `share` with others or with their next call, or that `change`."""

    share: Mapping[str, str]
    change: frozenset[str]


def effects(root: Node, statements: Iterable[Node]) -> FunctionEffects:
    """The effects of the functions that statements call, and that those call, in the text with this root."""
    called = {name for each in statements for name in _called(each)}
    if not called:
        return FunctionEffects({}, frozenset())
    named = {text(name): each for each in functions(root) if (name := function_name(each)) is not None}
    defined: dict[str, Node] = {}
    while waiting := [name for name in called if name in named and name not in defined]:
        defined |= {name: named[name] for name in waiting}
        called = {name for each in waiting for name in _called(field(named[each], "body"))}
    of_all = frozenset(
        each.name for node in root.named_children if not _is_constant(node) for each in declarations(node)
    )
    calls = {name: frozenset(_called(field(each, "body"))) & defined.keys() for name, each in defined.items()}
    share = {name: shared for name, each in defined.items() if (shared := _shared(each, of_all)) is not None}
    change = {name for name, each in defined.items() if _changes(each)}
    calling = {caller: callees for caller, callees in calls.items() if callees}
    known = -1
    while known != len(share) + len(change):
        known = len(share) + len(change)
        for caller, callees in calling.items():
            through = next((share[each] for each in sorted(callees) if each in share), None)
            if through is not None:
                share.setdefault(caller, through)
        change |= {caller for caller, callees in calling.items() if callees & change}
    return FunctionEffects(share, frozenset(change))


def keeps_value(declaration: Node) -> str | None:
    """How a declaration says that its variables outlive their block, None if they do not."""
    kept = (text(each) for each in parts(declaration) if each.type == "storage_class_specifier")
    return next((each for each in kept if each not in ("auto", "register")), None)


def _is_constant(node: Node) -> bool:
    return any(each.type == "type_qualifier" and text(each) == "const" for each in parts(node))


def _called(inside: Node) -> Iterator[str]:
    for node in walk(inside):
        if node.type == "call_expression":
            yield text(field(node, "function"))


def _shared(function: Node, of_all: frozenset[str]) -> str | None:
    body = field(function, "body")
    for node in walk(body):
        if node.type == "declaration" and keeps_value(node) is not None:
            return next((each.name for each in declarations(node)), None)
    own = {each.name for each in (*parameters_of(function), *below(body))}
    used = (text(node) for node in walk(body) if node.type == "identifier")
    return next((name for name in used if name in of_all and name not in own), None)


def _changes(function: Node) -> bool:
    """Whether it assigns to more than variables of its own."""
    for node in walk(field(function, "body")):
        if node.type in ("assignment_expression", "update_expression"):
            target = unwrapped(field(node, "left" if node.type == "assignment_expression" else "argument"))
            if target.type != "identifier":
                return True
    return False
