"""Arrays as a source declares and indexes them: where an extent stands, what an access's indices are."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from tree_sitter import Node

from rewright.fixes.kernels.tree import CUDA, ParsedText, function_of
from rewright.syntax.text import Span


class IndexedElement(Struct, frozen=True):
    """An element named in the text: the whole of it, the array's name, one node per index, outermost first."""

    node: Node
    array: str
    indices: tuple[Node, ...]


class DeclaredArray(Struct, frozen=True):
    """A declared array: its statement, what declares this name in it, its extents, outermost first."""

    statement: Node
    declarator: Node
    name: str
    extents: tuple[Node, ...]


def access_at(source: ParsedText, span: Span) -> IndexedElement | None:
    """The access that stands at a place, None if what stands there is none that names an array and its indices."""
    node = source.node_at(span)
    if node is None:
        return None
    return _own_access(source, node) if source.dialect is not CUDA else _cuda_access(source, node)


def _own_access(source: ParsedText, node: Node) -> IndexedElement | None:
    if node.type != "index" or not node.named_children:
        return None
    array, *indices = node.named_children
    return IndexedElement(node, source.text(array), tuple(indices))


def _cuda_access(source: ParsedText, node: Node) -> IndexedElement | None:
    """A chain of subscripts of a name."""
    indices: list[Node] = []
    inner = node
    while inner.type == "subscript_expression":
        array, arguments = inner.named_children[0], inner.named_children[-1]
        inside = arguments.named_children
        if len(inside) != 1:
            return None
        indices.insert(0, inside[0])
        inner = array
    return IndexedElement(node, source.text(inner), tuple(indices)) if indices and inner.type == "identifier" else None


def shared_arrays(source: ParsedText, within: Span) -> list[DeclaredArray]:
    """The shared arrays of known extents that the function around a place declares."""
    function = function_of(source, within)
    if function is None:
        return []
    find = _own_declared if source.dialect is not CUDA else _cuda_declared
    return [each for node in _walk(function) for each in find(source, node)]


def _own_declared(source: ParsedText, node: Node) -> Iterator[DeclaredArray]:
    if node.type != "shared_item":
        return
    extents = _shape(node.child_by_field_name("type"))
    for child in node.named_children:
        if child.type == "identifier":
            yield DeclaredArray(node, child, source.text(child), extents)


def _shape(type_node: Node | None) -> tuple[Node, ...]:
    """The sizes that a type in our own syntax is written with."""
    entries = [] if type_node is None else [child for child in type_node.children if child.type == "shape_entry"]
    return tuple(size for entry in entries if (size := entry.child_by_field_name("size")) is not None)


def _cuda_declared(source: ParsedText, node: Node) -> Iterator[DeclaredArray]:
    if node.type != "declaration" or "__shared__" not in [source.text(child) for child in node.children]:
        return
    for declarator in node.children_by_field_name("declarator"):
        extents: list[Node] = []
        inner: Node | None = declarator
        while inner is not None and inner.type == "array_declarator":
            size = inner.child_by_field_name("size")
            if size is not None:
                extents.insert(0, size)
            inner = inner.child_by_field_name("declarator")
        if inner is not None and extents:
            yield DeclaredArray(node, declarator, source.text(inner), tuple(extents))


def parameters(source: ParsedText, within: Span) -> list[str]:
    """The names of the parameters of the kernel that a place is in, in order; empty for a function that is none."""
    function = function_of(source, within)
    if function is None or source.dialect is not CUDA or b"__global__" not in source.data[function.start_byte :][:200]:
        return []
    lists = (node for node in _walk(function) if node.type == "parameter_list")
    declared = next(lists, None)
    return [] if declared is None else [_name(source, each) for each in declared.named_children if "param" in each.type]


def _name(source: ParsedText, parameter: Node) -> str:
    """The name that a parameter declares: the last identifier of its declarator."""
    declarator = parameter.child_by_field_name("declarator")
    names = [] if declarator is None else [each for each in _walk(declarator) if each.type == "identifier"]
    return source.text(names[0]) if names else ""


def parameter_extents(source: ParsedText, within: Span, array: str) -> tuple[Node, ...]:
    """The extents of an array parameter of a declaration in our own syntax, outermost first."""
    function = function_of(source, within)
    for node in _walk(function) if function is not None else ():
        name = node.child_by_field_name("name") if node.type == "parameter" else None
        if name is not None and source.text(name) == array:
            return _shape(node.child_by_field_name("type"))
    return ()


def variable_declared(source: ParsedText, within: Span, name: str) -> Node | None:
    """What declares a variable or local array without a value, before a place, the nearest one."""
    function = function_of(source, within)
    if function is None or source.dialect is not CUDA:
        return None
    found = [
        declarator
        for node in _walk(function)
        if node.type == "declaration" and node.start_byte < within.start
        for declarator in node.children_by_field_name("declarator")
        if _declares(source, declarator, name)
    ]
    return found[-1] if found else None


def _declares(source: ParsedText, declarator: Node, name: str) -> bool:
    inner: Node | None = declarator
    while inner is not None and inner.type == "array_declarator":
        inner = inner.child_by_field_name("declarator")
    return inner is not None and inner.type == "identifier" and source.text(inner) == name


def _walk(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(current.children))
