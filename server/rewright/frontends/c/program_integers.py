"""Whole numbers, calls and parts of arrays in a program in C that is to be run. Must not know any statement."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, assert_never

from tree_sitter import Node

from rewright.frontends.c.declared import DeclaredName, parameters_of
from rewright.frontends.c.integers import integer_literal, shown
from rewright.frontends.c.program_scope import (
    ProgramScope,
    ProgramVariable,
    VariableKind,
    renamed,
    variable_of,
)
from rewright.frontends.c.refusal import NotAffine
from rewright.frontends.c.signs import is_wide, keeps_integers, may_be_unsigned
from rewright.frontends.c.tree import field, operator, parts, text, unwrapped, walk, without_blanks
from rewright.model.index import Name
from rewright.model.nest_program import (
    ArrayPart,
    CountedVariable,
    IntegerChoice,
    IntegerElement,
    IntegerExpression,
    IntegerNumber,
    IntegerOperation,
    IntegerOperator,
    IntegerVariable,
    ProgramCall,
    WholeArray,
)

_BINARY: Final[dict[str, IntegerOperator]] = {
    "+": "+", "-": "-", "*": "*", "/": "/", "%": "%", "<<": "<<", ">>": ">>", "&": "&", "|": "|", "^": "^",
    "==": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "&&": "&&", "||": "||",
}  # fmt: skip
_UNARY: Final[dict[str, IntegerOperator]] = {"-": "-", "!": "!", "~": "~"}
_KNOWN: Final[dict[str, tuple[IntegerOperator, int]]] = {
    **dict.fromkeys(("min", "MIN", "imin"), ("min", 2)),
    **dict.fromkeys(("max", "MAX", "imax"), ("max", 2)),
    "floord": ("floord", 2),
    "ceild": ("ceild", 2),
    "abs": ("abs", 1),
}


def integer(scope: ProgramScope, written: Node) -> IntegerExpression:
    """The whole number that an expression is. Raises `NotAffine`."""
    node = unwrapped(written)
    match node.type:
        case "number_literal" if not may_be_unsigned(node, lambda _: False):
            return IntegerNumber(integer_literal(node))
        case "true" | "false":
            return IntegerNumber(int(node.type == "true"))
        case "identifier":
            return IntegerVariable(known(scope, node, VariableKind.NUMBER).name)
        case "subscript_expression":
            base, subscripts = elements(node)
            array = known(scope, base, VariableKind.NUMBERS)
            return IntegerElement(array.name, _integers(scope, subscripts), scope.site(node))
        case "unary_expression" if operator(node) == "+":
            return integer(scope, field(node, "argument"))
        case "unary_expression" if operator(node) in _UNARY:
            operand = integer(scope, field(node, "argument"))
            return IntegerOperation(_UNARY[operator(node)], (operand,), scope.site(node))
        case "binary_expression" if operator(node) in _BINARY:
            both = integer(scope, field(node, "left")), integer(scope, field(node, "right"))
            return IntegerOperation(_BINARY[operator(node)], both, scope.site(node))
        case "conditional_expression":
            chosen = (integer(scope, field(node, each)) for each in ("condition", "consequence", "alternative"))
            return IntegerChoice(*chosen)
        case "cast_expression" if keeps_integers(field(node, "type")):
            if not is_wide(field(node, "type")):
                _check_narrow(scope, field(node, "value"))
            return integer(scope, field(node, "value"))
        case "call_expression":
            return _value(scope, node)
        case "update_expression":
            return _counted(scope, node)
    raise NotAffine(f"`{shown(node)}` is no whole number that can be computed here", node)


def _check_narrow(scope: ProgramScope, value: Node) -> None:
    """What is cast to 32 bits must not have more. Raises `NotAffine`."""
    for each in walk(value):
        match each.type:
            case "identifier":
                found = scope.find(text(each))
                is_wide_here = found is not None and found.bits > 32 and found.name not in scope.given
            case "number_literal":
                is_wide_here = "l" in text(each).lower()
            case "cast_expression":
                is_wide_here = is_wide(field(each, "type"))
            case kind:
                is_wide_here = kind == "call_expression" and text(field(each, "function")) in scope.functions
        if is_wide_here:
            raise NotAffine(f"`{shown(each)}` may have more bits than it is cast to", each)


def _counted(scope: ProgramScope, node: Node) -> IntegerExpression:
    target = unwrapped(field(node, "argument"))
    variable = known(scope, target, VariableKind.NUMBER)
    whole = node
    while whole.parent is not None and whole.parent.type in _WITHIN:
        inner, whole = whole, whole.parent
        # What is combined with its old value is read and written, so its subscripts are evaluated twice.
        is_combined = whole.type == "assignment_expression" and operator(whole) != "=" and inner == field(whole, "left")
        if is_combined or whole.type == "update_expression":
            raise NotAffine(f"`{shown(node)}` is not taken in what is counted or combined", node)
    if sum(text(each) == text(target) for each in walk(whole) if each.type == "identifier") > 1:
        raise NotAffine(f"`{text(target)}` is changed and used in one expression", node)
    check_kept(scope, target)
    by = 1 if operator(node) == "++" else -1
    before = node.child(0) != field(node, "argument")
    return CountedVariable(variable.name, by, before, variable.bits, scope.site(node))


_WITHIN = frozenset(
    {
        *("binary_expression", "unary_expression", "conditional_expression", "cast_expression", "call_expression"),
        *("subscript_expression", "assignment_expression", "comma_expression", "parenthesized_expression"),
        *("argument_list", "update_expression", "init_declarator", "declaration"),
    }
)
"""What a full expression is made of; a declaration counts as one."""


def _value(scope: ProgramScope, node: Node) -> IntegerExpression:
    name, given = text(field(node, "function")), parts(field(node, "arguments"))
    if name in scope.functions:
        return call(scope, node)
    if name in _KNOWN and len(given) == _KNOWN[name][1]:
        return IntegerOperation(_KNOWN[name][0], _integers(scope, given), scope.site(node))
    raise NotAffine(f"what `{shown(node)}` is, is not known", node)


def call(scope: ProgramScope, node: Node) -> ProgramCall:
    """A call of a function that the text defines. Raises `NotAffine`."""
    name = text(field(node, "function"))
    if name not in scope.functions:
        raise NotAffine(f"what `{shown(node)}` does is not known: the text has no `{name}`", node)
    given, expected = parts(field(node, "arguments")), list(parameters_of(scope.functions[name]))
    if len(given) != len(expected):
        raise NotAffine(f"`{name}` has {len(expected)} parameters, not {len(given)}", node)
    scope.called.setdefault(name)
    arguments = tuple(_argument(scope, each, to) for each, to in zip(given, expected, strict=True))
    passed = {to.name: _as_operand(scope, each) for each, to in zip(given, expected, strict=True)}
    for each, to in zip(given, expected, strict=True):
        if not to.is_integer:
            # A name that is no parameter is one of the whole text, whatever is called so here.
            check_rows(scope, each, variable_of(to, Name(to.name)).sizes, lambda name: passed.get(name, f"::{name}"))
    if name in scope.effects.change:
        check_alone(node)
    return ProgramCall(Name(f"{name}()"), arguments, scope.site(node))


def _argument(
    scope: ProgramScope, written: Node, parameter: DeclaredName
) -> IntegerExpression | ArrayPart | WholeArray:
    to = variable_of(parameter, Name(parameter.name))
    node = unwrapped(written)
    match to.held:
        case VariableKind.NUMBER:
            return integer(scope, node)
        case VariableKind.NUMBERS:
            array = known(scope, node, VariableKind.NUMBERS)
            if array.bits != to.bits or len(array.sizes) != len(to.sizes):
                raise NotAffine(f"`{shown(node)}` is handed on as another array than it is", node)
            return WholeArray(array.name)
        case VariableKind.DATA:
            made = part(scope, node)
            if to.is_fixed != known(scope, elements(node)[0], VariableKind.DATA).is_fixed:
                raise NotAffine(f"`{shown(node)}` is handed on by value, though it may be written", node)
            check_type(scope, node, parameter)
            return made
        case _:
            assert_never(to.held)


def _as_operand(scope: ProgramScope, written: Node) -> str:
    """The text of an argument, each variable by its name in the program; in parentheses if it is made of several."""
    resolved = scope.resolved(without_blanks(text(unwrapped(written))))
    return resolved if _ATOM.fullmatch(resolved) else f"({resolved})"


_ATOM: Final = re.compile(r"\w+'*")


def check_kept(scope: ProgramScope, target: Node) -> None:
    """A variable that is a size of an array may not be changed: the array keeps its size. Raises `NotAffine`."""
    array = scope.sizes_of(known(scope, target, VariableKind.NUMBER))
    if array is not None:
        raise NotAffine(f"`{text(target)}` is changed, which is a size of `{array}`", target)


def check_rows(
    scope: ProgramScope, written: Node, sizes: tuple[str | None, ...], here: Callable[[str], str] | None = None
) -> None:
    """What stands for an array must have its inner sizes: they are where its rows begin. Raises `NotAffine`.

    `here` says what a name of the sizes is in this scope, if they are not of this scope.
    """
    node = unwrapped(written)
    base, subscripts = elements(node)
    found_here = scope.find(text(base))
    held = found_here.held if found_here is not None else VariableKind.DATA
    due = known(scope, base, held).sizes[len(subscripts) :]
    for size, said in zip(due[1:], sizes[1:], strict=False):
        if size is None or said is None:
            continue
        found = scope.resolved(said) if here is None else renamed(said, here)
        if found != size:
            raise NotAffine(f"`{shown(node)}` is taken with rows of `{found}` elements, not `{size}`", node)


def check_type(scope: ProgramScope, written: Node, declared: DeclaredName) -> None:
    """What stands for data must be of the same type: no value may be converted or read otherwise. May refuse."""
    node = unwrapped(written)
    due = known(scope, elements(node)[0], VariableKind.DATA).element
    if due and scope.element_type(declared.type) != due:
        raise NotAffine(f"`{shown(node)}` is taken as `{declared.type}`, and is `{due}`", node)


def check_alone(call_node: Node) -> None:
    """A call that changes elements stands alone in its expression, which C may evaluate in any order. May refuse."""
    whole = call_node
    while whole.parent is not None and whole.parent.type in _WITHIN:
        whole = whole.parent
    within = {each.id for each in walk(call_node)}
    for each in walk(whole):
        is_other = each.type in _ORDERED and each.id not in within
        if is_other or (each.type == "assignment_expression" and field(each, "left").type != "identifier"):
            reason = f"`{shown(call_node)}` changes elements, and stands beside `{shown(each)}` in one expression"
            raise NotAffine(reason, call_node)


_ORDERED = frozenset({"call_expression", "subscript_expression", "update_expression"})


def part(scope: ProgramScope, written: Node) -> ArrayPart:
    """The part of a data array that an expression names. Raises `NotAffine`."""
    node = unwrapped(written)
    base, subscripts = elements(node)
    return ArrayPart(known(scope, base, VariableKind.DATA).name, _integers(scope, subscripts), scope.site(node))


def element(scope: ProgramScope, written: Node) -> ArrayPart | IntegerExpression:
    """What a right side reads: an element of a data array, or of an array of numbers. Raises `NotAffine`."""
    base, _ = elements(unwrapped(written))
    found = scope.find(text(base)) if base.type == "identifier" else None
    return integer(scope, written) if found is not None and found.held is VariableKind.NUMBERS else part(scope, written)


def elements(node: Node) -> tuple[Node, list[Node]]:
    """The base of an element, and its subscripts."""
    subscripts: list[Node] = []
    base = node
    while base.type == "subscript_expression":
        subscripts.insert(0, field(base, "index"))
        base = unwrapped(field(base, "argument"))
    return base, subscripts


def known(scope: ProgramScope, node: Node, held: VariableKind) -> ProgramVariable:
    """The variable that a name stands for, if it holds what is expected. Raises `NotAffine`."""
    if node.type != "identifier":
        raise NotAffine(f"`{shown(node)}` is no element of an array: pointers are not followed", node)
    found = scope.find(text(node))
    if found is None:
        raise NotAffine(f"what `{text(node)}` is, is not known here", node)
    if found.held is not held:
        raise NotAffine(f"`{text(node)}` is {_WHAT[found.held]}, where {_WHAT[held]} is expected", node)
    return found


_WHAT = {
    VariableKind.NUMBER: "a whole number",
    VariableKind.NUMBERS: "an array of whole numbers",
    VariableKind.DATA: "data",
}


def _integers(scope: ProgramScope, written: list[Node]) -> tuple[IntegerExpression, ...]:
    return tuple(integer(scope, each) for each in written)
