"""The statements of a region: loops, guards, assignments, and integers that hold bounds.

An integer that holds a bound stands for what was assigned to it last. After a loop or a guard that may change it, and
at the beginning of an iteration, nothing is known of it. Whatever is no assignment of affine elements is refused at its
place; the statements around it are still read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from rewright.frontends.c.declared import declarations
from rewright.frontends.c.effects import keeps_value
from rewright.frontends.c.integers import shown
from rewright.frontends.c.loops import beginnings, counted_by, head
from rewright.frontends.c.names import assigned_names
from rewright.frontends.c.parallel import parallel_mark
from rewright.frontends.c.refusal import NotAffine
from rewright.frontends.c.scope import RegionScope
from rewright.frontends.c.sums import Sum, expression, variable
from rewright.frontends.c.tree import field, operator, parts, text, unwrapped
from rewright.frontends.c.values import assigned, counted, initialised
from rewright.model.nest import DoesNotHold, NestGuard, NestItem, NestLoop

_REFUSED = {
    "while_statement": "a `while` loop is not affine",
    "do_statement": "a `do` loop is not affine",
    "goto_statement": "`goto` is not affine",
    "break_statement": "a loop with `break` is not affine",
    "continue_statement": "a loop with `continue` is not affine",
    "return_statement": "`return` in a region is not affine",
    "switch_statement": "`switch` is not affine",
    "ERROR": "this cannot be read",
}


def body(scope: RegionScope, statements: Iterable[Node]) -> tuple[NestItem, ...]:
    """The items of statements in a row; what is refused is noted in the scope, and left out."""
    found: list[NestItem] = []
    for node in statements:
        try:
            for item in _items(scope, node, ""):
                found.append(item)
        except NotAffine as refused:
            scope.refuse(refused)
            scope.forget(assigned_names(node))
    return tuple(found)


def _items(scope: RegionScope, node: Node, label: str) -> Iterator[NestItem]:
    match node.type:
        case "expression_statement":
            for each in parts(node):
                yield from _expression(scope, each, label)
        case "declaration":
            yield from _declaration(scope, node, label)
        case "compound_statement":
            yield from body(scope, node.named_children)
            # A bound that is declared here may hide another one, which has its value from before.
            scope.forget(each.name for inner in node.named_children for each in declarations(inner))
        case "for_statement":
            yield from _loop(scope, node)
        case "if_statement":
            yield from _guard(scope, node)
        case "labeled_statement":
            inner = [each for each in parts(node) if each.type != "statement_identifier"]
            for each in inner:
                yield from _items(scope, each, text(field(node, "label")))
        case "comment" | ";":
            return
        case kind:
            raise NotAffine(_REFUSED.get(kind, f"`{shown(node)}` is not taken in a region"), node)


def _expression(scope: RegionScope, written: Node, label: str) -> Iterator[NestItem]:
    node = unwrapped(written)
    match node.type:
        case "comma_expression":
            yield from _expression(scope, field(node, "left"), label)
            yield from _expression(scope, field(node, "right"), "")
        case "assignment_expression":
            target = unwrapped(field(node, "left"))
            if target.type == "identifier" and text(target) in scope.names.iterators:
                raise NotAffine(f"`{text(target)}` is assigned, which a loop counts", node)
            if target.type == "identifier" and text(target) in scope.names.bounds:
                _bound(scope, node, text(target))
            elif target.type == "identifier" and text(target) in scope.parameters:
                raise NotAffine(f"`{text(target)}` is assigned, which is a parameter", node)
            else:
                yield assigned(scope, node, label)
        case "update_expression":
            target = unwrapped(field(node, "argument"))
            if target.type == "identifier" and text(target) in scope.names.iterators | scope.names.bounds:
                raise NotAffine(f"`{text(target)}` is counted outside of the head of its loop", node)
            yield counted(scope, node, label)
        case "call_expression":
            raise NotAffine(f"what the call `{shown(node)}` writes is not known", node)
        case _:
            raise NotAffine(f"`{shown(node)}` is no assignment", node)


def _bound(scope: RegionScope, node: Node, name: str) -> None:
    """`name = value` for an integer that holds a bound."""
    if operator(node) != "=":
        raise NotAffine(f"`{name}` holds a bound, and is changed here", node)
    scope.integers[name] = _held(scope, name, field(node, "right"))


def _held(scope: RegionScope, name: str, value: Node) -> Sum:
    """The value that an integer has from here on. Raises `NotAffine`."""
    found = scope.reading().affine(value)
    if name in scope.names.unsigned and not scope.known.is_not_negative(found):
        raise NotAffine(f"`{name}` is unsigned, and `{shown(value)}` may be less than 0", value)
    return found


def _declaration(scope: RegionScope, node: Node, label: str) -> Iterator[NestItem]:
    if keeps_value(node) is not None:
        raise NotAffine(f"`{shown(node)}` is not taken: it keeps its value", node)
    for each in node.children_by_field_name("declarator"):
        names = {found.name: found for found in declarations(node)}
        if each.type != "init_declarator":
            scope.forget(names)
            continue
        target = field(each, "declarator")
        if target.type != "identifier":
            raise NotAffine(f"`{shown(each)}` is not taken: pointers are not followed", each)
        if text(target) in scope.names.bounds:
            scope.integers[text(target)] = _held(scope, text(target), field(each, "value"))
        else:
            yield initialised(scope, each, label)


def _loop(scope: RegionScope, node: Node) -> Iterator[NestItem]:
    name, update, _ = counted_by(node)
    first = None
    begun = list(beginnings(node))
    for each in begun:
        value = _held(scope, each.name, each.first)
        if each.name == name:
            first = value
        elif each.name in scope.names.bounds:
            scope.integers[each.name] = value
        else:
            raise NotAffine(f"`{each.name}` is assigned in the head of a loop that counts `{name}`", each.node)
    if first is None:
        raise NotAffine(f"nothing says where `{name}` begins", update)
    inside = field(node, "body")
    changed = assigned_names(inside)
    if name in changed:
        raise NotAffine(f"`{name}` is assigned in the loop that counts it", update)
    scope.forget(changed)
    iterator = scope.iterate(name, update)
    scope.integers[name] = variable(iterator)
    known = scope.known
    try:
        found = head(scope, node, first, iterator)
        scope.known = known.inside(found.bounds)
        items = body(scope, (inside,))
    finally:
        scope.known = known
        scope.forget((*changed, name))
        start = node.child_by_field_name("initializer")
        if start is not None and start.type == "declaration":
            scope.forget(each.name for each in begun)
    site = scope.sited(scope.place_between(node, inside))
    mark = parallel_mark(scope, node, items)
    yield NestLoop(iterator, expression(found.low), expression(found.high), found.step, items, site, mark)


def _guard(scope: RegionScope, node: Node) -> Iterator[NestItem]:
    written = field(node, "condition")
    condition = scope.reading().condition(written)
    before, known = dict(scope.integers), scope.known
    branches: list[tuple[NestItem, ...]] = []
    for branch, holds in (("consequence", condition), ("alternative", DoesNotHold(condition))):
        inside = node.child_by_field_name(branch)
        scope.integers.clear()
        scope.integers.update(before)
        scope.known = known.where(holds)
        branches.append(() if inside is None else body(scope, _branch(inside)))
    scope.known = known
    scope.integers.clear()
    scope.integers.update(before)
    scope.forget(assigned_names(node))
    yield NestGuard(condition, branches[0], branches[1], scope.site(written))


def _branch(node: Node) -> list[Node]:
    return parts(node) if node.type == "else_clause" else [node]
