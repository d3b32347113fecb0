"""From the checked body of a kernel in our own syntax to its program in the SIMT form.

Operands are evaluated from left to right. The operands of `and`, `or` and `select` that need not be evaluated are
branched around where their evaluation could be observed, else the value is chosen. Invariant: extents and the starts of
arrays are in registers before the first statement. Must not know how names were checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec import Struct, field

from rewright.emit.builder import Builder, Label
from rewright.frontends.own.functions import lower_function
from rewright.model import body as own
from rewright.model.index import Name
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Constant, Operand, Register, Subscript
from rewright.model.simt.program import Object, Program
from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator
from rewright.verdict import Place


def lower_own(body: own.Body) -> Program:
    """The program of a kernel whose body is in our own syntax."""
    lowering = _Lowering(Builder())
    for uniform in body.uniforms:
        lowering.registers[uniform.name] = lowering.builder.uniform(uniform.name, uniform.type)
    lowering.assigned.update(uniform.name for uniform in body.uniforms)
    for array in body.arrays:
        _array(lowering, array)
    for local in body.locals:
        lowering.registers[local.name] = lowering.builder.register(local.type, str(local.name).partition("'")[0])
    _statements(lowering, body.body)
    return lowering.builder.program()


class _Array(Struct, frozen=True):
    number: int
    start: Register
    extents: tuple[Operand, ...]
    type: Scalar


class _Loop(Struct, frozen=True):
    """Where `continue` and `break` lead to."""

    advance: Label
    end: Label


class _Lowering(Struct):
    """What is known while a body is lowered; `assigned` are the variables that have a value wherever control comes."""

    builder: Builder
    registers: dict[Name, Register] = field(default_factory=dict)
    arrays: dict[Name, _Array] = field(default_factory=dict)
    assigned: set[Name] = field(default_factory=set)
    loops: list[_Loop] = field(default_factory=list)

    def register(self, scalar: Scalar) -> Register:
        """A new register that the text does not name."""
        return self.builder.register(scalar)


def _array(lowering: _Lowering, array: own.Array) -> None:
    number = lowering.builder.object(
        Object(array.name, array.space, array.type, array.extents, array.is_input, array.place)
    )
    start = lowering.register(Scalar.U64)
    lowering.builder.emit(simt.AddressOf(start, number, array.place))
    extents = tuple(_as(lowering, _operand(lowering, extent), Scalar.S64, array.place) for extent in array.extents)
    lowering.arrays[array.name] = _Array(number, start, extents, array.type)


# ------------------------------------------------------------------------------------------------------- statements


def _statements(lowering: _Lowering, statements: Sequence[own.Statement]) -> None:
    for statement in statements:
        _statement(lowering, statement)


def _statement(lowering: _Lowering, statement: own.Statement) -> None:
    match statement:
        case own.Assign():
            _assign(lowering, statement)
        case own.Forget():
            _forget(lowering, statement)
        case own.Store():
            _store(lowering, statement)
        case own.If():
            _if(lowering, statement)
        case own.While():
            _while(lowering, statement)
        case own.Evaluate():
            _operand(lowering, statement.value)
        case own.Break():
            lowering.builder.jump(lowering.loops[-1].end, statement.place)
        case own.Continue():
            lowering.builder.jump(lowering.loops[-1].advance, statement.place)
        case own.Barrier():
            lowering.builder.emit(simt.Barrier(None, None, None, statement.place))
        case own.WarpBarrier():
            lowering.builder.emit(simt.WarpBarrier(_operand(lowering, statement.mask), statement.place))
        case own.Return():
            lowering.builder.emit(simt.Exit(statement.place))
        case own.Assert():
            lowering.builder.emit(simt.Assert(_operand(lowering, statement.condition), statement.place))
        case own.Assume():
            lowering.builder.emit(simt.Assume(_operand(lowering, statement.condition), statement.place))
        case _:
            assert_never(statement)


def _assign(lowering: _Lowering, statement: own.Assign) -> None:
    target = lowering.registers[statement.name]
    match statement.value:
        case own.Integer() | own.Real() | own.Variable() | own.Logical() | own.Select() as value:
            lowering.builder.emit(simt.Move(target, _operand(lowering, value), statement.place))
        case value:
            _compute(lowering, value, target)
    lowering.assigned.add(statement.name)


def _forget(lowering: _Lowering, statement: own.Forget) -> None:
    array = lowering.arrays.get(statement.name)
    if array is not None:
        lowering.builder.emit(simt.Forget((), (array.number,), statement.place))
    else:
        lowering.builder.emit(simt.Forget((lowering.registers[statement.name],), (), statement.place))
        lowering.assigned.discard(statement.name)


def _store(lowering: _Lowering, statement: own.Store) -> None:
    address, subscripts = _address(lowering, statement.array, statement.indices, statement.place)
    value = _operand(lowering, statement.value)
    lowering.builder.emit(simt.Store((value,), address, subscripts, statement.place))


def _if(lowering: _Lowering, statement: own.If) -> None:
    otherwise, end = Label(), Label()
    lowering.builder.branch(_operand(lowering, statement.condition), otherwise, statement.condition.place)
    before = set(lowering.assigned)
    _statements(lowering, statement.then)
    after_then, lowering.assigned = lowering.assigned, before
    if statement.otherwise:
        lowering.builder.jump(end, statement.place)
    lowering.builder.place(otherwise)
    _statements(lowering, statement.otherwise)
    lowering.builder.place(end)
    lowering.assigned &= after_then


def _while(lowering: _Lowering, statement: own.While) -> None:
    head, loop = Label(), _Loop(Label(), Label())
    with lowering.builder.loop(statement.place):
        lowering.builder.place(head)
        lowering.builder.branch(_operand(lowering, statement.condition), loop.end, statement.condition.place)
        before = set(lowering.assigned)
        lowering.loops.append(loop)
        _statements(lowering, statement.body)
        lowering.loops.pop()
        lowering.assigned = before
        lowering.builder.place(loop.advance)
        _statements(lowering, statement.advance)
        lowering.assigned = set(before)
        lowering.builder.jump(head, statement.place)
    lowering.builder.place(loop.end)


# ------------------------------------------------------------------------------------------------------ expressions


def _operand(lowering: _Lowering, expression: own.Expression) -> Operand:
    """The expression's value: a constant, a variable's register or a new one."""
    match expression:
        case own.Integer():
            return Constant(expression.value, expression.type)
        case own.Real():
            return Constant(float(expression.text), expression.type)
        case own.Variable():
            return lowering.registers[expression.name]
        case _:
            result = lowering.register(expression.type)
            _compute(lowering, expression, result)
            return result


def _compute(lowering: _Lowering, expression: own.Expression, result: Register) -> None:
    """Puts the value into a register, which for `Logical` and `Select` nothing in the expression may read."""
    builder, place = lowering.builder, expression.place
    match expression:
        case own.Integer() | own.Real() | own.Variable():
            builder.emit(simt.Move(result, _operand(lowering, expression), place))
        case own.Position():
            builder.emit(simt.Position(expression.of, expression.axis, result, place))
        case own.Load():
            address, subscripts = _address(lowering, expression.array, expression.indices, place)
            builder.emit(simt.Load((result,), address, subscripts, place))
        case own.Unary():
            builder.emit(simt.Unary(expression.operator, result, _operand(lowering, expression.operand), place))
        case own.Binary():
            left, right = _operand(lowering, expression.left), _operand(lowering, expression.right)
            builder.emit(simt.Binary(expression.operator, result, left, right, place))
        case own.Convert():
            builder.emit(simt.Convert(result, _operand(lowering, expression.operand), place))
        case own.Logical():
            _logical(lowering, expression, result)
        case own.Select():
            _select(lowering, expression, result)
        case own.Function():
            operands = tuple(_operand(lowering, each) for each in expression.operands)
            lower_function(builder, expression, operands, result)
        case own.Atomic():
            _atomic(lowering, expression, result)
        case own.Shuffle():
            value, lane, width, mask = (_operand(lowering, each) for each in own.operands(expression))
            builder.emit(simt.Shuffle(expression.kind, result, mask, value, lane, width, place))
        case own.Vote():
            truth, mask = (_operand(lowering, each) for each in own.operands(expression))
            builder.emit(simt.Vote(expression.kind, result, mask, truth, place))
        case _:
            assert_never(expression)


def _atomic(lowering: _Lowering, expression: own.Atomic, result: Register) -> None:
    place = expression.place
    address, subscripts = _address(lowering, expression.array, expression.indices, place)
    compare = None if expression.compare is None else _operand(lowering, expression.compare)
    operand = _operand(lowering, expression.operand)
    made = simt.Atomic(expression.operation, result, address, operand, compare, subscripts, place)
    lowering.builder.emit(made)


def _logical(lowering: _Lowering, expression: own.Logical, result: Register) -> None:
    builder, place = lowering.builder, expression.place
    left = _operand(lowering, expression.left)
    is_or = expression.connective is own.Connective.OR
    decided = Constant(int(is_or), Scalar.PRED)
    if not _is_observed(lowering, expression.right):
        right = _operand(lowering, expression.right)
        on_true, on_false = (decided, right) if is_or else (right, decided)
        builder.emit(simt.Choose(result, left, on_true, on_false, place))
        return
    skip = Label()
    builder.emit(simt.Move(result, left, place))
    condition: Operand = result
    if is_or:
        condition = lowering.register(Scalar.PRED)
        builder.emit(simt.Unary(UnaryOperator.NOT, condition, result, place))
    builder.branch(condition, skip, expression.left.place)
    _compute(lowering, expression.right, result)
    builder.place(skip)


def _select(lowering: _Lowering, expression: own.Select, result: Register) -> None:
    builder, place = lowering.builder, expression.place
    condition = _operand(lowering, expression.condition)
    if not (_is_observed(lowering, expression.on_true) or _is_observed(lowering, expression.on_false)):
        on_true, on_false = _operand(lowering, expression.on_true), _operand(lowering, expression.on_false)
        builder.emit(simt.Choose(result, condition, on_true, on_false, place))
        return
    otherwise, end = Label(), Label()
    builder.branch(condition, otherwise, expression.condition.place)
    _compute(lowering, expression.on_true, result)
    builder.jump(end, place)
    builder.place(otherwise)
    _compute(lowering, expression.on_false, result)
    builder.place(end)


def _is_observed(lowering: _Lowering, expression: own.Expression) -> bool:
    """Whether it can be observed that an expression was evaluated.

    So it is with accesses, operations of warps, divisions, and variables without a value.
    """
    for part in own.parts(expression):
        match part:
            case own.Load() | own.Atomic() | own.Shuffle() | own.Vote():
                return True
            case own.Variable() if part.name not in lowering.assigned:
                return True
            case own.Binary(operator=BinaryOperator.DIVIDE | BinaryOperator.REMAINDER, type=scalar) if (
                scalar.is_integer
            ):
                return True
            case _:
                pass
    return False


# ---------------------------------------------------------------------------------------------------------- accesses


def _address(
    lowering: _Lowering, name: Name, indices: tuple[own.Expression, ...], place: Place
) -> tuple[Operand, tuple[Subscript, ...]]:
    """The pointer to an element, row-major, and the indices that name it."""
    array = lowering.arrays[name]
    wide = [_as(lowering, _operand(lowering, index), Scalar.S64, index.place) for index in indices]
    subscripts = tuple(Subscript(index, extent) for index, extent in zip(wide, array.extents, strict=True))
    linear: Operand = Constant(0, Scalar.S64)
    for axis, (index, extent) in enumerate(zip(wide, array.extents, strict=True)):
        row = _arithmetic(lowering, (BinaryOperator.MULTIPLY, linear, extent), place) if axis else linear
        linear = _arithmetic(lowering, (BinaryOperator.ADD, row, index), place) if axis else index
    size = Constant(array.type.bytes, Scalar.S64)
    offset = _as(lowering, _arithmetic(lowering, (BinaryOperator.MULTIPLY, linear, size), place), Scalar.U64, place)
    return _arithmetic(lowering, (BinaryOperator.ADD, array.start, offset), place), subscripts


def _arithmetic(lowering: _Lowering, what: tuple[BinaryOperator, Operand, Operand], place: Place) -> Register:
    operator, left, right = what
    result = lowering.register(left.type)
    lowering.builder.emit(simt.Binary(operator, result, left, right, place))
    return result


def _as(lowering: _Lowering, operand: Operand, scalar: Scalar, place: Place) -> Operand:
    """The operand as an integer of a 64-bit type."""
    if operand.type is scalar:
        return operand
    if isinstance(operand, Constant) and operand.value >= 0:
        return Constant(operand.value, scalar)
    result = lowering.register(scalar)
    lowering.builder.emit(simt.Convert(result, operand, place))
    return result
