"""Templates: their parameters, and the arguments that a text gives them or leaves to their defaults.

Must not know what is made of a template.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tree_sitter import Node

from rewright.emit.operators import integer
from rewright.emit.types import (
    INT,
    Arithmetic,
    Closure,
    TemplateArgument,
    TemplateArguments,
)
from rewright.emit.values import Rvalue
from rewright.frontends.cuda import cxx  # an argument is a type or an expression
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.cxx.operands import constant
from rewright.frontends.cuda.cxx.scopes import (
    Binding,
    FunctionText,
    OverloadSet,
    Scope,
    TypeName,
)
from rewright.frontends.cuda.reading.declarators import declared_name
from rewright.frontends.cuda.reading.tree import parts, text, unwrapped


def arguments(lowering: Lowering, node: Node) -> TemplateArguments:
    """The template arguments between `<` and `>`."""
    return tuple(argument(lowering, child) for child in parts(node))


_NAMES = ("identifier", "qualified_identifier")
_TYPES = (
    "primitive_type",
    "sized_type_specifier",
    "type_identifier",
    "template_type",
    "decltype",
    "dependent_type",
)


def argument(lowering: Lowering, node: Node) -> TemplateArgument:
    """A template argument: an integer, or a type."""
    if node.type in _TYPES:
        return cxx.type_names.type_of(lowering, node)
    if node.type == "type_descriptor" and node.child_by_field_name("declarator") is None:
        written = node.child_by_field_name("type")
        found = None if written is None else cxx.type_names.type_or_none(lowering, written)
        if found is not None:
            return found
        if written is not None and _is_function(lowering.names.scope.find(text(written))):
            return cxx.expressions.value(lowering, written).type
        value = None if written is None else constant(lowering, written)
    elif node.type == "type_descriptor":
        return cxx.type_names.type_of(lowering, node)
    else:
        found = cxx.type_names.type_or_none(lowering, unwrapped(node)) if node.type in _NAMES else None
        if found is not None:
            return found
        value = constant(lowering, node)
    if value is None:
        lowering.emitter.refuse(
            node, f"`{text(node)[:60]}` is neither a type nor an integer that is known when the text is read"
        )
    return value


def _is_function(binding: Binding | None) -> bool:
    return isinstance(binding, OverloadSet) or (isinstance(binding, Rvalue) and isinstance(binding.type, Closure))


def bind(lowering: Lowering, scope: Scope, template: Node, given: TemplateArguments) -> None:
    """Enters the parameters of a template with their arguments into the scope."""
    for parameter, value in zip(parts(template), given, strict=False):
        name = parameter_name(parameter)
        if isinstance(value, int):
            kind = _parameter_type(lowering, scope, parameter)
            scope.names[name] = Rvalue(kind, (integer(value, kind.scalar),))
        elif isinstance(value, Closure) and "type_parameter" not in parameter.type:
            scope.names[name] = Rvalue(value, ())
        else:
            scope.names[name] = TypeName(value)


def _parameter_type(lowering: Lowering, scope: Scope, parameter: Node) -> Arithmetic:
    written = parameter.child_by_field_name("type")
    with lowering.names.inside(scope):
        found = None if written is None else cxx.type_names.type_or_none(lowering, written)
    return found if isinstance(found, Arithmetic) else INT


def parameter_name(parameter: Node) -> str:
    """The name of a template's parameter."""
    name = parameter.child_by_field_name("name")
    if name is None and parameter.type in ("type_parameter_declaration", PACK_OF_TYPES):
        name = parts(parameter)[0] if parts(parameter) else None
    declarator = parameter.child_by_field_name("declarator")
    if name is None and declarator is not None:
        name = declared_name(declarator)
    return "" if name is None else text(name)


PACK_OF_TYPES = "variadic_type_parameter_declaration"
"""The node of a template's parameter that stands for any number of types: deduced where it is used, never given."""


def bound_arguments(
    lowering: Lowering,
    template: Node | None,
    given: TemplateArguments,
    node: Node,
    deduced: Mapping[str, TemplateArgument] = MappingProxyType({}),
) -> TemplateArguments:
    """All arguments of a template: those given, then those deduced, the defaults in the place of the others."""
    parameters = [] if template is None else [each for each in parts(template) if each.type != PACK_OF_TYPES]
    if len(given) > len(parameters):
        lowering.emitter.refuse(
            node, f"the template has {len(parameters)} parameters, {len(given)} arguments are given"
        )
    found = list(given)
    scope = Scope(lowering.names.scope)
    for parameter in parameters[len(given) :]:
        if (name := parameter_name(parameter)) in deduced:
            found.append(deduced[name])
            continue
        bind(lowering, scope, template, tuple(found)) if template is not None else None
        default = parameter.child_by_field_name("default_type") or parameter.child_by_field_name("default_value")
        if default is None:
            lowering.emitter.refuse(node, f"the template parameter `{name}` has no argument here")
        with lowering.names.inside(scope):
            found.append(argument(lowering, default))
    return tuple(found)


def instances(
    lowering: Lowering, functions: tuple[FunctionText, ...], given: TemplateArguments, node: Node
) -> tuple[FunctionText, ...]:
    """The functions that are made of templates by all of their arguments; refused if there is none."""
    found: list[FunctionText] = []
    for function in functions:
        if function.template is None or len(parts(function.template)) < len(given):
            continue
        with lowering.names.inside(function.scope):
            whole = bound_arguments(lowering, function.template, given, node)
        scope = Scope(function.scope)
        bind(lowering, scope, function.template, whole)
        found.append(FunctionText(function.node, None, scope, function.owner))
    if not found:
        lowering.emitter.refuse(node, f"no template of the name takes {len(given)} arguments")
    return tuple(found)
