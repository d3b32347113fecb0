"""Changes of a graph or a refinement with which it is proved: guessed, made, proved, and only then offered.

Invariant: a change is offered only if the changed refinement was proved on each of its meshes, replay included. Must
not know how a change is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

from rewright.checks.refinement import answer_all
from rewright.fixes.graphs.candidates import KINDS, candidates, in_called
from rewright.fixes.graphs.question import GraphFix, GraphFixes, GraphSearch
from rewright.fixes.graphs.texts import ReadRefinement, Texts, changed, read
from rewright.graphs.decide import decide
from rewright.graphs.decision import Relation, RelationsFound, RelationsMissing
from rewright.graphs.interpretation import ranks_of
from rewright.graphs.text import placement_text
from rewright.model.graph import Refinement
from rewright.verdict import Answer, InDeclaration, RefinementWitness, Verdict

if TYPE_CHECKING:
    from rewright.rules.decision import Budget

MOST_NODES = 40_000
"""Nodes on ranks that are computed in a search: some seven seconds."""


def graph_fixes(payload: GraphSearch, budget: Budget) -> GraphFixes:
    """The changes with which a refinement is proved: of each kind of change the first."""
    texts = payload.texts, payload.called
    asked = read(texts)
    if asked is None:
        return GraphFixes((), complete=True)
    search = _Search(texts, asked, budget)
    found = sorted(search.found(), key=lambda each: KINDS.index(each[0]))
    return GraphFixes(tuple(fix for _, fix in found), not search.late)


class _Search:
    """The search for one refinement, until as many nodes were computed as may be."""

    def __init__(self, texts: Texts, asked: ReadRefinement, budget: Budget) -> None:
        self._texts = texts
        self._asked = asked
        self._budget = budget
        self._nodes = MOST_NODES
        self.late = False

    def found(self) -> Iterator[tuple[str, GraphFix]]:
        """Each change that is found, with its kind."""
        answer = answer_all(self._asked.members, self._budget)
        offered: set[str] = set()
        factor = _factor(answer)
        guesses = chain(
            candidates(self._asked, self._departure(answer), factor, self._held()), in_called(self._asked, factor)
        )
        for candidate in guesses:
            if self._nodes <= 0:
                self.late = True
                return
            if candidate.kind not in offered and self._is_proved(changed(self._texts, candidate.edits)):
                offered.add(candidate.kind)
                yield candidate.kind, GraphFix(candidate.title, candidate.edits)

    def _departure(self, answer: Answer) -> int:
        """The node of the distributed graph that the answer's finding is about, else the last one."""
        graph = self._asked.distributed
        for finding in answer.findings:
            match finding.place:
                case InDeclaration(_, site):
                    at = [number for number, each in enumerate(graph.nodes) if each.site == site]
                    return at[-1] if at else len(graph.nodes) - 1
                case _:
                    pass
        return len(graph.nodes) - 1

    def _held(self) -> Iterator[tuple[str, str]]:
        """The placements by which results are held on every mesh in the place of those that are expected."""
        found = [decide(each).decision for each in self._asked.members]
        related: list[dict[str, Relation]] = []
        for each in found:
            if isinstance(each, RelationsMissing):
                related.append({one.result: one.found for one in each.not_related if one.found is not None})
        if len(related) == len(found):
            for name, relation in related[0].items():
                same = all(each.get(name) == relation for each in related)
                if same and relation.held_as == name:
                    yield name, placement_text(relation.placements)

    def _is_proved(self, texts: Texts) -> bool:
        after = read(texts)
        if after is None:
            self._nodes -= len(self._asked.distributed.nodes)
            return False
        if not all(self._has_relations(each) for each in after.members):
            return False
        return answer_all(after.members, self._budget).verdict is Verdict.PROVED

    def _has_relations(self, asked: Refinement) -> bool:
        self._nodes -= len(asked.distributed.nodes) * len(ranks_of(asked.distributed)) + len(asked.sequential.nodes)
        return isinstance(decide(asked).decision, RelationsFound)


def _factor(answer: Answer) -> Fraction | None:
    """By which factor a value departs, None if it is not known."""
    witness = answer.witness
    cause = witness.cause if isinstance(witness, RefinementWitness) else None
    return Fraction(cause.factor) if cause is not None and cause.factor is not None else None
