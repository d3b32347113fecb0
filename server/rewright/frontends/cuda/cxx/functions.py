"""What a function's text says before it is lowered: parameters, result, names assigned, names whose address is taken.

Must not know values.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from tree_sitter import Node

from rewright.emit.types import VOID, ArrayType, DeducedType, Pointer, Reference, Type
from rewright.frontends.cuda.cxx.frames import BodyFacts
from rewright.frontends.cuda.cxx.lowering import Lowering, NamesInScope
from rewright.frontends.cuda.cxx.scopes import FunctionText
from rewright.frontends.cuda.cxx.type_names import declared, type_of
from rewright.frontends.cuda.reading.addressing import addressed, base_name
from rewright.frontends.cuda.reading.declarators import declared_name, function_declarator, layers, parameters_in
from rewright.frontends.cuda.reading.tree import parts, text, walk


def facts(names: NamesInScope, body: Node) -> BodyFacts:
    """What is seen in a function's body."""
    known = names.facts.get(body.start_byte)
    if known is not None:
        return known
    assigned: set[str] = set()
    for node in walk(body):
        match node.type:
            case "assignment_expression":
                assigned.update(base_name(node.child_by_field_name("left")))
            case "update_expression":
                assigned.update(base_name(node.child_by_field_name("argument")))
            case "reference_declarator":
                assigned.update(
                    base_name(node.parent.child_by_field_name("value") if node.parent is not None else None)
                )
            case "call_expression":
                assigned.update(_possibly_bound(node))
            case _:
                pass
    taken = addressed(body, names.addressing)
    made = names.facts[body.start_byte] = BodyFacts(frozenset(assigned), frozenset(taken), _is_direct(body))
    return made


def _possibly_bound(node: Node) -> Iterator[str]:
    """Names that a call may change: arguments that may be bound to references, the object of a method."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    for argument in parts(arguments) if arguments is not None else ():
        yield from base_name(argument)
    if function is not None and function.type == "field_expression":
        yield from base_name(function.child_by_field_name("argument"))


def _is_direct(body: Node) -> bool:
    statements = [child for child in parts(body) if not child.type.startswith("preproc")]
    if not statements or statements[-1].type != "return_statement":
        return False
    return sum(1 for node in _outside_lambdas(body) if node.type == "return_statement") == 1


def _outside_lambdas(body: Node) -> list[Node]:
    found, waiting = [], [body]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(child for child in node.children if child.type != "lambda_expression")
    return found


# -------------------------------------------------------------------------------------------------- parameters, results


def parameters_of(function: FunctionText) -> list[Node]:
    """The parameters' declarations; `(void)` has none."""
    declarator = function_declarator(function.node)
    found = [] if declarator is None else parameters_in(declarator)
    return [child for child in found if child.type.endswith("parameter_declaration")]


PACK = "variadic_parameter_declaration"
"""The node of a parameter that stands for any number of them."""


def parameter_type(lowering: Lowering, parameter: Node) -> Type:
    """The type of a parameter; arrays are pointers, each of a pack is deduced. The scope is that of the function."""
    written, declarator = parameter.child_by_field_name("type"), parameter.child_by_field_name("declarator")
    if parameter.type == PACK:
        is_reference = any(layer.type.endswith("reference_declarator") for layer in layers(declarator))
        return Reference(DeducedType("auto")) if is_reference else DeducedType("auto")
    if written is None:
        lowering.emitter.refuse(parameter, "this parameter has no type")
    kind = type_of(lowering, written)
    if declarator is not None:
        kind = declared(lowering, declarator, kind)[1]
    return Pointer(kind.of) if isinstance(kind, ArrayType) else kind


def parameter_name(parameter: Node) -> str:
    """The name of a parameter, empty if it has none."""
    declarator = parameter.child_by_field_name("declarator")
    name = None if declarator is None else declared_name(declarator)
    return "" if name is None else text(name)


def result_type(lowering: Lowering, function: FunctionText) -> Type:
    """The type of a function's result, unknown for `auto`. The scope is that of the function."""
    declarator = function_declarator(function.node)
    trailing = None if declarator is None else _trailing(declarator)
    if trailing is not None and parts(trailing):
        return type_of(lowering, parts(trailing)[0])
    written = function.node.child_by_field_name("type")
    outer = function.node.child_by_field_name("declarator")
    if outer is not None and outer.type == "operator_cast":
        written, outer = outer.child_by_field_name("type"), outer.child_by_field_name("declarator")
    if written is None:
        return DeducedType("auto") if function.node.type == "lambda_expression" else VOID
    kind = type_of(lowering, written)
    for layer in takewhile(lambda layer: layer.type in AROUND_RESULTS, layers(outer)):
        kind = Reference(kind) if layer.type == "reference_declarator" else Pointer(kind)
    return kind


AROUND_RESULTS = ("pointer_declarator", "reference_declarator", "abstract_pointer_declarator")
"""The layers of a declarator that are a part of what a function gives."""


def _trailing(declarator: Node) -> Node | None:
    return next((child for child in declarator.children if child.type == "trailing_return_type"), None)
