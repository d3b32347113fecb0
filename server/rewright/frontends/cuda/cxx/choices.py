"""Expressions that evaluate one of their operands only where another says so: `&&`, `||`, `? :`.

Where the operand is cheap and cannot go wrong it is evaluated in any case, without a branch. Must not know statements.
"""

from __future__ import annotations

from tree_sitter import Node

from rewright.emit.builder import Label
from rewright.emit.emitter import Emitter, Refused
from rewright.emit.operators import FALSE, TRUE, binary, choose, move, unary
from rewright.emit.registers import RegisterState
from rewright.emit.types import BOOL, leaves_of
from rewright.emit.values import Rvalue
from rewright.frontends.cuda.cxx.arithmetic import shared_type
from rewright.frontends.cuda.cxx.conversions import converted
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.cxx.operands import rvalue, truth
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Constant, Instruction, Operand, Register
from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator
from rewright.verdict import Place

MOST_SPECULATED = 12
"""Instructions of an operand that is evaluated in any case."""


def both(lowering: Lowering, node: Node, sides: tuple[Node, Node]) -> Rvalue:
    """`left && right`."""
    return Rvalue(BOOL, (_decided(lowering, node, sides, BinaryOperator.AND),))


def either(lowering: Lowering, node: Node, sides: tuple[Node, Node]) -> Rvalue:
    """`left || right`."""
    return Rvalue(BOOL, (_decided(lowering, node, sides, BinaryOperator.OR),))


def _decided(lowering: Lowering, node: Node, sides: tuple[Node, Node], operator: BinaryOperator) -> Operand:
    emitter = lowering.emitter
    place, code = emitter.place(node), emitter.builder.code
    left = truth(lowering, sides[0])
    decides = FALSE if operator is BinaryOperator.AND else TRUE
    if isinstance(left, Constant):
        return left if left == decides else truth(lowering, sides[1])
    result = emitter.temporary(Scalar.PRED)
    start, end, landed = len(code), Label(), emitter.landed
    move(emitter, result, left, emitter.place(sides[0]))
    go_on = left if operator is BinaryOperator.AND else unary(emitter, UnaryOperator.NOT, left, place)
    emitter.builder.branch(go_on, end, place)
    begin = len(code)
    right = truth(lowering, sides[1])
    if _is_harmless(emitter, lowering.registers, code[begin:], (right,)):
        code[start:] = code[begin:]
        emitter.landed = landed
        return binary(emitter, operator, (left, right), place)
    move(emitter, result, right, emitter.place(sides[1]))
    emitter.land(end)
    return result


def conditional(lowering: Lowering, node: Node, sides: tuple[Node, Node, Node]) -> Rvalue:
    """`condition ? left : right`."""
    condition, on_true, on_false = sides
    decided = truth(lowering, condition)
    if isinstance(decided, Constant):
        return _known(lowering, node, (on_true, on_false) if decided.value else (on_false, on_true))
    return _one_of(lowering, node, decided, (on_true, on_false))


def _known(lowering: Lowering, node: Node, sides: tuple[Node, Node]) -> Rvalue:
    """The first side, which is known to be chosen, in the type of both if the other one can be read."""
    emitter = lowering.emitter
    chosen, other = sides
    value = rvalue(lowering, chosen)
    try:
        with emitter.unevaluated():
            unchosen = rvalue(lowering, other)
    except Refused:
        return value
    return converted(emitter, value, shared_type(emitter, value, unchosen, node), chosen)


def _one_of(lowering: Lowering, node: Node, decided: Operand, sides: tuple[Node, Node]) -> Rvalue:
    """Both sides under a branch, or without one if that makes no difference.

    The type of the result is known only after the second side: jumps to the end stand where the first one is copied.
    """
    emitter = lowering.emitter
    code, place, landed = emitter.builder.code, emitter.place(node), emitter.landed
    otherwise, end = Label(), Label()
    start = len(code)
    emitter.builder.branch(decided, otherwise, place)
    left = rvalue(lowering, sides[0])
    middle = len(code)
    for _ in left.leaves:
        emitter.builder.jump(end, place)
    emitter.builder.jump(end, place)
    begin = len(code)
    emitter.land(otherwise)
    right = rvalue(lowering, sides[1])
    kind = shared_type(emitter, left, right, node)
    first, second = code[start + 1 : middle], code[begin:]
    sides_run = ((first, left), (second, right))
    if all(_is_harmless(emitter, lowering.registers, code, value.leaves) for code, value in sides_run):
        code[start:] = [*first, *second]
        emitter.landed = landed
        left, right = converted(emitter, left, kind, sides[0]), converted(emitter, right, kind, sides[1])
        pairs = zip(left.leaves, right.leaves, strict=True)
        return Rvalue(kind, tuple(choose(emitter, decided, pair, place) for pair in pairs))
    results = tuple(emitter.temporary(leaf.scalar) for leaf in leaves_of(kind))
    for at, (result, leaf) in enumerate(zip(results, left.leaves, strict=True), middle):
        end.waiting.remove(at)
        code[at] = _copy(result, leaf, emitter.place(sides[0]))
    for result, leaf in zip(results, right.leaves, strict=True):
        emitter.emit(_copy(result, leaf, emitter.place(sides[1])))
    emitter.land(end)
    return Rvalue(kind, results)


def _copy(result: Register, leaf: Operand, place: Place) -> Instruction:
    return simt.Move(result, leaf, place) if leaf.type is result.type else simt.Convert(result, leaf, place)


def _is_harmless(
    emitter: Emitter, registers: RegisterState, code: list[Instruction], values: tuple[Operand, ...]
) -> bool:
    """Whether code may run, and values be read, where the text would not: few instructions that cannot go wrong."""
    can_compute = len(code) <= MOST_SPECULATED and all(
        _computes(emitter, registers, instruction) for instruction in code
    )
    return can_compute and not any(_may_be_unset(registers, value) for value in values)


def _computes(emitter: Emitter, registers: RegisterState, instruction: Instruction) -> bool:
    match instruction:
        case simt.Binary():
            divides = instruction.operator in (BinaryOperator.DIVIDE, BinaryOperator.REMAINDER)
            can_fail = divides and not instruction.left.type.is_float
            operands: tuple[Operand, ...] = (instruction.left, instruction.right)
            is_fine = not can_fail or (isinstance(instruction.right, Constant) and instruction.right.value != 0)
        case simt.Unary() | simt.Convert() | simt.Reinterpret():
            operands, is_fine = (instruction.operand,), True
        case simt.Choose():
            operands, is_fine = (instruction.condition, instruction.on_true, instruction.on_false), True
        case simt.Function():
            operands, is_fine = instruction.operands, True
        case _:
            return False
    result = simt.results(instruction)[0]
    is_temporary = emitter.builder.names[result.number] is None
    return is_fine and is_temporary and not any(_may_be_unset(registers, operand) for operand in operands)


def _may_be_unset(registers: RegisterState, operand: Operand) -> bool:
    return isinstance(operand, Register) and operand.number in registers.unset
