"""A transform: from its declaration's node to its value, or to what is wrong with it.

A transform with tile sizes has its text understood once for each choice of them: where they have values, bounds and
subscripts are affine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from rewright.model.check_attributes import attributes, check_quantified
from rewright.model.check_loops.contents import contents, nest
from rewright.model.check_loops.foreign import foreign_nest
from rewright.model.check_loops.integers import truth
from rewright.model.check_loops.scope import NestScope
from rewright.model.check_loops.tile_sizes import listed
from rewright.model.conclusion import concluded
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared, SymbolKind
from rewright.model.foreign_nest import ForeignNest, ForeignTransformation, WrittenTransformation
from rewright.model.index import Name
from rewright.model.nest import (
    AffineNumber,
    AffineVariable,
    Nest,
    TiledTransformation,
    Transformation,
)
from rewright.model.notes import Notes, notes_for
from rewright.model.surroundings import Surroundings
from rewright.model.tile_sizes import MANY, Choice, Listed, choices, one_of, pinned, too_many
from rewright.syntax import nodes
from rewright.syntax.nodes import TransformDecl
from rewright.syntax.text import Span
from rewright.verdict import Finding, Severity, Site
from rewright.verdict.diagnostics.names import AnotherKind, CannotStandHere, UnknownName
from rewright.verdict.diagnostics.rules import NotDecided


def check_transform(node: TransformDecl, surroundings: Surroundings) -> Declared:
    """The transform as the model understands it."""
    notes = notes_for(node.head)
    name, target = node.head.name, node.target
    if _is_of_source(node, surroundings):
        _number(notes, node)
    if name is not None:
        notes.define(name, SymbolKind.DECLARATION, f"transform {name.text}")
    written = attributes(notes, node.head.attributes)
    check_quantified(notes, written, [])
    specification = _target(notes, target, surroundings) if target is not None else None
    value = _of(notes, node, specification) if specification is not None else None
    declared = concluded(notes, node.head, written, DeclarationKind.TRANSFORM)
    if name is None or notes.has_errors or notes.unsupported:
        value = None
    speaks_of = (target.text,) if value is not None and target is not None else ()
    return replace(declared, value=value, speaks_of=speaks_of)


def understood(node: TransformDecl, specification: Nest) -> Understood:
    """A transform in our own syntax of a nest that was read from a source.

    Sites are those of the declaration, as `check_transform` numbers them of such a transform.
    """
    notes = notes_for(node.head)
    _number(notes, node)
    value = _value(notes, node, specification)
    reasons = (Finding(NotDecided(each.reason), Severity.WARNING, Site(each.site)) for each in notes.unsupported)
    is_right = not notes.has_errors and not notes.unsupported
    return Understood(value if is_right else None, (*notes.findings(), *reasons))


class Understood(Struct, frozen=True):
    """What a transform comes to once its specification is known, None if it has errors; and what is said of it."""

    value: Transformation | TiledTransformation | None
    findings: tuple[Finding, ...]


def _is_of_source(node: TransformDecl, surroundings: Surroundings) -> bool:
    declared = surroundings.neighbour(node.target.text) if node.target is not None else None
    value = declared.value if declared is not None else None
    return node.source is None and isinstance(value, ForeignNest | ForeignTransformation)


def _number(notes: Notes, node: TransformDecl) -> None:
    """Numbers all places that may be spoken of, so that they have the same numbers wherever this is understood."""
    for span in _spans(node):
        notes.site(span)


def _spans(value: object) -> Iterator[Span]:
    if isinstance(value, tuple):
        for each in value:
            yield from _spans(each)
    elif isinstance(value, nodes.Node):
        yield value.span
        for name in value.__struct_fields__:
            yield from _spans(getattr(value, name))


def _of(
    notes: Notes, node: TransformDecl, specification: Nest | ForeignNest
) -> Transformation | TiledTransformation | ForeignTransformation | WrittenTransformation | None:
    """The transform of a nest; None, noted, if it cannot be asked about."""
    if node.source is not None:
        return _foreign(notes, node, node.source, specification)
    if isinstance(specification, ForeignNest):
        return WrittenTransformation(specification, node)
    return _value(notes, node, specification)


def _foreign(
    notes: Notes, node: TransformDecl, source: nodes.SourceRef, specification: Nest | ForeignNest
) -> ForeignTransformation | None:
    """The transform that is written in a source; what stands after `at` is compared with that later."""
    found = foreign_nest(notes, node, source, specification)
    tiles = tuple(each.name.text for each in node.parameters)
    if isinstance(specification, Nest):
        at: Listed = _listed(notes, node, specification)
    else:
        scope = NestScope(notes)
        for each in node.parameters:
            scope.parameter(each)
        named = (each.name.text for each in node.at if isinstance(each, nodes.Keyed))
        scope.integers |= {name: AffineVariable(Name(name)) for name in named}
        at = listed(scope, node.at)
    if found is None or _has_too_many(notes, node, tiles, at):
        return None
    return ForeignTransformation(found, tiles, tuple(at.items()))


def _target(notes: Notes, name: nodes.Name, surroundings: Surroundings) -> Nest | ForeignNest | None:
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
        case Nest() | ForeignNest() as found:
            return found
        case Transformation(transformed=found):
            return found
        case ForeignTransformation(transformed=read, tiles=()):
            return read
        case TiledTransformation() | ForeignTransformation():
            notes.not_supported(f"a transform of `{name.text}`, which has tile sizes,", name.span)
            return None
        case WrittenTransformation(of=of):
            said = f"a transform of `{name.text}`, which is in this syntax and one of `{of.name}` in a file,"
            notes.not_supported(said, name.span)
            return None
    reason = declared.unsupported[0].reason if declared.unsupported else "it has errors"
    notes.unknown(f"`{name.text}` is not understood: {reason}", name.span)
    return None


def _value(notes: Notes, node: TransformDecl, specification: Nest) -> Transformation | TiledTransformation | None:
    tiles = tuple(each.name.text for each in node.parameters)
    at = _listed(notes, node, specification)
    if notes.has_errors:
        return None
    if not tiles:
        return _at(notes, node, specification, (), at)
    if _has_too_many(notes, node, tiles, at):
        return None
    found: list[Transformation] = []
    for choice in choices(tiles, at):
        made = _at(notes, node, specification, choice, at)
        if notes.has_errors or notes.unsupported:
            return None
        if made is not None:
            found.append(made)
    if not found:
        notes.error(
            CannotStandHere("a requirement that no tile size satisfies", "one that some do"), node.head.word.span
        )
        return None
    return TiledTransformation(tuple(found), all(name in at for name in tiles))


def _has_too_many(notes: Notes, node: TransformDecl, tiles: Sequence[str], at: Listed) -> bool:
    """Whether there are more choices of tile sizes than are looked at, which is noted."""
    if not too_many(tiles, at):
        return False
    notes.error(CannotStandHere("so many combinations of values", f"at most {MANY} of them"), node.at[0].span)
    return True


def _listed(notes: Notes, node: TransformDecl, specification: Nest) -> Listed:
    """The values after `at`, which are of tile sizes and of parameters of the specification."""
    scope = _as_specified(notes, specification, node.parameters)
    scope.integers |= {each.name.text: AffineVariable(Name(each.name.text)) for each in node.parameters}
    return listed(scope, node.at)


def _at(notes: Notes, node: TransformDecl, specification: Nest, choice: Choice, at: Listed) -> Transformation | None:
    """The transform for one choice of its tile sizes, None if its requirements exclude it."""
    scope = _as_specified(notes, specification, node.parameters)
    scope.integers |= {str(name): AffineNumber(value) for name, value in choice}
    given = pinned([name for name, _ in choice], at)
    found = contents(scope, node.items)
    if any(truth(each) is False for each in found.requires):
        return None
    spoken = tuple(each for each in found.requires if truth(each) is None)
    found = replace(found, requires=(*spoken, *(one_of(name, values) for name, values in given)))
    called = Name(node.head.name.text if node.head.name is not None else "")
    made = nest(scope, called, specification.parameters, found, specification)
    return Transformation(specification, made, choice, given)


def _as_specified(notes: Notes, specification: Nest, tiles: tuple[nodes.Parameter, ...]) -> NestScope:
    """A scope with the parameters and arrays of a specification, and with tile sizes, which have no values yet."""
    integers = {str(name): AffineVariable(name) for name in specification.parameters}
    scope = NestScope(notes, dict(integers), {str(each.name): each for each in specification.arrays})
    for each in tiles:
        scope.parameter(each)
    return scope
