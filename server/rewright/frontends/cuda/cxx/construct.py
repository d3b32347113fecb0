"""Objects of structs made by constructors, or from lists where there are none.

Must not know who asks for an object.
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from rewright.emit.emitter import Emitter
from rewright.emit.memory import field, loaded, member, stored
from rewright.emit.types import StructType
from rewright.emit.values import Lvalue, Value
from rewright.frontends.cuda import cxx  # arguments are expressions, the body of a constructor is a statement
from rewright.frontends.cuda.cxx.initial import as_type, fill, listed, temporary, zero_value
from rewright.frontends.cuda.cxx.inline import bind_parameters, check_depth, opened
from rewright.frontends.cuda.cxx.lowering import Lowering, NamesInScope, declare
from rewright.frontends.cuda.cxx.outer import STATIC
from rewright.frontends.cuda.cxx.overloads import Argument, CallArguments, ChosenFunction, choose
from rewright.frontends.cuda.cxx.scopes import Scope
from rewright.frontends.cuda.reading.declarators import declared_name, words
from rewright.frontends.cuda.reading.tree import parts, text


def constructed(lowering: Lowering, kind: StructType, arguments: Sequence[Node | Argument], node: Node) -> Value:
    """A new object without a name, made from the arguments."""
    target = temporary(lowering.emitter, kind, node)
    construct(lowering, target, arguments, node)
    return target


def construct(lowering: Lowering, target: Lvalue, arguments: Sequence[Node | Argument], node: Node) -> None:
    """Makes an object of a struct from the arguments between parentheses or braces."""
    emitter = lowering.emitter
    kind = target.type
    assert isinstance(kind, StructType)
    known = lowering.names.constructors(kind)
    values = [_evaluated(lowering, argument) for argument in arguments]
    if len(values) == 1 and values[0][1] is not None and values[0][1].type == kind:
        place = emitter.place(node)
        stored(emitter, lowering.registers, target, loaded(emitter, values[0][1], place), place)
        return
    if not known:
        _from_list(lowering, target, values, node)
        return
    given = CallArguments(values, None, node)
    chosen = choose(lowering, known, given)
    if chosen is None:
        emitter.refuse(node, f"`{kind.name}` has no constructor for these {len(values)} arguments")
    if chosen.function.node.child_by_field_name("body") is None:
        defaults(lowering, target, set(), node)
        return
    _run(lowering, target, chosen, given)


def _evaluated(lowering: Lowering, argument: Node | Argument) -> Argument:
    if not isinstance(argument, Node):
        return argument
    is_list = argument.type in ("initializer_list", "initializer_pair")
    return argument, None if is_list else cxx.expressions.value(lowering, argument)


def _from_list(lowering: Lowering, target: Lvalue, values: list[Argument], node: Node) -> None:
    """Aggregate initialisation: the fields in their order, defaults or zeros for the rest."""
    emitter = lowering.emitter
    kind = target.type
    assert isinstance(kind, StructType)
    place = emitter.place(node)
    if any(where.type in ("initializer_pair", "initializer_list") for where, _ in values):
        stored(emitter, lowering.registers, target, listed(lowering, kind, node), place)
        return
    if len(values) > len(kind.fields):
        emitter.refuse(node, f"`{kind.name}` has {len(kind.fields)} members, {len(values)} values are given")
    for known, (where, value) in zip(kind.fields, values, strict=False):
        part = field(emitter, target, known.name, place)
        if value is None or not isinstance(part, Lvalue):
            emitter.refuse_construct(where, "a value of this kind here")
        read = as_type(lowering, loaded(emitter, value, place), known.type, where)
        stored(emitter, lowering.registers, part, read, place)
    given = {known.name for known in kind.fields[: len(values)]}
    written = defaults(lowering, target, given, node)
    for known in kind.fields:
        part = field(emitter, target, known.name, place) if known.name not in given | written else None
        if isinstance(part, Lvalue):
            stored(emitter, lowering.registers, part, zero_value(known.type), place)


def defaults(lowering: Lowering, target: Lvalue, given: set[str], node: Node) -> set[str]:
    """Gives the members the values that the struct's text has for them, unless given; says which it gave."""
    names = lowering.names
    kind = target.type
    found: set[str] = set()
    inside = names.members(kind)
    if not isinstance(kind, StructType) or inside is None:
        return found
    with names.inside(Scope(inside)):
        declare(names, lowering.registers, "this", target)
        for name, written in _defaults_of(names, kind):
            part = field(lowering.emitter, target, name, lowering.emitter.place(node)) if name not in given else None
            if isinstance(part, Lvalue):
                fill(lowering, part, written)
                found.add(name)
    return found


def _defaults_of(names: NamesInScope, kind: StructType) -> list[tuple[str, Node]]:
    written = names.definitions[kind].text
    body = written.child_by_field_name("body") if written is not None else None
    found: list[tuple[str, Node]] = []
    for child in parts(body) if body is not None else ():
        default = child.child_by_field_name("default_value")
        declarator = child.child_by_field_name("declarator")
        is_own = child.type == "field_declaration" and not words(child) & STATIC
        if is_own and default is not None and declarator is not None:
            name = declared_name(declarator)
            found.append(("" if name is None else text(name), default))
    return found


def _run(lowering: Lowering, target: Lvalue, chosen: ChosenFunction, given: CallArguments) -> None:
    """Members first, by the list before the body or their defaults, then the body."""
    frame, scope = opened(lowering.names, chosen, target, given), Scope(chosen.scope)
    check_depth(lowering.emitter, frame, given.node)
    scope.names["this"] = target
    bind_parameters(lowering, chosen, scope, given.values)
    body = chosen.function.node.child_by_field_name("body")
    assert body is not None
    with lowering.names.inside(scope):
        listed_names = _initialisers(lowering, target, chosen)
        defaults(lowering, target, listed_names, given.node)
        with lowering.names.called(frame):
            cxx.statements.statement(lowering, body)
        lowering.emitter.land(frame.end)


def _initialisers(lowering: Lowering, target: Lvalue, chosen: ChosenFunction) -> set[str]:
    emitter = lowering.emitter
    kind = target.type
    assert isinstance(kind, StructType)
    listed_names: set[str] = set()
    clause = next((c for c in chosen.function.node.children if c.type == "field_initializer_list"), None)
    for written in parts(clause) if clause is not None else ():
        if len(parts(written)) != 2:
            emitter.refuse_construct(written, "this")
        name, value = parts(written)
        part = field(emitter, target, text(name), emitter.place(name)) or _base(emitter, target, name)
        if not isinstance(part, Lvalue):
            emitter.refuse(name, f"`{text(name)}` is not a member of `{kind.name}`")
        listed_names.add(text(name))
        if parts(value) or isinstance(part.type, StructType):
            fill(lowering, part, value)
        else:
            stored(emitter, lowering.registers, part, zero_value(part.type), emitter.place(written))
    return listed_names


def _base(emitter: Emitter, target: Lvalue, name: Node) -> Value | None:
    """The part of the object that is the struct of this name that it is built on."""
    assert isinstance(target.type, StructType)
    for known in target.type.fields:
        if not known.name and isinstance(known.type, StructType) and known.type.name == text(name):
            return member(emitter, target, known, emitter.place(name))
    return None
