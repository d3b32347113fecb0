"""Which of several functions a call means, and with which template arguments.

Follows C++17 [over.match] and [temp.deduct] as far as kernels use them: the fewest conversions win, templates come
second. Must not know bodies.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree_sitter import Node

from rewright.emit.emitter import Refused
from rewright.emit.types import (
    VOID,
    Arithmetic,
    ArrayType,
    DeducedType,
    Pointer,
    Reference,
    Struct,
    TemplateArgument,
    TemplateArguments,
    Type,
)
from rewright.emit.values import Rvalue, Value
from rewright.frontends.cuda.cxx.conversions import promotion
from rewright.frontends.cuda.cxx.functions import PACK, parameter_type, parameters_of
from rewright.frontends.cuda.cxx.lowering import Lowering, NamesInScope
from rewright.frontends.cuda.cxx.scopes import FunctionText, Scope
from rewright.frontends.cuda.cxx.templates import PACK_OF_TYPES, arguments, bind, bound_arguments, parameter_name
from rewright.frontends.cuda.reading.declarators import declared_name, function_declarator, layers
from rewright.frontends.cuda.reading.tree import parts, text

_WORD = re.compile(r"\w+|[^\w\s]")

Argument = tuple[Node, Value | None]
"""An argument's node and value; None for a list in braces, which has a type only together with its parameter."""


@dataclass(frozen=True, slots=True)
class ChosenFunction:
    """A function with its template arguments, the scope with these bound, and the types of its parameters."""

    function: FunctionText
    template: TemplateArguments
    scope: Scope
    types: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class CallArguments:
    """What a call gives: the values of its arguments, template arguments if any are written (`f<>(x)`), and where."""

    values: list[Argument]
    template: TemplateArguments | None
    node: Node


def choose(lowering: Lowering, candidates: tuple[FunctionText, ...], given: CallArguments) -> ChosenFunction | None:
    """The candidate that fits the arguments best, None if none does.

    Raises `Refused` where that is not decided: types know no `const`, and of templates that fit alike the more special
    one is not looked for.
    """
    found = (_fit(lowering, candidate, given, candidates) for candidate in candidates)
    fits = [fit for fit in found if fit is not None]
    if not fits:
        return None
    least, best = min(fits, key=lambda fit: fit[0])
    if any(cost == least and other.types == best.types and _differ(other, best) for cost, other in fits):
        lowering.emitter.refuse_construct(
            given.node, "a choice between functions that differ in `const` or as templates"
        )
    return best


def _differ(one: ChosenFunction, other: ChosenFunction) -> bool:
    """Whether two functions do different things; a method and its twin for objects that are `const` do not."""
    twins = _is_of_constant(one.function) != _is_of_constant(other.function)
    return not twins and _body(one) != _body(other)


def _is_of_constant(function: FunctionText) -> bool:
    declarator = function_declarator(function.node)
    return declarator is not None and any(text(child) == "const" for child in declarator.children)


def _body(chosen: ChosenFunction) -> list[str]:
    """What a function does, as words, `const` aside."""
    body = chosen.function.node.child_by_field_name("body")
    return [] if body is None else [word for word in _WORD.findall(text(body)) if word != "const"]


def _fit(
    lowering: Lowering, function: FunctionText, given: CallArguments, candidates: tuple[FunctionText, ...]
) -> tuple[int, ChosenFunction] | None:
    values = given.values
    parameters = parameters_of(function)
    pack = parameters[-1] if parameters and parameters[-1].type == PACK else None
    if pack is not None:
        parameters = [*parameters[:-1], *[pack] * (len(values) - len(parameters) + 1)]
    required = sum(1 for parameter in parameters if not parameter.type.startswith("optional"))
    if not required <= len(values) <= len(parameters):
        return None
    template = _template_arguments(lowering, function, given, candidates)
    if template is None:
        return None
    scope = Scope(function.scope)
    if function.template is not None:
        bind(lowering, scope, function.template, template)
    with lowering.names.inside(scope):
        types = tuple(parameter_type(lowering, parameter) for parameter in parameters)
    found = [_cost(lowering.names, kind, value) for kind, (_, value) in zip(types, values, strict=False)]
    costs = [cost for cost in found if cost is not None]
    if len(costs) < len(found):
        return None
    is_special = function.template is not None and not parts(function.template)
    if is_special and not given.template and any(costs):
        return None
    total = 4 * sum(costs) + (2 if function.template is not None else 0) + (pack is not None) - is_special
    return total, ChosenFunction(function, template, scope, types)


def _template_arguments(
    lowering: Lowering, function: FunctionText, given: CallArguments, candidates: tuple[FunctionText, ...]
) -> TemplateArguments | None:
    """The arguments that a call means for the function's template, empty without one; None if it cannot mean any."""
    if function.template is None:
        return () if given.template is None else None
    if parts(function.template):
        return _deduced(lowering, function, given)
    special, written = _special_arguments(lowering, function), given.template
    if special is None and written:
        special = _implied_arguments(lowering, function, candidates, given.node)
    if written and special is not None and written != special[: len(written)]:
        return None
    return special or ()


def _special_arguments(lowering: Lowering, function: FunctionText) -> TemplateArguments | None:
    """The arguments that `template<> f<int>(…)` is for, None if it leaves them to its parameters."""
    declarator = function_declarator(function.node)
    name = None if declarator is None else declared_name(declarator)
    listed = None if name is None else name.child_by_field_name("arguments")
    if listed is None:
        return None
    with lowering.names.inside(function.scope):
        return arguments(lowering, listed)


def _implied_arguments(
    lowering: Lowering, function: FunctionText, candidates: tuple[FunctionText, ...], node: Node
) -> TemplateArguments | None:
    """The arguments that `template<> f(int)` is for: those that its parameters give the template."""
    with lowering.names.inside(function.scope):
        types = [parameter_type(lowering, parameter) for parameter in parameters_of(function)]
    of_types = CallArguments([(node, Rvalue(kind, ())) for kind in types], None, node)
    general = (each for each in candidates if each.template is not None and parts(each.template))
    found = (_deduced(lowering, each, of_types) for each in general)
    return next((implied for implied in found if implied is not None), None)


def _cost(names: NamesInScope, kind: Type, value: Value | None) -> int | None:
    """How much conversion an argument needs, None if there is none."""
    if value is None:
        return 1
    if isinstance(kind, Reference):
        if kind.to == value.type:
            return 0
        kind = kind.to
    given = value.type
    match kind, given:
        case (a, b) if a == b:
            return 0
        case DeducedType(), _:
            return 0
        case Arithmetic(scalar=to), Arithmetic(scalar=have):
            return 1 if to is promotion(have) or (to.is_float and have.is_float and to.bits > have.bits) else 2
        case Pointer(to=to), ArrayType(of=have) | Pointer(to=have):
            return 0 if to == have else 2 if VOID in (to, have) else None
        case (Pointer(), Arithmetic()) if isinstance(value, Rvalue):
            return 3
        case (Arithmetic(), Pointer()) if kind.scalar.bits == 1:
            return 4
        case (Struct(), _) if names.constructors(kind):
            return 5
        case _, Struct():
            return 5 if names.conversions(given) else None
        case _:
            return None


# ----------------------------------------------------------------------------------------------------------- deduction


def _deduced(lowering: Lowering, function: FunctionText, given: CallArguments) -> TemplateArguments | None:
    """The template arguments: those given, then what the types of the arguments say, then defaults."""
    assert function.template is not None
    names = [parameter_name(each) for each in parts(function.template) if each.type != PACK_OF_TYPES]
    said = given.template or ()
    if len(said) > len(names):
        return None
    found: dict[str, TemplateArgument] = dict(zip(names, said, strict=False))
    free = set(names)
    for parameter, (_, value) in zip(parameters_of(function), given.values, strict=False):
        written = parameter.child_by_field_name("type")
        if value is not None and written is not None:
            _match_parameter(
                lowering.names, (written, parameter.child_by_field_name("declarator")), value.type, (free, found)
            )
    known: list[TemplateArgument] = []
    for name in names:
        if name not in found:
            break
        known.append(found[name])
    try:
        with lowering.names.inside(function.scope):
            return bound_arguments(lowering, function.template, tuple(known), given.node)
    except Refused:
        return None


Deduction = tuple[set[str], dict[str, TemplateArgument]]


def _match_parameter(names: NamesInScope, written: tuple[Node, Node | None], given: Type, deduction: Deduction) -> None:
    """Learns template arguments from the type of an argument."""
    node, declarator = written
    around = [layer for layer in layers(declarator) if layer.type.endswith("declarator")]
    kinds = [layer.type.removeprefix("abstract_") for layer in around]
    if "reference_declarator" not in kinds and isinstance(given, ArrayType):
        given = Pointer(given.of)
    for layer, kind in zip(reversed(around), reversed(kinds), strict=True):
        match kind, given:
            case "pointer_declarator", Pointer(to=inner) | ArrayType(of=inner):
                given = inner
            case "array_declarator", ArrayType(of=inner, length=length):
                size = layer.child_by_field_name("size")
                if size is not None and text(size) in deduction[0] and length is not None:
                    deduction[1].setdefault(text(size), length)
                given = inner
            case "array_declarator", Pointer(to=inner):
                given = inner
            case (("reference_declarator" | "parenthesized_declarator"), _):
                pass
            case _:
                return
    _match_base(names, node, given, deduction)


def _match_base(names: NamesInScope, node: Node, given: Type, deduction: Deduction) -> None:
    free, found = deduction
    if node.type == "type_identifier" and text(node) in free:
        found.setdefault(text(node), given)
    elif node.type == "template_type" and isinstance(given, Struct):
        listed = node.child_by_field_name("arguments")
        name = node.child_by_field_name("name")
        if listed is None or name is None or text(name) != given.name:
            return
        known = names.definitions.get(given)
        for written, have in zip(parts(listed), () if known is None else known.arguments, strict=False):
            inside = written.child_by_field_name("type") if written.type == "type_descriptor" else written
            if inside is not None and text(inside) in free and written.child_by_field_name("declarator") is None:
                found.setdefault(text(inside), have)
