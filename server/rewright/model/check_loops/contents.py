"""The items of a loop nest: arrays, requirements, relaxations, and the statements that are left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from rewright.model.check_loops.body import body
from rewright.model.check_loops.integers import affine, condition
from rewright.model.check_loops.scope import NestScope
from rewright.model.declared import SymbolKind
from rewright.model.index import Name
from rewright.model.nest import (
    Condition,
    Nest,
    NestArray,
    NestStatement,
    Relaxations,
    combining_operator,
    statements,
)
from rewright.syntax import nodes
from rewright.verdict.diagnostics.names import CannotStandHere, IncompleteDeclaration, WrongPart

COMBINING = "a statement that combines a value into an element, as `x += e`"


class NestContents(Struct, frozen=True):
    """What is required, which names are relaxed, and the statements, which are not yet understood."""

    requires: tuple[Condition, ...]
    private: tuple[nodes.Name, ...]
    reductions: tuple[nodes.Name, ...]
    statements: tuple[nodes.Statement, ...]


def contents(scope: NestScope, items: Iterable[nodes.LoopsItem]) -> NestContents:
    """The items in their order; arrays enter the scope."""
    requires: list[Condition] = []
    private: list[nodes.Name] = []
    reductions: list[nodes.Name] = []
    found: list[nodes.Statement] = []
    for item in items:
        match item:
            case nodes.ArrayItem():
                _arrays(scope, item)
            case nodes.Requires(predicates=predicates):
                requires += [made for each in predicates if (made := condition(scope, each)) is not None]
            case nodes.Private(names=names):
                private += names
            case nodes.Reduction(names=names):
                reductions += names
            case _:
                found.append(item)
    return NestContents(tuple(requires), tuple(private), tuple(reductions), tuple(found))


def nest(
    scope: NestScope, name: Name, parameters: tuple[Name, ...], found: NestContents, specification: Nest | None = None
) -> Nest:
    """The nest that contents are, its relaxations with those of the specification that it transforms."""
    items = body(scope, found.statements)
    inherited = specification.relaxed if specification is not None else Relaxations()
    private = [known for name in found.private if (known := _private(scope, name)) is not None]
    labelled = tuple(statements(specification.body if specification is not None else items))
    reductions = [each for name in found.reductions if (each := _reduction(scope, name, labelled)) is not None]
    relaxed = Relaxations(
        tuple(dict.fromkeys((*inherited.private, *private))), tuple(dict.fromkeys((*inherited.reductions, *reductions)))
    )
    return Nest(name, parameters, (), tuple(scope.arrays.values()), found.requires, items, relaxed)


def _private(scope: NestScope, name: nodes.Name) -> Name | None:
    if name.text not in scope.arrays:
        scope.unknown("array", name)
        return None
    scope.used(name)
    return Name(name.text)


def _reduction(scope: NestScope, name: nodes.Name, labelled: Sequence[NestStatement]) -> str | None:
    statement = next((each for each in labelled if each.label == name.text), None)
    if statement is None:
        scope.unknown("statement", name)
        return None
    if combining_operator(statement) is None:
        scope.notes.error(CannotStandHere(f"`{name.text}`", COMBINING), name.span)
        return None
    return name.text


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
