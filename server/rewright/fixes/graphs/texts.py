"""The texts of a refinement and its graphs: read as a file of their own, before and after a change.

Must not know which changes are tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rewright.fixes.edited import edited
from rewright.fixes.graphs.question import PARTS, Part
from rewright.model.declared import Declared
from rewright.model.file import check_file
from rewright.model.graph import Graph, Refinement, RefinementFamily
from rewright.syntax.nodes import GraphDecl, RefineDecl
from rewright.syntax.parsed import parse
from rewright.syntax.text import Span, Text
from rewright.verdict import Edit


@dataclass(frozen=True, slots=True)
class ReadRefinement:
    """The declarations as they are read, and the refinement on each of its meshes."""

    texts: Mapping[Part, Text]
    graph: GraphDecl
    refinement: RefineDecl
    sites: tuple[Span, ...]
    members: tuple[Refinement, ...]

    @property
    def distributed(self) -> Graph:
        """The distributed graph, on the first mesh."""
        return self.members[0].distributed


def read(texts: tuple[str, str, str]) -> ReadRefinement | None:
    """The declarations of these texts; None if they have errors, or are not what is asked for."""
    whole = Text.of("", "\n".join(texts))
    parsed = parse(whole)
    declared = check_file(parsed, lambda path: None).declarations
    placed = parsed.file.declarations
    if len(declared) != len(PARTS):
        return None
    members = members_of(declared[2])
    match placed[1].node, placed[2].node:
        case GraphDecl() as graph, RefineDecl() as refinement if members:
            own = {part: Text.of(part, text) for part, text in zip(PARTS, texts, strict=True)}
            return ReadRefinement(own, graph, refinement, declared[1].sites, members)
        case _:
            return None


def members_of(declared: Declared) -> tuple[Refinement, ...]:
    """The refinement on each of its meshes; none if the declaration is no refinement of graphs of the language."""
    match declared.value:
        case Refinement() as only:
            return (only,)
        case RefinementFamily(members=members):
            return members
        case _:
            return ()


def changed(texts: tuple[str, str, str], edits: Iterable[Edit]) -> tuple[str, str, str]:
    """The texts after a change."""
    after = edited(dict(zip(PARTS, texts, strict=True)), edits)
    return after["sequential"], after["distributed"], after["refinement"]
