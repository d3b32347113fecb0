"""A transform in C that is not affine, as a program that is run: its statements, and the functions that it calls.

What is taken is a list; everything else is refused at its place, since a program of which a part is left out means
nothing. Source: PolyCheck, section 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from tree_sitter import Node

from rewright.frontends.c.declared import DeclaredName, declarations, parameters_of
from rewright.frontends.c.effects import keeps_value
from rewright.frontends.c.integers import shown
from rewright.frontends.c.program_integers import (
    call,
    check_kept,
    check_rows,
    check_type,
    element,
    elements,
    integer,
    known,
    part,
)
from rewright.frontends.c.program_scope import (
    ProgramScope,
    ProgramVariable,
    VariableKind,
    returned_bits,
    variable_of,
)
from rewright.frontends.c.refusal import NotAffine
from rewright.frontends.c.signatures import RightSide
from rewright.frontends.c.tree import field, first_error, operator, parts, text, unwrapped, without_blanks
from rewright.frontends.nests import NestRequest
from rewright.model.index import Name
from rewright.model.nest import Nest
from rewright.model.nest import statements as specified
from rewright.model.nest_program import (
    ArrayPart,
    DataOperation,
    EitherBranch,
    Evaluate,
    IntegerElement,
    IntegerExpression,
    IntegerNumber,
    IntegerOperation,
    IntegerOperator,
    IntegerVariable,
    LeaveLoop,
    NestProgram,
    NewIntegers,
    PointTo,
    ProgramFunction,
    ProgramParameter,
    ProgramStatement,
    Repetition,
    ReturnFrom,
    SetElement,
    SetInteger,
)
from rewright.model.nest_text import expression_text

MOST_DEEP = 60
"""Blocks within blocks; each is a call of the interpreter within a call."""


def program(
    scope: ProgramScope,
    asked: NestRequest,
    statements: Sequence[Node],
    around: Iterable[DeclaredName],
    specification: Nest,
) -> NestProgram:
    """The program that statements are; `around` is what is declared before them. Raises `NotAffine`.

    Names to which the declaration gives values, tile sizes, are variables of the program like its parameters.
    """
    for each in around:
        with suppress(NotAffine):
            if each.is_integer:
                scope.declare(each)
    refused = _other_parameters(around, (*specification.parameters, *(name for name, _ in asked.values)))
    if refused is not None:
        raise refused
    for parameter in (*specification.parameters, *(Name(name) for name, _ in asked.values)):
        scope.give(str(parameter), ProgramVariable(parameter, VariableKind.NUMBER, 64))
    written = {each.write.array for each in specified(specification.body)}
    for array in specification.arrays:
        is_fixed = not array.sizes and array.name not in written
        sizes = tuple([None if each is None else without_blanks(expression_text(each)) for each in array.sizes])
        element = scope.element_type(array.element)
        held = ProgramVariable(array.name, VariableKind.DATA, is_fixed=is_fixed, sizes=sizes, element=element)
        scope.give(str(array.name), held)
    for node in statements:
        _must_parse(node)
    body = _block(scope, statements)
    functions: dict[str, ProgramFunction] = {}
    while waiting := [called for called in scope.called if called not in functions]:
        functions |= {called: _function(scope, called) for called in waiting}
    return NestProgram(asked.name, tuple(functions.values()), body)


def _other_parameters(around: Iterable[DeclaredName], parameters: tuple[str, ...]) -> NotAffine | None:
    """What is wrong with how parameters and tile sizes are declared here, None if nothing is."""
    for each in around:
        if each.name in parameters:
            try:
                variable_of(each, Name(each.name))
            except NotAffine as refused:
                return refused
    return None


def _function(scope: ProgramScope, name: str) -> ProgramFunction:
    node = scope.functions[name]
    _must_parse(node)
    inner = ProgramScope(scope.functions, scope.site, scope.effects, scope.element_type, scope.called)
    returned = returned_bits(node)
    declared = [inner.declare(each) for each in parameters_of(node)]
    parameters = tuple(
        ProgramParameter(each.name, each.bits if each.held is VariableKind.NUMBER else 0) for each in declared
    )
    body = _block(inner, field(node, "body").named_children)
    return ProgramFunction(Name(f"{name}()"), parameters, body, returned, scope.site(node))


def _must_parse(node: Node) -> None:
    error = first_error(node)
    if error is not None:
        raise NotAffine("this cannot be read", error)


def _block(scope: ProgramScope, nodes: Iterable[Node]) -> tuple[ProgramStatement, ...]:
    scope.enter()
    if len(scope.blocks) > MOST_DEEP:
        raise NotAffine("blocks nest too deep", next(iter(nodes)))
    found = tuple(each for node in nodes for each in _statement(scope, node))
    scope.leave()
    return found


def _statement(scope: ProgramScope, node: Node) -> Iterator[ProgramStatement]:
    match node.type:
        case "comment" | ";":
            return
        case "expression_statement":
            for each in parts(node):
                yield from _expression(scope, each)
        case "declaration":
            yield from _declaration(scope, node)
        case "compound_statement":
            yield from _block(scope, node.named_children)
        case "labeled_statement":
            for each in parts(node):
                if each.type != "statement_identifier":
                    yield from _statement(scope, each)
        case "if_statement":
            condition = integer(scope, field(node, "condition"))
            then = _block(scope, [field(node, "consequence")])
            other = node.child_by_field_name("alternative")
            otherwise = _block(scope, parts(other) if other is not None else [])
            yield EitherBranch(condition, then, otherwise, scope.site(field(node, "condition")))
        case "for_statement":
            yield from _for(scope, node)
        case "while_statement" | "do_statement":
            body = _block(scope, [field(node, "body")])
            condition = integer(scope, field(node, "condition"))
            at = scope.site(field(node, "condition"))
            yield Repetition(condition, body, (), tests_first=node.type == "while_statement", site=at)
        case "break_statement" | "continue_statement":
            yield LeaveLoop(only_iteration=node.type == "continue_statement")
        case "return_statement":
            value = next(iter(parts(node)), None)
            yield ReturnFrom(integer(scope, value) if value is not None else None)
        case _:
            raise NotAffine(f"`{shown(node)}` is not taken", node)


def _for(scope: ProgramScope, node: Node) -> Iterator[ProgramStatement]:
    scope.enter()
    start, condition, update = (node.child_by_field_name(each) for each in ("initializer", "condition", "update"))
    if start is not None:
        yield from _declaration(scope, start) if start.type == "declaration" else _expression(scope, start)
    holds = integer(scope, condition) if condition is not None else IntegerNumber(1)
    body = _block(scope, [field(node, "body")])
    after = tuple(_expression(scope, update)) if update is not None else ()
    scope.leave()
    at = scope.site(condition if condition is not None else node)
    yield Repetition(holds, body, after, tests_first=True, site=at)


def _declaration(scope: ProgramScope, node: Node) -> Iterator[ProgramStatement]:
    found = {each.name: each for each in declarations(node)}
    if keeps_value(node) is not None:
        raise NotAffine(f"`{shown(node)}` is not taken: it keeps its value between calls", node)
    for each in node.children_by_field_name("declarator"):
        value = each.child_by_field_name("value") if each.type == "init_declarator" else None
        named = _named(each)
        if named is None or text(named) not in found:
            raise NotAffine(f"`{shown(each)}` is not taken", each)
        declared = found[text(named)]
        if not declared.holds_integers:
            yield _pointer(scope, declared, value, each)
        elif declared.sizes:
            yield _array(scope, declared, value, each)
        else:
            # C lets the first value speak of the new name, which has no value yet.
            first = integer(scope, value) if value is not None else None
            variable = scope.declare(declared)
            yield SetInteger(variable.name, first, variable.bits, scope.site(each))


def _named(node: Node) -> Node | None:
    while node.type != "identifier":
        inner = node.child_by_field_name("declarator")
        if inner is None and node.type == "parenthesized_declarator" and parts(node):
            inner = parts(node)[0]
        if inner is None:
            return None
        node = inner
    return node


def _pointer(scope: ProgramScope, declared: DeclaredName, value: Node | None, node: Node) -> ProgramStatement:
    if value is None or not declared.sizes or any(each is not None for each in declared.sizes[:1]):
        raise NotAffine(f"`{declared.name}` is data that the specification does not have", node)
    of = part(scope, value)
    check_rows(scope, value, variable_of(declared, Name(declared.name)).sizes)
    check_type(scope, value, declared)
    return PointTo(scope.declare(declared).name, of)


def _array(scope: ProgramScope, declared: DeclaredName, value: Node | None, node: Node) -> ProgramStatement:
    if value is not None and value.type != "initializer_list":
        raise NotAffine(f"`{shown(node)}` is not taken: pointers are not followed", node)
    given = parts(value) if value is not None else []
    if given and len(declared.sizes) > 1:
        raise NotAffine("first values of an array with several dimensions are not taken", node)
    values = tuple(integer(scope, each) for each in given)
    sizes: list[IntegerExpression] = []
    for each in declared.sizes:
        if each is None and not given:
            raise NotAffine(f"`{shown(node)}` is not taken: pointers are not followed", node)
        sizes.append(integer(scope, each) if each is not None else IntegerNumber(len(given)))
    made, at = scope.declare(declared), scope.site(node)
    return NewIntegers(made.name, tuple(sizes), values, zeroed=value is not None, bits=made.bits, site=at)


def _expression(scope: ProgramScope, written: Node) -> Iterator[ProgramStatement]:
    node = unwrapped(written)
    match node.type:
        case "comma_expression":
            yield from _expression(scope, field(node, "left"))
            yield from _expression(scope, field(node, "right"))
        case "assignment_expression":
            yield _assignment(scope, node)
        case "update_expression":
            yield _count(scope, node)
        case "call_expression":
            yield Evaluate(call(scope, node))
        case _:
            raise NotAffine(f"`{shown(node)}` is no assignment", node)


def _assignment(scope: ProgramScope, node: Node) -> ProgramStatement:
    target, sign = unwrapped(field(node, "left")), operator(node).removesuffix("=")
    base, _ = elements(target)
    found = scope.find(text(base)) if base.type == "identifier" else None
    if found is None or found.held is VariableKind.DATA:
        return _operation(scope, node, sign)
    value = integer(scope, field(node, "right"))
    if sign:
        value = IntegerOperation(_operator(sign, node), (integer(scope, target), value), scope.site(node))
    return _stored(scope, target, value, node)


def _count(scope: ProgramScope, node: Node) -> ProgramStatement:
    target, sign = unwrapped(field(node, "argument")), operator(node)[0]
    base, _ = elements(target)
    found = scope.find(text(base)) if base.type == "identifier" else None
    if found is None or found.held is VariableKind.DATA:
        write = _written(scope, target)
        return DataOperation(f"(#0{sign}1)", write, (write,), scope.site(node))
    by = IntegerOperation(_operator(sign, node), (integer(scope, target), IntegerNumber(1)), scope.site(node))
    return _stored(scope, target, by, node)


def _stored(scope: ProgramScope, target: Node, value: IntegerExpression, node: Node) -> ProgramStatement:
    place = integer(scope, target)
    match place:
        case IntegerVariable(name=name):
            check_kept(scope, target)
            return SetInteger(name, value, known(scope, target, VariableKind.NUMBER).bits, scope.site(node))
        case IntegerElement():
            return SetElement(place, value, scope.site(node))
        case _:
            raise NotAffine(f"`{shown(target)}` cannot be assigned", target)


_OPERATORS: dict[str, IntegerOperator] = {
    "+": "+", "-": "-", "*": "*", "/": "/", "%": "%", "<<": "<<", ">>": ">>", "&": "&", "|": "|", "^": "^",
}  # fmt: skip


def _operator(sign: str, node: Node) -> IntegerOperator:
    if sign not in _OPERATORS:
        raise NotAffine(f"`{shown(node)}` is not taken", node)
    return _OPERATORS[sign]


def _operation(scope: ProgramScope, node: Node, sign: str) -> ProgramStatement:
    def is_number(name: str) -> bool:
        found = scope.find(name)
        return found is not None and found.held is VariableKind.NUMBER

    write = _written(scope, field(node, "left"))
    right: RightSide[ArrayPart | IntegerExpression] = RightSide(
        is_number,
        lambda each: integer(scope, each),
        lambda each: element(scope, each),
        lambda _: "",
        scope.effects.share,
    )
    if not sign:
        signature = right.text(field(node, "right"))
    else:
        right.reads.append(write)
        signature = f"(#0{sign}{right.text(field(node, 'right'))})"
    return DataOperation(signature, write, tuple(right.reads), scope.site(node))


def _written(scope: ProgramScope, target: Node) -> ArrayPart:
    made = part(scope, target)
    if known(scope, elements(unwrapped(target))[0], VariableKind.DATA).is_fixed:
        raise NotAffine(f"`{shown(target)}` is written, which the specification does not", target)
    return made
