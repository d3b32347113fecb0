"""What calls in host code may change: arguments that functions of the document take by reference.

Functions of one name count together, whatever they are called with. Must not know what a variable is set to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from tree_sitter import Node

from rewright.frontends.cuda.reading.declarators import declared_name, layers, parameters_in
from rewright.frontends.cuda.reading.tree import parts, text, walk

References = Mapping[str, frozenset[int]]
"""The numbers of the parameters that functions of a name take by reference, to what is not constant."""


def references(roots: Iterable[Node]) -> References:
    """Those of all functions that are declared or defined."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for root in roots:
        for node in walk(root):
            if node.type == "function_declarator":
                for number, parameter in enumerate(parameters_in(node)):
                    if _is_reference(parameter):
                        found[_called(node.child_by_field_name("declarator"))].add(number)
    return {name: frozenset(numbers) for name, numbers in found.items() if name}


def changed_by(call: Node, known: References) -> Iterator[str]:
    """The variables that a call passes by reference; of a part, `name.part`."""
    numbers = known.get(_called(call.child_by_field_name("function")), frozenset())
    listed = call.child_by_field_name("arguments")
    for number, argument in enumerate([] if listed is None else parts(listed)):
        if number in numbers and _is_variable(argument):
            yield text(argument)


def _is_variable(argument: Node) -> bool:
    """Whether an argument is a variable or a part of one."""
    whole = argument.child_by_field_name("argument") if argument.type == "field_expression" else argument
    return whole is not None and whole.type == "identifier"


def _is_reference(parameter: Node) -> bool:
    declarator = parameter.child_by_field_name("declarator")
    is_constant = any(each.type == "type_qualifier" and text(each) == "const" for each in parts(parameter))
    return (
        declarator is not None
        and not is_constant
        and any(each.type in ("reference_declarator", "abstract_reference_declarator") for each in layers(declarator))
    )


def _called(name: Node | None) -> str:
    """The last part of the name of a function, without template arguments."""
    while name is not None:
        inner = name.child_by_field_name("field" if name.type == "field_expression" else "name")
        if inner is None:
            break
        name = inner
    named = None if name is None else declared_name(name) or name
    return "" if named is None else text(named).partition("<")[0].rpartition("::")[2]
