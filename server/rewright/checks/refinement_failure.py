"""What is said of a refinement that fails: which result, by which input, and where the distributed graph departs.

Owns the search for an input on which a result fails, and the findings. Must not know how the facts of a finding are
worded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial

from msgspec import Struct
from msgspec.structs import replace

from rewright.graphs.decide import DecidedRefinement, Passes
from rewright.graphs.decision import NotRelated, Relation, RelationsMissing
from rewright.graphs.departures import Departure, Departures
from rewright.graphs.differences import OTHERWISE
from rewright.graphs.holdings import HeldNodes
from rewright.graphs.interpretation import Rank, ranks_of
from rewright.graphs.sizes import sizes_of
from rewright.graphs.text import placement_text, size_text
from rewright.model.graph import ExpectedEquation, Graph, Placed, Refinement
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
    Place,
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
from rewright.verdict.diagnostics.graphs import HeldOtherwise, NoCleanExpression, SidesDiffer

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


class Suspect(Struct, frozen=True):
    """A result that may not be held: what is expected of it and where that stands, and how the ranks depart, the first
    of them first. Or an equation that may not hold."""

    expected: Placed | ExpectedEquation | None
    departures: Callable[[], tuple[Departure, ...]]


Suspects = Mapping[Name, Suspect]
"""By the names of results, and of equations by both sides."""


def _key(of: Name | ExpectedEquation) -> Name:
    return Name(f"{of.name} = {of.right_name}") if isinstance(of, ExpectedEquation) else of


def not_related(asked: Refinement, decided: DecidedRefinement, passes: Passes, found: RelationsMissing) -> Suspects:
    """The results for which no relation was found."""
    search = cache(lambda: Departures(decided, HeldNodes(asked, passes)))
    nodes = {each.name: each.node for each in asked.distributed.results}
    stated = {each.name: each for each in asked.expected}
    first = asked.distributed.results[0].node

    def departures(of: NotRelated) -> tuple[Departure, ...]:
        return search().of(of, nodes.get(of.result, first) if of.equation is None else of.equation.right)

    return {
        _key(each.equation or each.result): Suspect(each.equation or stated.get(each.result), partial(departures, each))
        for each in found.not_related
    }


def undefined(asked: Refinement, relations: tuple[Relation, ...]) -> Suspects:
    """The results that are held where both graphs are defined: the distributed one may not be."""
    nodes = {each.name: each.node for each in asked.distributed.results}
    stated = {each.name: each for each in asked.expected}
    rank = ranks_of(asked.distributed)[0]

    def departures(node: int) -> tuple[Departure, ...]:
        return (Departure(OTHERWISE, node, rank),)

    held = {
        each.result: Suspect(stated.get(each.result), partial(departures, nodes[each.held_as])) for each in relations
    }
    return held | {_key(each): Suspect(each, partial(departures, each.right)) for each in asked.equations}


def refuted(asked: Refinement, suspects: Suspects, run: Refinement | None = None) -> Answer | None:
    """The answer if one of these results fails when replayed, None if none does.

    Of the others those that depart elsewhere and fail, too, are findings of their own. What is run is `run`, where the
    refinement itself has operators that cannot be.
    """
    run = run or asked
    found = _witness(asked, suspects, run)
    if found is None:
        return None
    first, witness = found
    findings = [_finding(asked, suspects[first], witness)]
    for name, suspect in list(suspects.items())[:MOST_FINDINGS]:
        departs = _place(asked.distributed, suspect, suspect.departures()[0])
        if name != first and all(departs != each.place for each in findings):
            other = _witness(asked, {name: suspect}, _alone(run, name))
            findings += [_finding(asked, suspect, other[1])] if other is not None else []
    coverage = Coverage("one input, replayed", bounded=False)
    return Answer(Verdict.REFUTED, coverage, Method.REPLAY, findings=tuple(findings), witness=witness)


def _alone(asked: Refinement, name: Name) -> Refinement:
    """The refinement of one result, or one equation, only."""
    results = tuple(each for each in asked.sequential.results if each.name == name)
    stated = tuple(each for each in asked.expected if each.name == name)
    equations = tuple(each for each in asked.equations if _key(each) == name)
    sequential = replace(asked.sequential, results=results)
    return replace(asked, sequential=sequential, expected=stated, equations=equations)


def _witness(asked: Refinement, suspects: Suspects, run: Refinement) -> tuple[Name, RefinementWitness] | None:
    """One of these results, and an input on which it fails; None if none was found."""
    try:
        for sizes in sizes_to_try(run):
            failing = failing_expectation(run, sizes)
            if isinstance(failing, ExpectationFails):
                name = _key(failing.equation or failing.output)
                if name in suspects:
                    return name, _of_expectation(asked, failing, suspects[name].departures()[0])
            missing = unrecoverable(run, sizes)
            if missing is not None and missing.output in suspects:
                return missing.output, _of_relation(asked, missing, suspects[missing.output].departures()[0])
    except NotReplayable:
        return None
    return None


def _place(graph: Graph, suspect: Suspect, departure: Departure) -> Place:
    """Where a departure stands; of a result that an equation takes as it is, this is the equation."""
    expected = suspect.expected
    if isinstance(expected, ExpectedEquation) and departure.node == expected.right < graph.own:
        return Site(expected.site)
    return _at(graph, departure.node)


def _at(graph: Graph, node: int) -> Place:
    """Where a node stands: in its graph, or in the refinement that added it."""
    site = graph.nodes[node].site
    return InDeclaration(graph.name, site) if node < graph.own else Site(site)


def _finding(asked: Refinement, suspect: Suspect, witness: RefinementWitness) -> Finding:
    departure, *others = suspect.departures()
    related = tuple(_related(asked, departure, others))
    place, step = _place(asked.distributed, suspect, departure), _step(asked.distributed, departure.node)
    said = _said(suspect.expected, witness, departure.is_never_summed)
    if not isinstance(said, NoCleanExpression) and suspect.expected is not None:
        related = (*related, Related(Role.FIRST, Site(suspect.expected.site)))
    return Finding(said, Severity.ERROR, place, related, step=step)


def _said(expected: Placed | ExpectedEquation | None, witness: RefinementWitness, to_the_end: bool) -> Diagnosis:
    if witness.fails is not Failure.EXPECTATION or expected is None:
        return NoCleanExpression(witness.output, witness.cause, to_the_end)
    if isinstance(expected, ExpectedEquation):
        return SidesDiffer(expected.name, expected.right_name, witness.cause, to_the_end)
    return HeldOtherwise(witness.output, placement_text(expected.placements), witness.cause, to_the_end)


def _step(graph: Graph, node: int) -> str | None:
    """The step of a loop that computes a node, None if it stands in none."""
    return ", ".join(f"{each.name} = {each.number}" for each in graph.step(node)) or None


def _related(asked: Refinement, departure: Departure, others: Sequence[Departure]) -> Iterator[Related]:
    graph = asked.distributed
    if departure.beside is not None:
        yield Related(Role.SECOND, _at(asked.sequential, departure.beside))
    if departure.origin is not None:
        yield Related(Role.ORIGIN, _at(graph, departure.origin))
    for placed in asked.inputs:
        if placed.name in departure.inputs and placed.site:
            yield Related(Role.INPUT, Site(placed.site))
    for place in dict.fromkeys(_at(graph, each.node) for each in others):
        if place != _at(graph, departure.node):
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
    if difference.taken is not None and difference.due is not None and difference.whole is not None:
        size = size_text(difference.whole, multiples)
        shifts = ([size_text(each, multiples) for each in ends] for ends in (difference.taken, difference.due))
        box = tuple(RangeOfDimension(size, low, high) for low, high in shifts)
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
