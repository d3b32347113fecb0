"""What a file or a block declares besides variables of functions: entered by name, read when first needed.

Functions, structs, type names, enums, variables outside functions, namespaces. Must not know what they mean.
"""

from __future__ import annotations

from msgspec.structs import replace
from tree_sitter import Node

from rewright.emit.types import StructType
from rewright.frontends.cuda.cxx.scopes import (
    CONSTRUCTORS,
    CONVERSIONS,
    AliasText,
    Binding,
    ClassText,
    EnumText,
    FunctionText,
    Member,
    Namespace,
    Scope,
    VariableText,
)
from rewright.frontends.cuda.reading.declarators import declared_name, layers, words
from rewright.frontends.cuda.reading.tree import parts, text

CLASSES = ("struct_specifier", "class_specifier", "union_specifier")
STATIC = frozenset({"static", "constexpr"})
"""The words that make a member one of the struct, not of each object."""


def enter(scope: Scope, node: Node, template: Node | None = None) -> None:
    """Enters what a node outside functions declares."""
    match node.type:
        case "function_definition":
            _function(scope, node, template)
        case "template_declaration":
            parameters = node.child_by_field_name("parameters")
            for child in parts(node):
                if child.type not in ("template_parameter_list", "requires_clause"):
                    enter(scope, child, parameters)
        case kind if kind in CLASSES:
            _enter_class(scope, node, template)
        case "enum_specifier":
            _enter_enum(scope, node)
        case "type_definition":
            _specifier(scope, node)
            for declarator in node.children_by_field_name("declarator"):
                if (name := declared_name(declarator)) is not None:
                    scope.names[text(name)] = AliasText(node, declarator, template, scope)
        case "alias_declaration":
            if (name := node.child_by_field_name("name")) is not None:
                scope.names[text(name)] = AliasText(node, None, template, scope)
        case "declaration":
            _specifier(scope, node)
            for declarator in node.children_by_field_name("declarator"):
                name = declared_name(declarator)
                if name is not None and all(each.type != "function_declarator" for each in layers(declarator)):
                    _variable(scope, text(name), VariableText(node, declarator, scope))
        case "namespace_definition":
            _namespace(scope, node)
        case "using_declaration":
            _using(scope, node)
        case _:
            for child in node.named_children:
                if child.type not in ("comment", "compound_statement"):
                    enter(scope, child, template)


def _variable(scope: Scope, name: str, variable: VariableText) -> None:
    """Enters a variable; `extern` declares one again that may be known."""
    if not ("extern" in words(variable.node) and isinstance(scope.names.get(name), VariableText)):
        scope.names[name] = variable


def _enter_class(scope: Scope, node: Node, template: Node | None = None) -> None:
    """Enters a struct by its name; a specialisation with its template; an unnamed one has no name to enter."""
    name = node.child_by_field_name("name")
    if name is None:
        return
    if node.child_by_field_name("body") is None:
        if template is not None or scope.find(text(name)) is None:
            scope.names.setdefault(text(name), ClassText(node, template, scope))
        return
    if name.type == "template_type":
        known = scope.here(text(name.child_by_field_name("name") or name))
        if isinstance(known, ClassText):
            scope.names[text(name.child_by_field_name("name") or name)] = replace(known, special=(*known.special, node))
        return
    before = scope.names.get(text(name))
    special = before.special if isinstance(before, ClassText) else ()
    scope.names[text(name)] = ClassText(node, template, scope, special)


def _enter_enum(scope: Scope, node: Node) -> None:
    """Enters the enumerators of an enum, and its name."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    enum = EnumText(node, scope)
    is_scoped = any(child.type in ("class", "struct") for child in node.children)
    inside = Scope(scope) if is_scoped else scope
    for child in parts(body) if body is not None else ():
        if (enumerator := child.child_by_field_name("name")) is not None:
            inside.names[text(enumerator)] = EnumText(node, inside)
    if name is not None:
        scope.names[text(name)] = Namespace(inside, node) if is_scoped else enum


def _specifier(scope: Scope, node: Node) -> None:
    """Enters what the type of a declaration defines on the way: `struct S { … } s;`."""
    kind = node.child_by_field_name("type")
    if kind is not None and kind.type in CLASSES:
        if kind.child_by_field_name("body") is not None:
            _enter_class(scope, kind)
    elif kind is not None and kind.type == "enum_specifier":
        _enter_enum(scope, kind)


def _namespace(scope: Scope, node: Node) -> None:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    inside = scope
    for part in text(name).split("::") if name is not None else ():
        known = inside.names.get(part)
        made = known if isinstance(known, Namespace) else Namespace(Scope(inside))
        inside.names[part] = made
        inside = made.scope
    for child in parts(body) if body is not None else ():
        enter(inside, child)


def _using(scope: Scope, node: Node) -> None:
    """`using namespace a;` adds its names, `using a::b;` one of them."""
    named = parts(node)[-1] if parts(node) else None
    if named is None:
        return
    found: Binding | None = Namespace(scope)
    words = [word for word in text(named).split("::") if word]
    for place, word in enumerate(words):
        inside = found.scope if isinstance(found, Namespace) else None
        found = None if inside is None else (inside.find(word) if place == 0 else inside.here(word))
    if any(child.type == "namespace" for child in node.children):
        if isinstance(found, Namespace) and found.scope is not scope:
            scope.uses.append(found.scope)
    elif found is not None:
        scope.names[words[-1]] = found


def _function(scope: Scope, node: Node, template: Node | None, owner: StructType | None = None) -> None:
    declarator = node.child_by_field_name("declarator")
    name = declared_name(declarator) if declarator is not None else None
    if name is None or name.type == "qualified_identifier":
        # a definition outside of its struct or namespace has names that only these know: it is not read
        return
    function = FunctionText(node, template, scope, owner)
    scope.overload(_function_name(name, owner), function)


def _function_name(name: Node, owner: StructType | None) -> str:
    """The name that a function is found by."""
    match name.type:
        case "operator_name":
            return text(name).replace(" ", "")
        case "operator_cast":
            return CONVERSIONS
        case "destructor_name":
            return "(destructor)"
        case "template_function":
            return text(name.child_by_field_name("name") or name)
        case _:
            return CONSTRUCTORS if owner is not None and text(name) == owner.name else text(name)


def enter_member(scope: Scope, node: Node, owner: StructType) -> None:
    """Enters what a node inside a struct declares, fields as such."""
    match node.type:
        case "function_definition":
            _function(scope, node, None, owner)
        case "template_declaration":
            parameters = node.child_by_field_name("parameters")
            for child in parts(node):
                if child.type == "function_definition":
                    _function(scope, child, parameters, owner)
                elif child.type != "template_parameter_list":
                    enter(scope, child, parameters)
        case "field_declaration":
            _specifier(scope, node)
            is_static = bool(words(node) & STATIC)
            for declarator in node.children_by_field_name("declarator"):
                if (name := declared_name(declarator)) is not None:
                    entered = VariableText(node, declarator, scope) if is_static else Member(text(name))
                    scope.names[text(name)] = entered
        case _:
            enter(scope, node)
