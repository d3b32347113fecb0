"""Expressions of host code as expressions of our own syntax, as far as constants and known names go.

A variable stands for what it is set to where that happens once, a function for the expression that it returns. Must not
know launches.
"""

from __future__ import annotations

import re
from dataclasses import replace

from tree_sitter import Node

from rewright.frontends.cuda.emit.types import scalar_named, vector
from rewright.frontends.cuda.launches.host import Host
from rewright.frontends.cuda.reading.declarators import declared_name
from rewright.frontends.cuda.reading.tree import parts, text
from rewright.frontends.preprocessor.literals import number as literal
from rewright.model.simt.constants import NoValue, binary
from rewright.model.simt.types import BinaryOperator, Scalar

_REAL = re.compile(r"([0-9]*)\.?([0-9]*)([eE][-+]?[0-9]+)?[fF]?")
_OPERATORS = frozenset(["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "<=", ">", ">=", "==", "!="])
_FOLDED = frozenset(["+", "-", "*", "/", "%", "<<", ">>"])
_CONNECTIVES = {"&&": "and", "||": "or"}
_COMPONENTS = ("x", "y", "z")

_MOST_DEPTH = 24
"""Expressions inside expressions, variables followed to what they were set to: one may be set to itself."""


def integer(host: Host, node: Node) -> str | None:
    """An integer expression in our syntax, None if it is not known what it is made of."""
    if host.depth > _MOST_DEPTH:
        return None
    host = replace(host, depth=host.depth + 1)
    match node.type:
        case "parenthesized_expression" | "cast_expression":
            inner = node.child_by_field_name("value") or next(iter(parts(node)), None)
            return None if inner is None else integer(host, inner)
        case "number_literal":
            return _literal(text(node))
        case "true" | "false":
            return str(int(node.type == "true"))
        case "type_descriptor" if node.child_by_field_name("declarator") is None and len(parts(node)) == 1:
            return integer(host, parts(node)[0])
        case "identifier" | "type_identifier":
            value = host.variables.get(text(node))
            return host.known.get(text(node)) or (None if value is None else integer(host, value))
        case "initializer_list" | "argument_list" if len(parts(node)) == 1:
            return integer(host, parts(node)[0])
        case "unary_expression" if text(node).startswith("-"):
            negated = integer(host, parts(node)[-1])
            return None if negated is None else f"(-{negated})"
        case "comma_expression":
            last = node.child_by_field_name("right")
            return None if last is None else integer(host, last)
        case "binary_expression":
            return _binary(host, node)
        case "conditional_expression":
            return _conditional(host, node)
        case "field_expression":
            return _component(host, node)
        case "sizeof_expression":
            return _size(node)
        case "call_expression":
            return _call(host, node)
        case _:
            return None


def triple(host: Host, node: Node) -> tuple[str, ...] | None:
    """The one to three expressions that a `dim3` is made of, or an integer in its place."""
    if host.depth > _MOST_DEPTH:
        return None
    if node.type == "identifier" and text(node) not in host.known and text(node) in host.variables:
        return triple(replace(host, depth=host.depth + 1), host.variables[text(node)])
    written = _components(node)
    found = [integer(host, each) for each in ([node] if written is None else written[:3])]
    known = tuple(each for each in found if each is not None)
    return (known or ("1",)) if len(known) == len(found) else None


def number(host: Host, node: Node) -> str | None:
    """A number of any type: a literal, perhaps with a sign, a name for one, or an integer expression."""
    if host.depth > _MOST_DEPTH:
        return None
    deeper = replace(host, depth=host.depth + 1)
    match node.type:
        case "number_literal":
            return _literal(text(node)) or _real(text(node))
        case "unary_expression" if text(node).startswith("-"):
            inner = number(deeper, parts(node)[-1])
            return None if inner is None else f"-{inner}"
        case "parenthesized_expression":
            return number(deeper, parts(node)[0]) if parts(node) else None
        case "identifier" if text(node) not in host.known and text(node) in host.variables:
            return number(deeper, host.variables[text(node)])
        case _:
            return integer(host, node)


# --------------------------------------------------------------------------------------------------------- expressions


def _literal(written: str) -> str | None:
    read = literal(written.lstrip("+-"))
    if read is None or read.type.is_float:
        return None
    return f"(-{read.value})" if written[0] == "-" else str(read.value)


def _real(written: str) -> str | None:
    match = _REAL.fullmatch(written.lstrip("+-"))
    if match is None:
        return None
    return f"{'-' * (written[0] == '-')}{match[1] or '0'}.{match[2] or '0'}{match[3] or ''}"


def _binary(host: Host, node: Node) -> str | None:
    operator = text(node.child_by_field_name("operator") or node)
    sides = [node.child_by_field_name(side) for side in ("left", "right")]
    read = [None if side is None else integer(host, side) for side in sides]
    left, right = read
    if left is None or right is None or operator not in (*_OPERATORS, *_CONNECTIVES):
        return None
    folded = _folded(operator, left, right)
    return folded or f"({left} {_CONNECTIVES.get(operator, operator)} {right})"


def _folded(operator: str, left: str, right: str) -> str | None:
    """The value where both sides are literals."""
    if not (left.isdigit() and right.isdigit()) or operator not in _FOLDED or (operator in "<<>>" and int(right) > 30):
        return None
    try:
        value = int(binary(BinaryOperator(operator), int(left), int(right), Scalar.S64))
    except NoValue:
        return None
    return str(value) if value >= 0 else f"(-{-value})"


def _conditional(host: Host, node: Node) -> str | None:
    written = [node.child_by_field_name(part) for part in ("condition", "consequence", "alternative")]
    read = [None if part is None else integer(host, part) for part in written]
    return None if None in read else f"select({', '.join(map(str, read))})"


def _component(host: Host, node: Node) -> str | None:
    """`block.x` of a `dim3`: a component that it is not given is 1."""
    whole, field = node.child_by_field_name("argument"), text(node.child_by_field_name("field") or node)
    value = None if whole is None else host.variables.get(text(whole))
    if whole is None or value is None or text(whole) in host.known or field not in _COMPONENTS or not _is_dim3(value):
        return None
    found = triple(host, whole)
    return None if found is None else (*found, "1", "1")[_COMPONENTS.index(field)]


def _is_dim3(value: Node) -> bool:
    """Whether what a variable is set to is a `dim3`: by its own words, or by the declaration that it stands in."""
    named = value.child_by_field_name("function") or value.child_by_field_name("type")
    if named is not None:
        return text(named) == "dim3"
    declaration = value.parent.parent if value.parent is not None else None
    kind = None if declaration is None else declaration.child_by_field_name("type")
    return kind is not None and text(kind) == "dim3"


def _size(node: Node) -> str | None:
    described = node.child_by_field_name("type") or node.child_by_field_name("value")
    if described is None or "*" in text(described):
        return None if described is None else "8"
    words = tuple(text(described).strip("()").split())
    scalar = scalar_named(words)
    made = vector(words[0]) if scalar is None and len(words) == 1 else None
    return str(scalar.bytes) if scalar is not None else str(made.size) if made is not None else None


def _call(host: Host, node: Node) -> str | None:
    function, written = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or written is None:
        return None
    name, given = text(function).removeprefix("std::"), parts(written)
    if len(given) == 1 and (name.startswith("static_cast<") or scalar_named(tuple(name.split())) is not None):
        return integer(host, given[0])
    if len(given) == 1 and name in ("ceil", "ceilf"):
        return _rounded_up(host, given[0])
    read = [integer(host, each) for each in given]
    known = [each for each in read if each is not None]
    if len(known) != len(read):
        return None
    if name.partition("<")[0] in ("min", "max") and len(known) == 2:
        return f"{name.partition('<')[0]}({known[0]}, {known[1]})"
    return _inlined(host, name, known)


def _rounded_up(host: Host, node: Node) -> str | None:
    """`ceil(a / b)` of whole numbers, whatever makes C compute it with a fraction."""
    quotient = _unconverted(node)
    if quotient.type != "binary_expression" or text(quotient.child_by_field_name("operator") or quotient) != "/":
        return integer(host, quotient)
    sides = [quotient.child_by_field_name(side) for side in ("left", "right")]
    read = [None if side is None else _whole(host, _unconverted(side)) for side in sides]
    return None if None in read else f"(({read[0]} + {read[1]} - 1) / {read[1]})"


def _whole(host: Host, node: Node) -> str | None:
    if node.type == "number_literal" and (match := _REAL.fullmatch(text(node))) and not (match[2] or "0").strip("0"):
        return match[1] or None
    if node.type == "binary_expression" and text(node.child_by_field_name("operator") or node) == "*":
        sides = [each for each in parts(node) if text(each) not in ("1.0", "1.0f", "1.f", "1.")]
        if len(sides) == 1:
            return _whole(host, _unconverted(sides[0]))
    return integer(host, node)


def _unconverted(node: Node) -> Node:
    """The expression inside parentheses and conversions."""
    while True:
        inner: Node | None = None
        function, written = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if node.type in ("parenthesized_expression", "cast_expression"):
            inner = node.child_by_field_name("value") or next(iter(parts(node)), None)
        elif function is not None and written is not None and len(parts(written)) == 1:
            is_cast = text(function).startswith("static_cast<") or text(function) in ("float", "double", "int")
            inner = parts(written)[0] if is_cast else None
        if inner is None:
            return node
        node = inner


def _inlined(host: Host, name: str, given: list[str]) -> str | None:
    """What a function of the host that only returns an expression gives for these arguments."""
    function = host.functions.get(name)
    body = function.child_by_field_name("body") if function is not None else None
    declarator = function.child_by_field_name("declarator") if function is not None else None
    written = declarator.child_by_field_name("parameters") if declarator is not None else None
    if body is None or written is None or len(parts(body)) != 1 or parts(body)[0].type != "return_statement":
        return None
    names = [declared_name(each.child_by_field_name("declarator") or each) for each in parts(written)]
    if len(names) != len(given) or None in names or not parts(parts(body)[0]):
        return None
    bound = {text(each): value for each, value in zip(names, given, strict=True) if each is not None}
    return integer(replace(host, variables={}, known=bound), parts(parts(body)[0])[0])


def _components(node: Node) -> list[Node] | None:
    """The components of `dim3(…)`, `{…}` or the arguments of a declaration, None if it is none of them."""
    match node.type:
        case "argument_list" | "initializer_list":
            return parts(node)
        case "compound_literal_expression":
            value = node.child_by_field_name("value")
            return None if value is None else parts(value)
        case "call_expression" if text(node.child_by_field_name("function") or node) == "dim3":
            written = node.child_by_field_name("arguments")
            return None if written is None else parts(written)
        case _:
            return None
