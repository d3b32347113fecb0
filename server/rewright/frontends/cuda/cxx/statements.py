"""Statements but loops and declarations. Must not know expressions."""

from __future__ import annotations

from tree_sitter import Node

from rewright.emit.builder import Label
from rewright.emit.emitter import Emitter
from rewright.emit.memory import lies_in_registers, loaded, local_object, stored
from rewright.emit.operators import binary, convert
from rewright.emit.types import VOID, DeducedType, Reference, Type, leaves_of
from rewright.emit.values import InRegisters, Lvalue, Rvalue
from rewright.frontends.cuda.cxx import expressions
from rewright.frontends.cuda.cxx.conversions import promotion
from rewright.frontends.cuda.cxx.declarations import declaration, misread, misread_template
from rewright.frontends.cuda.cxx.discarded import discarded
from rewright.frontends.cuda.cxx.frames import FunctionFrame
from rewright.frontends.cuda.cxx.gotos import goto, in_order, label_of
from rewright.frontends.cuda.cxx.initial import as_type, initial
from rewright.frontends.cuda.cxx.loops import do_loop, for_loop, tested, while_loop, written_condition
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.cxx.operands import constant, number
from rewright.frontends.cuda.cxx.outer import CLASSES, enter
from rewright.frontends.cuda.reading.tree import inner, parts, text
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Constant, Operand
from rewright.model.simt.types import BinaryOperator, Scalar


def statement(lowering: Lowering, node: Node) -> None:
    """Lowers a statement; what is refused in it is noted, and the next one is read."""
    with lowering.emitter.noting():
        _statement(lowering, node)


def _statement(lowering: Lowering, node: Node) -> None:
    names = lowering.names
    match node.type:
        case "compound_statement":
            with names.block():
                in_order(lowering, parts(node), statement)
        case "declaration":
            declaration(lowering, node)
        case "expression_statement":
            if parts(node) and not any(read(lowering, parts(node)[0]) for read in (misread, misread_template)):
                discarded(lowering, parts(node)[0])
        case "if_statement":
            with names.block():
                _if(lowering, node)
        case "for_statement":
            for_loop(lowering, node)
        case "while_statement":
            while_loop(lowering, node)
        case "do_statement":
            do_loop(lowering, node)
        case "switch_statement":
            with names.block():
                _switch(lowering, node)
        case "break_statement":
            _jump_out(lowering.emitter, names.frame, names.frame.breaks, node)
        case "continue_statement":
            _jump_out(lowering.emitter, names.frame, names.frame.continues, node)
        case "return_statement":
            _return(lowering, node)
        case _:
            _other(lowering, node)


def _other(lowering: Lowering, node: Node) -> None:
    emitter = lowering.emitter
    match node.type:
        case kind if kind in _ENTERED:
            enter(lowering.names.scope, node)
        case "static_assert_declaration":
            condition = node.child_by_field_name("condition")
            if condition is not None and constant(lowering, condition) == 0:
                emitter.refuse(node, "this assertion does not hold here")
        case "attributed_statement":
            for child in parts(node)[-1:]:
                statement(lowering, child)
        case "comment" | "preproc_call" | "namespace_alias_definition" | "empty_declaration":
            pass
        case "goto_statement":
            goto(lowering, node)
        case "labeled_statement":
            label_of(lowering, node)
            statement(lowering, parts(node)[-1])
        case "else_clause" if (only := inner(node)) is not None:
            statement(lowering, only)
        case other:
            emitter.refuse_construct(node, _NAMES.get(other, f"`{text(node)[:40]}`"))


_ENTERED = (*CLASSES, "enum_specifier", "type_definition", "alias_declaration", "using_declaration")
_NAMES = {
    "for_range_loop": "a loop over a range",
    "try_statement": "`try`",
    "throw_statement": "`throw`",
    "case_statement": "a `case` outside of `switch`",
    "asm_statement": "inline assembly",
}


def _jump_out(emitter: Emitter, frame: FunctionFrame, targets: list[Label], node: Node) -> None:
    """Goes on after, or at the next pass of, the innermost of the statements that can be left so."""
    if not targets:
        emitter.refuse(node, "there is nothing to leave here")
    emitter.builder.jump(targets[-1], emitter.place(node))
    frame.has_ended = True


# ------------------------------------------------------------------------------------------------------------ branches


def _if(lowering: Lowering, node: Node) -> None:
    emitter = lowering.emitter
    decided: Operand = emitter.temporary(Scalar.PRED)
    with emitter.noting():
        decided = _condition(lowering, node)
    then, clause = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    if isinstance(decided, Constant):
        chosen = then if decided.value else clause
        if chosen is not None:
            statement(lowering, chosen)
        return
    otherwise, end = Label(), Label()
    written = node.child_by_field_name("condition") or node
    written = written.child_by_field_name("value") or written
    emitter.builder.branch(decided, otherwise, emitter.place(written))
    frame = lowering.names.frame
    if then is not None:
        statement(lowering, then)
    if clause is None:
        frame.has_ended = False
        emitter.land(otherwise)
        return
    then_ended, frame.has_ended = frame.has_ended, False
    if not then_ended:
        emitter.builder.jump(end, emitter.place(written))
    emitter.land(otherwise)
    statement(lowering, clause)
    frame.has_ended = frame.has_ended and then_ended
    emitter.land(end)


def _condition(lowering: Lowering, node: Node) -> Operand:
    """The truth of the condition of an `if`; what it declares is entered."""
    clause = node.child_by_field_name("condition")
    initializer = None if clause is None else clause.child_by_field_name("initializer")
    if initializer is not None:
        for child in parts(initializer) if initializer.type == "init_statement" else [initializer]:
            statement(lowering, child)
    return tested(lowering, written_condition(lowering.emitter, node))


def _switch(lowering: Lowering, node: Node) -> None:
    """Branches to the cases in their order, then the body with a label at each."""
    emitter, names = lowering.emitter, lowering.names
    written, body = emitter.child(node, "condition"), emitter.child(node, "body")
    subject = emitter.child(written, "value")
    operand: Operand = emitter.temporary(Scalar.S32)
    with emitter.noting():
        operand = _subject(lowering, subject)
    cases = [(child, Label()) for child in parts(body) if child.type == "case_statement"]
    end = Label()
    default = end
    for case, label in cases:
        choice = case.child_by_field_name("value")
        if choice is None:
            default = label
        else:
            _choice(lowering, operand, choice, label)
    emitter.builder.jump(default, emitter.place(subject))
    names.frame.breaks.append(end)
    _switched(lowering, body, [label for _, label in cases])
    names.frame.breaks.pop()
    names.frame.has_ended = False
    emitter.land(end)


def _subject(lowering: Lowering, node: Node) -> Operand:
    """The integer that a `switch` decides by."""
    emitter = lowering.emitter
    operand = number(lowering, node)
    if operand.type.is_float:
        emitter.refuse(node, "expected an integer")
    return convert(emitter, operand, promotion(operand.type), emitter.place(node))


def _choice(lowering: Lowering, operand: Operand, choice: Node, label: Label) -> None:
    """Goes on at the label where the operand has the value of a case."""
    emitter = lowering.emitter
    place, following = emitter.place(choice), Label()
    value = convert(emitter, number(lowering, choice), operand.type, place)
    hit = binary(emitter, BinaryOperator.EQUAL, (operand, value), place)
    emitter.builder.branch(hit, following, place)
    emitter.builder.jump(label, place)
    emitter.land(following)


def _switched(lowering: Lowering, body: Node, labels: list[Label]) -> None:
    """The statements of a `switch`; what follows a `case` is reached through its label, or from above."""
    following = iter(labels)
    for child in parts(body):
        if child.type != "case_statement":
            statement(lowering, child)
            continue
        lowering.emitter.land(next(following))
        lowering.names.frame.has_ended = False
        choice = child.child_by_field_name("value")
        for inside in parts(child):
            if inside != choice and not lowering.names.frame.has_ended:
                statement(lowering, inside)


# -------------------------------------------------------------------------------------------------------------- return


def _return(lowering: Lowering, node: Node) -> None:
    emitter = lowering.emitter
    frame, written = lowering.names.frame, parts(node)
    if frame.outer is None:
        if written:
            emitter.refuse(node, "a kernel returns no value")
        emitter.emit(simt.Exit(emitter.place(node)))
        frame.has_ended = True
        return
    if written:
        _set_result(lowering, written[0], node)
    if not frame.is_direct or not written:
        emitter.builder.jump(frame.end, emitter.place(node))
    frame.has_ended = True


def _set_result(lowering: Lowering, written: Node, node: Node) -> None:
    """Makes the value of `return` the result of the function."""
    emitter = lowering.emitter
    frame = lowering.names.frame
    if frame.type == VOID:
        expressions.value(lowering, written)
        return
    if isinstance(frame.type, Reference):
        if not frame.is_direct:
            emitter.refuse_construct(node, "a reference returned from the midst of a function")
        frame.result = expressions.value(lowering, written)
        return
    value = _returned(lowering, frame.type, written)
    if frame.is_direct:
        frame.result = value
        return
    if frame.result is None:
        frame.result = _result_variable(emitter, value.type, node)
    assert isinstance(frame.result, Lvalue)
    value = as_type(lowering, value, frame.result.type, written)
    stored(emitter, lowering.registers, frame.result, value, emitter.place(node))


def _returned(lowering: Lowering, kind: Type, written: Node) -> Rvalue:
    if isinstance(kind, DeducedType):
        return loaded(lowering.emitter, expressions.value(lowering, written), lowering.emitter.place(written))
    return initial(lowering, kind, written)


def _result_variable(emitter: Emitter, kind: Type, node: Node) -> Lvalue:
    if not lies_in_registers(kind):
        return local_object(emitter, "result", kind, emitter.place(node))
    return InRegisters(kind, tuple(emitter.temporary(leaf.scalar) for leaf in leaves_of(kind)))
