"""Variables in a region whose name alone does not say which value they have: one hides another, or has no value yet.

A nest knows one array of a name. That is right if no two variables of the name are alive at once, and if one that is
declared again is not read before it is written. Must not know what a statement means.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto

from tree_sitter import Node

from rewright.frontends.c.declared import DeclaredName, declarations
from rewright.frontends.c.tree import field, operator, parts, text, unwrapped, walk


def hidden(statements: Iterable[Node]) -> Iterator[DeclaredName]:
    """Declarations in statements of names that another variable has there."""
    found: list[tuple[DeclaredName, Node]] = []
    for statement in statements:
        for node in walk(statement):
            for each in declarations(node):
                for other, around in found:
                    if other.name == each.name and other.node != each.node and _contains(around, node):
                        yield each
                        break
                if node.parent is not None:
                    found.append((each, node.parent))


def unset(statements: Sequence[Node]) -> Iterator[DeclaredName]:
    """Declarations without a first value in a loop, or in a block, after which the variable may be read at once."""
    top = {each.id for each in statements}
    declared = [each.name for statement in statements for node in walk(statement) for each in declarations(node)]
    for statement in statements:
        for node in walk(statement):
            if node.type != "declaration" or node.parent is None:
                continue
            given = [field(each, "declarator") for each in parts(node) if each.type == "init_declarator"]
            first = {text(name) for each in given for name in walk(each) if name.type == "identifier"}
            following = [each for each in parts(node.parent) if each.start_byte > node.start_byte]
            for each in declarations(node):
                is_new = node.id not in top or declared.count(each.name) > 1
                if is_new and each.name not in first and _in_row(following, each.name) is _State.READ:
                    yield each


class _State(Enum):
    """Whether a variable without a value has one after a statement; or is read before it has one."""

    SET = auto()
    OPEN = auto()
    READ = auto()


def _in_row(nodes: Iterable[Node], name: str) -> _State:
    for node in nodes:
        found = _after(node, name)
        if found is not _State.OPEN:
            return found
    return _State.OPEN


def _after(node: Node, name: str) -> _State:
    if not _mentions(node, name):
        return _State.OPEN
    match node.type:
        case "expression_statement" | "compound_statement" | "labeled_statement" | "else_clause" | "comma_expression":
            return _in_row(parts(node), name)
        case "parenthesized_expression":
            return _after(unwrapped(node), name)
        case "assignment_expression" if operator(node) == "=":
            target, read = _base(field(node, "left"))
            others = (field(node, "right"), *read)
            is_set = text(target) == name and not any(_mentions(each, name) for each in others)
            return _State.SET if is_set else _State.READ
        case "declaration":
            again = any(each.name == name for each in declarations(node))
            return _State.SET if again else _State.READ
        case "for_statement":
            head = (node.child_by_field_name(each) for each in ("initializer", "condition", "update"))
            if any(_mentions(each, name) for each in head if each is not None):
                return _State.READ
            return _State.READ if _after(field(node, "body"), name) is _State.READ else _State.OPEN
        case "if_statement":
            if _mentions(field(node, "condition"), name):
                return _State.READ
            other = node.child_by_field_name("alternative")
            ends = [_after(field(node, "consequence"), name), _after(other, name) if other else _State.OPEN]
            if _State.READ in ends:
                return _State.READ
            return _State.OPEN if _State.OPEN in ends else _State.SET
    return _State.READ


def _base(target: Node) -> tuple[Node, list[Node]]:
    """The variable that is written, and the subscripts."""
    subscripts: list[Node] = []
    base = unwrapped(target)
    while base.type == "subscript_expression":
        subscripts.append(field(base, "index"))
        base = unwrapped(field(base, "argument"))
    return base, subscripts


def _mentions(node: Node, name: str) -> bool:
    return any(each.type == "identifier" and text(each) == name for each in walk(node))


def _contains(outer: Node, inner: Node) -> bool:
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte
