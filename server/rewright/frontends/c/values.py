"""Assignments in C: the element that is written, those that are read, and the rest as a signature."""

from __future__ import annotations

import re

from msgspec.structs import replace
from tree_sitter import Node

from rewright.frontends.c.integers import shown
from rewright.frontends.c.refusal import NotAffine
from rewright.frontends.c.scope import RegionScope
from rewright.frontends.c.signatures import RightSide
from rewright.frontends.c.sums import expression
from rewright.frontends.c.tree import field, operator, text, unwrapped
from rewright.model.index import Name
from rewright.model.nest import ElementAccess, NestArray, NestStatement
from rewright.verdict.diagnostics.loops import SubscriptCount


def assigned(scope: RegionScope, node: Node, label: str) -> NestStatement:
    """`target = value`, or with another operator. Raises `NotAffine`."""
    write = access(scope, field(node, "left"))
    right = _right_side(scope)
    sign = operator(node)
    if sign == "=":
        signature = right.text(field(node, "right"))
    else:
        right.reads.append(write)
        signature = f"(#0{sign.removesuffix('=')}{right.text(field(node, 'right'))})"
    return NestStatement(label, write, _reads(right), signature, scope.site(node), _macro(scope, node))


def _reads(right: RightSide[ElementAccess]) -> tuple[ElementAccess, ...]:
    return tuple(
        replace(each, certain=False) if number in right.perhaps else each for number, each in enumerate(right.reads)
    )


def counted(scope: RegionScope, node: Node, label: str) -> NestStatement:
    """`target++` or `target--`. Raises `NotAffine`."""
    write = access(scope, field(node, "argument"))
    return NestStatement(label, write, (write,), f"(#0{operator(node)[0]}1)", scope.site(node))


_USE = re.compile(r"([A-Za-z_]\w*)\s*(?:\(.*\))?", re.DOTALL)


def _macro(scope: RegionScope, node: Node) -> str:
    """The macro that a whole assignment is a use of, empty if it is written out."""
    used = _USE.fullmatch(scope.written(node).strip())
    if used is None or text(node).startswith(used[0]):
        return ""
    depth = 0
    for each in used[0]:
        depth += {"(": 1, ")": -1}.get(each, 0)
        if each == "=" and depth == 0:
            return ""
    return used[1]


def initialised(scope: RegionScope, node: Node, label: str) -> NestStatement:
    """`type name = value`. Raises `NotAffine`."""
    write = access(scope, field(node, "declarator"))
    value = field(node, "value")
    if value.type == "initializer_list":
        raise NotAffine("a list of first values is not taken", value)
    right = _right_side(scope)
    signature = right.text(value)
    return NestStatement(label, write, _reads(right), signature, scope.site(node))


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


def _right_side(scope: RegionScope) -> RightSide[ElementAccess]:
    def is_number(name: str) -> bool:
        return name in scope.integers or name in scope.names.iterators or name in scope.names.bounds

    def number(node: Node) -> ElementAccess:
        return ElementAccess(None, (expression(scope.reading().affine(node)),), scope.site(node))

    def type_of(name: str) -> str:
        return "unsigned" if name in scope.names.unsigned else ""

    return RightSide(is_number, number, lambda node: access(scope, node), type_of, scope.share)
