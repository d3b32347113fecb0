"""Expressions whose values are dropped: an object of a `volatile` type is read all the same (C++17, [expr.context]).

Types have no qualifiers here, so the declarations of the names in the expression are asked for the word. Must not know
statements.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from rewright.emit.memory import loaded
from rewright.emit.values import InMemory, Value
from rewright.frontends.cuda import cxx  # what is dropped is an expression
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.reading.declarators import declared_name, layers
from rewright.frontends.cuda.reading.tree import parts, text

_READ = ("identifier", "subscript_expression", "field_expression", "pointer_expression")
"""The forms of an object that is read for its own sake; an assignment or a call gives one, too, but is no such form."""

_DECLARING = ("declaration", "parameter_declaration", "optional_parameter_declaration", "field_declaration")


def discarded(lowering: Lowering, node: Node) -> Value:
    """Lowers an expression whose value is discarded, and returns what it comes to."""
    value = cxx.expressions.value(lowering, node)
    if isinstance(value, InMemory) and any(_is_volatile(form) for form in _forms(node)):
        return loaded(lowering.emitter, value, lowering.emitter.place(node))
    return value


def _forms(node: Node) -> Iterator[Node]:
    """What stands in parentheses, after a comma or as a side of a choice, if it is of a form that is read."""
    match node.type:
        case "parenthesized_expression":
            yield from (each for child in parts(node)[:1] for each in _forms(child))
        case "comma_expression":
            yield from _of(node, "right")
        case "conditional_expression":
            yield from (*_of(node, "consequence"), *_of(node, "alternative"))
        case kind if kind in _READ:
            yield node


def _of(node: Node, name: str) -> Iterator[Node]:
    child = node.child_by_field_name(name)
    return iter(()) if child is None else _forms(child)


def _is_volatile(node: Node) -> bool:
    """Whether the word stands in a cast of the expression, or in a declaration of a name that leads to the object."""
    if any(_says(child) for child in _inside(node)):
        return True
    names = {(child.type, text(child)) for child in _inside(node) if child.type in ("identifier", "field_identifier")}
    return any(name in names for scope in _around(node) for name in _volatile_names(scope))


def _inside(node: Node) -> Iterator[Node]:
    """The expression and its parts, but for indices and arguments, which do not say what is read."""
    yield node
    for child in node.named_children:
        if child.type not in ("subscript_argument_list", "argument_list"):
            yield from _inside(child)


def _around(node: Node) -> Iterator[Node]:
    """The bodies, functions, classes and files that the expression stands in."""
    at = node.parent
    while at is not None:
        yield at
        at = at.parent


def _volatile_names(scope: Node) -> Iterator[tuple[str, str]]:
    """The names that a scope declares with the word, its parameters and the members of its classes included."""
    for child in scope.named_children:
        if child.type in _DECLARING:
            yield from _declared(child)
        elif child.type in _OPENED:
            yield from _volatile_names(child)


_OPENED = (
    *("parameter_list", "function_declarator", "init_declarator", "pointer_declarator"),
    *("struct_specifier", "class_specifier", "union_specifier", "field_declaration_list"),
)


def _declared(node: Node) -> Iterator[tuple[str, str]]:
    yield from _volatile_names(node)
    if _says(node) or _names_volatile_type(node):
        for declarator in node.children_by_field_name("declarator"):
            name = declared_name(declarator)
            if name is not None:
                yield name.type, text(name)


def _says(node: Node) -> bool:
    """Whether `volatile` stands among the words of a declaration or type."""
    return any(child.type == "type_qualifier" and text(child) == "volatile" for child in node.named_children)


def _names_volatile_type(node: Node) -> bool:
    """Whether the type of a declaration is another name for a volatile one."""
    kind = node.child_by_field_name("type")
    if kind is None or kind.type != "type_identifier":
        return False
    aliases = (child for scope in _around(node) for child in scope.named_children if child.type in _ALIASES)
    return any(_alias_name(alias) == text(kind) and _says(_specified(alias)) for alias in aliases)


_ALIASES = ("type_definition", "alias_declaration")


def _specified(alias: Node) -> Node:
    """Where the qualifiers of the other name's type stand."""
    kind = alias.child_by_field_name("type")
    return kind if alias.type == "alias_declaration" and kind is not None else alias


def _alias_name(alias: Node) -> str | None:
    name = alias.child_by_field_name("name")
    if name is not None:
        return text(name)
    found = (layer for layer in layers(alias.child_by_field_name("declarator")) if layer.type == "type_identifier")
    return next((text(layer) for layer in found), None)
