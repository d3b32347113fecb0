"""What is known of the tensors of a distributed graph: by which placements the ranks hold them.

Owns the way from a name in a graph to what the answer about its refinement says. Must not know how that is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from rewright.lsp.session import Session
from rewright.model.check_graph.statements import assignments
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared
from rewright.report.document import FileReport
from rewright.report.tables import code
from rewright.syntax import nodes
from rewright.syntax.nodes import GraphDecl, Placed
from rewright.syntax.text import Span
from rewright.verdict import HeldTensor, HeldTensors


class HeldHere(Struct, frozen=True):
    """A tensor of a graph, and the mesh that holds it; `whole` says which tensor it is of the sequential graph."""

    tensor: HeldTensor
    mesh: tuple[tuple[str, int], ...]
    whole: str


def held_in(session: Session, path: str, placed: Placed, declared: Declared) -> Mapping[str, HeldHere]:
    """What is held under the names of a graph's inputs and assignments, by the first refinement that says it."""
    node, file = placed.node, session.workspace.file(path)
    if file is None or not isinstance(node, GraphDecl):
        return {}
    for compared in compared_in(file):
        if compared.distributed != declared.name:
            continue
        by_site = {tensor.site: tensor for tensor in compared.held.tensors}
        texts = _texts(session, path, compared.sequential)
        found: dict[str, HeldHere] = {}
        for name, places in values_of(node, declared).items():
            known = [by_site[site] for site in places if site in by_site]
            # What a loop carries has several values: it is said of all of them, or not at all.
            if len(known) == len(places) and len({each.placements for each in known}) == 1:
                whole = _whole(known[-1], compared.sequential, texts)
                found[name] = HeldHere(known[-1], compared.held.mesh, whole)
        return found
    return {}


class Compared(Struct, frozen=True):
    """The names of two graphs, and what was found of the tensors of the one on ranks."""

    distributed: str
    sequential: str
    held: HeldTensors


def compared_in(file: FileReport) -> Iterator[Compared]:
    """The refinements of a file whose answer says what ranks hold."""
    for result in file.results:
        distributed, _, sequential = result.name.partition(" of ")
        answer = result.leading.answer if result.leading is not None else None
        if result.kind == DeclarationKind.REFINEMENT and answer is not None and answer.held is not None:
            yield Compared(distributed, sequential, answer.held)


def values_of(node: GraphDecl, declared: Declared) -> Mapping[str, list[int]]:
    """The names of a graph's tensors, each with the sites of its values, -1 for one that has none."""
    sites = {span: number for number, span in enumerate(declared.sites)}
    named: dict[str, list[int]] = {}
    for name, span in _values(node):
        named.setdefault(name, []).append(sites.get(span, -1))
    return named


def _values(node: GraphDecl) -> Iterator[tuple[str, Span]]:
    """The names of a graph's tensors, each with what its value is made at."""
    for parameter in node.parameters:
        yield parameter.name.text, parameter.name.span
    for item in assignments(node.items):
        match item:
            case (
                nodes.Assign(target=nodes.Name(text=text), operator="=", value=value)
                | nodes.Let(targets=(nodes.Name(text=text),), value=value)
            ):
                yield text, value.span
            case nodes.Assign(target=nodes.Name(text=text)):
                yield text, item.span
            case _:
                pass


def _texts(session: Session, path: str, graph: str) -> list[str]:
    """What stands at the sites of a graph of the same file."""
    parsed = session.workspace.parsed(path)
    return [] if parsed is None else [parsed.text.slice(span) for span in sites_of(session, path, graph)]


def sites_of(session: Session, path: str, graph: str) -> list[Span]:
    """Where the sites of a graph of a file stand in it; none if there is no such graph."""
    parsed, model = session.workspace.parsed(path), session.workspace.model(path)
    if parsed is None or model is None:
        return []
    for placed, declared in zip(parsed.file.declarations, model.declarations, strict=True):
        if declared.name == graph and isinstance(placed.node, GraphDecl):
            return [placed.absolute(span) for span in declared.sites]
    return []


def _whole(tensor: HeldTensor, graph: str, texts: list[str]) -> str:
    if tensor.of >= len(texts):
        return f"a tensor of {code(graph)}"
    return f"{code(texts[tensor.of])} in {code(graph)}"
