"""Declarations inside a function: local variables and static shared arrays. Must not know other statements."""

from __future__ import annotations

from tree_sitter import Node

from rewright.kernels.plain_cuda.expressions import expression
from rewright.kernels.plain_cuda.reader import Reader, text
from rewright.kernels.plain_cuda.types import scalar_type
from rewright.model.body import Array, Assign, Binary, Convert, Expression, Integer, Statement, Unary
from rewright.model.conversions import converted
from rewright.model.simt.types import Scalar, Space

_PLAIN = {"const", "volatile", "constexpr", "__restrict__"}
_SHARED = {"__shared__"}


def declaration(reader: Reader, node: Node) -> list[Statement]:
    """The assignments that a declaration makes; its names are entered into the scope."""
    words = {text(child) for child in node.children if child.type in ("type_qualifier", "storage_class_specifier")}
    specifier = node.child_by_field_name("type")
    scalar = scalar_type(specifier)
    if scalar is None:
        reader.refuse_construct(specifier or node, f"the type `{text(specifier or node)[:40]}`")
        return []
    if "extern" in words:
        reader.refuse_construct(node, "dynamic shared memory (`extern`)")
        return []
    if not words <= _PLAIN | _SHARED | {"static"} or ("static" in words and not words & _SHARED):
        reader.refuse_construct(node, f"a declaration with {', '.join(f'`{w}`' for w in sorted(words))}")
        return []
    declarators = node.children_by_field_name("declarator")
    if words & _SHARED:
        for declarator in declarators:
            _shared(reader, declarator, scalar)
        return []
    return [statement for declarator in declarators for statement in _local(reader, declarator, scalar)]


def _local(reader: Reader, declarator: Node, scalar: Scalar) -> list[Statement]:
    name = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else declarator
    written = declarator.child_by_field_name("value") if declarator.type == "init_declarator" else None
    if name is None or name.type != "identifier":
        what = "an array in local memory" if name is not None and name.type == "array_declarator" else "a pointer"
        reader.refuse_construct(declarator, f"{what} as a local variable")
        return []
    if _is_taken(reader, name):
        return []
    value = None if written is None else expression(reader, written)
    local = reader.declare(text(name), scalar)
    return [] if value is None else [Assign(local.name, converted(value, scalar), reader.place(declarator))]


def _shared(reader: Reader, declarator: Node, scalar: Scalar) -> None:
    sizes: list[Node | None] = []
    name: Node | None = declarator
    while name is not None and name.type == "array_declarator":
        sizes.insert(0, name.child_by_field_name("size"))
        name = name.child_by_field_name("declarator")
    if name is None or name.type != "identifier":
        reader.refuse_construct(declarator, "this kind of shared declaration")
        return
    if _is_taken(reader, name):
        return
    if not sizes:
        sizes_read: tuple[Expression, ...] | None = None
        reader.refuse_construct(declarator, "a shared variable that is no array")
    else:
        sizes_read = _extents(reader, declarator, sizes)
    extents = sizes_read or (Integer(0, Scalar.S32, reader.place(name)),) * max(len(sizes), 1)
    unique = reader.fresh(text(name))
    array = Array(unique, Space.SHARED, scalar, extents, False, reader.place(name))
    reader.declare_array(text(name), array)


def _extents(reader: Reader, declarator: Node, sizes: list[Node | None]) -> tuple[Expression, ...] | None:
    found: list[Expression] = []
    for size in sizes:
        extent = None if size is None else expression(reader, size)
        if size is None or (extent is not None and not (_is_constant(extent) and extent.type.is_integer)):
            reader.refuse(size or declarator, "the size of a shared array must be made of integer literals and macros")
        elif extent is not None:
            found.append(extent)
    return tuple(found) if len(found) == len(sizes) else None


def _is_constant(extent: Expression) -> bool:
    match extent:
        case Integer():
            return True
        case Unary() | Convert():
            return _is_constant(extent.operand)
        case Binary():
            return _is_constant(extent.left) and _is_constant(extent.right)
        case _:
            return False


def _is_taken(reader: Reader, name: Node) -> bool:
    """Notes a name that may not be declared here: a macro's, or one declared twice."""
    if text(name) in reader.macros:
        reader.refuse(name, f"`{text(name)}` is a macro")
        return True
    if reader.is_declared_here(text(name)):
        reader.refuse(name, f"`{text(name)}` is declared twice")
        return True
    return False
