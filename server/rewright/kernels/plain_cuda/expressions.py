"""C expressions to the SIMT form.

An expression without side effects becomes one expression; assignments and increments are read as statements only
(`statements`). Must not know control flow.
"""

from __future__ import annotations

from tree_sitter import Node

from rewright.kernels.plain_cuda.literals import number
from rewright.kernels.plain_cuda.macros import macro_value
from rewright.kernels.plain_cuda.operators import built_in, combined
from rewright.kernels.plain_cuda.reader import Reader, text
from rewright.kernels.plain_cuda.types import scalar_type
from rewright.model.body import Array, Connective, Expression, Integer, Load, Local, Logical, Position, Variable
from rewright.model.conversions import converted, negated, promoted, selected, truth
from rewright.model.simt.types import Coordinate, Scalar, UnaryOperator

POSITIONS = {
    "threadIdx": Coordinate.THREAD,
    "blockIdx": Coordinate.BLOCK,
    "blockDim": Coordinate.BLOCK_DIM,
    "gridDim": Coordinate.GRID_DIM,
}


def expression(reader: Reader, node: Node | None) -> Expression | None:
    """The value of an expression, None if a problem was noted."""
    if node is None:
        return None
    match node.type:
        case "parenthesized_expression":
            return expression(reader, inner(node))
        case "number_literal":
            return _number(reader, node)
        case "true" | "false":
            return Integer(int(node.type == "true"), Scalar.PRED, reader.place(node))
        case "identifier":
            return _identifier(reader, node)
        case "field_expression":
            return _position(reader, node)
        case "subscript_expression":
            return _load(reader, node)
        case "unary_expression":
            return _unary(reader, node)
        case "binary_expression":
            return _binary(reader, node)
        case "conditional_expression":
            return _conditional(reader, node)
        case "cast_expression":
            return _cast(reader, node, node.child_by_field_name("type"), node.child_by_field_name("value"))
        case "call_expression":
            return _call(reader, node)
        case "assignment_expression" | "update_expression":
            reader.refuse_construct(node, "an assignment inside an expression")
            return None
        case other:
            reader.refuse_construct(node, _NAMES.get(other, f"`{text(node)[:40]}`"))
            return None


_NAMES = {
    "pointer_expression": "a pointer dereferenced or an address taken",
    "comma_expression": "the comma operator",
    "char_literal": "a character literal",
    "string_literal": "a string",
    "sizeof_expression": "`sizeof`",
    "lambda_expression": "a lambda",
    "initializer_list": "an initializer list",
}


def inner(node: Node) -> Node | None:
    """The one child that is neither punctuation nor a comment, None if there are several."""
    children = [child for child in node.named_children if child.type != "comment"]
    return children[0] if len(children) == 1 else None


def access(reader: Reader, node: Node) -> tuple[Array, tuple[Expression, ...]] | None:
    """The array and the indices of `a[i][j]`, None if a problem was noted."""
    written: list[Node] = []
    base: Node | None = node
    while base is not None and base.type == "subscript_expression":
        arguments = base.child_by_field_name("indices")
        index = inner(arguments) if arguments is not None else base.child_by_field_name("index")
        if index is None:
            reader.refuse_construct(base, "more than one index between brackets")
            return None
        written.insert(0, index)
        base = base.child_by_field_name("argument")
    array = reader.meaning(text(base)) if base is not None and base.type == "identifier" else None
    if not isinstance(array, Array):
        reader.refuse(base or node, f"`{text(base or node)[:40]}` is not an array of this kernel")
        return None
    if len(written) != len(array.extents):
        reader.refuse(
            node, f"`{text(base or node)}` has {len(array.extents)} dimensions, {len(written)} indices are given"
        )
        return None
    indices = [_index(reader, index) for index in written]
    complete = tuple(index for index in indices if index is not None)
    return (array, complete) if len(complete) == len(written) else None


def _index(reader: Reader, node: Node) -> Expression | None:
    index = expression(reader, node)
    if index is not None and index.type.is_float:
        reader.refuse(node, "an index must be an integer")
        return None
    return None if index is None else promoted(index)


def _number(reader: Reader, node: Node) -> Expression | None:
    literal = number(text(node), reader.place(node))
    if literal is None:
        reader.refuse_construct(node, f"the literal `{text(node)}`")
    return literal


def _identifier(reader: Reader, node: Node) -> Expression | None:
    name = text(node)
    if name in reader.macros:
        return macro_value(reader, node, expression)
    match reader.meaning(name):
        case Local() as local:
            return Variable(local.name, local.type, reader.place(node))
        case Array():
            reader.refuse_construct(node, f"the array `{name}` as a value")
        case None:
            reader.refuse(node, f"`{name}` is not declared here")
    return None


def _position(reader: Reader, node: Node) -> Expression | None:
    argument, name = node.child_by_field_name("argument"), node.child_by_field_name("field")
    triple = text(argument) if argument is not None else ""
    axis = "xyz".find(text(name)) if name is not None and len(text(name)) == 1 else -1
    if triple not in POSITIONS or axis < 0:
        reader.refuse_construct(node, f"`{text(node)[:40]}`")
        return None
    return Position(POSITIONS[triple], axis, Scalar.U32, reader.place(node))


def _load(reader: Reader, node: Node) -> Expression | None:
    found = access(reader, node)
    if found is None:
        return None
    array, indices = found
    return Load(array.name, indices, array.type, reader.place(node))


def _unary(reader: Reader, node: Node) -> Expression | None:
    operand = expression(reader, node.child_by_field_name("argument"))
    operator = text(node.child_by_field_name("operator") or node)
    if operand is None:
        return None
    match operator:
        case "+":
            return promoted(operand)
        case "-":
            return negated(UnaryOperator.NEGATE, operand, reader.place(node))
        case "!" | "not":
            return negated(UnaryOperator.NOT, operand, reader.place(node))
        case "~" if not operand.type.is_float:
            return negated(UnaryOperator.COMPLEMENT, operand, reader.place(node))
        case _:
            reader.refuse_construct(node, f"the operator `{operator}` here")
            return None


_CONNECTIVES = {"&&": Connective.AND, "and": Connective.AND, "||": Connective.OR, "or": Connective.OR}


def _binary(reader: Reader, node: Node) -> Expression | None:
    left = expression(reader, node.child_by_field_name("left"))
    right = expression(reader, node.child_by_field_name("right"))
    operator = text(node.child_by_field_name("operator") or node)
    if left is None or right is None:
        return None
    if operator in _CONNECTIVES:
        return Logical(_CONNECTIVES[operator], truth(left), truth(right), Scalar.PRED, reader.place(node))
    return combined(reader, node, operator, (left, right))


def _conditional(reader: Reader, node: Node) -> Expression | None:
    parts = [expression(reader, node.child_by_field_name(f)) for f in ("condition", "consequence", "alternative")]
    condition, on_true, on_false = parts
    if condition is None or on_true is None or on_false is None:
        return None
    return selected(condition, on_true, on_false, reader.place(node))


def _cast(reader: Reader, node: Node, target: Node | None, value: Node | None) -> Expression | None:
    operand = expression(reader, value)
    specifier = (
        target.child_by_field_name("type") if target is not None and target.type == "type_descriptor" else target
    )
    is_plain = target is not None and target.child_by_field_name("declarator") is None
    scalar = scalar_type(specifier) if is_plain else None
    if scalar is None:
        reader.refuse_construct(node, f"a conversion to `{text(target or node)}`")
        return None
    return None if operand is None else converted(operand, scalar)


def _call(reader: Reader, node: Node) -> Expression | None:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    operands = [a for a in arguments.named_children if a.type != "comment"] if arguments is not None else []
    if function is None:
        return None
    if function.type == "primitive_type" and len(operands) == 1:
        return _cast(reader, node, function, operands[0])
    if function.type == "template_function" and text(function).startswith("static_cast") and len(operands) == 1:
        target = function.child_by_field_name("arguments")
        return _cast(reader, node, inner(target) if target is not None else None, operands[0])
    build = built_in(text(function), len(operands))
    if build is None:
        reader.refuse_construct(function, f"the function `{text(function)[:40]}`")
        return None
    values = [expression(reader, operand) for operand in operands]
    complete = [value for value in values if value is not None]
    return build(reader, node, complete) if len(complete) == len(operands) else None
