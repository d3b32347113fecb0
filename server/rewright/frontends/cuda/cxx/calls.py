"""Calls: which function, method, constructor, cast or built-in one means, and its value.

Must not know what built-ins do.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace
from tree_sitter import Node

from rewright.emit.emitter import Emitter, Refused
from rewright.emit.memory import dereferenced
from rewright.emit.types import Closure, OpaqueType, StructType, TemplateArgument, TemplateArguments
from rewright.emit.values import InMemory, InRegisters, Rvalue, Value
from rewright.frontends.cuda import cxx  # arguments and what is called are expressions
from rewright.frontends.cuda.cxx.casts import cast, functional
from rewright.frontends.cuda.cxx.conversions import described
from rewright.frontends.cuda.cxx.inline import inlined
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, Lowering, NamesInScope, this
from rewright.frontends.cuda.cxx.operands import pointer
from rewright.frontends.cuda.cxx.overloads import Argument, CallArguments, choose
from rewright.frontends.cuda.cxx.packs import expanded
from rewright.frontends.cuda.cxx.scopes import (
    AliasText,
    ClassText,
    FunctionText,
    OverloadSet,
    RefusedName,
    Scope,
    TypeName,
)
from rewright.frontends.cuda.cxx.templates import arguments as template_arguments
from rewright.frontends.cuda.cxx.traits import limit
from rewright.frontends.cuda.cxx.type_names import qualifier, type_or_none
from rewright.frontends.cuda.reading.tree import parts, text, unwrapped

_CASTS = ("static_cast", "reinterpret_cast", "const_cast")


class _Written(Struct, frozen=True):
    """A call as it is written: its arguments, those of the template if it has a list of them, and the whole of it."""

    arguments: list[Node]
    template: TemplateArguments | None
    node: Node


def call(lowering: Lowering, node: Node) -> Value:
    """The value of a call."""
    emitter = lowering.emitter
    function, listed = emitter.child(node, "function"), emitter.child(node, "arguments")
    written = _Written(parts(listed), None, node)
    match function.type:
        case "field_expression":
            return _method_call(lowering, function, written)
        case "identifier" | "primitive_type" | "sized_type_specifier" | "type_identifier":
            return _name_call(lowering, function, lowering.names.scope, written)
        case "template_function":
            name, given = emitter.child(function, "name"), emitter.child(function, "arguments")
            if text(name) in _CASTS and len(written.arguments) == 1:
                return _cast(lowering, given, written)
            return _name_call(
                lowering, name, lowering.names.scope, replace(written, template=_template(lowering, function))
            )
        case "qualified_identifier":
            return _qualified_call(lowering, function, written)
        case _:
            return _expression_call(lowering, function, written)


def _template(lowering: Lowering, node: Node) -> TemplateArguments:
    """The template arguments that a name has, if any."""
    listed = node.child_by_field_name("arguments")
    return () if listed is None else template_arguments(lowering, listed)


def _cast(lowering: Lowering, given: Node, written: _Written) -> Value:
    kind = type_or_none(lowering, parts(given)[0]) if parts(given) else None
    if kind is None:
        lowering.emitter.refuse(given, f"the type `{text(given)[1:-1][:60]}` is not known here")
    return cast(lowering, kind, written.arguments[0], written.node)


def _name_call(lowering: Lowering, name: Node, scope: Scope, written: _Written) -> Value:
    """A call of what a name stands for in a scope."""
    binding = scope.find(text(name))
    match binding:
        case OverloadSet():
            return _function_call(lowering, name, scope, written)
        case TypeName() | ClassText() | AliasText():
            node_of_type = name.parent if written.template and name.parent is not None else name
            with lowering.names.inside(scope):
                kind = type_or_none(lowering, node_of_type)
            if kind is None:
                lowering.emitter.refuse(name, f"`{text(name)}` is not known here")
            return functional(lowering, kind, written.arguments, written.node)
        case Rvalue() | InRegisters() | InMemory():
            return _value_call(lowering, binding, written)
        case RefusedName():
            raise Refused(None)
        case None:
            return _undeclared_call(lowering, name, written)
        case _:
            lowering.emitter.refuse(name, f"`{text(name)[:40]}` is not a function")


def _undeclared_call(lowering: Lowering, name: Node, written: _Written) -> Value:
    """A call of a name that the text does not declare: a built-in function, or a type."""
    functions = lowering.names.built_ins.functions
    if text(name) in functions:
        return functions[text(name)](lowering, _built_in_call(lowering.emitter, name, None, written))
    kind = type_or_none(lowering, name)
    if kind is not None:
        return functional(lowering, kind, written.arguments, written.node)
    lowering.emitter.refuse(name, f"`{text(name)[:60]}` is not known here")


def _built_in_call(emitter: Emitter, name: Node, receiver: Value | None, written: _Written) -> BuiltInCall:
    place = emitter.place(written.node)
    return BuiltInCall(text(name), written.template or (), receiver, tuple(written.arguments), written.node, place)


def _function_call(lowering: Lowering, name: Node, scope: Scope, written: _Written) -> Value:
    """A call of functions of the text; names that built-ins have too fall back to these."""
    given = _evaluated(lowering, written)
    for found in _visible(scope, text(name)):
        chosen = choose(lowering, found.of, given)
        if chosen is not None:
            receiver = None if chosen.function.owner is None else _implicit_object(lowering.names)
            return inlined(lowering, chosen, receiver, given)
    if text(name) in lowering.names.built_ins.functions:
        return _undeclared_call(lowering, name, written)
    count = len(written.arguments)
    takes = f"takes {count} argument{'' if count == 1 else 's'} of these types"
    lowering.emitter.refuse(name, f"no function `{text(name)[:40]}` {takes}")


def _visible(scope: Scope | None, name: str) -> Iterator[OverloadSet]:
    """The functions of the name, those of inner scopes first."""
    while scope is not None:
        found = scope.here(name)
        if isinstance(found, OverloadSet):
            yield found
        scope = scope.parent


def _implicit_object(names: NamesInScope) -> Value | None:
    """The object that the present method is called on, None for a static method."""
    receiver = names.scope.find("this")
    return receiver if isinstance(receiver, Value) else None


def _evaluated(lowering: Lowering, written: _Written) -> CallArguments:
    """The arguments' values; lists in braces wait for their parameter."""
    values: list[Argument] = []
    for node in written.arguments:
        if node.type == "parameter_pack_expansion" and parts(node):
            values += [(node, value) for value in expanded(lowering, parts(node)[0], node)]
            continue
        is_list = node.type == "initializer_list"
        values.append((node, None if is_list else cxx.expressions.value(lowering, node)))
    return CallArguments(values, written.template, written.node)


def _value_call(lowering: Lowering, callee: Value, written: _Written) -> Value:
    """A call of a lambda, of a function by its value, or of an object with `operator()`."""
    names = lowering.names
    if isinstance(callee.type, Closure):
        return _overload_call(lowering, names.closures[callee.type.number], None, written)
    if (inside := names.members(callee.type)) is not None:
        found = inside.here("operator()")
        if isinstance(found, OverloadSet):
            return _overload_call(lowering, found.of, callee, written)
    lowering.emitter.refuse(written.node, f"{described(callee.type)} cannot be called")


def _overload_call(
    lowering: Lowering, functions: tuple[FunctionText, ...], receiver: Value | None, written: _Written
) -> Value:
    given = _evaluated(lowering, written)
    chosen = choose(lowering, functions, given)
    if chosen is None:
        lowering.emitter.refuse(written.node, f"what is called does not take these {len(written.arguments)} arguments")
    return inlined(lowering, chosen, receiver, given)


# ------------------------------------------------------------------------------------------------------------- methods


def _method_call(lowering: Lowering, function: Node, written: _Written) -> Value:
    """`object.name(…)` and `pointer->name(…)`."""
    emitter = lowering.emitter
    field = emitter.child(function, "field")
    name = parts(field)[0] if field.type == "dependent_name" and parts(field) else field
    if name.type == "template_method":
        written = replace(written, template=_template(lowering, name))
        name = name.child_by_field_name("name") or name
    receiver = receiver_of(lowering, function)
    kind = receiver.type
    if isinstance(kind, OpaqueType):
        built_in = lowering.names.built_ins.methods.get((kind.kind, text(name)))
        if built_in is None:
            emitter.refuse_construct(name, f"`{text(name)[:40]}` here")
        return built_in(lowering, _built_in_call(emitter, name, receiver, written))
    inside = lowering.names.members(kind)
    if not isinstance(kind, StructType) or inside is None:
        emitter.refuse(name, f"{described(kind)} has no method `{text(name)[:40]}`")
    found = inside.here(text(name)) or inside.find(f"{kind.name}::{text(name)}")
    if found is None:
        emitter.refuse(name, f"`{kind.name}` has no method `{text(name)[:40]}`")
    if not isinstance(found, OverloadSet):
        return _value_call(lowering, cxx.expressions.value(lowering, function), written)
    functions = (each if each.owner is not None else FunctionText(each.node, None, inside, kind) for each in found.of)
    return _overload_call(lowering, tuple(functions), receiver, written)


def receiver_of(lowering: Lowering, node: Node) -> Value:
    """The object before `.name`, or the one that the pointer before `->name` points to."""
    base = lowering.emitter.child(node, "argument")
    if unwrapped(base).type == "this":
        return this(lowering.emitter, lowering.names, base)
    if text(lowering.emitter.child(node, "operator")) == ".":
        return cxx.expressions.value(lowering, base)
    return dereferenced(pointer(lowering, base))


# --------------------------------------------------------------------------------------------------------- other names


def _qualified_call(lowering: Lowering, function: Node, written: _Written) -> Value:
    """`a::f(…)`: a function of a namespace or struct; unknown namespaces (std, cg) have the built-in ones."""
    inside: Scope | None = lowering.names.scope
    name = function
    while name.type == "qualified_identifier":
        following, scope = lowering.emitter.child(name, "name"), name.child_by_field_name("scope")
        if scope is not None and scope.type == "template_type" and text(scope).startswith("numeric_limits"):
            return limit(lowering.emitter, _first_argument(lowering, scope), following)
        if scope is not None and scope.type == "template_type" and _converts(lowering, scope, following):
            return _conversion(lowering, scope, written)
        with lowering.names.inside(inside or Scope(None)):
            inside = qualifier(lowering, name)
        name = following
    if name.type == "template_function":
        written = replace(written, template=_template(lowering, name))
        name = name.child_by_field_name("name") or name
    if inside is None:
        return _undeclared_call(lowering, name, written)
    return _name_call(lowering, name, inside, written)


def _converts(lowering: Lowering, scope: Node, name: Node) -> bool:
    """Whether a function is `ScalarConvert<From, To>::to` of THC, whose header is not there."""
    of = text(scope.child_by_field_name("name") or scope)
    return (of, text(name)) == ("ScalarConvert", "to") and lowering.names.scope.find(of) is None


def _conversion(lowering: Lowering, scope: Node, written: _Written) -> Value:
    given = _template(lowering, scope) or ()
    if len(given) != 2 or isinstance(given[1], int) or len(written.arguments) != 1:
        lowering.emitter.refuse(scope, "expected two types and one value")
    return cast(lowering, given[1], written.arguments[0], written.node)


def _first_argument(lowering: Lowering, node: Node) -> TemplateArgument:
    given = _template(lowering, node)
    if not given:
        lowering.emitter.refuse(node, "expected a template argument")
    return given[0]


def _expression_call(lowering: Lowering, function: Node, written: _Written) -> Value:
    """`(T)(x)`, which the grammar takes for a call, and calls of what an expression gives."""
    callee = unwrapped(function)
    if callee.type == "identifier" and len(written.arguments) == 1:
        kind = type_or_none(lowering, callee)
        if kind is not None:
            return cast(lowering, kind, written.arguments[0], written.node)
    return _value_call(lowering, cxx.expressions.value(lowering, callee), written)


def overloaded(lowering: Lowering, name: str, operands: tuple[Argument, ...], node: Node) -> Value | None:
    """What an operator of the text's own gives on structs, None if there is none for them."""
    names = lowering.names
    first = operands[0][1]
    inside = None if first is None else names.members(first.type)
    if inside is not None:
        found, given = inside.here(name), CallArguments(list(operands[1:]), None, node)
        chosen = choose(lowering, found.of, given) if isinstance(found, OverloadSet) else None
        if chosen is not None:
            return inlined(lowering, chosen, first, given)
    free, given = names.scope.find(name), CallArguments(list(operands), None, node)
    chosen = choose(lowering, free.of, given) if isinstance(free, OverloadSet) else None
    if chosen is None:
        return None
    return inlined(lowering, chosen, None if chosen.function.owner is None else first, given)
