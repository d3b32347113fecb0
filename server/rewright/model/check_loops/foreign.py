"""Nests of sources: what a declaration says of one before its source is read."""

from __future__ import annotations

from rewright.model.foreign_nest import ForeignNest
from rewright.model.index import Name
from rewright.model.nest import Nest, Relaxations
from rewright.model.notes import Notes
from rewright.syntax import nodes
from rewright.syntax.nodes import LoopsDecl, SourceRef, TransformDecl
from rewright.verdict.diagnostics.names import CannotStandHere


def foreign_nest(
    notes: Notes, node: LoopsDecl | TransformDecl, source: SourceRef, of: Nest | ForeignNest | None
) -> ForeignNest | None:
    """The nest that a declaration names in a source, a transform of `of`; None if the declaration has no name.

    Without `::` it is the region or function that has the declaration's name.
    """
    for parameter in node.parameters[:1] if isinstance(node, LoopsDecl) else ():
        where = f"`{source.path.value}`, which says what the parameters are"
        notes.error(CannotStandHere("a parameter", f"it in {where}"), parameter.span)
    for argument in source.arguments[:1]:
        notes.error(CannotStandHere("an argument", "the name of a region or a function alone"), argument.span)
    relaxed = Relaxations()
    for item in node.items:
        match item:
            case nodes.Private(names=names):
                relaxed = relaxed.also(Relaxations(tuple(Name(each.text) for each in names)))
            case nodes.Reduction(names=names):
                relaxed = relaxed.also(Relaxations((), tuple(each.text for each in names)))
            case _:
                notes.not_supported("a statement beside a nest from a file", item.span)
                break
    if node.head.name is None:
        return None
    name = Name(node.head.name.text)
    entry = source.entry.text if source.entry is not None else str(name)
    return ForeignNest(name, source.path.value, entry, (), of, notes.site(source.span), relaxed)
