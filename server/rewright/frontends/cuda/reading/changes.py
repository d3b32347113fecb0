"""Which variables with a first value in device memory a text may change; by names alone, so it may name too many.

What is assigned to, incremented, bound to a reference or a pointer that is not `const`, or handed to a function of the
host that copies into it, counts; what is only read does not. Must not know scopes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tree_sitter import Node

from rewright.frontends.cuda.reading.declarators import declared_name, function_declarator, layers, words
from rewright.frontends.cuda.reading.tree import parts, text, walk

_READING = ("__ld", "cudaMemcpyFromSymbol", "hipMemcpyFromSymbol", "sizeof", "printf")
_COMPUTING = ("binary_expression", "unary_expression", "condition_clause", "subscript_expression")
_PLAIN = ("primitive_type", "sized_type_specifier")

IndirectParameters = Mapping[str, tuple[frozenset[int], frozenset[int]]]
"""By a function's name, the numbers of the parameters that are references or pointers, and of those to `const`."""


def changed(trees: Iterable[Node]) -> frozenset[str]:
    """The names of `__device__` variables with an initialiser that something in the text may write."""
    listed = list(trees)
    ranks = {name: rank for tree in listed for name, rank in _initialised(tree)}
    if not ranks:
        return frozenset()
    takers = _indirect_parameters(listed)
    nodes = (node for tree in listed for node in walk(tree) if node.type == "identifier")
    return frozenset(name for node in nodes if (name := text(node)) in ranks and _changes(node, ranks[name], takers))


def _initialised(tree: Node) -> Iterator[tuple[str, int]]:
    """The variables with an initialiser, each with its dimensions; one more where the type's name may hide some."""
    for node in walk(tree):
        if node.type in ("declaration", "field_declaration") and words(node) & {"__device__", "__managed__"}:
            kind = node.child_by_field_name("type")
            hidden = 0 if kind is not None and kind.type in _PLAIN else 1
            for declarator in node.children_by_field_name("declarator"):
                if (name := declared_name(declarator)) is not None:
                    written = [layer.type for layer in layers(declarator)]
                    yield text(name).rpartition("::")[2], written.count("array_declarator") + hidden


def _indirect_parameters(trees: list[Node]) -> IndirectParameters:
    found: dict[str, tuple[frozenset[int], frozenset[int]]] = {}
    for function in (node for tree in trees for node in walk(tree) if node.type == "function_definition"):
        declarator = function_declarator(function)
        listed = None if declarator is None else declarator.child_by_field_name("parameters")
        name = None if declarator is None else declared_name(declarator)
        if listed is None or name is None:
            continue
        plain = text(name).rpartition("::")[2].partition("<")[0]
        indirect, constant = found.get(plain, (frozenset[int](), frozenset[int]()))
        for number, parameter in enumerate(parts(listed)):
            inside = {layer.type for layer in layers(parameter.child_by_field_name("declarator"))}
            if inside & {"reference_declarator", "pointer_declarator", "array_declarator"}:
                # of several functions with the name, one that may write counts
                is_constant = "const" in words(parameter) and (number not in indirect or number in constant)
                indirect |= {number}
                constant = constant | {number} if is_constant else constant - {number}
        found[plain] = (indirect, constant)
    return found


def _changes(node: Node, rank: int, takers: IndirectParameters) -> bool:
    """Whether a use of a variable may write it, or keep its address."""
    subscripts, last = 0, node
    while (parent := node.parent) is not None and _is_part(parent, node):
        subscripts += parent.type == "subscript_expression" or parent.type == "pointer_expression"
        node = parent
        last = node if node.type != "parenthesized_expression" else last
    if parent is None:
        return False
    is_value = last.type == "field_expression" and parent.type in _COMPUTING
    is_address = subscripts < rank and not is_value
    match parent.type:
        case "assignment_expression":
            return parent.child_by_field_name("left") == node or is_address
        case "update_expression":
            return True
        case "pointer_expression":  # the address of it, since reading through it was passed
            return not _is_read(parent)
        case "argument_list":
            return _is_changed_by(parent, node, is_address, takers)
        case "call_expression" | "field_expression":
            return True
        case "init_declarator":
            return _is_bound(parent, node, is_address)
        case "sizeof_expression" | "for_range_loop":
            return False
        case "return_statement":
            return is_address or _returns_reference(parent)
        case _:
            return is_address and not _declares(parent, node)


def _is_part(parent: Node, node: Node) -> bool:
    """Whether the outer node names the same variable, or a part of it."""
    match parent.type:
        case "qualified_identifier":
            return parent.child_by_field_name("name") == node
        case "subscript_expression":
            return parent.child_by_field_name("argument") == node
        case "field_expression":
            called = parent.parent is not None and parent.parent.type == "call_expression"
            return not called and parent.child_by_field_name("argument") == node
        case "pointer_expression":
            return parent.children[0].type == "*"
        case "parenthesized_expression":
            return True
        case _:
            return False


def _is_read(address: Node) -> bool:
    """Whether an address is only handed to what reads there."""
    listed = address.parent
    call = None if listed is None else listed.parent
    function = None if call is None else call.child_by_field_name("function")
    return function is not None and text(function).startswith(_READING)


def _is_changed_by(listed: Node, node: Node, is_address: bool, takers: IndirectParameters) -> bool:
    """Whether the function that is called may write what is passed to it."""
    call = listed.parent
    function = None if call is None else call.child_by_field_name("function")
    if function is None:
        return is_address
    name = text(function).partition("<")[0].rpartition("::")[2].rpartition(".")[2]
    if name.startswith(_READING):
        return False
    if name.startswith(("cuda", "hip")):
        return True
    number = parts(listed).index(node)
    indirect, constant = takers.get(name, (frozenset[int](), frozenset[int]()))
    return (is_address or number in indirect) and number not in constant


def _is_bound(declarator: Node, node: Node, is_address: bool) -> bool:
    """Whether a variable that it initialises refers to it and may write it."""
    if declarator.child_by_field_name("value") != node:
        return False
    inside = {layer.type for layer in layers(declarator)}
    is_constant = declarator.parent is not None and "const" in words(declarator.parent)
    return (is_address or "reference_declarator" in inside) and not is_constant


def _returns_reference(node: Node) -> bool:
    around: Node | None = node
    while around is not None and around.type != "function_definition":
        around = around.parent
    outermost = None if around is None else around.child_by_field_name("declarator")
    return outermost is not None and outermost.type == "reference_declarator"


def _declares(parent: Node, node: Node) -> bool:
    """Whether the name stands where it is declared."""
    return parent.type.endswith("declarator") or parent.type in ("declaration", "field_declaration")
