"""Expressions in a refinement of graphs in sources, once these are read: inputs in another form, equations of results.

Owns the way from expressions as text to nodes of the graphs; what is wrong with one is noted at its site. Must not know
how inputs correspond.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rewright.model.check_graph.equations import with_equations
from rewright.model.check_graph.relations import with_relations
from rewright.model.foreign_graph import StatedExpression
from rewright.model.graph import Graph, Refinement, Shard
from rewright.model.notes import Notes
from rewright.syntax import nodes
from rewright.syntax.parsed import parse
from rewright.syntax.text import Span, Text
from rewright.verdict import Finding, Severity, Site
from rewright.verdict.diagnostics.rules import NotDecided


class WrittenExpressions(Notes):
    """Expressions of the form `left = right`, read, and what is wrong with them: each place is the site of one."""

    def __init__(self, stated: Sequence[StatedExpression]) -> None:
        super().__init__(Span(0, 0))
        lines = "\n".join(f"  expect {each.left} = {each.right}" for each in stated)
        (placed,) = parse(Text.of("", f"refine a of b {{\n{lines}\n}}\n")).file.declarations
        assert isinstance(placed.node, nodes.RefineDecl) and not placed.problems
        self._written = [(item.span, each.site) for item, each in zip(placed.node.items, stated, strict=True)]
        wholes = (item.what for item in placed.node.items if isinstance(item, nodes.Expect))
        self.equations = [each for each in wholes if isinstance(each, nodes.Assign)]

    def site(self, span: Span) -> int:
        return next((site for own, site in self._written if own.start <= span.start < own.end), 0)

    def related(self, graphs: tuple[Graph, Graph], shards: Mapping[str, Sequence[Shard]]) -> tuple[Graph, Graph] | None:
        """The distributed and the sequential graph, with inputs that correspond by their names; None, noted, if an
        expression is wrong."""
        made = with_relations(self, graphs, self.equations, shards)
        return None if self.has_errors or self.unsupported else made

    def equal(self, asked: Refinement) -> Refinement:
        """The refinement with the equations that are expected, whatever is wrong with them noted."""
        return with_equations(self, asked, self.equations)

    def noted(self) -> Iterator[Finding]:
        """What is wrong with the expressions."""
        yield from self.findings()
        for each in self.unsupported:
            yield Finding(NotDecided(each.reason), Severity.WARNING, Site(each.site))
