"""Assignments in C: the element that is written, those that are read, and the rest as a signature.

Invariant: two right sides have one signature exactly if they are the same function of what they read, as it is written,
in C or in our own syntax. Source: PolyCheck, section 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as data_field

from tree_sitter import Node

from rewright.frontends.c.integers import shown
from rewright.frontends.c.refusal import NotAffine
from rewright.frontends.c.scope import RegionScope
from rewright.frontends.c.sums import expression
from rewright.frontends.c.tree import field, operator, parts, text, unwrapped
from rewright.model.index import Name
from rewright.model.nest import ElementAccess, NestArray, NestStatement
from rewright.verdict.diagnostics.loops import SubscriptCount

_WORDS = {"&&": " and ", "||": " or ", "!": "not "}
"""Operators that our own syntax writes as words."""


def assigned(scope: RegionScope, node: Node, label: str) -> NestStatement:
    """`target = value`, or with another operator. Raises `NotAffine`."""
    write = access(scope, field(node, "left"))
    right = _RightSide(scope)
    sign = operator(node)
    if sign == "=":
        signature = right.text(field(node, "right"))
    else:
        right.reads.append(write)
        signature = f"(#0{sign.removesuffix('=')}{right.text(field(node, 'right'))})"
    return NestStatement(label, write, tuple(right.reads), signature, scope.site(node))


def counted(scope: RegionScope, node: Node, label: str) -> NestStatement:
    """`target++` or `target--`. Raises `NotAffine`."""
    write = access(scope, field(node, "argument"))
    return NestStatement(label, write, (write,), f"(#0{operator(node)[0]}1)", scope.site(node))


def initialised(scope: RegionScope, node: Node, label: str) -> NestStatement:
    """`type name = value`. Raises `NotAffine`."""
    write = access(scope, field(node, "declarator"))
    value = field(node, "value")
    if value.type == "initializer_list":
        raise NotAffine("a list of first values is not taken", value)
    right = _RightSide(scope)
    signature = right.text(value)
    return NestStatement(label, write, tuple(right.reads), signature, scope.site(node))


def access(scope: RegionScope, written: Node) -> ElementAccess:
    """The element that an expression names. Raises `NotAffine`."""
    node = unwrapped(written)
    subscripts: list[Node] = []
    base = node
    while base.type == "subscript_expression":
        subscripts.insert(0, field(base, "index"))
        base = unwrapped(field(base, "argument"))
    if base.type != "identifier":
        raise NotAffine(f"`{shown(node)}` is no element of an array: pointers are not followed", node)
    array = _array(scope, base, len(subscripts))
    if len(array.sizes) != len(subscripts):
        wrong = SubscriptCount(array.name, len(array.sizes), len(subscripts))
        raise NotAffine("another number of subscripts", node, wrong)
    reading = scope.reading()
    made = tuple(expression(reading.affine(each)) for each in subscripts)
    return ElementAccess(array.name, made, scope.site(node))


def _array(scope: RegionScope, base: Node, rank: int) -> NestArray:
    name = text(base)
    if name in scope.arrays:
        return scope.arrays[name]
    if name in scope.names.iterators or name in scope.names.bounds or name in scope.parameters:
        raise NotAffine(f"`{name}` holds a bound, and is no element of an array", base)
    if scope.specification is not None:
        raise NotAffine(f"`{name}` is no array of `{scope.specification}`", base)
    scope.arrays[name] = NestArray(Name(name), "", (None,) * rank)
    return scope.arrays[name]


@dataclass(slots=True)
class _RightSide:
    """A right side while its reads are collected."""

    scope: RegionScope
    reads: list[ElementAccess] = data_field(default_factory=list)

    def text(self, written: Node) -> str:
        """The signature of an expression. Raises `NotAffine`."""
        node = unwrapped(written)
        match node.type:
            case "number_literal" | "char_literal" | "true" | "false":
                return text(node)
            case "identifier" if self._is_integer(text(node)):
                value = self.scope.reading().affine(node)
                return self._read(ElementAccess(None, (expression(value),), self.scope.site(node)))
            case "identifier" | "subscript_expression":
                return self._read(access(self.scope, node))
            case "unary_expression":
                sign = operator(node)
                return f"({_WORDS.get(sign, sign)}{self.text(field(node, 'argument'))})"
            case "binary_expression":
                sign = operator(node)
                left, right = self.text(field(node, "left")), self.text(field(node, "right"))
                return f"({left}{_WORDS.get(sign, sign)}{right})"
            case "conditional_expression":
                chosen = (self.text(field(node, each)) for each in ("condition", "consequence", "alternative"))
                return "({}?{}:{})".format(*chosen)
            case "cast_expression":
                to = " ".join(text(field(node, "type")).split())
                return f"(({to}){self.text(field(node, 'value'))})"
            case "call_expression" if field(node, "function").type == "identifier":
                given = ",".join(map(self.text, parts(field(node, "arguments"))))
                return f"{text(field(node, 'function'))}({given})"
            case "assignment_expression" | "update_expression":
                raise NotAffine("an assignment inside of an expression is not taken", node)
            case "pointer_expression" | "field_expression":
                raise NotAffine(f"`{shown(node)}` is no element of an array: pointers are not followed", node)
            case _:
                raise NotAffine(f"`{shown(node)}` is not taken", node)

    def _is_integer(self, name: str) -> bool:
        return name in self.scope.integers or name in self.scope.names.iterators or name in self.scope.names.bounds

    def _read(self, access: ElementAccess) -> str:
        self.reads.append(access)
        return f"#{len(self.reads) - 1}"
