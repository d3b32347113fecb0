"""A loop nest: from its declaration's node to its value, or to what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from rewright.model.check_attributes import attributes, check_quantified
from rewright.model.check_loops.contents import contents, nest
from rewright.model.check_loops.foreign import foreign_nest
from rewright.model.check_loops.scope import NestScope
from rewright.model.conclusion import concluded
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared, SymbolKind
from rewright.model.index import Name
from rewright.model.nest import AffineVariable, Condition, variables_of
from rewright.model.notes import Notes, notes_for
from rewright.syntax import nodes
from rewright.syntax.nodes import LoopsDecl
from rewright.verdict.diagnostics.names import NameTaken, TakenBy


def check_loops(node: LoopsDecl) -> Declared:
    """The loop nest as the model understands it."""
    notes = notes_for(node.head)
    scope = NestScope(notes)
    name = node.head.name
    if name is not None:
        notes.define(name, SymbolKind.DECLARATION, f"loops {name.text}")
    written = attributes(notes, node.head.attributes)
    check_quantified(notes, written, [])
    if node.source is not None:
        foreign = foreign_nest(notes, node, node.source, None)
        read = foreign if not notes.has_errors and not notes.unsupported else None
        return replace(concluded(notes, node.head, written, DeclarationKind.LOOPS), value=read)
    for parameter in node.parameters:
        if scope.parameter(parameter):
            scope.integers[parameter.name.text] = AffineVariable(Name(parameter.name.text))
    parameters = tuple(each.name for each in scope.integers.values() if isinstance(each, AffineVariable))
    _labels_once(notes, node.items)
    found = contents(scope, node.items)
    made = nest(scope, Name(name.text if name is not None else ""), parameters, found)
    made = replace(made, at_least_one=_silent(parameters, found.requires))
    value = made if name is not None and not notes.has_errors and not notes.unsupported else None
    return replace(concluded(notes, node.head, written, DeclarationKind.LOOPS), value=value)


def _silent(parameters: tuple[Name, ...], requires: Iterable[Condition]) -> tuple[Name, ...]:
    """The parameters of which nothing is required."""
    said = {name for condition in requires for name in variables_of(condition)}
    return tuple(name for name in parameters if name not in said)


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
