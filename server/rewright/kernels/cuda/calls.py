"""Calls: which function, method, constructor, cast or built-in one means, and its value.

Must not know what built-ins do.
"""

from __future__ import annotations

from tree_sitter import Node

from rewright.kernels.cuda.built_in import FUNCTIONS, METHODS
from rewright.kernels.cuda.casts import described, pointer
from rewright.kernels.cuda.conversions import cast, functional
from rewright.kernels.cuda.hooks import Call, TemplateArgument
from rewright.kernels.cuda.inline import inlined
from rewright.kernels.cuda.lowering import Lowering, Refused
from rewright.kernels.cuda.memory import pointed
from rewright.kernels.cuda.overloads import Argument, TemplateArguments, choose
from rewright.kernels.cuda.scopes import AliasText, Binding, Broken, ClassText, Function, Functions, Scope, TypeName
from rewright.kernels.cuda.syntax import parts, text, unwrapped
from rewright.kernels.cuda.traits import limit
from rewright.kernels.cuda.type_names import arguments as template_arguments
from rewright.kernels.cuda.type_names import qualifier, type_or_none
from rewright.kernels.cuda.types import Closure, Opaque, Struct
from rewright.kernels.cuda.values import InMemory, InRegisters, Rvalue, Value

CASTS = ("static_cast", "reinterpret_cast", "const_cast")


def call(lowering: Lowering, node: Node) -> Value:
    """The value of a call."""
    function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or listed is None:
        lowering.refuse(node, "syntax error")
    written = parts(listed)
    match function.type:
        case "field_expression":
            return _method(lowering, function, written, node)
        case "identifier" | "primitive_type" | "sized_type_specifier" | "type_identifier":
            return _named(lowering, function, (), (lowering.scope, written), node)
        case "template_function":
            name, given = function.child_by_field_name("name"), function.child_by_field_name("arguments")
            if name is None or given is None:
                lowering.refuse(function, "syntax error")
            if text(name) in CASTS and len(written) == 1:
                return _cast(lowering, given, written[0], node)
            return _named(lowering, name, template_arguments(lowering, given), (lowering.scope, written), node)
        case "qualified_identifier":
            return _qualified(lowering, function, written, node)
        case _:
            return _indirect(lowering, function, written, node)


def _cast(lowering: Lowering, given: Node, operand: Node, node: Node) -> Value:
    kind = type_or_none(lowering, parts(given)[0]) if parts(given) else None
    if kind is None:
        lowering.refuse(given, f"the type `{text(given)[1:-1][:60]}` is not known here")
    return cast(lowering, kind, operand, node)


Where = tuple[Scope, list[Node]]
"""The scope that a name is looked up in, and the arguments of the call."""


def _named(lowering: Lowering, name: Node, given: TemplateArguments, where: Where, node: Node) -> Value:
    """A call of what a name stands for in a scope."""
    scope, written = where
    binding = scope.find(text(name))
    match binding:
        case Functions():
            return _function(lowering, name, binding.of, given, (scope, written, node))
        case TypeName() | ClassText() | AliasText():
            node_of_type = name.parent if given and name.parent is not None else name
            with lowering.inside(scope):
                kind = type_or_none(lowering, node_of_type)
            if kind is None:
                lowering.refuse(name, f"`{text(name)}` is not known here")
            return functional(lowering, kind, written, node)
        case Rvalue() | InRegisters() | InMemory():
            return called(lowering, binding, written, node)
        case Broken():
            raise Refused(None)
        case None:
            return _unknown(lowering, name, given, written, node)
        case _:
            lowering.refuse(name, f"`{text(name)[:40]}` is not a function")


def _unknown(lowering: Lowering, name: Node, given: TemplateArguments, written: list[Node], node: Node) -> Value:
    """A call of a name that the text does not declare: a built-in function, or a type."""
    if text(name) in FUNCTIONS:
        return FUNCTIONS[text(name)](
            lowering, Call(text(name), given, None, tuple(written), node, lowering.place(node))
        )
    kind = type_or_none(lowering, name)
    if kind is not None:
        return functional(lowering, kind, written, node)
    lowering.refuse(name, f"`{text(name)[:60]}` is not known here")


Site = tuple[Scope, list[Node], Node]


def _function(
    lowering: Lowering, name: Node, candidates: tuple[Function, ...], given: TemplateArguments, where: Site
) -> Value:
    """A call of functions of the text; names that built-ins have too fall back to these."""
    scope, written, node = where
    values = evaluated(lowering, written)
    outer: Scope | None = scope
    while outer is not None:
        found: Binding | None = outer.here(text(name))
        if isinstance(found, Functions):
            chosen = choose(lowering, found.of, given, values, node)
            if chosen is not None:
                receiver = None if chosen.function.owner is None else _this(lowering, chosen.function)
                return inlined(lowering, chosen, receiver, values, node)
        outer = outer.parent
    if text(name) in FUNCTIONS:
        return _unknown(lowering, name, given, written, node)
    count = f"{len(written)} argument{'' if len(written) == 1 else 's'}"
    lowering.refuse(name, f"no function `{text(name)[:40]}` takes {count} of these types")


def _this(lowering: Lowering, function: Function) -> Value | None:
    receiver = lowering.scope.find("this")
    return receiver if isinstance(receiver, Rvalue | InRegisters | InMemory) else None


def evaluated(lowering: Lowering, written: list[Node]) -> list[Argument]:
    """The arguments' values; lists in braces wait for their parameter."""
    return [
        (node, None if node.type == "initializer_list" else lowering.readers.value(lowering, node)) for node in written
    ]


def called(lowering: Lowering, callee: Value, written: list[Node], node: Node) -> Value:
    """A call of a lambda, or of an object with `operator()`."""
    if isinstance(callee.type, Closure):
        functions = lowering.closures[callee.type.number]
        values = evaluated(lowering, written)
        chosen = choose(lowering, functions, (), values, node)
        if chosen is None:
            lowering.refuse(node, f"the function does not take these {len(written)} arguments")
        return inlined(lowering, chosen, None, values, node)
    if isinstance(callee.type, Struct) and callee.type in lowering.members:
        found = lowering.members[callee.type].here("operator()")
        if isinstance(found, Functions):
            return _on(lowering, found, callee, (), written, node)
    lowering.refuse(node, f"{described(callee.type)} cannot be called")


def _on(
    lowering: Lowering, found: Functions, receiver: Value, given: TemplateArguments, written: list[Node], node: Node
) -> Value:
    values = evaluated(lowering, written)
    chosen = choose(lowering, found.of, given, values, node)
    if chosen is None:
        lowering.refuse(node, f"this method does not take these {len(written)} arguments")
    return inlined(lowering, chosen, receiver, values, node)


def _method(lowering: Lowering, function: Node, written: list[Node], node: Node) -> Value:
    """`object.name(…)` and `pointer->name(…)`."""
    base, field = function.child_by_field_name("argument"), function.child_by_field_name("field")
    if base is None or field is None:
        lowering.refuse(function, "syntax error")
    given: TemplateArguments = ()
    name = parts(field)[0] if field.type == "dependent_name" else field
    if name.type == "template_method":
        listed = name.child_by_field_name("arguments")
        given = () if listed is None else template_arguments(lowering, listed)
        name = name.child_by_field_name("name") or name
    receiver = _receiver(lowering, function, base)
    kind = receiver.type
    if isinstance(kind, Opaque):
        built_in = METHODS.get((kind.kind, text(name)))
        if built_in is None:
            lowering.refuse_construct(name, f"`{text(name)[:40]}` here")
        return built_in(lowering, Call(text(name), given, receiver, tuple(written), node, lowering.place(node)))
    if not isinstance(kind, Struct) or kind not in lowering.members:
        lowering.refuse(name, f"{described(kind)} has no method `{text(name)[:40]}`")
    inside = lowering.members[kind]
    found = inside.here(text(name)) or inside.find(f"{kind.name}::{text(name)}")
    if isinstance(found, Functions):
        outside = tuple(
            function if function.owner is not None else Function(function.node, function.template, inside, kind)
            for function in found.of
        )
        return _on(lowering, Functions(outside), receiver, given, written, node)
    member = lowering.readers.value(lowering, function) if found is not None else None
    if member is None:
        lowering.refuse(name, f"`{kind.name}` has no method `{text(name)[:40]}`")
    return called(lowering, member, written, node)


def _receiver(lowering: Lowering, function: Node, base: Node) -> Value:
    operator = text(function.child_by_field_name("operator") or function)
    if unwrapped(base).type == "this":
        receiver = lowering.scope.find("this")
        if isinstance(receiver, Rvalue | InRegisters | InMemory):
            return receiver
        lowering.refuse(base, "there is no object here")
    return lowering.readers.value(lowering, base) if operator == "." else pointed(pointer(lowering, base))


def _qualified(lowering: Lowering, function: Node, written: list[Node], node: Node) -> Value:
    """`a::f(…)`: a function of a namespace or struct; unknown namespaces (std, cg) have the built-in ones."""
    name = function.child_by_field_name("name")
    if name is None:
        lowering.refuse(function, "syntax error")
    scope = function.child_by_field_name("scope")
    if scope is not None and scope.type == "template_type" and text(scope).startswith("numeric_limits"):
        return limit(lowering, _first_argument(lowering, scope), name)
    inside = qualifier(lowering, function)
    if name.type == "qualified_identifier":
        with lowering.inside(inside if inside is not None else Scope(None)):
            return _qualified(lowering, name, written, node)
    given: TemplateArguments = ()
    plain = name
    if name.type == "template_function":
        listed = name.child_by_field_name("arguments")
        given = () if listed is None else template_arguments(lowering, listed)
        plain = name.child_by_field_name("name") or name
    if inside is None:
        return _unknown(lowering, plain, given, written, node)
    return _named(lowering, plain, given, (inside, written), node)


def _first_argument(lowering: Lowering, node: Node) -> TemplateArgument:
    listed = node.child_by_field_name("arguments")
    given = () if listed is None else template_arguments(lowering, listed)
    if not given:
        lowering.refuse(node, "a template argument is wanted here")
    return given[0]


def _indirect(lowering: Lowering, function: Node, written: list[Node], node: Node) -> Value:
    """`(T)(x)`, which the grammar takes for a call, and calls of what an expression gives."""
    callee = unwrapped(function)
    if callee.type == "identifier" and len(written) == 1:
        kind = type_or_none(lowering, callee)
        if kind is not None:
            return cast(lowering, kind, written[0], node)
    return called(lowering, lowering.readers.value(lowering, callee), written, node)


def overloaded(lowering: Lowering, name: str, operands: tuple[Argument, ...], node: Node) -> Value | None:
    """What an operator of the text's own gives on structs, None if there is none for them."""
    first = operands[0][1]
    if first is not None and isinstance(first.type, Struct) and first.type in lowering.members:
        found = lowering.members[first.type].here(name)
        if isinstance(found, Functions):
            chosen = choose(lowering, found.of, (), list(operands[1:]), node)
            if chosen is not None:
                return inlined(lowering, chosen, first, list(operands[1:]), node)
    free = lowering.scope.find(name)
    if isinstance(free, Functions):
        chosen = choose(lowering, free.of, (), list(operands), node)
        if chosen is not None:
            receiver = None if chosen.function.owner is None else first
            return inlined(lowering, chosen, receiver, list(operands), node)
    return None
