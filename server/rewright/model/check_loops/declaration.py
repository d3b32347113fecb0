"""Loop nests and their transforms: from a declaration's node to its value, or to what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rewright.model.check_attributes import attributes, check_quantified
from rewright.model.check_loops.body import body
from rewright.model.check_loops.integers import affine, condition
from rewright.model.check_loops.scope import NestScope
from rewright.model.conclusion import concluded
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared, SymbolKind
from rewright.model.index import Name
from rewright.model.nest import AffineVariable, Condition, Nest, NestArray, Transformation, variables_of
from rewright.model.notes import Notes, notes_for
from rewright.model.surroundings import Surroundings
from rewright.syntax import nodes
from rewright.syntax.nodes import LoopsDecl, TransformDecl
from rewright.verdict.diagnostics.names import (
    AnotherKind,
    CannotStandHere,
    IncompleteDeclaration,
    NameTaken,
    TakenBy,
    UnknownName,
    WrongPart,
)


def check_loops(node: LoopsDecl) -> Declared:
    """The loop nest as the model understands it."""
    notes = notes_for(node.head)
    scope = NestScope(notes)
    name = node.head.name
    if name is not None:
        notes.define(name, SymbolKind.DECLARATION, f"loops {name.text}")
    written = attributes(notes, node.head.attributes)
    check_quantified(notes, written, [])
    for parameter in node.parameters:
        _parameter(scope, parameter)
    _labels_once(notes, node.items)
    made = _nest(scope, name, node.items)
    value = made if name is not None and not notes.has_errors and not notes.unsupported else None
    return replace(concluded(notes, node.head, written, DeclarationKind.LOOPS), value=value)


def check_transform(node: TransformDecl, surroundings: Surroundings) -> Declared:
    """The transform as the model understands it."""
    notes = notes_for(node.head)
    name, target = node.head.name, node.target
    if name is not None:
        notes.define(name, SymbolKind.DECLARATION, f"transform {name.text}")
    written = attributes(notes, node.head.attributes)
    check_quantified(notes, written, [])
    specification = _target(notes, target, surroundings) if target is not None else None
    if node.source is not None:
        notes.not_supported("a transform from a file", node.source.span)
    elif node.at:
        notes.not_supported("a transform at sizes", node.at[0].span)
    value = None
    if specification is not None and node.source is None:
        scope = _as_specified(notes, specification)
        made = _nest(scope, name, node.items, specification)
        if name is not None and not notes.has_errors and not notes.unsupported:
            value = Transformation(specification, made)
    declared = concluded(notes, node.head, written, DeclarationKind.TRANSFORM)
    speaks_of = (target.text,) if value is not None and target is not None else ()
    return replace(declared, value=value, speaks_of=speaks_of)


def _as_specified(notes: Notes, specification: Nest) -> NestScope:
    """A scope with the parameters and arrays of a specification."""
    integers = {str(name): AffineVariable(name) for name in specification.parameters}
    return NestScope(notes, dict(integers), {str(each.name): each for each in specification.arrays})


def _target(notes: Notes, name: nodes.Name, surroundings: Surroundings) -> Nest | None:
    """The nest that is transformed; None, noted, if there is none that can be asked about."""
    kind = surroundings.kind(name.text)
    if kind is None:
        notes.undeclared(UnknownName("declaration", name.text, None), name)
        return None
    declared = surroundings.neighbour(name.text)
    if declared is None or kind not in (DeclarationKind.LOOPS, DeclarationKind.TRANSFORM):
        notes.error(AnotherKind(name.text, f"a {kind.value}", "a loops or a transform", ""), name.span)
        return None
    match declared.value:
        case Nest() as nest:
            return nest
        case Transformation(transformed=nest):
            return nest
    reason = declared.unsupported[0].reason if declared.unsupported else "it has errors"
    notes.unknown(f"`{name.text}` is not understood: {reason}", name.span)
    return None


def _nest(
    scope: NestScope, name: nodes.Name | None, items: Iterable[nodes.LoopsItem], specification: Nest | None = None
) -> Nest:
    parameters = tuple(each.name for each in scope.integers.values() if isinstance(each, AffineVariable))
    requires: list[Condition] = []
    found: list[nodes.Statement] = []
    for item in items:
        match item:
            case nodes.ArrayItem():
                _arrays(scope, item)
            case nodes.Requires(predicates=predicates):
                requires += [made for each in predicates if (made := condition(scope, each)) is not None]
            case _:
                found.append(item)
    called = Name(name.text if name is not None else "")
    silent = () if specification else _silent(parameters, requires)
    return Nest(called, parameters, silent, tuple(scope.arrays.values()), tuple(requires), body(scope, found))


def _silent(parameters: tuple[Name, ...], requires: Iterable[Condition]) -> tuple[Name, ...]:
    """The parameters of which nothing is required."""
    said = {name for condition in requires for name in variables_of(condition)}
    return tuple(name for name in parameters if name not in said)


def _parameter(scope: NestScope, parameter: nodes.Parameter) -> None:
    name = parameter.name
    if parameter.type is not None or parameter.value is not None or parameter.mode is not None:
        scope.notes.error(CannotStandHere("a type or a value", f"the name `{name.text}` alone"), parameter.span)
    if scope.declare(name, SymbolKind.PARAMETER, f"parameter {name.text}"):
        scope.integers[name.text] = AffineVariable(Name(name.text))


def _arrays(scope: NestScope, item: nodes.ArrayItem) -> None:
    type_ = item.type
    if type_ is None or type_.element is None:
        for name in item.names:
            scope.notes.error(IncompleteDeclaration(name.text, WrongPart.SHAPE), name.span)
        return
    sizes = [affine(scope, entry.size) for entry in type_.shape or ()]
    for name in item.names:
        if scope.declare(name, SymbolKind.TENSOR, f"array {name.text}"):
            known = tuple(each for each in sizes if each is not None)
            scope.arrays[name.text] = NestArray(Name(name.text), type_.element.text, known)


def _labels_once(notes: Notes, items: Iterable[nodes.LoopsItem]) -> None:
    """Notes each label that stands twice: a specification has one statement of each name."""
    seen: set[str] = set()
    for label in _labels(items):
        if label.text in seen:
            notes.error(NameTaken(label.text, TakenBy.DECLARATION), label.span)
        seen.add(label.text)


def _labels(items: Iterable[nodes.LoopsItem | nodes.Statement]) -> Iterable[nodes.Name]:
    for item in items:
        match item:
            case nodes.Labelled(label=label):
                yield label
            case nodes.For(body=block):
                yield from _labels(block.statements)
            case nodes.If():
                yield from _labels(item.then.statements)
                match item.otherwise:
                    case nodes.Block(statements=found):
                        yield from _labels(found)
                    case nodes.If() as chained:
                        yield from _labels((chained,))
                    case None:
                        pass
            case _:
                pass
