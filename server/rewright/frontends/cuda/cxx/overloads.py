"""Which of several functions a call means, and with which template arguments.

Follows C++17 [over.match] and [temp.deduct] as far as kernels use them: the fewest conversions win, templates come
second, of these the more special ones first. An explicit specialisation takes no part in that: it stands for the
template that it is of, at its arguments. Must not know bodies.
"""

from __future__ import annotations

import re
from itertools import takewhile

from msgspec import Struct
from tree_sitter import Node

from rewright.emit.emitter import Refused
from rewright.emit.types import (
    VOID,
    Arithmetic,
    ArrayType,
    DeducedType,
    Pointer,
    Reference,
    StructType,
    TemplateArgument,
    TemplateArguments,
    Type,
)
from rewright.emit.values import Rvalue, Value
from rewright.frontends.cuda.cxx.conversions import promotion
from rewright.frontends.cuda.cxx.functions import AROUND_RESULTS, PACK, parameter_type, parameters_of, result_type
from rewright.frontends.cuda.cxx.lowering import Lowering, NamesInScope
from rewright.frontends.cuda.cxx.scopes import FunctionText, Scope
from rewright.frontends.cuda.cxx.templates import PACK_OF_TYPES, arguments, bind, bound_arguments, parameter_name
from rewright.frontends.cuda.reading.declarators import declared_name, function_declarator, layers
from rewright.frontends.cuda.reading.tree import parts, text

_WORD = re.compile(r"\w+|[^\w\s]")

Argument = tuple[Node, Value | None]
"""An argument's node and value; None for a list in braces, which has a type only together with its parameter."""


class ChosenFunction(Struct, frozen=True):
    """A function with its template arguments, the scope with these bound, and the types of its parameters."""

    function: FunctionText
    template: TemplateArguments
    scope: Scope
    types: tuple[Type, ...]


class CallArguments(Struct, frozen=True):
    """What a call gives: the values of its arguments, template arguments if any are written (`f<>(x)`), and where."""

    values: list[Argument]
    template: TemplateArguments | None
    node: Node


def choose(lowering: Lowering, candidates: tuple[FunctionText, ...], given: CallArguments) -> ChosenFunction | None:
    """The candidate that fits the arguments best, None if none does.

    Raises `Refused` where that is not decided: types know no `const`, and of two templates neither may be more special.
    """
    special = [(each, _specialised(lowering, each, candidates, given.node)) for each in candidates if _is_special(each)]
    stand_in = {each for each, of in special if of is not None}
    found = (_fit(lowering, candidate, given) for candidate in candidates if candidate not in stand_in)
    fits = [fit for fit in found if fit is not None]
    if not fits:
        return None
    least = min(cost for cost, _ in fits)
    best = _most_special(lowering, [fit for cost, fit in fits if cost == least], given)
    alike = [fit for cost, fit in fits if cost // 4 == least // 4 and fit.types == best.types]
    if any(_points_closer(each.function, best.function, given) and _differ(each, best) for each in alike):
        lowering.emitter.refuse_construct(given.node, _UNDECIDED)
    at = best.function, best.template
    return next((_instance(lowering, each, ()) for each, of in special if of == at), best)


def _most_special(lowering: Lowering, fits: list[ChosenFunction], given: CallArguments) -> ChosenFunction:
    """Of functions that fit alike the one that is more special than the others, the first if all do the same."""
    best = fits[0]
    if not any(other.types == best.types and _differ(other, best) for other in fits):
        return best
    for each in fits:
        if all(each is other or _is_more_special(lowering, (each, other), given) for other in fits):
            return each
    lowering.emitter.refuse_construct(given.node, _UNDECIDED)


_UNDECIDED = "a choice between functions that differ in `const` or as templates"


def _points_closer(template: FunctionText, plain: FunctionText, given: CallArguments) -> bool:
    """Whether a template points, without `const`, to what a function that is none takes as `const`.

    It is the better one for an argument that is not `const`, which types do not say.
    """
    if template.template is None or plain.template is not None:
        return False
    triples = zip(parameters_of(template), parameters_of(plain), given.values, strict=False)
    return any(
        _is_to_constant(other) and not _is_to_constant(one) and not _is_cast_to_constant(argument)
        for one, other, (argument, _) in triples
    )


def _is_cast_to_constant(argument: Node) -> bool:
    kind = argument.child_by_field_name("type") if argument.type == "cast_expression" else None
    return kind is not None and "const" in text(kind).split()


def _is_to_constant(parameter: Node) -> bool:
    """Whether a parameter is a pointer or a reference to what is `const`."""
    declarator = parameter.child_by_field_name("declarator")
    points = any(layer.type.endswith(("pointer_declarator", "reference_declarator")) for layer in layers(declarator))
    return points and any(child.type == "type_qualifier" and text(child) == "const" for child in parameter.children)


def _is_more_special(lowering: Lowering, pair: tuple[ChosenFunction, ChosenFunction], given: CallArguments) -> bool:
    """Whether one of two templates is more special than the other: [temp.func.order]."""
    one, other = (each.function for each in pair)
    return _is_covered(lowering, one, other, given) and not _is_covered(lowering, other, one, given)


def _is_covered(lowering: Lowering, one: FunctionText, other: FunctionText, given: CallArguments) -> bool:
    """Whether a template takes all that another one takes, whatever types and numbers stand for that one's parameters.

    For these, types and numbers stand that are nowhere else.
    """
    if one.template is None or other.template is None or PACK in {each.type for each in parameters_of(one)}:
        return False
    invented = tuple(
        StructType(parameter_name(each)) if "type_parameter" in each.type else _INVENTED + number
        for number, each in enumerate(parts(one.template))
    )
    try:
        types = _instance(lowering, one, invented).types
        passed = CallArguments([(given.node, Rvalue(_bare(kind), ())) for kind in types], given.template, given.node)
        deduced = _deduced(lowering, other, passed)
        covering = () if deduced is None else _instance(lowering, other, deduced).types
    except Refused:
        return False
    return [_bare(kind) for kind in covering] == [_bare(kind) for kind in types]


_INVENTED = 0x5EED0000
"""What stands for the first number of a template that may be any: no text has it by accident."""


def _bare(kind: Type) -> Type:
    return kind.to if isinstance(kind, Reference) else kind


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


def _fit(lowering: Lowering, function: FunctionText, given: CallArguments) -> tuple[int, ChosenFunction] | None:
    values = given.values
    parameters = parameters_of(function)
    pack = parameters[-1] if parameters and parameters[-1].type == PACK else None
    if pack is not None:
        parameters = [*parameters[:-1], *[pack] * (len(values) - len(parameters) + 1)]
    required = sum(1 for parameter in parameters if not parameter.type.startswith("optional"))
    if not required <= len(values) <= len(parameters):
        return None
    template = _template_arguments(lowering, function, given)
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
    is_special = _is_special(function)
    if is_special and not given.template and any(costs):
        return None
    total = 4 * sum(costs) + (2 if function.template is not None else 0) + (pack is not None) - is_special
    return total, ChosenFunction(function, template, scope, types)


def _is_special(function: FunctionText) -> bool:
    """Whether a function is an explicit specialisation: `template<>`."""
    return function.template is not None and not parts(function.template)


def _instance(lowering: Lowering, function: FunctionText, template: TemplateArguments) -> ChosenFunction:
    """A function at template arguments. Raises `Refused`."""
    scope = Scope(function.scope)
    if function.template is not None:
        bind(lowering, scope, function.template, template)
    with lowering.names.inside(scope):
        types = tuple(parameter_type(lowering, parameter) for parameter in parameters_of(function))
    return ChosenFunction(function, template, scope, types)


def _specialised(
    lowering: Lowering, special: FunctionText, candidates: tuple[FunctionText, ...], node: Node
) -> tuple[FunctionText, TemplateArguments] | None:
    """The template that a specialisation is of, and at which arguments: those at which both take and give the same.

    Of several templates it is the most special one. None if there is none: the template may only be declared.
    """
    general = [each for each in candidates if each.template is not None and parts(each.template)]
    if not general:
        return None
    own = _instance(lowering, special, ())
    with lowering.names.inside(own.scope):
        result = result_type(lowering, special)
    values: list[Argument] = [(node, Rvalue(_bare(kind), ())) for kind in own.types]
    given = CallArguments(values, _special_arguments(lowering, special), node)
    found = [made for each in general if (made := _equal_instance(lowering, each, given, (own.types, result)))]
    for each in found:
        if all(each is other or _is_more_special(lowering, (each, other), given) for other in found):
            return each.function, each.template
    return None


def _equal_instance(
    lowering: Lowering, general: FunctionText, given: CallArguments, types: tuple[tuple[Type, ...], Type]
) -> ChosenFunction | None:
    """A template at the arguments at which its parameters and its result have these types, if there are such."""
    try:
        deduced = _deduced(lowering, general, given, types[1])
        made = None if deduced is None else _instance(lowering, general, deduced)
        if made is None or made.types != types[0]:
            return None
        with lowering.names.inside(made.scope):
            return made if result_type(lowering, general) in (types[1], DeducedType("auto")) else None
    except Refused:
        return None


def _template_arguments(lowering: Lowering, function: FunctionText, given: CallArguments) -> TemplateArguments | None:
    """The arguments that a call means for the function's template, empty without one; None if it cannot mean any."""
    if function.template is None:
        return () if given.template is None else None
    if parts(function.template):
        return _deduced(lowering, function, given)
    special, written = _special_arguments(lowering, function), given.template
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
        case (StructType(), _) if names.constructors(kind):
            return 5
        case _, StructType():
            return 5 if names.conversions(given) else None
        case _:
            return None


# ----------------------------------------------------------------------------------------------------------- deduction


def _deduced(
    lowering: Lowering, function: FunctionText, given: CallArguments, result: Type | None = None
) -> TemplateArguments | None:
    """The template arguments: those given, then what the types of the arguments say, then defaults.

    A `result` that is given says what no argument does.
    """
    assert function.template is not None
    names = [parameter_name(each) for each in parts(function.template) if each.type != PACK_OF_TYPES]
    said = given.template or ()
    if len(said) > len(names):
        return None
    found: dict[str, TemplateArgument] = {}
    free = set(names[len(said) :]) - {""}
    for parameter, (_, value) in zip(parameters_of(function), given.values, strict=False):
        written = parameter.child_by_field_name("type")
        if value is not None and written is not None:
            _match_parameter(
                lowering.names, (written, parameter.child_by_field_name("declarator")), value.type, (free, found)
            )
    written, outer = function.node.child_by_field_name("type"), function.node.child_by_field_name("declarator")
    if result is not None and written is not None:
        for _ in takewhile(lambda layer: layer.type in AROUND_RESULTS, layers(outer)):
            result = result.to if isinstance(result, Pointer | Reference) else result
        _match_base(lowering.names, written, result, (free, found))
    try:
        with lowering.names.inside(function.scope):
            return bound_arguments(lowering, function.template, said, given.node, found)
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
    elif node.type == "template_type" and isinstance(given, StructType):
        listed = node.child_by_field_name("arguments")
        name = node.child_by_field_name("name")
        if listed is None or name is None or text(name) != given.name:
            return
        known = names.definitions.get(given)
        for written, have in zip(parts(listed), () if known is None else known.arguments, strict=False):
            inside = written.child_by_field_name("type") if written.type == "type_descriptor" else written
            if inside is not None and text(inside) in free and written.child_by_field_name("declarator") is None:
                found.setdefault(text(inside), have)
