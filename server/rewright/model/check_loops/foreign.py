"""Nests of sources: what a declaration says of one before its source is read."""

from __future__ import annotations

from rewright.model.foreign_nest import ForeignNest
from rewright.model.index import Name
from rewright.model.nest import Nest
from rewright.model.notes import Notes
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
    for item in node.items[:1]:
        notes.not_supported("a body beside a nest from a file", item.span)
    if node.head.name is None:
        return None
    name = Name(node.head.name.text)
    entry = source.entry.text if source.entry is not None else str(name)
    return ForeignNest(name, source.path.value, entry, (), of, notes.site(source.span))
