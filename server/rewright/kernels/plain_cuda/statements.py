"""C statements to the SIMT form.

Assignments, compound assignments and increments are statements here; `for` becomes a loop with its parts around it.
Must not know functions.
"""

from __future__ import annotations

from tree_sitter import Node

from rewright.kernels.plain_cuda.declarations import declaration
from rewright.kernels.plain_cuda.expressions import access, expression, inner
from rewright.kernels.plain_cuda.operators import combined
from rewright.kernels.plain_cuda.reader import Reader, text
from rewright.model.body import (
    Array,
    Assert,
    Assign,
    Barrier,
    Expression,
    If,
    Integer,
    Load,
    Local,
    Return,
    Statement,
    Store,
    Variable,
    While,
)
from rewright.model.conversions import converted, truth
from rewright.model.simt.types import Scalar


def statements(reader: Reader, node: Node | None) -> tuple[Statement, ...]:
    """The statements of a block or of a single statement, in a scope of its own."""
    if node is None:
        return ()
    with reader.scope():
        return tuple(_sequence(reader, node.named_children if node.type == "compound_statement" else [node]))


def _sequence(reader: Reader, nodes: list[Node]) -> list[Statement]:
    return [made for node in nodes for made in _statement(reader, node)]


_NAMES = {
    "do_statement": "`do` … `while`",
    "switch_statement": "`switch`",
    "break_statement": "`break`",
    "continue_statement": "`continue`",
    "goto_statement": "`goto`",
    "labeled_statement": "a label",
    "preproc_if": "conditional compilation inside a kernel",
    "preproc_ifdef": "conditional compilation inside a kernel",
    "preproc_def": "a macro defined inside a kernel",
    "preproc_function_def": "a macro defined inside a kernel",
    "gnu_asm_expression": "inline assembly",
    "for_range_loop": "a range-based `for`",
}


def _statement(reader: Reader, node: Node) -> list[Statement]:
    match node.type:
        case "declaration":
            return declaration(reader, node)
        case "expression_statement":
            return [made for child in _parts(node) for made in _effect(reader, child)]
        case "compound_statement":
            return list(statements(reader, node))
        case "if_statement":
            return _if(reader, node)
        case "for_statement":
            return _for(reader, node)
        case "while_statement":
            return _while(reader, node)
        case "return_statement":
            return _return(reader, node)
        case "comment":
            return []
        case "preproc_call" if text(node).split()[:2] in (["#pragma", "unroll"], ["#pragma", "nounroll"]):
            return []
        case other:
            reader.refuse_construct(node, _NAMES.get(other, f"`{text(node)[:40]}`"))
            return []


def _parts(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type != "comment"]


def _effect(reader: Reader, node: Node) -> list[Statement]:
    """An expression that stands for its effect."""
    match node.type:
        case "assignment_expression":
            operator = text(node.child_by_field_name("operator") or node).removesuffix("=")
            return _assign(reader, node, operator, node.child_by_field_name("right"))
        case "update_expression":
            return _assign(reader, node, text(node.child_by_field_name("operator") or node)[0], None)
        case "comma_expression":
            sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
            return [made for side in sides if side is not None for made in _effect(reader, side)]
        case "parenthesized_expression" if (child := inner(node)) is not None:
            return _effect(reader, child)
        case "call_expression":
            return _call(reader, node)
        case "binary_expression" | "identifier" | "number_literal" | "unary_expression" | "subscript_expression":
            expression(reader, node)
            reader.refuse(node, "this expression has no effect")
            return []
        case _:
            expression(reader, node)
            return []


def _call(reader: Reader, node: Node) -> list[Statement]:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    operands = _parts(arguments) if arguments is not None else []
    match text(function or node), len(operands):
        case "__syncthreads", 0:
            return [Barrier(reader.place(node))]
        case "assert", 1:
            condition = expression(reader, operands[0])
            return [] if condition is None else [Assert(truth(condition), reader.place(node))]
        case "__threadfence" | "__threadfence_block", 0:
            return []
        case name, _:
            reader.refuse_construct(function or node, f"the function `{name[:40]}`")
            return []


def _assign(reader: Reader, node: Node, operator: str, right: Node | None) -> list[Statement]:
    """`target operator= right`; no operator for a plain assignment, no right side for an increment."""
    target = node.child_by_field_name("left") or node.child_by_field_name("argument")
    while target is not None and target.type == "parenthesized_expression":
        target = inner(target)
    value = Integer(1, Scalar.S32, reader.place(node)) if right is None else expression(reader, right)
    if target is None or target.type not in ("identifier", "subscript_expression"):
        reader.refuse_construct(target or node, "an assignment to this")
        return []
    if target.type == "subscript_expression":
        found = access(reader, target)
        return [] if found is None or value is None else _store(reader, (node, target), operator, (found, value))
    meaning = reader.meaning(text(target))
    if not isinstance(meaning, Local) or text(target) in reader.macros:
        reader.refuse(target, f"`{text(target)}` is not a variable that can be assigned")
        return []
    if operator and value is not None:
        old = Variable(meaning.name, meaning.type, reader.place(target))
        value = combined(reader, node, operator, (old, value))
    return [] if value is None else [Assign(meaning.name, converted(value, meaning.type), reader.place(node))]


def _store(
    reader: Reader,
    nodes: tuple[Node, Node],
    operator: str,
    what: tuple[tuple[Array, tuple[Expression, ...]], Expression],
) -> list[Statement]:
    """A store; with an operator the indices are kept in variables, so that each is evaluated once."""
    (node, target), ((array, indices), value) = nodes, what
    place = reader.place(target)
    if not operator:
        return [Store(array.name, indices, converted(value, array.type), place)]
    kept: list[Statement] = []
    names: list[Expression] = []
    for index in indices:
        if isinstance(index, Variable | Integer):
            names.append(index)
            continue
        local = Local(reader.fresh("index"), index.type)
        reader.locals.append(local)
        kept.append(Assign(local.name, index, index.place))
        names.append(Variable(local.name, index.type, index.place))
    old = Load(array.name, tuple(names), array.type, place)
    result = combined(reader, node, operator, (old, value))
    return [] if result is None else [*kept, Store(array.name, tuple(names), converted(result, array.type), place)]


def _condition(reader: Reader, node: Node) -> Expression | None:
    clause = node.child_by_field_name("condition")
    written = (
        clause.child_by_field_name("value") if clause is not None and clause.type == "condition_clause" else clause
    )
    if clause is not None and clause.child_by_field_name("initializer") is not None:
        written = clause.child_by_field_name("initializer")
    if written is not None and written.type == "declaration":
        reader.refuse_construct(written, "a declaration in a condition")
        return None
    condition = expression(reader, written)
    return None if condition is None else truth(condition)


def _if(reader: Reader, node: Node) -> list[Statement]:
    condition = _condition(reader, node)
    then = statements(reader, node.child_by_field_name("consequence"))
    clause = node.child_by_field_name("alternative")
    otherwise = statements(reader, inner(clause)) if clause is not None else ()
    return [] if condition is None else [If(condition, then, otherwise, reader.place(node))]


def _while(reader: Reader, node: Node) -> list[Statement]:
    condition = _condition(reader, node)
    body = statements(reader, node.child_by_field_name("body"))
    return [] if condition is None else [While(condition, body, reader.place(node))]


def _for(reader: Reader, node: Node) -> list[Statement]:
    with reader.scope():
        initializer = node.child_by_field_name("initializer")
        before: list[Statement] = []
        if initializer is not None:
            is_declaration = initializer.type == "declaration"
            before = declaration(reader, initializer) if is_declaration else _effect(reader, initializer)
        written = node.child_by_field_name("condition")
        condition = expression(reader, written) if written is not None else _forever(reader, node)
        update = node.child_by_field_name("update")
        after = _effect(reader, update) if update is not None else []
        body = statements(reader, node.child_by_field_name("body"))
    if condition is None:
        return []
    return [*before, While(truth(condition), (*body, *after), reader.place(node))]


def _forever(reader: Reader, node: Node) -> Expression:
    return Integer(1, Scalar.PRED, reader.place(node))


def _return(reader: Reader, node: Node) -> list[Statement]:
    if _parts(node):
        reader.refuse(node, "a kernel returns no value")
        return []
    return [Return(reader.place(node))]
