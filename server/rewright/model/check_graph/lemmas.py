"""Lemmas of graphs: from a declaration's node to two nodes of a graph on one device, or to what is wrong with it."""

from __future__ import annotations

from msgspec.structs import replace

from rewright.model.check_attributes import attributes, check_quantified
from rewright.model.check_graph.declaration import callees_of, declare_parameter
from rewright.model.check_graph.expressions import numbers
from rewright.model.check_graph.scope import GraphScope
from rewright.model.check_graph.sizes import shape_text
from rewright.model.conclusion import concluded
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared, SymbolKind
from rewright.model.graph import Graph, GraphLemma
from rewright.model.index import Name
from rewright.model.notes import notes_for
from rewright.model.surroundings import Surroundings
from rewright.syntax import nodes
from rewright.syntax.nodes import LemmaDecl
from rewright.verdict.diagnostics.graphs import SizesDiffer
from rewright.verdict.diagnostics.names import AnotherRewrite, CannotStandHere, NoRewrite


def check_lemma(node: LemmaDecl, surroundings: Surroundings) -> Declared:
    """The lemma as the model understands it."""
    notes = notes_for(node.head)
    scope = GraphScope(notes, callees=callees_of(node, surroundings))
    written = attributes(notes, node.head.attributes)
    check_quantified(notes, written, [])
    name, word = node.head.name, node.head.word
    if name is not None:
        notes.define(name, SymbolKind.DECLARATION, f"lemma {name.text}")
    if word.text != "lemma":
        notes.error(CannotStandHere("a rule with parameters", "`lemma`"), word.span)
    for parameter in node.parameters:
        declare_parameter(scope, parameter)
    sides = _sides(scope, node)
    if scope.facts and name is not None:
        notes.not_supported("a lemma of a graph that requires something of sizes", name.span)
    value = None
    if name is not None and sides is not None and not notes.has_errors and not notes.unsupported:
        graph = Graph(Name(name.text), (), tuple(scope.computed), (), tuple(scope.facts))
        value = GraphLemma(Name(name.text), graph, *sides, notes.site(name.span))
    kind = DeclarationKind(word.text)
    return replace(concluded(notes, node.head, written, kind), value=value)


def _sides(scope: GraphScope, node: LemmaDecl) -> tuple[int, int] | None:
    rewrites = [each for each in node.items if isinstance(each, nodes.Rewrite)]
    for item in node.items:
        if not isinstance(item, nodes.Rewrite):
            scope.notes.error(CannotStandHere("this", "an equation `left => right` of what graphs compute"), item.span)
    if len(rewrites) != 1:
        place = rewrites[1].span if rewrites else (node.head.name or node.head.word).span
        scope.notes.error(AnotherRewrite() if rewrites else NoRewrite(), place)
        return None
    (rewrite,) = rewrites
    left, right = numbers(scope, rewrite.left), numbers(scope, rewrite.right)
    if left is None or right is None or rewrite.arrow is None:
        return None
    shapes = [[each.size for each in side.dimensions] for side in (left, right)]
    if shapes[0] != shapes[1]:
        scope.notes.error(SizesDiffer(rewrite.arrow.text, *map(shape_text, shapes)), rewrite.arrow.span)
        return None
    return left.number, right.number
