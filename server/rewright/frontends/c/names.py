"""What the names of a region are: iterators, parameters, integers that hold bounds, or data.

A name in a bound, a condition or a subscript is an integer: an iterator if a loop counts it, one that holds a bound if
the region assigns it, else a parameter. Every other name is data. Must not know what any statement does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace
from tree_sitter import Node

from rewright.frontends.c.declared import DeclaredName, below, declarations, parameters_of, resolved_type, typedefs
from rewright.frontends.c.lifetimes import hidden, unset
from rewright.frontends.c.regions import NestRegion
from rewright.frontends.c.tree import field, parts, text, unwrapped, walk


class RegionNames(Struct, frozen=True):
    """The names of a region: `parameters` in order, those that hold `bounds`, and all that are declared around.

    `twice` are declarations in the region of names that mean something else around them. `unsigned` are those that some
    declaration says to be unsigned, `uncounted` declarations of iterators and bounds with types such as `double`,
    `unset` declarations of data that may be read before it has a value.
    """

    iterators: frozenset[str]
    bounds: frozenset[str]
    parameters: tuple[str, ...]
    declared: Mapping[str, DeclaredName]
    twice: tuple[DeclaredName, ...]
    unsigned: frozenset[str] = frozenset()
    uncounted: tuple[DeclaredName, ...] = ()
    unset: tuple[DeclaredName, ...] = ()


def names_of(region: NestRegion, root: Node) -> RegionNames:
    """The names of a region of the text with this root."""
    declared, twice = _declared(region, root)
    types = typedefs(root)
    declared = {name: _resolved(each, types) for name, each in declared.items()}
    iterators = frozenset(name for each in region.statements for name in _iterators(each))
    assigned = _assigned(region.statements)
    integers = _integers(region.statements, assigned, declared)
    whole = {name for name in integers if _may_be_integer(declared.get(name))}
    bounds = frozenset(whole & assigned.keys()) - iterators
    free = [name for name in integers if name in whole and name not in iterators and name not in assigned]
    of_function = [] if region.function is None else [each.name for each in parameters_of(region.function)]
    order = {name: number for number, name in enumerate(of_function)}
    parameters = sorted(free, key=lambda each: order.get(each, len(order)))
    counted = iterators | bounds
    twice = tuple(each for each in twice if not each.is_integer or each.name not in counted)
    again = (each for each in hidden(region.statements) if each.name not in counted)
    inside = (_resolved(each, types) for node in region.statements for each in below(node))
    everywhere = (*declared.values(), *inside)
    return RegionNames(
        iterators,
        bounds,
        tuple(parameters),
        declared,
        (*twice, *(each for each in again if each not in twice)),
        frozenset(each.name for each in everywhere if each.is_unsigned),
        tuple(each for each in everywhere if each.name in counted and not each.sizes and not each.counts),
        tuple(each for each in unset(region.statements) if each.name not in counted),
    )


def _resolved(declared: DeclaredName, types: Mapping[str, str]) -> DeclaredName:
    return replace(declared, type=resolved_type(declared.type, types))


def _may_be_integer(declared: DeclaredName | None) -> bool:
    return declared is None or declared.is_integer


def _declared(region: NestRegion, root: Node) -> tuple[dict[str, DeclaredName], tuple[DeclaredName, ...]]:
    """What is declared around and in a region, by name; and what its blocks declare though it means something else."""
    found = {each.name: each for node in root.named_children for each in declarations(node)}
    inner: list[DeclaredName] = []
    if region.function is not None:
        found |= {each.name: each for each in parameters_of(region.function)}
        for each in below(field(region.function, "body")):
            if any(_contains(node, each.node) for node in region.statements):
                inner.append(each)
            else:
                found[each.name] = each
    elif region.statements:
        inner = [each for node in region.statements for each in below(node)]
    twice = tuple(each for each in inner if each.name in found)
    return found | {each.name: each for each in inner}, twice


def _contains(outer: Node, inner: Node) -> bool:
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte


def _iterators(node: Node) -> Iterator[str]:
    for each in walk(node):
        if each.type == "for_statement":
            yield from counters(each)


def counters(loop: Node) -> Iterator[str]:
    """The names that the head of a loop counts."""
    yield from (text(name) for name in _counted(field(loop, "update")) if name.type == "identifier")


def _counted(update: Node) -> Iterator[Node]:
    """What an update changes."""
    match update.type:
        case "assignment_expression":
            yield unwrapped(field(update, "left"))
        case "update_expression":
            yield unwrapped(field(update, "argument"))
        case "comma_expression":
            yield from _counted(field(update, "left"))
            yield from _counted(field(update, "right"))


def assigned_names(node: Node) -> frozenset[str]:
    """The names that a statement assigns or declares anywhere, the iterators of its loops among them."""
    return frozenset(_assigned((node,)))


def _assigned(statements: Iterable[Node]) -> dict[str, list[Node]]:
    """What is assigned to names without subscripts, by name."""
    found: dict[str, list[Node]] = {}
    for statement in statements:
        for node in walk(statement):
            match node.type:
                case "assignment_expression":
                    _add(found, field(node, "left"), field(node, "right"))
                case "update_expression":
                    _add(found, field(node, "argument"), None)
                case "init_declarator":
                    _add(found, field(node, "declarator"), field(node, "value"))
    return found


def _add(found: dict[str, list[Node]], target: Node, value: Node | None) -> None:
    name = unwrapped(target)
    if name.type == "identifier":
        found.setdefault(text(name), []).extend([value] if value is not None else [])


def _integers(
    statements: Iterable[Node], assigned: Mapping[str, list[Node]], declared: Mapping[str, DeclaredName]
) -> dict[str, None]:
    """The names in bounds, conditions and subscripts, and in what is assigned to such names, in order."""
    found: dict[str, None] = {}
    waiting = [node for each in statements for node in _integer_places(each)]
    while waiting:
        for name in _names_in(waiting.pop(0)):
            if name not in found and not (name in declared and declared[name].sizes):
                found[name] = None
                waiting += assigned.get(name, [])
    return found


def _integer_places(statement: Node) -> Iterator[Node]:
    """The expressions of a statement whose values are integers that the order of execution depends on."""
    for node in walk(statement):
        match node.type:
            case "for_statement":
                for each in ("initializer", "condition", "update"):
                    part = node.child_by_field_name(each)
                    if part is not None:
                        yield part
            case "if_statement":
                yield field(node, "condition")
            case "subscript_expression":
                yield from _subscripts(node)


def _subscripts(node: Node) -> Iterator[Node]:
    index = node.child_by_field_name("index")
    if index is not None:
        yield index


def _names_in(node: Node) -> Iterator[str]:
    """The variables that an expression reads or assigns, functions and the arrays of elements left out."""
    match node.type:
        case "identifier":
            yield text(node)
        case "call_expression":
            for each in parts(field(node, "arguments")):
                yield from _names_in(each)
        case "subscript_expression":
            yield from (name for each in _subscripts(node) for name in _names_in(each))
        case _:
            yield from (name for each in node.named_children for name in _names_in(each))
