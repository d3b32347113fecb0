"""Statements but loops and declarations. Must not know expressions."""

from __future__ import annotations

from tree_sitter import Node

from rewright.frontends.builder import Label
from rewright.frontends.cuda.cxx.casts import constant, number, promotion
from rewright.frontends.cuda.cxx.declarations import declaration, misread, misread_template
from rewright.frontends.cuda.cxx.discarded import discarded
from rewright.frontends.cuda.cxx.initial import as_type, initial
from rewright.frontends.cuda.cxx.loops import do_loop, for_loop, tested, while_loop, written_condition
from rewright.frontends.cuda.cxx.outer import CLASSES, enter
from rewright.frontends.cuda.cxx.types import VOID, Reference, Type, Unknown, leaves_of
from rewright.frontends.cuda.cxx.values import InRegisters, Lvalue, Rvalue
from rewright.frontends.cuda.lower.emit import binary, convert
from rewright.frontends.cuda.lower.lowering import Lowering
from rewright.frontends.cuda.lower.memory import lies_in_registers, loaded, local_object, stored
from rewright.frontends.cuda.reading.tree import inner, parts, text
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import Constant, Operand
from rewright.model.simt.types import Operator, Scalar


def statement(lowering: Lowering, node: Node) -> None:
    """Lowers a statement; what is refused in it is noted, and the next one is read."""
    with lowering.noting():
        _statement(lowering, node)


def _statement(lowering: Lowering, node: Node) -> None:
    match node.type:
        case "compound_statement":
            with lowering.block():
                for child in parts(node):
                    if not lowering.frame.ended:
                        statement(lowering, child)
        case "declaration":
            declaration(lowering, node)
        case "expression_statement":
            if parts(node) and not any(read(lowering, parts(node)[0]) for read in (misread, misread_template)):
                discarded(lowering, parts(node)[0])
        case "if_statement":
            with lowering.block():
                _if(lowering, node)
        case "for_statement":
            for_loop(lowering, node)
        case "while_statement":
            while_loop(lowering, node)
        case "do_statement":
            do_loop(lowering, node)
        case "switch_statement":
            with lowering.block():
                _switch(lowering, node)
        case "break_statement":
            _leave(lowering, lowering.frame.breaks, node)
        case "continue_statement":
            _leave(lowering, lowering.frame.continues, node)
        case "return_statement":
            _return(lowering, node)
        case _:
            _other(lowering, node)


def _other(lowering: Lowering, node: Node) -> None:
    match node.type:
        case kind if kind in _ENTERED:
            enter(lowering.scope, node)
        case "static_assert_declaration":
            condition = node.child_by_field_name("condition")
            if condition is not None and constant(lowering, condition) == 0:
                lowering.refuse(node, "this assertion does not hold here")
        case "attributed_statement":
            for child in parts(node)[-1:]:
                statement(lowering, child)
        case "comment" | "preproc_call" | "namespace_alias_definition" | "empty_declaration":
            pass
        case "labeled_statement":
            if parts(node):
                statement(lowering, parts(node)[-1])
            lowering.refuse_construct(node.children[0], "a label")
        case "else_clause" if (only := inner(node)) is not None:
            statement(lowering, only)
        case other:
            lowering.refuse_construct(node, _NAMES.get(other, f"`{text(node)[:40]}`"))


_ENTERED = (*CLASSES, "enum_specifier", "type_definition", "alias_declaration", "using_declaration")
_NAMES = {
    "goto_statement": "`goto`",
    "for_range_loop": "a loop over a range",
    "try_statement": "`try`",
    "throw_statement": "`throw`",
    "case_statement": "a `case` outside of `switch`",
    "asm_statement": "inline assembly",
}


def _leave(lowering: Lowering, targets: list[Label], node: Node) -> None:
    if not targets:
        lowering.refuse(node, "there is nothing to leave here")
    lowering.builder.jump(targets[-1], lowering.place(node))
    lowering.frame.ended = True


# ------------------------------------------------------------------------------------------------------------ branches


def _condition(lowering: Lowering, node: Node) -> Operand:
    """The truth of the condition of an `if`; what it declares is entered."""
    clause = node.child_by_field_name("condition")
    initializer = None if clause is None else clause.child_by_field_name("initializer")
    if initializer is not None:
        for child in parts(initializer) if initializer.type == "init_statement" else [initializer]:
            statement(lowering, child)
    return tested(lowering, written_condition(lowering, node))


def _if(lowering: Lowering, node: Node) -> None:
    decided: Operand = lowering.temporary(Scalar.PRED)
    with lowering.noting():
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
    lowering.builder.branch(decided, otherwise, lowering.place(written))
    frame = lowering.frame
    if then is not None:
        statement(lowering, then)
    if clause is None:
        frame.ended = False
        lowering.land(otherwise)
        return
    then_ended, frame.ended = frame.ended, False
    if not then_ended:
        lowering.builder.jump(end, lowering.place(written))
    lowering.land(otherwise)
    statement(lowering, clause)
    frame.ended = frame.ended and then_ended
    lowering.land(end)


def _switch(lowering: Lowering, node: Node) -> None:
    """Branches to the cases in their order, then the body with a label at each."""
    written, body = lowering.child(node, "condition"), lowering.child(node, "body")
    subject = lowering.child(written, "value")
    operand: Operand = lowering.temporary(Scalar.S32)
    with lowering.noting():
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
    lowering.builder.jump(default, lowering.place(subject))
    lowering.frame.breaks.append(end)
    _switched(lowering, body, [label for _, label in cases])
    lowering.frame.breaks.pop()
    lowering.frame.ended = False
    lowering.land(end)


def _subject(lowering: Lowering, node: Node) -> Operand:
    """The integer that a `switch` decides by."""
    operand = number(lowering, node)
    if operand.type.is_float:
        lowering.refuse(node, "an integer is wanted here")
    return convert(lowering, operand, promotion(operand.type), lowering.place(node))


def _choice(lowering: Lowering, operand: Operand, choice: Node, label: Label) -> None:
    """Goes on at the label where the operand has the value of a case."""
    place, following = lowering.place(choice), Label()
    wanted = convert(lowering, number(lowering, choice), operand.type, place)
    hit = binary(lowering, Operator.EQUAL, (operand, wanted), place)
    lowering.builder.branch(hit, following, place)
    lowering.builder.jump(label, place)
    lowering.land(following)


def _switched(lowering: Lowering, body: Node, labels: list[Label]) -> None:
    """The statements of a `switch`; what stands behind a `case` is reached through its label, or from above."""
    following = iter(labels)
    for child in parts(body):
        if child.type != "case_statement":
            statement(lowering, child)
            continue
        lowering.land(next(following))
        lowering.frame.ended = False
        choice = child.child_by_field_name("value")
        for inside in parts(child):
            if inside != choice and not lowering.frame.ended:
                statement(lowering, inside)


# -------------------------------------------------------------------------------------------------------------- return


def _return(lowering: Lowering, node: Node) -> None:
    frame, written = lowering.frame, parts(node)
    if frame.outer is None:
        if written:
            lowering.refuse(node, "a kernel returns no value")
        lowering.builder.emit(simt.Exit(lowering.place(node)))
        frame.ended = True
        return
    if written:
        _give(lowering, written[0], node)
    if not frame.direct or not written:
        lowering.builder.jump(frame.end, lowering.place(node))
    frame.ended = True


def _give(lowering: Lowering, written: Node, node: Node) -> None:
    """Makes the value of `return` the result of the function."""
    frame = lowering.frame
    if frame.type == VOID:
        lowering.readers.value(lowering, written)
        return
    if isinstance(frame.type, Reference):
        if not frame.direct:
            lowering.refuse_construct(node, "a reference returned from the midst of a function")
        frame.result = lowering.readers.value(lowering, written)
        return
    value = _returned(lowering, frame.type, written)
    if frame.direct:
        frame.result = value
        return
    if frame.result is None:
        frame.result = _variable(lowering, value.type, node)
    assert isinstance(frame.result, Lvalue)
    stored(lowering, frame.result, as_type(lowering, value, frame.result.type, written), lowering.place(node))


def _returned(lowering: Lowering, kind: Type, written: Node) -> Rvalue:
    if isinstance(kind, Unknown):
        return loaded(lowering, lowering.readers.value(lowering, written), lowering.place(written))
    return initial(lowering, kind, written)


def _variable(lowering: Lowering, kind: Type, node: Node) -> Lvalue:
    if not lies_in_registers(kind):
        return local_object(lowering, "result", kind, lowering.place(node))
    return InRegisters(kind, tuple(lowering.temporary(leaf.scalar) for leaf in leaves_of(kind)))
