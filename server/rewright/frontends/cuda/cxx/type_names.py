"""Types as they are written: specifiers, declarators; names that stand for types.

Must not know statements or calls.
"""

from __future__ import annotations

from tree_sitter import Node

from rewright.emit.emitter import Refused
from rewright.emit.types import (
    FUNCTION,
    INT,
    VOID,
    Arithmetic,
    ArrayType,
    DeducedType,
    Pointer,
    Reference,
    StructType,
    TemplateArguments,
    Type,
    scalar_named,
    storage,
    vector,
)
from rewright.frontends.cuda import cxx  # a type may be a struct with a body, or that of an expression
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.cxx.operands import constant
from rewright.frontends.cuda.cxx.scopes import (
    AliasText,
    Binding,
    ClassText,
    EnumText,
    Namespace,
    RefusedName,
    Scope,
    TypeName,
)
from rewright.frontends.cuda.cxx.templates import argument, arguments, bind, bound_arguments
from rewright.frontends.cuda.reading.declarators import declared_name
from rewright.frontends.cuda.reading.tree import parts, text

MOST_ELEMENTS = 1 << 24
"""Elements of the largest array of known size."""


def type_of(lowering: Lowering, node: Node) -> Type:
    """The type that a specifier, or a type with an abstract declarator, names."""
    found = type_or_none(lowering, node)
    if found is None:
        lowering.emitter.refuse(node, f"the type `{text(node)[:60]}` is not known here")
    return found


def type_or_none(lowering: Lowering, node: Node) -> Type | None:
    """As `type_of`, None where no such type is known."""
    match node.type:
        case "type_descriptor":
            base, declarator = node.child_by_field_name("type"), node.child_by_field_name("declarator")
            found = None if base is None else type_or_none(lowering, base)
            return found if found is None or declarator is None else declared(lowering, declarator, found)[1]
        case "placeholder_type_specifier":
            return DeducedType("auto")
        case "struct_specifier" | "class_specifier" | "union_specifier":
            return _elaborated(lowering, node)
        case "enum_specifier":
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            is_known = name is not None and body is None
            return type_or_none(lowering, name) if name is not None and is_known else enum_type(lowering, node)
        case "dependent_type" | "parenthesized_expression":
            return type_or_none(lowering, parts(node)[0]) if parts(node) else None
        case "decltype":
            return _decltype(lowering, node)
        case "primitive_type" | "sized_type_specifier":
            return named(lowering, text(node), None, node)
        case "identifier" | "type_identifier":
            return named(lowering, text(node), lowering.names.scope.find(text(node)), node)
        case "template_type" | "template_function":
            return _templated(lowering, node, lowering.names.scope)
        case "qualified_identifier":
            return _qualified(lowering, node)
        case _:
            return None


def named(lowering: Lowering, name: str, binding: Binding | None, node: Node) -> Type | None:
    """The type that a name bound so stands for, or a built-in one of this name. Raises `Refused` for a broken one."""
    match binding:
        case TypeName():
            return binding.type
        case ClassText(template=None):
            return cxx.classes.class_of(lowering, binding, (), node)
        case ClassText():
            return cxx.classes.class_of(lowering, binding, bound_arguments(lowering, binding.template, (), node), node)
        case AliasText():
            return _alias(lowering, binding, ())
        case EnumText(node=written) if name != _enum_name(written):
            return None  # one of its enumerators
        case EnumText(node=written, scope=scope) | Namespace(enum=Node() as written, scope=scope):
            with lowering.names.inside(scope):
                return enum_type(lowering, written)
        case RefusedName():
            raise Refused(None)
        case None:
            scalar = scalar_named(tuple(name.split()))
            if scalar is not None:
                return Arithmetic(scalar)
            if name == "void":
                return VOID
            return (
                lowering.names.built_ins.types[name](lowering.emitter, lowering.names, (), node)
                if name in lowering.names.built_ins.types
                else vector(name)
            )
        case _:
            return None


def enum_type(lowering: Lowering, node: Node) -> Type:
    """The type that the values of an enum have in memory: the one that is stated, else int."""
    stated = node.child_by_field_name("base")
    return INT if stated is None else type_of(lowering, stated)


def _enum_name(node: Node) -> str:
    name = node.child_by_field_name("name")
    return "" if name is None else text(name)


def _elaborated(lowering: Lowering, node: Node) -> Type | None:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if body is None:
        return None if name is None else type_or_none(lowering, name)
    known = None if name is None else lowering.names.scope.find(text(name))
    if isinstance(known, ClassText) and known.node.start_byte == node.start_byte:
        return cxx.classes.class_of(lowering, known, (), node)
    return cxx.classes.class_of(lowering, ClassText(node, None, lowering.names.scope), (), node)


def _decltype(lowering: Lowering, node: Node) -> Type | None:
    if not parts(node):
        return None
    with lowering.emitter.unevaluated():
        return cxx.expressions.value(lowering, parts(node)[0]).type


def _alias(lowering: Lowering, alias: AliasText, arguments: TemplateArguments) -> Type | None:
    scope = alias.scope
    if alias.template is not None:
        scope = Scope(alias.scope)
        bind(lowering, scope, alias.template, bound_arguments(lowering, alias.template, arguments, alias.node))
    with lowering.names.inside(scope):
        written = alias.node.child_by_field_name("type")
        if written is None:
            return None
        found = type_of(lowering, written)
        return found if alias.declarator is None else declared(lowering, alias.declarator, found)[1]


def _templated(lowering: Lowering, node: Node, scope: Scope) -> Type | None:
    name, written = node.child_by_field_name("name"), node.child_by_field_name("arguments")
    return None if name is None or written is None else _instance(lowering, name, parts(written), scope)


def _instance(lowering: Lowering, name: Node, written: list[Node], scope: Scope) -> Type | None:
    """The type that a template of the name gives with the arguments, None if the scope has no such template."""
    binding = scope.template(text(name))
    if isinstance(binding, TypeName):
        return binding.type
    if binding is None and text(name) not in lowering.names.built_ins.types:
        return None
    given = tuple(argument(lowering, child) for child in written)
    match binding:
        case ClassText():
            bound = bound_arguments(lowering, binding.template, given, name)
            return cxx.classes.class_of(lowering, binding, bound, name)
        case AliasText():
            return _alias(lowering, binding, given)
        case _:
            return lowering.names.built_ins.types[text(name)](lowering.emitter, lowering.names, given, name)


def misread_type(lowering: Lowering, first: Node, further: list[Node]) -> Type | None:
    """The type that `T < 1` and further arguments name where the grammar takes `T<1, 2> x` for comparisons, if any."""
    name, argument_node = first.child_by_field_name("left"), first.child_by_field_name("right")
    if first.type != "binary_expression" or name is None or argument_node is None or first.children[1].type != "<":
        return None
    scope: Scope | None = lowering.names.scope
    if name.type == "qualified_identifier":
        scope, name = qualifier(lowering, name) or Scope(None), name.child_by_field_name("name")
    if scope is None or name is None or name.type != "identifier":
        return None
    return _instance(lowering, name, [argument_node, *further], scope)


def _qualified(lowering: Lowering, node: Node) -> Type | None:
    """A type inside a namespace or struct; unknown namespaces (std, cg) are those of built-in types."""
    names = lowering.names
    name = node.child_by_field_name("name")
    if name is None:
        return None
    scope = node.child_by_field_name("scope")
    if scope is not None and scope.type == "template_type" and text(scope).startswith("aligned_storage"):
        return _storage(lowering, scope)
    inside = qualifier(lowering, node)
    if inside is None:
        if name.type == "qualified_identifier":
            return _qualified(lowering, name)
        if name.type in ("template_type", "template_function"):
            return _templated(lowering, name, Scope(None))
        with names.inside(Scope(None)):
            plain = name.type in ("type_identifier", "identifier")
            return named(lowering, text(name), None, node) if plain else type_or_none(lowering, name)
    if name.type == "qualified_identifier":
        with names.inside(inside):
            return _qualified(lowering, name)
    if name.type in ("template_type", "template_function"):
        return _templated(lowering, name, inside)
    binding = inside.here(text(name))
    if binding is None:
        return None
    with names.inside(inside):
        return named(lowering, text(name), binding, node)


def _storage(lowering: Lowering, node: Node) -> Type:
    """`std::aligned_storage<size, alignment>::type`: words without a meaning."""
    written = node.child_by_field_name("arguments")
    given = () if written is None else arguments(lowering, written)
    sizes = [value for value in given if isinstance(value, int)]
    if len(sizes) != len(given) or not 1 <= len(given) <= 2 or not 0 < sizes[0] <= MOST_ELEMENTS:
        lowering.emitter.refuse(node, "expected a known size and alignment")
    return storage(sizes[0], sizes[-1])


def qualifier(lowering: Lowering, node: Node) -> Scope | None:
    """The scope that `scope::name` looks into, None for a namespace that the text does not define."""
    names = lowering.names
    written = node.child_by_field_name("scope")
    if written is None:
        scope = names.scope
        while scope.parent is not None:
            scope = scope.parent
        return scope
    if written.type == "namespace_identifier":
        binding = names.scope.find(text(written))
        if isinstance(binding, Namespace | EnumText):
            return binding.scope
        if binding is None:
            return None
        found = named(lowering, text(written), binding, written)
        if not isinstance(found, StructType):
            lowering.emitter.refuse(written, f"`{text(written)[:40]}` has no members")
    else:
        found = type_or_none(lowering, written)
    return None if found is None else names.members(found)


# --------------------------------------------------------------------------------------------------------- declarators


def declared(lowering: Lowering, declarator: Node, kind: Type) -> tuple[Node | None, Type]:
    """The name that a declarator declares, and the type that it makes of the specifier's."""
    inside = declarator.child_by_field_name("declarator")
    match declarator.type:
        case "pointer_declarator" | "abstract_pointer_declarator":
            return _inner(lowering, inside, kind if kind == FUNCTION else Pointer(kind))
        case "reference_declarator" | "abstract_reference_declarator":
            inside = next((child for child in parts(declarator) if child.type != "type_qualifier"), None)
            return _inner(lowering, inside, kind if kind == FUNCTION else Reference(kind))
        case "array_declarator" | "abstract_array_declarator":
            size = declarator.child_by_field_name("size")
            length = None if size is None else length_of(lowering, size)
            return _inner(lowering, inside, ArrayType(kind, length))
        case "parenthesized_declarator" | "abstract_parenthesized_declarator":
            return _inner(lowering, parts(declarator)[0] if parts(declarator) else None, kind)
        case "init_declarator":
            return _inner(lowering, inside, kind)
        case "function_declarator" | "abstract_function_declarator":
            return _inner(lowering, inside, FUNCTION)
        case _:
            return declared_name(declarator), kind


def _inner(lowering: Lowering, inside: Node | None, kind: Type) -> tuple[Node | None, Type]:
    return (None, kind) if inside is None else declared(lowering, inside, kind)


def length_of(lowering: Lowering, size: Node) -> int:
    """The length of an array."""
    length = constant(lowering, size)
    if length is None:
        lowering.emitter.refuse(size, "the size of an array must be known when the text is read")
    if not 0 <= length <= MOST_ELEMENTS:
        lowering.emitter.refuse(size, f"the size of an array must lie between 0 and {MOST_ELEMENTS}, this is {length}")
    return length
