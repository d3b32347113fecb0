"""What is said of a refinement that fails: which result, by which input, and where the distributed graph departs.

Owns the search for an input on which a result fails, and the findings. Must not know how the facts of a finding are
worded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from rewright.graphs.decide import DecidedRefinement, Passes
from rewright.graphs.decision import NotRelated, Relation, RelationsMissing
from rewright.graphs.departures import Departure, Departures
from rewright.graphs.differences import OTHERWISE
from rewright.graphs.holdings import HeldNodes
from rewright.graphs.interpretation import Rank, ranks_of
from rewright.graphs.sizes import sizes_of
from rewright.graphs.text import placement_text, size_text
from rewright.model.graph import Graph, Placed, Refinement
from rewright.model.index import Name
from rewright.replay.elements import NotReplayable
from rewright.replay.graphs.expectation import ExpectationFails, failing_expectation
from rewright.replay.graphs.recovery import Unrecoverable, unrecoverable
from rewright.replay.graphs.related import RankTensor, ShownRun
from rewright.replay.graphs.sizes import sizes_to_try
from rewright.verdict import (
    Answer,
    Coverage,
    Diagnosis,
    Failure,
    Finding,
    HeldElement,
    InDeclaration,
    Method,
    RangeOfDimension,
    RefinementCause,
    RefinementWitness,
    Related,
    Role,
    Severity,
    Site,
    TensorValue,
    Verdict,
)
from rewright.verdict.diagnostics.graphs import HeldOtherwise, NoCleanExpression

WITHOUT_INPUT = RefinementWitness(
    fails=Failure.VALIDITY,
    sizes=(),
    sequential=(),
    distributed=(),
    output="",
    index=(),
    expected="",
    held=(),
    cause=None,
    replayed=True,
)
"""What is shown of a refinement that no input satisfies."""


MOST_FINDINGS = 8
"""Results of which it is said where they depart: each of them is replayed."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A result that may not be held: what is expected of it and where that stands, and how the ranks depart, the first
    of them first."""

    expected: Placed | None
    departures: Callable[[], tuple[Departure, ...]]


Suspects = Mapping[Name, Suspect]


def not_related(asked: Refinement, decided: DecidedRefinement, passes: Passes, found: RelationsMissing) -> Suspects:
    """The results for which no relation was found."""
    search = cache(lambda: Departures(decided, HeldNodes(asked, passes)))
    nodes = {each.name: each.node for each in asked.distributed.results}
    stated = {each.name: each for each in asked.expected}
    first = asked.distributed.results[0].node

    def departures(of: NotRelated) -> tuple[Departure, ...]:
        return search().of(of, nodes.get(of.result, first))

    return {each.result: Suspect(stated.get(each.result), partial(departures, each)) for each in found.not_related}


def undefined(asked: Refinement, relations: tuple[Relation, ...]) -> Suspects:
    """The results that are held where both graphs are defined: the distributed one may not be."""
    nodes = {each.name: each.node for each in asked.distributed.results}
    stated = {each.name: each for each in asked.expected}
    rank = ranks_of(asked.distributed)[0]

    def departures(of: Relation) -> tuple[Departure, ...]:
        return (Departure(OTHERWISE, nodes[of.held_as], rank),)

    return {each.result: Suspect(stated.get(each.result), partial(departures, each)) for each in relations}


def refuted(asked: Refinement, suspects: Suspects) -> Answer | None:
    """The answer if one of these results fails when replayed, None if none does.

    Of the others those that depart elsewhere and fail, too, are findings of their own.
    """
    witness = _witness(asked, suspects)
    if witness is None:
        return None
    findings = [_finding(asked, suspects[Name(witness.output)], witness)]
    for name, suspect in list(suspects.items())[:MOST_FINDINGS]:
        departs = _place(asked.distributed, suspect.departures()[0])
        if name != witness.output and all(departs != each.place for each in findings):
            other = _witness(_alone(asked, name), {name: suspect})
            findings += [_finding(asked, suspect, other)] if other is not None else []
    coverage = Coverage("one input, replayed", bounded=False)
    return Answer(Verdict.REFUTED, coverage, Method.REPLAY, findings=tuple(findings), witness=witness)


def _alone(asked: Refinement, name: Name) -> Refinement:
    """The refinement of one result only."""
    results = tuple(each for each in asked.sequential.results if each.name == name)
    stated = tuple(each for each in asked.expected if each.name == name)
    return replace(asked, sequential=replace(asked.sequential, results=results), expected=stated)


def _witness(asked: Refinement, suspects: Suspects) -> RefinementWitness | None:
    """An input on which one of these results fails, None if none was found."""
    try:
        for sizes in sizes_to_try(asked):
            failing = failing_expectation(asked, sizes)
            if isinstance(failing, ExpectationFails) and failing.output in suspects:
                return _of_expectation(asked, failing, suspects[failing.output].departures()[0])
            missing = unrecoverable(asked, sizes)
            if missing is not None and missing.output in suspects:
                return _of_relation(asked, missing, suspects[missing.output].departures()[0])
    except NotReplayable:
        return None
    return None


def _place(graph: Graph, departure: Departure) -> InDeclaration:
    return InDeclaration(graph.name, graph.nodes[departure.node].site)


def _finding(asked: Refinement, suspect: Suspect, witness: RefinementWitness) -> Finding:
    departure, *others = suspect.departures()
    related = tuple(_related(asked, departure, others))
    place, to_the_end = _place(asked.distributed, departure), departure.is_never_summed
    if witness.fails is not Failure.EXPECTATION or suspect.expected is None:
        said: Diagnosis = NoCleanExpression(witness.output, witness.cause, to_the_end)
        return Finding(said, Severity.ERROR, place, related)
    stated = Related(Role.FIRST, Site(suspect.expected.site))
    said = HeldOtherwise(witness.output, placement_text(suspect.expected.placements), witness.cause, to_the_end)
    return Finding(said, Severity.ERROR, place, (*related, stated))


def _related(asked: Refinement, departure: Departure, others: Sequence[Departure]) -> Iterator[Related]:
    graph = asked.distributed
    if departure.beside is not None:
        site = asked.sequential.nodes[departure.beside].site
        yield Related(Role.SECOND, InDeclaration(asked.sequential.name, site))
    if departure.origin is not None:
        yield Related(Role.ORIGIN, InDeclaration(graph.name, graph.nodes[departure.origin].site))
    for placed in asked.inputs:
        if placed.name in departure.inputs and placed.site:
            yield Related(Role.INPUT, Site(placed.site))
    for place in dict.fromkeys(_place(graph, each) for each in others):
        if place != _place(graph, departure):
            yield Related(Role.ALSO, place)


def _of_expectation(asked: Refinement, failing: ExpectationFails, departure: Departure) -> RefinementWitness:
    numbers = _numbers(asked.distributed)
    return replace(
        _shown(failing.run),
        fails=Failure.EXPECTATION,
        output=failing.output,
        index=failing.index,
        expected=failing.expected,
        held=tuple(HeldElement(numbers[entry.rank], entry.element) for entry in failing.entries),
        cause=_cause(asked, departure),
    )


def _of_relation(asked: Refinement, missing: Unrecoverable, departure: Departure) -> RefinementWitness:
    numbers = _numbers(asked.distributed)
    return replace(
        _shown(missing.run),
        output=missing.output,
        index=missing.index,
        expected=missing.expected,
        held=tuple(
            HeldElement(numbers[rank], element)
            for rank, value in missing.run.held
            for element in _element_at(value, missing.index)
        ),
        cause=_cause(asked, departure),
    )


def _element_at(value: TensorValue, index: tuple[int, ...]) -> tuple[str, ...]:
    """The element at an index, if the tensor has it."""
    if len(index) != len(value.shape) or any(at >= size for at, size in zip(index, value.shape, strict=True)):
        return ()
    flat = 0
    for at, size in zip(index, value.shape, strict=True):
        flat = flat * size + at
    return (value.data[flat],)


def _shown(run: ShownRun) -> RefinementWitness:
    """The inputs of a run, of which it is still to be said what they show."""
    return replace(
        WITHOUT_INPUT,
        fails=Failure.RELATION,
        sizes=run.sizes,
        sequential=run.sequential,
        distributed=tuple((name, _by_rank(ranks)) for name, ranks in run.distributed),
    )


def _by_rank(ranks: tuple[RankTensor, ...]) -> tuple[TensorValue, ...]:
    return tuple(value for _, value in ranks)


def _cause(asked: Refinement, departure: Departure) -> RefinementCause:
    multiples = sizes_of(asked).multiples
    difference = departure.difference
    box: tuple[RangeOfDimension, ...] = ()
    if difference.range is not None and difference.whole is not None:
        ends = (size_text(each, multiples) for each in (difference.range.low, difference.range.high))
        box = (RangeOfDimension(size_text(difference.whole, multiples), *ends),)
    named = {each.node: each.name for each in asked.distributed.results}
    return RefinementCause(
        difference.kind,
        named.get(departure.node, ""),
        _numbers(asked.distributed)[departure.rank],
        box,
        str(difference.factor) if difference.factor is not None else None,
    )


def _numbers(graph: Graph) -> Mapping[Rank, int]:
    return {rank: number for number, rank in enumerate(ranks_of(graph))}
