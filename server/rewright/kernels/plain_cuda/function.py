"""One kernel of a `.cu` text: found by name, its parameters matched by position, its body lowered.

Must not know statements.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from tree_sitter import Node

from rewright.kernels.plain_cuda.macros import macros_of, parse
from rewright.kernels.plain_cuda.reader import Problem, Reader, text
from rewright.kernels.plain_cuda.statements import statements
from rewright.kernels.plain_cuda.types import scalar_type
from rewright.model.body import Array, Assign, Binary, Body, Expression, Local, Statement, Variable
from rewright.model.conversions import converted
from rewright.model.kernel import ArrayParameter, Direction, Foreign, Kernel, ScalarParameter
from rewright.model.simt.types import Operator, Scalar, Space
from rewright.verdict import Site


def lower_cuda(kernel: Kernel, foreign: Foreign, source: str) -> tuple[Body | None, tuple[Problem, ...]]:
    """The program of the kernel that `foreign` names in the text `source`, or why there is none."""
    root = parse(source.encode())
    found = [node for node in _functions(root) if _name(node) == foreign.entry]
    if len(found) != 1:
        return None, tuple(_not_found(root, foreign, len(found)))
    function = found[0]
    given = {define.name: define.value for define in foreign.defines}
    taken = {str(uniform.name) for uniform in _uniforms(kernel)}
    reader = Reader(foreign.path, macros_of(root, function.start_byte, given), taken)
    for broken in _broken(function):
        reader.refuse(broken, "syntax error")
    if not reader.problems:
        _check_surroundings(reader, function)
    body = () if reader.problems else _body(reader, function, kernel)
    if reader.problems:
        return None, tuple(reader.problems)
    return Body(tuple(reader.arrays), _uniforms(kernel), tuple(reader.locals), body), ()


def _uniforms(kernel: Kernel) -> tuple[Local, ...]:
    sizes = tuple(Local(size.name, Scalar.S32) for size in kernel.sizes)
    scalars = (p for p in kernel.parameters if isinstance(p, ScalarParameter))
    return sizes + tuple(Local(p.name, p.type) for p in scalars)


def _functions(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        if child.type == "function_definition":
            yield child
        else:
            yield from _functions(child)


def _declarator(function: Node) -> Node | None:
    declarator = function.child_by_field_name("declarator")
    return declarator if declarator is not None and declarator.type == "function_declarator" else None


def _name(function: Node) -> str | None:
    declarator = _declarator(function)
    name = declarator.child_by_field_name("declarator") if declarator is not None else None
    return text(name) if name is not None else None


def _not_found(root: Node, foreign: Foreign, count: int) -> Iterator[Problem]:
    site = Site(foreign.site)
    if count > 1:
        yield Problem(f"`{foreign.path}` defines `{foreign.entry}` {count} times", site)
        return
    yield Problem(f"`{foreign.path}` defines no function `{foreign.entry}`", site)
    reader = Reader(foreign.path, {}, set())
    for broken in _broken(root):
        reader.refuse(broken, "syntax error")
    yield from reader.problems


def _broken(node: Node) -> Iterator[Node]:
    """The outermost nodes that are errors or missing."""
    if node.is_error or node.is_missing:
        yield node
    elif node.has_error:
        for child in node.children:
            yield from _broken(child)


def _check_surroundings(reader: Reader, function: Node) -> None:
    """Notes what makes the function another kind of thing than one plain kernel."""
    if all(child.type != "__global__" for child in _qualifiers(function)):
        reader.refuse(function.child_by_field_name("declarator") or function, "the function is not `__global__`")
    outer = function.parent
    while outer is not None:
        if outer.type == "template_declaration":
            parameters = outer.child_by_field_name("parameters")
            reader.refuse_construct(parameters or outer, "a template")
        elif outer.type in ("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif"):
            directive = outer.children[0]
            reader.refuse_construct(directive, "a kernel inside conditional compilation")
        outer = outer.parent


def _qualifiers(function: Node) -> Iterator[Node]:
    for child in function.children:
        yield child
        if child.type == "type_qualifier":
            yield from child.children


def _body(reader: Reader, function: Node, kernel: Kernel) -> tuple[Statement, ...]:
    declarator = _declarator(function)
    parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
    if parameters is None:
        return ()
    written = [node for node in parameters.named_children if node.type != "comment"]
    if len(written) != len(kernel.parameters):
        there, here = len(written), len(kernel.parameters)
        reader.refuse(parameters, f"the function has {there} parameters, the declaration `{kernel.name}` has {here}")
        return ()
    start: list[Statement] = []
    for node, parameter in zip(written, kernel.parameters, strict=True):
        match parameter:
            case ArrayParameter():
                _array(reader, node, parameter)
            case ScalarParameter():
                start += _scalar(reader, node, parameter)
    return (*start, *statements(reader, function.child_by_field_name("body")))


def _array(reader: Reader, node: Node, parameter: ArrayParameter) -> None:
    """A pointer: the array of the declaration, flattened."""
    name, is_pointer = _parameter_name(node)
    if name is None or not is_pointer:
        reader.refuse(node, f"the declaration has the array `{parameter.name}` here, this is no plain pointer")
        return
    scalar = scalar_type(node.child_by_field_name("type"))
    if scalar is not parameter.type:
        reader.refuse(node, f"the declaration has elements of type {parameter.type} here")
        return
    place = Site(parameter.site)
    extents = [converted(extent, Scalar.S64) for extent in parameter.extents or ()]

    def times(left: Expression, right: Expression) -> Expression:
        return Binary(Operator.MULTIPLY, left, right, Scalar.S64, place)

    is_input = parameter.direction is not Direction.OUT
    array = Array(reader.fresh(text(name)), Space.GLOBAL, scalar, (reduce(times, extents),), is_input, place)
    reader.declare_array(text(name), array)


def _scalar(reader: Reader, node: Node, parameter: ScalarParameter) -> list[Statement]:
    """A scalar: a variable that starts with the value of the declaration's parameter."""
    name, is_pointer = _parameter_name(node)
    scalar = scalar_type(node.child_by_field_name("type"))
    if name is None or is_pointer or scalar is None:
        reader.refuse(node, f"the declaration has the scalar `{parameter.name}` here, this is none")
        return []
    local = reader.declare(text(name), scalar)
    value = Variable(parameter.name, parameter.type, reader.place(node))
    return [Assign(local.name, converted(value, scalar), reader.place(node))]


def _parameter_name(node: Node) -> tuple[Node | None, bool]:
    """The name that a parameter declares, and whether it is a pointer to a scalar."""
    declarator = node.child_by_field_name("declarator")
    if declarator is None or declarator.type not in ("identifier", "pointer_declarator", "array_declarator"):
        return None, False
    if declarator.type == "identifier":
        return declarator, False
    name = declarator.child_by_field_name("declarator")
    return (name, True) if name is not None and name.type == "identifier" else (None, False)
