"""Declarators and the words before them: which name is declared, and what it is besides its type.

A declarator is read from the outside in, as it is parsed: `*(*name)[3]` is a pointer's, a pair of parentheses', an
array's, a pointer's, the name. Must not know types.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from rewright.frontends.cuda.reading.tree import parts, text

_IDENTIFIERS = ("identifier", "field_identifier", "type_identifier")
_NAMES = (
    *_IDENTIFIERS,
    "qualified_identifier",
    "template_function",
    "operator_name",
    "destructor_name",
    "operator_cast",
)
_WORDS = ("storage_class_specifier", "type_qualifier")
_FUNCTIONS = ("function_declarator", "abstract_function_declarator", "lambda_declarator")


def layers(declarator: Node | None) -> Iterator[Node]:
    """The declarator and those inside of it, down to the name."""
    while declarator is not None:
        yield declarator
        declarator = declarator.child_by_field_name("declarator") or next(_unnamed_inside(declarator), None)


def _unnamed_inside(node: Node) -> Iterator[Node]:
    """The children that go on with a declarator where the grammar names no field."""
    return (child for child in node.named_children if child.type in _IDENTIFIERS or child.type.endswith("declarator"))


def declared_name(declarator: Node) -> Node | None:
    """The name that a declarator declares."""
    return next((layer for layer in layers(declarator) if layer.type in _NAMES), None)


def function_declarator(node: Node) -> Node | None:
    """The declarator of a function's definition or of a lambda that has the parameters."""
    outermost = node.child_by_field_name("declarator")
    return next((layer for layer in layers(outermost) if layer.type in _FUNCTIONS), None)


def parameters_in(declarator: Node) -> list[Node]:
    """The declarations of the parameters that a function's declarator lists; `(void)` has none."""
    listed = declarator.child_by_field_name("parameters")
    found = [] if listed is None else parts(listed)
    is_empty = len(found) == 1 and found[0].child_by_field_name("declarator") is None and text(found[0]) == "void"
    return [] if is_empty else found


def is_kernel(function: Node) -> bool:
    """Whether the definition of a function is that of a kernel."""
    return "__global__" in words(function)


def words(node: Node) -> frozenset[str]:
    """The words of a declaration besides its type and declarators: `static`, `const`, `__shared__`."""
    said = (child for child in node.children if not child.is_named or child.type.endswith(_WORDS))
    return frozenset(word for child in said for word in text(child).split())
