"""What a call passes to the parameters of a kernel: values, and which names of the host stand for which parameter.

Host variables that are passed to the kernel as they are have its parameters' names in the launch; such a parameter has
the variable's value if that is a small constant, else it is free. A struct is passed field by field. Must not know
launches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace
from tree_sitter import Node

from rewright.frontends.cuda.launches.host import Host, line
from rewright.frontends.cuda.launches.host_expressions import FREE, as_number, integer, is_computed, is_truth, number
from rewright.frontends.cuda.launches.parts import LaunchPart
from rewright.frontends.cuda.launches.signatures import Signature, scalar_of
from rewright.frontends.cuda.reading.tree import parts, text
from rewright.model.simt.types import Scalar

LARGEST_VALUE = 1 << 16
"""A parameter whose value is a constant above this is free: what goes wrong there goes wrong at a smaller one."""

INTEGER = re.compile(r"\(?(-?[0-9]+)\)?")

_MOST_DEPTH = 8
"""Variables that are followed one after the other."""


class PassedScalar(Struct, frozen=True):
    """A scalar parameter of a kernel, or a scalar field of one (`path` is then `.n`), and the argument for it.

    `at` is the place of the field among all parts of the parameter.
    """

    name: str
    scalar: Scalar
    argument: Node
    path: str = ""
    at: int = 0


def passed_scalars(
    signature: Signature, arguments: Sequence[Node], template: Mapping[str, str]
) -> tuple[PassedScalar, ...]:
    """The scalars that a call passes to a kernel with these arguments of its template, fields of structs among them."""
    given = {each.name: template.get(each.name, each.default) for each in signature.template}
    known = {name: said for name, said in given.items() if said is not None}
    flat = signature.flattened(known)
    found: list[PassedScalar] = []
    for parameter, argument in zip(signature.parameters, arguments, strict=False):
        own = [each for each in flat.parameters if each.node == parameter.node]
        for at, part in enumerate(own if parameter.name and not parameter.depth else []):
            scalar = None if part.depth else scalar_of(part, flat, known)
            if scalar is not None:
                found.append(PassedScalar(part.name, scalar, argument, part.name.removeprefix(parameter.name), at))
    return tuple(found)


def large_constants(host: Host, parameters: Sequence[PassedScalar]) -> dict[str, int]:
    """The integer parameters that are passed constants too large to be tried at first."""
    found: dict[str, int] = {}
    for parameter in parameters:
        node = _field_value(host, parameter) if parameter.path else parameter.argument
        constant = None if node is None or not parameter.scalar.is_integer else number(replace(host, free=None), node)
        if constant is not None and _is_large(constant):
            found[parameter.name] = int(constant)
    return found


def passed_twice(signature: Signature, arguments: Sequence[Node]) -> dict[str, str]:
    """The array parameters that are passed what an earlier one is, by name: variables, and what tensors point to."""
    first: dict[str, str] = {}
    found: dict[str, str] = {}
    for parameter, argument in zip(signature.parameters, arguments, strict=False):
        node = _unconverted(argument)
        function = node.child_by_field_name("function")
        is_named = node.type in ("identifier", "field_expression")
        if parameter.depth == 1 and (is_named or (function is not None and function.type == "field_expression")):
            earlier = first.setdefault(line(node), parameter.name)
            found |= {} if earlier == parameter.name else {parameter.name: earlier}
    return found


def passed(host: Host, parameters: Sequence[PassedScalar]) -> tuple[dict[str, LaunchPart], dict[str, str]]:
    """The values of scalar parameters, and what of the host is a parameter in the launch.

    A parameter that is computed of what is known has that value, and so has one that is passed what one before it is;
    one that is passed as it is, and no constant, is free.
    """
    strict = replace(host, free=None)
    values: dict[str, LaunchPart] = {}
    known = dict(host.known)
    scalars = {each.name: each.scalar for each in parameters}
    computed: list[tuple[PassedScalar, Node]] = []
    for parameter in parameters:
        node = _field_value(strict, parameter) if parameter.path else parameter.argument
        if parameter.path and parameter.scalar is not Scalar.PRED:
            before = next((known[each] for each in _as_written(parameter) if each in known), None)
            if node is None and before is not None and _is_alike(scalars.get(before), parameter.scalar):
                values[parameter.name] = LaunchPart(before)
            known |= {each: parameter.name for each in _as_written(parameter) if each not in known}
        if node is None:
            continue
        constant = number(strict, node)
        if constant is not None and not _is_large(constant):
            said = _as_value(constant, parameter.scalar)
            values |= {} if said is None else {parameter.name: LaunchPart(said)}
        chain, is_leaf = _followed(strict, node)
        if constant is None and is_leaf:
            before = next((known[each] for each in chain if each in known), None)
            if before is not None and _is_alike(scalars.get(before), parameter.scalar):
                values[parameter.name] = LaunchPart(before)
            if parameter.scalar is not Scalar.PRED:  # a truth, which stands for no number
                known |= {each: before or parameter.name for each in chain if each not in known}
        else:
            computed.append((parameter, node))
    for parameter, node in computed:
        name, scalar = parameter.name, parameter.scalar
        own = {each: said for each, said in known.items() if said != name} if parameter.path else known
        value = None if name in values else number(replace(strict if scalar.is_float else host, known=own), node)
        if value is not None and not _is_large(value) and (said := _as_value(value, scalar)) is not None:
            values[name] = LaunchPart(said)
        if node.type == "identifier" and scalar is not Scalar.PRED:
            known.setdefault(text(node), name)
    return values, known


def _is_alike(one: Scalar | None, other: Scalar) -> bool:
    """Whether a parameter of one type that is passed what one of another type is has that one's value."""
    return one is other or (one is not None and one.is_integer and other.is_integer)


# ------------------------------------------------------------------------------------------------------------- structs


def _as_written(field: PassedScalar) -> Iterator[str]:
    """How the host writes a field of what it passes: `a.n`, and of `*p` also `p->n`."""
    yield f"{line(field.argument)}{field.path}"
    if field.argument.type == "pointer_expression" and text(field.argument).startswith("*") and parts(field.argument):
        pointer = line(parts(field.argument)[0])
        yield f"{pointer}->{field.path[1:]}"
        yield f"({line(field.argument)}){field.path}"


def _field_value(host: Host, field: PassedScalar) -> Node | None:
    """What a field of a variable that is passed is set to, as far as that is known."""
    node: Node = field.argument
    for _ in range(_MOST_DEPTH):
        if node.type != "identifier":
            return _listed(node, field)
        value = host.value(node, field.path[1:])
        target = None if value is None or value.parent is None else value.parent.child_by_field_name("left")
        if value is None or (target is not None and target.type == "field_expression"):
            return value
        node = value
    return None


def _listed(node: Node, field: PassedScalar) -> Node | None:
    """What `{x, y, n}` or `{.n = n}` has for a field."""
    if node.type == "compound_literal_expression":
        node = node.child_by_field_name("value") or node
    if node.type != "initializer_list":
        return None
    named = {line(parts(each)[0]): parts(each)[-1] for each in parts(node) if each.type == "initializer_pair"}
    if named:
        return named.get(field.path)
    return parts(node)[field.at] if field.at < len(parts(node)) else None


# -------------------------------------------------------------------------------------------------------------- scalars


def _followed(host: Host, node: Node) -> tuple[list[str], bool]:
    """The names that an expression has while variables are followed, and whether it ends where nothing is known."""
    chain: list[str] = []
    for _ in range(_MOST_DEPTH):
        node = _unconverted(node)
        if node.type not in FREE:
            return chain, False
        if is_computed(host, node):
            return chain, False
        chain.append(line(node))
        value = host.value(node) if node.type == "identifier" else None
        if value is None:
            return chain, True
        if integer(host, value) is not None:
            return chain, False
        node = value
    return chain, False


def _unconverted(node: Node) -> Node:
    """An expression without the conversions of integers and parentheses around it."""
    while node.type in ("cast_expression", "parenthesized_expression", "initializer_list", "argument_list"):
        inner = node.child_by_field_name("value") or (parts(node)[0] if len(parts(node)) == 1 else None)
        if inner is None:
            return node
        node = inner
    return node


def _as_value(value: str, scalar: Scalar) -> str | None:
    """What a declaration gives a parameter of the type, None if that is nothing."""
    if scalar is Scalar.PRED:
        return value if is_truth(value) else f"{value} != 0"
    value = as_number(value)
    match = INTEGER.fullmatch(value)
    if match is not None and int(match[1]) < 0 and scalar.is_integer and not scalar.is_signed:
        return str(int(match[1]) + (1 << scalar.bits))
    is_whole = scalar.is_float or not re.search(r"\d\.", value)
    return value if is_whole and not _is_large(value) else None


def _is_large(value: str) -> bool:
    return value.isdigit() and int(value) > LARGEST_VALUE
