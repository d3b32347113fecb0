"""The texts of a refinement and its graphs: read as a file of their own, before and after a change.

Must not know which changes are tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from rewright.fixes.edited import edited
from rewright.fixes.graphs.question import CALLED, PARTS, Part
from rewright.model.check_graph.declaration import graph_at
from rewright.model.check_graph.open_graph import OpenGraph
from rewright.model.declared import Declared
from rewright.model.file import check_file
from rewright.model.graph import Graph, Refinement, RefinementFamily
from rewright.syntax.nodes import Declaration, GraphDecl, RefineDecl
from rewright.syntax.parsed import parse
from rewright.syntax.text import Span, Text
from rewright.verdict import Edit

Texts = tuple[tuple[str, str, str], tuple[tuple[str, str], ...]]
"""The texts of the declarations, and by name those of the graphs that they call."""


class ReadCallee(Struct, frozen=True):
    """A graph that is called, on the first mesh."""

    text: Text
    node: GraphDecl
    sites: tuple[Span, ...]
    graph: Graph


class ReadRefinement(Struct, frozen=True):
    """The declarations as they are read, and the refinement on each of its meshes; `called` are the graphs that the
    distributed one may call."""

    texts: Mapping[Part, Text]
    graph: GraphDecl
    refinement: RefineDecl
    sites: tuple[Span, ...]
    members: tuple[Refinement, ...]
    called: tuple[ReadCallee, ...] = ()

    @property
    def distributed(self) -> Graph:
        """The distributed graph, on the first mesh."""
        return self.members[0].distributed


def read(texts: Texts) -> ReadRefinement | None:
    """The declarations of these texts; None if they have errors, or are not what is asked for."""
    parts, called = texts
    parsed = parse(Text.of("", "\n".join((*(text for _, text in called), *parts))))
    declared = check_file(parsed, lambda path: None).declarations
    placed = parsed.file.declarations
    if len(declared) != len(called) + len(PARTS):
        return None
    members = members_of(declared[-1])
    match placed[-2].node, placed[-1].node:
        case GraphDecl() as graph, RefineDecl() as refinement if members:
            own = {part: Text.of(part, text) for part, text in zip(PARTS, parts, strict=True)}
            callees = zip(called, placed, declared, strict=False)
            read_ = (_callee(text, each.node, one, members[0].distributed) for (_, text), each, one in callees)
            known = tuple(each for each in read_ if each is not None)
            return ReadRefinement(own, graph, refinement, declared[-2].sites, members, known)
        case _:
            return None


def _callee(text: str, node: Declaration, declared: Declared, caller: Graph) -> ReadCallee | None:
    """A graph that is called; None if there is no such on a mesh of the caller's axes."""
    sizes = {str(axis.name): axis.size for axis in caller.mesh}
    graph = declared.value
    if isinstance(graph, OpenGraph):
        graph = graph_at(graph, {axis: sizes.get(axis, 2) for axis in graph.axes})
    if not isinstance(node, GraphDecl) or not isinstance(graph, Graph) or not graph.mesh:
        return None
    return ReadCallee(Text.of(f"{CALLED}{declared.name}", text), node, declared.sites, graph)


def members_of(declared: Declared) -> tuple[Refinement, ...]:
    """The refinement on each of its meshes; none if the declaration is no refinement of graphs of the language."""
    match declared.value:
        case Refinement() as only:
            return (only,)
        case RefinementFamily(members=members):
            return members
        case _:
            return ()


def changed(texts: Texts, edits: Iterable[Edit]) -> Texts:
    """The texts after a change."""
    parts, called = texts
    before: dict[str, str] = dict(zip(PARTS, parts, strict=True))
    after = edited(before | {f"{CALLED}{name}": text for name, text in called}, edits)
    return (
        (after["sequential"], after["distributed"], after["refinement"]),
        tuple((name, after[f"{CALLED}{name}"]) for name, _ in called),
    )
