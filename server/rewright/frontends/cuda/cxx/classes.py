"""Structs, classes and unions: read from their text, templates of them by instantiation.

Must not know functions' bodies.
"""

from __future__ import annotations

from msgspec.structs import replace
from tree_sitter import Node

from rewright.emit.emitter import Refused
from rewright.emit.types import Reference, StructType, TemplateArguments, Type, lay_out
from rewright.frontends.cuda.cxx.lowering import Definition, Lowering
from rewright.frontends.cuda.cxx.operands import constant
from rewright.frontends.cuda.cxx.outer import CLASSES, STATIC, enter_member
from rewright.frontends.cuda.cxx.scopes import ClassText, Scope, TypeName
from rewright.frontends.cuda.cxx.templates import arguments, bind
from rewright.frontends.cuda.cxx.type_names import declared, type_of
from rewright.frontends.cuda.reading.declarators import words
from rewright.frontends.cuda.reading.tree import parts, text

MOST_STRUCTS = 500
"""Structs that one kernel may make of templates: a template may ask for itself with ever new arguments."""


def class_of(lowering: Lowering, written: ClassText, given: TemplateArguments, node: Node) -> StructType:
    """The struct that a definition makes with the template arguments; the same one each time."""
    names = lowering.names
    written = _specialised(lowering, written, given)
    key = (written.node.start_byte, id(written.scope), given)
    if key in names.structs:
        return names.structs[key]
    if len(names.structs) > MOST_STRUCTS:
        lowering.emitter.refuse(node, f"more than {MOST_STRUCTS} structs are made of templates here")
    name = written.node.child_by_field_name("name")
    plain = "" if name is None else text(name.child_by_field_name("name") or name)
    if written.node.child_by_field_name("body") is None:
        lowering.emitter.refuse(node, f"`{plain}` is declared, but not defined in the source")
    made = StructType(plain, is_union=written.node.type == "union_specifier")
    names.structs[key] = made
    scope = Scope(written.scope)
    inside = Scope(scope)
    names.definitions[made] = Definition(inside, given, written.node)
    if written.template is not None:
        bind(lowering, scope, written.template, given)
    if plain:
        scope.names[plain] = TypeName(made)
    try:
        with names.inside(inside):
            _read(lowering, made, written.node)
    except Refused:
        del names.structs[key]  # what was read of it so far is no struct
        raise
    return made


def _specialised(lowering: Lowering, written: ClassText, given: TemplateArguments) -> ClassText:
    """The full specialisation for these arguments if there is one, else the template itself."""
    for special in written.special:
        name = special.child_by_field_name("name")
        listed = name.child_by_field_name("arguments") if name is not None else None
        with lowering.names.inside(written.scope):
            if listed is not None and arguments(lowering, listed) == given:
                return replace(written, node=special, template=None, special=())
    return written


def _read(lowering: Lowering, made: StructType, node: Node) -> None:
    names = lowering.names
    body = node.child_by_field_name("body")
    members: list[tuple[str, Type]] = []
    for base in _bases(node):
        kind = type_of(lowering, base)
        if not isinstance(kind, StructType):
            lowering.emitter.refuse(base, f"`{text(base)[:40]}` is not a struct that can be a base")
        members.append(("", kind))
        inside = names.members(kind)
        if inside is not None:  # a vector has components only
            names.scope.uses.append(inside)
    for child in parts(body) if body is not None else ():
        if any(text(word) == "virtual" for word in child.children):
            lowering.emitter.refuse_construct(child, "a virtual function")
        enter_member(names.scope, child, made)
        if child.type == "field_declaration" and not words(child) & STATIC:
            members += _fields(lowering, child)
    lay_out(made, members, _alignment(lowering, node))


def _bases(node: Node) -> list[Node]:
    clause = next((child for child in node.children if child.type == "base_class_clause"), None)
    return [] if clause is None else [child for child in parts(clause) if child.type != "access_specifier"]


def _fields(lowering: Lowering, node: Node) -> list[tuple[str, Type]]:
    emitter = lowering.emitter
    written = node.child_by_field_name("type")
    if written is None:
        emitter.refuse(node, "this member has no type")
    declarators = node.children_by_field_name("declarator")
    if not declarators:
        return [("", type_of(lowering, written))] if written.type in CLASSES else []
    if any(declarator.type == "function_declarator" for declarator in declarators):
        return []
    kind = type_of(lowering, written)
    if any(child.type == "bitfield_clause" for child in node.children):
        emitter.refuse_construct(node, "a bit-field")
    found: list[tuple[str, Type]] = []
    for declarator in declarators:
        name, made = declared(lowering, declarator, kind)
        if isinstance(made, Reference):
            emitter.refuse_construct(declarator, "a member that is a reference")
        found.append(("" if name is None else text(name), made))
    return found


def _alignment(lowering: Lowering, node: Node) -> int:
    """What `alignas` asks for, 1 without."""
    for child in node.children:
        for written in (child, *child.children):
            if written.type == "alignas_qualifier" and parts(written):
                return constant(lowering, parts(written)[0]) or 1
    return 1
