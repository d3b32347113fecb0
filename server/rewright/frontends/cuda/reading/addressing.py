"""Which functions take the address of what is passed to them by reference, or of the object that they are called on.

Such an object must lie in memory where it is declared. Goes by the names of functions alone, so it may
name too many. Must not know scopes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tree_sitter import Node

from rewright.frontends.cuda.reading.declarators import declared_name, function_declarator
from rewright.frontends.cuda.reading.tree import parts, text, unwrapped, walk

RECEIVER = -1
"""The number of the object before `.name(…)` among the arguments."""

MOST_ROUNDS = 4
"""How many functions deep an argument is followed; each round goes through all functions."""

Addressing = Mapping[str, frozenset[int]]


def addressing(trees: Iterable[Node]) -> Addressing:
    """By a function's name, the numbers of the arguments whose address it may take."""
    functions = [node for tree in trees for node in walk(tree) if node.type == "function_definition"]
    found: dict[str, frozenset[int]] = {}
    for _ in range(MOST_ROUNDS):
        before = dict(found)
        for function in functions:
            name, taken = _of(function, found)
            if taken:
                found[name] = found.get(name, frozenset()) | taken
        if found == before:
            break
    return found


def addressed(body: Node, known: Addressing) -> set[str]:
    """The names in a body whose address may be taken."""
    return {name for node in walk(body) for name in _taken(node, known)}


def _taken(node: Node, known: Addressing) -> Iterator[str]:
    if node.type == "pointer_expression" and node.children[0].type == "&":
        yield from base_name(node.child_by_field_name("argument"))
    elif node.type == "call_expression":
        function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or listed is None:
            return
        given = parts(listed)
        if function.type == "template_function" and text(function).startswith("reinterpret_cast"):
            if "&" in text(function) and given:
                yield from base_name(given[0])
            return
        for at in known.get(_called_name(function), ()):
            if at == RECEIVER and function.type == "field_expression":
                yield from base_name(function.child_by_field_name("argument"))
            elif 0 <= at < len(given):
                yield from base_name(given[at])


def _called_name(function: Node) -> str:
    """The last name of what is called."""
    while True:
        following = function.child_by_field_name("field") or function.child_by_field_name("name")
        if following is None:
            return text(function)
        function = following


def base_name(node: Node | None) -> Iterator[str]:
    """The variable that a chain of fields and parentheses starts from."""
    while node is not None:
        node = unwrapped(node)
        if node.type == "identifier":
            yield text(node)
            return
        if node.type != "field_expression" or text(node.child_by_field_name("operator") or node) != ".":
            return
        node = node.child_by_field_name("argument")


def _of(function: Node, known: Addressing) -> tuple[str, frozenset[int]]:
    declarator = function_declarator(function)
    body = function.child_by_field_name("body")
    listed = None if declarator is None else declarator.child_by_field_name("parameters")
    name = None if declarator is None else declared_name(declarator)
    if body is None or listed is None or name is None:
        return "", frozenset()
    names, references = _parameters(listed)
    found = addressed(body, known)
    taken = {at for at, parameter in enumerate(names) if at in references and parameter in found}
    if found - set(names) - _locals(body):
        taken.add(RECEIVER)
    plain = name.child_by_field_name("name") or name
    return text(plain).rpartition("::")[2], frozenset(taken)


def _parameters(listed: Node) -> tuple[list[str], set[int]]:
    names: list[str] = []
    references: set[int] = set()
    for at, parameter in enumerate(parts(listed)):
        declarator = parameter.child_by_field_name("declarator")
        name = None if declarator is None else declared_name(declarator)
        names.append("" if name is None else text(name))
        if declarator is not None and declarator.type == "reference_declarator":
            references.add(at)
    return names, references


def _locals(body: Node) -> set[str]:
    found: set[str] = set()
    for node in walk(body):
        if node.type == "declaration":
            for declarator in node.children_by_field_name("declarator"):
                name = declared_name(declarator)
                found |= set() if name is None else {text(name)}
    return found
