"""Expressions of host code as expressions of our own syntax, as far as constants and known names go.

A variable stands for what it is set to, a function for the expression that it returns, what is not known for a free
size, if there may be any. Must not know launches.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from operator import eq, ge, gt, le, lt, ne

from msgspec.structs import replace
from tree_sitter import Node

from rewright.emit.types import scalar_named, vector
from rewright.frontends.cuda.launches.host import Choices, FreeSizes, Host, line, variable_set_to
from rewright.frontends.cuda.launches.template_parameters import template_parameters
from rewright.frontends.cuda.launches.type_texts import type_text
from rewright.frontends.cuda.reading.declarators import declared_name
from rewright.frontends.cuda.reading.tree import parts, text, walk
from rewright.frontends.preprocessor.literals import number as literal
from rewright.model.simt.constants import NoValue, binary
from rewright.model.simt.types import BinaryOperator, Scalar

_REAL = re.compile(r"([0-9]*)\.?([0-9]*)([eE][-+]?[0-9]+)?[fF]?")
_OPERATORS = frozenset(["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "<=", ">", ">=", "==", "!="])
_FOLDED = frozenset(["+", "-", "*", "/", "%", "<<", ">>"])
_CONNECTIVES = {"&&": "and", "||": "or"}
_COMPARED = re.compile(r"\(([0-9]+) (<|<=|>|>=|==|!=) ([0-9]+)\)")
HOLDS = {"<": lt, "<=": le, ">": gt, ">=": ge, "==": eq, "!=": ne}
"""What comparisons of C compute."""

_SAME = re.compile(r"(?:::)?std::is_same(?:_v)?\s*<")
_LIBRARIES = re.compile(r"\b(?:std|at|c10)::")
_TRUTH = re.compile(r"<|<=|>|>=|==|!=|and|or")
COMPONENTS = ("x", "y", "z")

_TRIPLES = ("dim3", "uint3", "make_uint3", "make_dim3")
"""What makes the three sizes of a grid or block."""

FREE = ("identifier", "call_expression", "field_expression", "subscript_expression", "qualified_identifier")
"""Expressions that may stand for a size as a whole."""

ROUNDED_UP = frozenset(
    {
        *("cdiv", "ceil_div", "ceilDiv", "ceildiv", "CeilDiv", "CEIL_DIV", "CEILDIV", "div_up", "divUp", "DivUp"),
        *("DIVUP", "DIV_UP", "iDivUp", "idivup", "div_ceil", "divCeil", "ATenCeilDiv", "THCCeilDiv", "ceil_divide"),
    }
)
"""What functions and macros of headers that are not there are called that divide and round up."""

_MOST_SHIFT, _MOST_FOLDED = 30, 62
"""Bits that a size is shifted by, since sizes have 32; and a literal that is folded, so that it stays a 64-bit one."""

_MOST_DEPTH = 24
"""Expressions inside expressions, variables followed to what they were set to: one may be set to itself."""


def integer(host: Host, node: Node) -> str | None:
    """An integer expression in our syntax, None if it is not known what it is made of."""
    if host.depth > _MOST_DEPTH:
        return None
    if node.type in FREE and (said := host.known.get(line(node))):
        return said
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
            return _variable(host, node)
        case "parameter_declaration":
            return _written_as_parameter(host, node)
        case "initializer_list" | "argument_list" | "parameter_list" if len(parts(node)) == 1:
            return integer(host, parts(node)[0])
        case "unary_expression" if text(node).startswith("-"):
            negated = integer(host, parts(node)[-1])
            return None if negated is None else f"(-{as_number(negated)})"
        case "unary_expression" if text(node).startswith("!"):
            denied = integer(host, parts(node)[-1])
            return None if denied is None else f"({as_number(denied)} == 0)"
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
            return _size(host, node)
        case "call_expression":
            return _call(host, node) or host.unknown(node)
        case "qualified_identifier" if _SAME.match(text(node)):
            return _is_same(host, node) or host.unknown(node)
        case "subscript_expression" | "qualified_identifier":
            return host.unknown(node)
        case _:
            return None


def _variable(host: Host, node: Node) -> str | None:
    """What a variable stands for: its value, or a free size."""
    if said := host.known.get(text(node)):
        return said
    if text(node) in host.types:
        return host.types[text(node)] if host.types[text(node)].isdigit() else None
    value = host.value(node)
    found = _enumerator(host, node) if value is None else integer(host, value)
    is_expression = node.type == "identifier" or node.parent is None or node.parent.type == "parameter_declaration"
    return found or (host.unknown(node) if is_expression else None)


def _enumerator(host: Host, name: Node) -> str | None:
    """The value of an enumerator: the one that it is given, or one more than that of the one before it."""
    node, more = None if host.code.times_set(name) else host.code.enumerator(text(name)), 0
    while node is not None:
        if (value := node.child_by_field_name("value")) is not None:
            said = integer(replace(host, known={}, free=None), value)
            return str(int(said) + more) if said is not None and said.isdigit() else None
        before = node.prev_named_sibling
        while before is not None and before.type != "enumerator":
            before = before.prev_named_sibling
        if before is None:
            return str(more)
        node, more = before, more + 1
    return None


def triple(host: Host, node: Node, axes: int) -> tuple[str, ...] | None:
    """The one to three expressions that a `dim3` is made of, or an integer in its place.

    What is not known as a whole has as many free components as a kernel uses `axes`.
    """
    if host.depth > _MOST_DEPTH:
        return None
    deeper = replace(host, depth=host.depth + 1)
    if node.type == "type_identifier":
        return ("1",)
    if node.type == "identifier" and text(node) not in host.known:
        if any(host.code.sets_part(node, each) for each in COMPONENTS):
            found = [_part(deeper, node, each) for each in COMPONENTS]
            return None if None in found else tuple(each for each in found if each is not None)
        value = host.value(node)
        if value is not None:
            return triple(deeper, value, axes)
    written = _components(node)
    if written is None and axes > 1 and host.free is not None and _may_be_triple(host, node):
        variable = variable_set_to(node)
        named = [(f"{line(node)}.{each}", f"{variable}.{each}" if variable else "") for each in COMPONENTS[:axes]]
        return tuple(host.free.named(*each) for each in named)
    found = [whole(host, each) for each in ([node] if written is None else written[:3])]
    known = tuple(each for each in found if each is not None)
    return (known or ("1",)) if len(known) == len(found) else None


def whole(host: Host, node: Node) -> str | None:
    """An integer expression; one that is none of our syntax is one free size as a whole."""
    found = integer(host, node) or (None if node.type.endswith("_literal") else host.unknown(node))
    return None if found is None else as_number(found)


def is_truth(written: str) -> bool:
    """Whether an expression of our syntax that was made here is a comparison, or made of them: in parentheses."""
    depth = 0
    for word in written.replace("(", " ( ").replace(")", " ) ").split():
        depth += (word == "(") - (word == ")")
        if depth == 1 and _TRUTH.fullmatch(word):
            return True
    return False


def as_number(written: str) -> str:
    """An expression as C computes with it: a comparison is 1 or 0."""
    constant = _COMPARED.fullmatch(written)
    if constant is not None:
        return str(int(HOLDS[constant[2]](int(constant[1]), int(constant[3]))))
    return f"select({written}, 1, 0)" if is_truth(written) else written


def as_truth(written: str) -> str:
    """An expression as C decides by it: a number is true unless it is 0."""
    return written if is_truth(written) else f"({written} != 0)"


def _may_be_triple(host: Host, node: Node) -> bool:
    """Whether an expression that is not known may be a `dim3`: what a function gets, returns, or has in a struct."""
    return node.type in FREE and line(node) not in host.known


def _part(host: Host, name: Node, part: str) -> str | None:
    """A component of a `dim3` that is set by itself somewhere."""
    value = host.value(name, part)
    if value is None:
        return None if host.free is None else host.free.named(f"{text(name)}.{part}")
    target = None if value.parent is None else value.parent.child_by_field_name("left")
    if target is not None and target.type == "field_expression":
        return whole(host, value)
    found = triple(host, value, 3)
    return None if found is None else (*found, "1", "1")[COMPONENTS.index(part)]


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
        case "identifier" if text(node) not in host.known and (value := host.value(node)) is not None:
            return number(deeper, value) or integer(host, node)
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


def _written_as_parameter(host: Host, node: Node) -> str | None:
    """An expression that a parser takes for a parameter: `n`, or `n * m`."""
    kind, declarator = node.child_by_field_name("type"), node.child_by_field_name("declarator")
    left = None if kind is None else _variable(host, kind)
    if left is None or declarator is None:
        return left
    factor = parts(declarator)[0] if declarator.type == "pointer_declarator" and parts(declarator) else None
    right = None if factor is None or factor.type != "identifier" else _variable(host, factor)
    return None if right is None else f"({left} * {right})"


def _binary(host: Host, node: Node) -> str | None:
    operator = text(node.child_by_field_name("operator") or node)
    sides = [node.child_by_field_name(side) for side in ("left", "right")]
    read = [None if side is None else integer(host, side) for side in sides]
    left, right = read
    if left is None or right is None or operator not in (*_OPERATORS, *_CONNECTIVES):
        return None
    as_meant = as_truth if operator in _CONNECTIVES else as_number
    left, right = as_meant(left), as_meant(right)
    folded = _folded(operator, left, right)
    if folded is None and operator == "<<" and right.isdigit() and int(right) > _MOST_SHIFT:
        return None
    return folded or f"({left} {_CONNECTIVES.get(operator, operator)} {right})"


def _folded(operator: str, left: str, right: str) -> str | None:
    """The value where both sides are literals."""
    if (
        not (left.isdigit() and right.isdigit())
        or operator not in _FOLDED
        or (operator in "<<>>" and int(right) > _MOST_FOLDED)
    ):
        return None
    try:
        value = int(binary(BinaryOperator(operator), int(left), int(right), Scalar.S64))
    except NoValue:
        return None
    return str(value) if value >= 0 else f"(-{-value})"


def _conditional(host: Host, node: Node) -> str | None:
    """A choice: of the condition if that is known, else each of its ways is one."""
    condition, *ways = (node.child_by_field_name(part) for part in ("condition", "consequence", "alternative"))
    truth = None if condition is None else integer(replace(host, free=None), condition)
    if truth is None and condition is not None and host.free is not None:
        way = host.choices.pick(node.start_byte, 2)
        host.choices.branches[node.start_byte] = condition, way == 0
        chosen = ways[way]
        return None if chosen is None else integer(host, chosen)
    truth = None if truth is None else as_truth(truth)
    constant = _COMPARED.fullmatch(truth or "")
    if constant is not None:
        chosen = ways[0] if HOLDS[constant[2]](int(constant[1]), int(constant[3])) else ways[1]
        return None if chosen is None else integer(host, chosen)
    read = [as_number(found) for way in ways if way is not None and (found := integer(host, way)) is not None]
    return None if truth is None or len(read) != len(ways) else f"select({truth}, {', '.join(read)})"


def _component(host: Host, node: Node) -> str | None:
    """`block.x` of a `dim3`: a component that it is not given is 1. Another member is not known."""
    named, field = node.child_by_field_name("argument"), text(node.child_by_field_name("field") or node)
    if named is None or named.type != "identifier" or field not in COMPONENTS or text(named) in host.known:
        return host.unknown(node)
    if any(host.code.sets_part(named, each) for each in COMPONENTS):
        return _part(host, named, field)
    value = host.value(named)
    if value is None or not _is_dim3(value):
        return host.unknown(node)
    found = triple(host, named, 3)
    return host.unknown(node) if found is None else (*found, "1", "1")[COMPONENTS.index(field)]


def _is_dim3(value: Node) -> bool:
    """Whether what a variable is set to is a `dim3`: by its own words, or by the declaration that it stands in."""
    named = value.child_by_field_name("function") or value.child_by_field_name("type")
    if value.type == "type_identifier":
        return text(value) in _TRIPLES
    if named is not None:
        return text(named) in _TRIPLES
    declaration = value.parent.parent if value.parent is not None else None
    kind = None if declaration is None else declaration.child_by_field_name("type")
    return kind is not None and text(kind) in _TRIPLES


def _size(host: Host, node: Node) -> str | None:
    described = node.child_by_field_name("type") or node.child_by_field_name("value")
    if described is None or "*" in text(described):
        return None if described is None else "8"
    named = _inside(described)
    said = (type_text(host, named) or "").removeprefix("const ")
    words = tuple(_LIBRARIES.sub("", said).split())
    scalar = scalar_named(words)
    made = vector(words[0]) if scalar is None and len(words) == 1 else None
    return str(scalar.bytes) if scalar is not None else str(made.size) if made is not None else None


def _is_same(host: Host, node: Node) -> str | None:
    """`std::is_same<T, float>::value` of types that are known."""
    listed = next((each for each in walk(node) if each.type == "template_argument_list"), None)
    given = [] if listed is None else [type_text(host, each) or "" for each in parts(listed)]
    scalars = [scalar_named(tuple(_LIBRARIES.sub("", each).split())) for each in given]
    return str(int(scalars[0] == scalars[1])) if len(scalars) == 2 and None not in scalars else None


def _inside(node: Node) -> Node:
    """What stands in parentheses, and a type without what is declared of it."""
    while node.type in ("parenthesized_expression", "type_descriptor") and parts(node):
        node = node.child_by_field_name("type") or parts(node)[0]
    return node


def is_computed(host: Host, node: Node) -> bool:
    """Whether a call is one of a function that is known, so that what it returns follows from its arguments."""
    if node.type != "call_expression":
        return False
    free = FreeSizes(frozenset())
    return _call(replace(host, free=free, choices=Choices()), node) is not None


def _call(host: Host, node: Node) -> str | None:
    function, written = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or written is None:
        return None
    name, given = text(function).removeprefix("std::"), parts(written)
    if len(given) == 1 and (name.startswith("static_cast<") or scalar_named(tuple(name.split())) is not None):
        return integer(host, given[0])
    if len(given) == 1 and name in ("ceil", "ceilf"):
        return _rounded_up(host, given[0])
    bare = name.partition("<")[0].rpartition("::")[2]
    if bare not in ("min", "max", *ROUNDED_UP) and bare not in host.code.functions:
        return None
    read = [integer(host, each) for each in given]
    known = [as_number(each) for each in read if each is not None]
    if len(known) != len(read):
        return None
    if bare in ("min", "max") and len(known) == 2:
        return f"{bare}({known[0]}, {known[1]})"
    if bare in host.code.functions:
        return _inlined(host, bare, known, _template_arguments(host, function))
    return f"(({known[0]} + {known[1]} - 1) / {known[1]})" if len(known) == 2 else None


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


def _template_arguments(host: Host, called: Node) -> dict[str, str]:
    """The arguments of the template of a function that a call states, by name."""
    function = host.code.functions.get(text(called.child_by_field_name("name") or called))
    listed = called.child_by_field_name("arguments") if called.type == "template_function" else None
    if function is None or listed is None:
        return {}
    names = [each[0] for each in template_parameters(function)]
    stated = replace(host, free=None)
    said = (integer(stated, each) or type_text(stated, each) for each in parts(listed))
    return {name: each for name, each in zip(names, said, strict=False) if each is not None}


def _inlined(host: Host, name: str, given: list[str], types: Mapping[str, str]) -> str | None:
    """What a function of the host gives for these arguments that only declares variables and returns an expression."""
    function = host.code.functions.get(name)
    body = function.child_by_field_name("body") if function is not None else None
    declarator = function.child_by_field_name("declarator") if function is not None else None
    written = declarator.child_by_field_name("parameters") if declarator is not None else None
    if body is None or written is None or not parts(body) or parts(body)[-1].type != "return_statement":
        return None
    inside = replace(host, known={}, types=types, free=None)
    defaults = [each.child_by_field_name("default_value") for each in parts(written)][len(given) :]
    given = [*given, *(said for each in defaults if each is not None and (said := integer(inside, each)) is not None)]
    names = [declared_name(each.child_by_field_name("declarator") or each) for each in parts(written)]
    if len(names) != len(given) or None in names or not parts(parts(body)[-1]):
        return None
    bound = {text(each): value for each, value in zip(names, given, strict=True) if each is not None}
    for statement in parts(body)[:-1]:
        made = statement.child_by_field_name("declarator") if statement.type == "declaration" else None
        variable, value = (None if made is None else made.child_by_field_name(each) for each in ("declarator", "value"))
        said = None if value is None else integer(replace(inside, known=bound), value)
        if variable is None or variable.type != "identifier" or said is None:
            return None
        bound[text(variable)] = said
    return integer(replace(inside, known=bound), parts(parts(body)[-1])[0])


def _components(node: Node) -> list[Node] | None:
    """The components of `dim3(…)`, `{…}` or the arguments of a declaration, None if it is none of them."""
    match node.type:
        case "argument_list" | "initializer_list" | "parameter_list":
            return parts(node)
        case "compound_literal_expression":
            value = node.child_by_field_name("value")
            return None if value is None else parts(value)
        case "call_expression" if text(node.child_by_field_name("function") or node) in _TRIPLES:
            written = node.child_by_field_name("arguments")
            return None if written is None else parts(written)
        case _:
            return None
