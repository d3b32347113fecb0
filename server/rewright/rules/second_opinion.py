"""What was decided, asked again of a second solver.

Owns the list of what is asked: every query that the first solver answered; for a rule that was proved, by whatever
means, a countermodel of the rule as it was read at small ranks, and an input; for one that was refuted, a countermodel
at the ranks of the counterexample; for a vacuous one, an input. The statements of the operators are not doubted here:
both solvers are asked about the same terms (docs/soundness.md, "What is trusted").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from msgspec import Struct

from rewright.equality import Fact
from rewright.rules.claim import Claim
from rewright.rules.decision import Bounded, Decision, Proved, Vacuous
from rewright.rules.raw import Ranks, full, on_axes, premises, raw_query
from rewright.rules.vacuity import decisive
from rewright.solve import Guard, Query, SolverOutcome, open_session
from rewright.solve.second import second_answer, second_text

RANK = 2
"""The greatest rank of a class that is asked about."""

VECTORS = 9
"""A proved rule is asked at so many rank vectors, the least in total first."""

RESOURCES = 400_000
"""cvc5's, for all of one question: some 2 s. What is not asked by then counts as not answered."""

SECONDS = 60.0
"""Of processor time for all of one question: a guard beside the resources."""


class Again(Struct, frozen=True):
    """A query, what it is about, and what it has to be answered if nothing is wrong.

    `confirms`: it asks for what a proof excludes; without an answer the proof is not confirmed.
    """

    about: str
    query: Query
    expected: SolverOutcome
    confirms: bool = False


class Disagreement(Struct, frozen=True):
    """A query on which the two differ, and its text as each solver is asked it."""

    about: str
    first: SolverOutcome
    second: SolverOutcome
    text: str


class Opinion(Struct, frozen=True):
    """How many answers the second solver gave, too; what it did not answer, and why; where it says otherwise.

    `confirmed`: it was asked for what a proof excludes, and gave every answer.
    """

    agreed: int
    unanswered: tuple[str, ...]
    disagreements: tuple[Disagreement, ...]
    confirmed: bool


def opinion(questions: Iterable[Again]) -> Opinion:
    """What the second solver says to the queries.

    What it gives up on at few axes it is not asked at more: the proof is not confirmed in any case.
    """
    guard, left = Guard(SECONDS), RESOURCES
    agreed, unanswered, disagreements = 0, [], []
    needed = confirmed = 0
    gave_up = False
    for again in questions:
        needed += again.confirms
        if left <= 0 or guard.over or (again.confirms and gave_up):
            unanswered.append(f"{again.about}: not asked")
            continue
        said = second_answer(again.query)
        left -= said.resources
        if said.outcome is again.expected:
            agreed += 1
            confirmed += again.confirms
        elif said.outcome is SolverOutcome.GAVE_UP:
            gave_up |= again.confirms and said.resources > 0
            unanswered.append(f"{again.about}: {said.why}")
        else:
            disagreements.append(Disagreement(again.about, again.expected, said.outcome, _text(again.query)))
    return Opinion(agreed, tuple(unanswered), tuple(disagreements), 0 < needed == confirmed)


def _text(query: Query) -> str:
    first, second = open_session(query).text(), second_text(query)
    return f"; as z3 is asked\n{first}\n; as cvc5 is asked\n{second}"


def asked_before(answers: Iterable[tuple[Query, SolverOutcome]]) -> Iterator[Again]:
    """The queries that the first solver answered, each once."""
    for number, (query, outcome) in enumerate(dict(answers).items(), 1):
        yield Again(f"query {number} {_at(query.ranks)}", query, outcome)


def about_decision(claim: Claim, decision: Decision) -> Iterator[Again]:
    """What a proof, or a rule being vacuous, says about the rule as it was read."""
    match decision:
        case Proved(only_empty=only_empty) | Bounded(only_empty=only_empty):
            for ranks in _vectors(claim, dict(decision.limits) if isinstance(decision, Bounded) else {}):
                about = f"the rule as it was read {_at(ranks)}"
                yield Again(about, raw_query(claim, ranks, None), SolverOutcome.UNSATISFIABLE, confirms=True)
            with_result = SolverOutcome.UNSATISFIABLE if only_empty else SolverOutcome.SATISFIABLE
            yield from _inputs(claim, "an input with a result", claim.in_range, with_result)
            yield from _inputs(claim, "an input", (), SolverOutcome.SATISFIABLE)
        case Vacuous():
            yield from _inputs(claim, "an input", (), SolverOutcome.UNSATISFIABLE)
        case _:
            return


def about_counterexample(claim: Claim, ranks: Iterable[tuple[str, int]]) -> Again:
    """That a countermodel exists at the ranks of a counterexample, given by class."""
    at = full(claim, ranks)
    return Again(f"the counterexample {_at(at)}", raw_query(claim, at, None), SolverOutcome.SATISFIABLE)


def _vectors(claim: Claim, limits: Mapping[str, int]) -> list[Ranks]:
    """The least rank vectors, in which no group exceeds its limit."""
    names = claim.scope.rank_classes
    most = dict.fromkeys(names, RANK)
    for group in claim.rule.groups:
        if group.rank_class in most and group.name in limits:
            most[group.rank_class] = min(most[group.rank_class], limits[group.name])
    vectors = product(*(range(int(name in claim.scope.nonempty), most[name] + 1) for name in names))
    least = sorted(vectors, key=lambda vector: (sum(vector), vector))[:VECTORS]
    return [tuple(zip(names, vector, strict=True)) for vector in least]


def _inputs(claim: Claim, about: str, besides: Iterable[Fact], expected: SolverOutcome) -> Iterator[Again]:
    """An input at the ranks that decide whether there is one; nothing is asked where none are known to."""
    ranks = decisive(claim)
    if ranks is not None:
        more = [part for fact in besides for part in on_axes(fact, ranks)]
        yield Again(about, Query(ranks, (*premises(claim, ranks), *more)), expected)


def _at(ranks: Ranks) -> str:
    return "at " + (", ".join(f"{name} = {rank}" for name, rank in ranks) or "the only rank")
