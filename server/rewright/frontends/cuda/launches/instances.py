"""What the template parameters of host functions, and of the kernels that they launch, stand for.

Read from explicit instantiations, from calls, from what dispatch macros put around a call, and for kernels from the
types of what is passed. A type parameter of which nothing says anything is `float`. Must not know sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace
from tree_sitter import Node

from rewright.frontends.cuda.launches.host import Host, enclosing_function
from rewright.frontends.cuda.launches.host_expressions import integer
from rewright.frontends.cuda.launches.template_parameters import template_parameters
from rewright.frontends.cuda.launches.text import WORD
from rewright.frontends.cuda.launches.type_texts import USUAL_TYPE, type_text
from rewright.frontends.cuda.reading.declarators import declared_name, function_declarator, layers, parameters_in
from rewright.frontends.cuda.reading.tree import parts, text

_MOST_DEPTH = 4
MOST_INSTANCES = 8
"""Instances of a host function that are looked at."""

_POINTERS = frozenset({"data_ptr", "data", "mutable_data_ptr", "const_data_ptr", "reinterpret_cast", "static_cast"})
_STARS = ("pointer_declarator", "array_declarator", "abstract_pointer_declarator", "abstract_array_declarator")


def instantiated(host: Host, call: Node) -> Host:
    """The host with what the template parameters around a call stand for; of several instances one is chosen."""
    function = enclosing_function(call)
    if function is None:
        return host
    known = _instances(host, function, 0)
    return replace(host, types=known[host.choices.pick(("instance", function.start_byte), len(known))])


def _instances(host: Host, function: Node, depth: int) -> list[Mapping[str, str]]:
    """The arguments of a host function's template, by name, for each of its instances."""
    parameters = template_parameters(function)
    declarator = function_declarator(function)
    name = None if declarator is None else declared_name(declarator)
    if not parameters or declarator is None or name is None:
        return [{}]
    found: dict[tuple[tuple[str, str], ...], None] = {}
    for node in host.code.mentions(text(name)) if depth < _MOST_DEPTH else ():
        if node.start_byte != name.start_byte and len(found) < MOST_INSTANCES:
            for given in _given(host, node, declarator, depth):
                bound = _bound(parameters, given)
                if bound is not None:
                    found.setdefault(tuple(bound.items()))
    usual = _bound(parameters, {})
    return [dict(each) for each in found] or [{} if usual is None else usual]


def _bound(parameters: list[tuple[str, bool, str | None]], given: Mapping[str, str]) -> dict[str, str] | None:
    """All arguments: those that are given, defaults, `float` for a type; None if a number is missing of several."""
    bound: dict[str, str] = {}
    for name, is_type, default in parameters:
        inherited = None if default is None else WORD.sub(lambda word: bound.get(word[0], word[0]), default)
        said = given.get(name) or inherited or (USUAL_TYPE if is_type else None)
        if said is None and given:
            return None
        if said is not None:
            bound[name] = said
    return bound


def given_by(host: Host, node: Node, declarator: Node) -> Iterator[tuple[Mapping[str, str], Mapping[str, str]]]:
    """What a call says of the template's arguments of its function, for each instance of what it stands in: that first.

    What it leaves to be deduced and is not known is left out.
    """
    function = enclosing_function(node)
    for types in [{}] if function is None else _instances(host, function, 1):
        yield types, _said(replace(host, types=types, free=None), node, declarator)


def _given(host: Host, node: Node, declarator: Node, depth: int) -> Iterator[dict[str, str]]:
    """What a mention of a function says of its template's arguments, for each instance of what it stands in.

    A declaration says nothing.
    """
    outer = node.parent
    if outer is not None and outer.type == "function_declarator" and not _instantiates(outer):
        return
    function = enclosing_function(node)
    for types in [{}] if function is None else _instances(host, function, depth + 1):
        yield _said(replace(host, types=types, free=None), node, declarator)


def _said(host: Host, node: Node, declarator: Node) -> dict[str, str]:
    """What a mention of a function says of its template's arguments: those written, then those of what is passed."""
    outer = node.parent
    is_listed = outer is not None and outer.type == "template_function"
    listed = outer.child_by_field_name("arguments") if outer is not None and is_listed else None
    names = [each[0] for each in template_parameters(_definition(declarator))]
    if listed is None:
        deduced_here = _deduced_of_instantiation(node, declarator, frozenset(names))
        return deduced_here or _deduced_of_call(host, node, declarator, frozenset(names))
    written = (_argument(host, each) for each in parts(listed))
    return {name: said for name, said in zip(names, written, strict=False) if said is not None}


def _instantiates(declarator: Node) -> bool:
    """Whether what declares a function is an explicit instantiation: `template void f(half *)`."""
    node: Node | None = declarator
    while node is not None and node.type not in ("template_declaration", "compound_statement"):
        if node.type == "template_instantiation":
            return True
        node = node.parent
    return False


def _definition(declarator: Node) -> Node:
    node = declarator
    while node.type != "function_definition" and node.parent is not None:
        node = node.parent
    return node


def _argument(host: Host, node: Node) -> str | None:
    """A template argument in host code: an integer, or a type with all that it is made of."""
    return integer(host, node) or type_text(host, node)


def _deduced_of_instantiation(node: Node, declarator: Node, names: frozenset[str]) -> dict[str, str]:
    """`template void f(half *)` of `template <T> void f(T *)`."""
    said = node.parent
    if said is None or said.type != "function_declarator":
        return {}
    pairs = zip(parameters_in(declarator), parameters_in(said), strict=False)
    kinds = ((one.child_by_field_name("type"), other.child_by_field_name("type")) for one, other in pairs)
    return {
        text(one): text(other) for one, other in kinds if one is not None and other is not None and text(one) in names
    }


def _deduced_of_call(host: Host, node: Node, declarator: Node, names: frozenset[str]) -> dict[str, str]:
    """`f(x)` of `template <T> void f(T *)`: what the types of variables that are passed say."""
    call = node.parent
    listed = None if call is None or call.type != "call_expression" else call.child_by_field_name("arguments")
    found: dict[str, str] = {}
    for parameter, argument in zip(parameters_in(declarator), [] if listed is None else parts(listed), strict=False):
        kind = parameter.child_by_field_name("type")
        stars = sum(layer.type in _STARS for layer in layers(parameter.child_by_field_name("declarator")))
        said = deduced(host, argument, stars) if kind is not None and text(kind) in names else None
        if said is not None and kind is not None:
            found.setdefault(text(kind), said)
    return found


# ---------------------------------------------------------------------------------------------------------------- types


Described = tuple[str, int]
"""A type as it is written without its stars, and how many these are."""


def type_of(host: Host, node: Node) -> Described | None:
    """The type of an expression that is passed; None if it is not known."""
    found = _type_of(host, node, 0)
    return None if found is None or found[0] == "auto" or found[1] < 0 else found


def deduced(host: Host, node: Node, depth: int) -> str | None:
    """The type of an expression that is passed, less so many stars; None if it is not known."""
    found = _type_of(host, node, 0)
    if found is None:
        return None
    written, stars = found
    return written if stars == depth and written not in ("auto", "void") else None


def _type_of(host: Host, node: Node, level: int) -> Described | None:
    """The type of an expression, and its stars."""
    if level > _MOST_DEPTH:
        return None
    match node.type:
        case "identifier":
            return _declared(host, node, level)
        case "parenthesized_expression" if parts(node):
            return _type_of(host, parts(node)[0], level + 1)
        case "compound_literal_expression" if (kind := node.child_by_field_name("type")) is not None:
            said = type_text(host, kind)
            return None if said is None else (said, 0)
        case "cast_expression" if (kind := node.child_by_field_name("type")) is not None:
            return _described(host, kind)
        case "call_expression":
            return _returned(host, node)
        case "binary_expression" if (left := node.child_by_field_name("left")) is not None:
            return _type_of(host, left, level + 1)
        case "subscript_expression" if (argument := node.child_by_field_name("argument")) is not None:
            found = _type_of(host, argument, level + 1)
            return None if found is None else (found[0], found[1] - 1)
        case "pointer_expression" if (argument := node.child_by_field_name("argument")) is not None:
            found = _type_of(host, argument, level + 1)
            return None if found is None else (found[0], found[1] + (1 if text(node).startswith("&") else -1))
        case "number_literal":
            return ("float" if text(node).endswith(("f", "F")) else "double" if "." in text(node) else "int"), 0
        case _:
            return None


def _described(host: Host, kind: Node) -> Described | None:
    """What a type descriptor says: its type without `const`, and its stars."""
    written = kind.child_by_field_name("type")
    stars = sum(layer.type in _STARS for layer in layers(kind.child_by_field_name("declarator")))
    said = None if written is None else type_text(host, written)
    return None if said is None else (said, stars)


def _returned(host: Host, node: Node) -> Described | None:
    """`x.data_ptr<T>()`, `reinterpret_cast<T *>(x)`."""
    function = node.child_by_field_name("function")
    if function is not None and function.type == "field_expression":
        function = function.child_by_field_name("field")
    name = None if function is None else function.child_by_field_name("name") or next(iter(parts(function)), None)
    listed = None if function is None else function.child_by_field_name("arguments")
    if listed is None and function is not None:
        listed = next((each for each in parts(function) if each.type == "template_argument_list"), None)
    if name is None or listed is None or len(parts(listed)) != 1 or text(name) not in _POINTERS:
        return None
    found = _described(host, parts(listed)[0])
    return None if found is None else (found[0], found[1] + (not text(name).endswith("_cast")))


def _declared(host: Host, name: Node, level: int) -> Described | None:
    """The type of a variable by its declaration in front of a use."""
    node: Node = name
    while node.parent is not None:
        outer = node.parent
        candidates = [each for each in parts(outer) if each.end_byte <= node.start_byte and each.type == "declaration"]
        if outer.type == "function_definition" and (declarator := function_declarator(outer)) is not None:
            candidates = parameters_in(declarator)
        for each in reversed(candidates):
            found = _declares(host, each, text(name), level)
            if found is not None:
                return found
        node = outer
    return None


def _declares(host: Host, declaration: Node, name: str, level: int) -> Described | None:
    """The type that a declaration gives a name, if it does."""
    kind = declaration.child_by_field_name("type")
    for declarator in declaration.children_by_field_name("declarator"):
        around = list(layers(declarator))
        if kind is None or not around or text(around[-1]) != name:
            continue
        value = declarator.child_by_field_name("value")
        if text(kind) == "auto":
            return None if value is None else _type_of(host, value, level + 1)
        said = type_text(host, kind)
        return None if said is None else (said, sum(layer.type in _STARS for layer in around))
    return None
