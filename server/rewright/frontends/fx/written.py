"""What a statement of a printed graph says: a call with its arguments, as plain data, from the nodes of its syntax.

Must not know what is called.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec import Struct
from tree_sitter import Node

from rewright.frontends.tensor_programs.program import TensorType
from rewright.frontends.tensor_programs.values import NotTaken

MOST_NESTED = 50
"""How deep expressions may nest in each other."""

_INFIX: Mapping[str, str] = {
    **{"+": "add", "-": "sub", "*": "mul", "/": "div", "@": "matmul", "**": "pow"},
    **{"&": "bitwise_and", "|": "bitwise_or"},
}
_COMPARED: Mapping[str, str] = {">=": "ge", ">": "gt", "<=": "le", "<": "lt", "==": "eq", "!=": "ne"}


class FxValue(Struct, frozen=True):
    """A value by the name that a statement gave it."""

    name: str


class PythonName(Struct, frozen=True):
    """A dotted name of Python's: `torch.float32`, `inf`."""

    text: str


class Call(Struct, frozen=True):
    """What is called, as it is written, and on what; a method is called on its object first."""

    callee: str
    positional: tuple[Written, ...]
    keyed: Mapping[str, Written]

    def at(self, place: int, key: str, default: Written = None) -> Written:
        """The argument at a place from 0, or under its name, else what it is when none is given."""
        return self.positional[place] if place < len(self.positional) else self.keyed.get(key, default)

    def references(self) -> Iterator[str]:
        """The values that are read, each as often as it is."""
        for each in (*self.positional, *self.keyed.values()):
            yield from _references(each)


Written = FxValue | PythonName | Call | Fraction | bool | str | tuple["Written", ...] | None
"""An argument: a value, a name, a call in it, a number, a truth value, a text, a list, `None`."""


def _references(written: Written) -> Iterator[str]:
    match written:
        case FxValue(name=name):
            yield name
        case Call():
            yield from written.references()
        case tuple():
            for each in written:
                yield from _references(each)
        case _:
            return


def written(node: Node, known: Mapping[str, object], depth: int = 0) -> Written:
    """What an expression says, given which names are values. Raises `NotTaken`."""
    if depth > MOST_NESTED:
        raise NotTaken("it nests too deep")
    match node.type:
        case "integer" | "float":
            return _number(text_of(node))
        case "true" | "false":
            return node.type == "true"
        case "none":
            return None
        case "string":
            return unquoted(text_of(node))
        case "identifier":
            name = text_of(node)
            return FxValue(name) if name in known else PythonName(name)
        case "attribute":
            return PythonName(text_of(node))
        case "list" | "tuple":
            return tuple(written(each, known, depth + 1) for each in node.named_children if each.type != "comment")
        case "parenthesized_expression" if node.named_children:
            return written(node.named_children[0], known, depth + 1)
        case "unary_operator":
            return _negated(node, known, depth)
        case "binary_operator" | "comparison_operator":
            return _infix(node, known, depth)
        case "subscript":
            return _item(node, known, depth)
        case "call":
            return _call(node, known, depth)
        case _:
            raise NotTaken(f"`{text_of(node)[:40]}` is not read")


def _number(text: str) -> Fraction:
    try:
        return Fraction(text.replace("_", ""))
    except ValueError as error:
        raise NotTaken(f"`{text[:20]}` is no number that is read") from error


def _negated(node: Node, known: Mapping[str, object], depth: int) -> Written:
    operand = node.child_by_field_name("argument")
    given = written(operand, known, depth + 1) if operand is not None else None
    match given:
        case Fraction() if text_of(node).startswith("-"):
            return -given
        case PythonName(text=text) if text_of(node).startswith("-"):
            return PythonName(f"-{text}")
        case FxValue() | Call() if text_of(node).startswith("-"):
            return Call("neg", (given,), {})
        case FxValue() | Call() if text_of(node).startswith("~"):
            return Call("bitwise_not", (given,), {})
        case _:
            raise NotTaken(f"`{text_of(node)[:40]}` is not read")


def _infix(node: Node, known: Mapping[str, object], depth: int) -> Call:
    """`x + y` as a call. Raises `NotTaken`."""
    signs = [each.type for each in node.children if not each.is_named]
    name = {**_INFIX, **_COMPARED}.get(signs[0]) if len(signs) == 1 else None
    if name is None or len(node.named_children) != 2:
        raise NotTaken(f"`{text_of(node)[:40]}` is not read")
    return Call(name, tuple(written(each, known, depth + 1) for each in node.named_children), {})


def _item(node: Node, known: Mapping[str, object], depth: int) -> Call:
    """`split[1]` as a call. Raises `NotTaken`."""
    if len(node.named_children) != 2:
        raise NotTaken(f"`{text_of(node)[:40]}` is not read")
    return Call("getitem", tuple(written(each, known, depth + 1) for each in node.named_children), {})


def _call(node: Node, known: Mapping[str, object], depth: int) -> Written:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None:
        raise NotTaken("it cannot be read")
    positional: list[Written] = []
    callee = text_of(function)
    owner = function.child_by_field_name("object") if function.type == "attribute" else None
    method = function.child_by_field_name("attribute") if function.type == "attribute" else None
    if owner is not None and method is not None and text_of(owner) in known:
        callee, positional = text_of(method), [FxValue(text_of(owner))]
    keyed: dict[str, Written] = {}
    for each in arguments.named_children:
        name, value = each.child_by_field_name("name"), each.child_by_field_name("value")
        if each.type == "keyword_argument" and name is not None and value is not None:
            keyed[text_of(name)] = written(value, known, depth + 1)
        elif each.type != "comment":
            positional.append(written(each, known, depth + 1))
    if callee == "float" and len(positional) == 1 and isinstance(positional[0], str):
        return PythonName(positional[0])
    return Call(callee, tuple(positional), keyed)


def text_of(node: Node) -> str:
    """What a node is written as."""
    return (node.text or b"").decode("utf-8", "replace")


def unquoted(text: str) -> str:
    """A string without its quotes. Raises `NotTaken` for one that is no plain string."""
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError) as error:
        raise NotTaken(f"`{text[:40]}` is not read") from error
    if not isinstance(found, str):
        raise NotTaken(f"`{text[:40]}` is not read")
    return found


def annotated(text: str) -> TensorType | None:
    """The type that `"f32[8, 16][16, 1]cpu"` stands for, None if it is none of a tensor.

    >>> annotated("f32[8, s0]")
    TensorType(element='f32', shape=(8, None))
    """
    match = re.match(r"([a-z]+\d+)\[([^\]]*)\]", text.strip("\"' "))
    if match is None:
        return None
    sizes = [each.strip() for each in match[2].split(",") if each.strip()]
    element = "i1" if match[1] == "b8" else match[1]
    return TensorType(element, tuple(int(each) if each.isdecimal() else None for each in sizes))
