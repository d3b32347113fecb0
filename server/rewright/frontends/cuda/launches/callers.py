"""Calls of the function around a launch, where a document has them all. Must not know what they demand."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from tree_sitter import Node

from rewright.frontends.cuda.launches.host import Host
from rewright.frontends.cuda.launches.instances import given_by
from rewright.frontends.cuda.launches.template_parameters import template_parameters
from rewright.frontends.cuda.reading.declarators import declared_name, function_declarator, parameters_in, words
from rewright.frontends.cuda.reading.tree import parts, text


class HostCall(Struct, frozen=True):
    """A call of a host function: what is passed, by parameter, and what the caller's template parameters stand for."""

    node: Node
    passed: Mapping[str, Node]
    types: Mapping[str, str]


def calls_of(host: Host, function: Node) -> list[HostCall]:
    """The calls of a host function, of an instance of its template those that may mean it; none if others may call it.

    Others do not if it is static, a template or in a document with `main`, and if nothing takes its address.
    """
    declarator = function_declarator(function)
    name = None if declarator is None else declared_name(declarator)
    if function.type != "function_definition" or declarator is None or name is None or not _is_own(host, function):
        return []
    names = [declared_name(each.child_by_field_name("declarator") or each) for each in parameters_in(declarator)]
    found: list[HostCall] = []
    for mention in host.code.mentions(text(name)):
        call = _called(mention)
        listed = None if call is None else call.child_by_field_name("arguments")
        if call is None and not _is_declared(mention):
            return []
        if call is None or listed is None or mention.start_byte == name.start_byte:
            continue
        passed = zip(names, parts(listed), strict=False)
        given = {text(each): _bare(argument) for each, argument in passed if each is not None}
        for types, bound in given_by(host, mention, declarator):
            if all(host.types.get(each, said) == said for each, said in bound.items()):
                found.append(HostCall(call, given, types))
    return found


def _is_own(host: Host, function: Node) -> bool:
    """Whether nothing outside of the document calls a function."""
    return "static" in words(function) or bool(template_parameters(function)) or any(host.code.mentions("main"))


def _called(mention: Node) -> Node | None:
    """The call of the function whose name stands there."""
    node = mention
    while node.parent is not None and node.parent.type in ("template_function", "qualified_identifier"):
        node = node.parent
    call = node.parent
    is_call = call is not None and call.type == "call_expression" and call.child_by_field_name("function") == node
    return call if is_call else None


def _is_declared(mention: Node) -> bool:
    node: Node | None = mention
    while node is not None and node.type in ("identifier", "template_function", "qualified_identifier"):
        node = node.parent
    return node is not None and node.type == "function_declarator"


def _bare(node: Node) -> Node:
    while node.type in ("parenthesized_expression", "cast_expression"):
        inner = node.child_by_field_name("value") or (parts(node)[0] if len(parts(node)) == 1 else None)
        if inner is None:
            return node
        node = inner
    return node
