"""Answers a refinement: decided by `graphs`, every proof and every refutation replayed.

Owns the way from a decision to an answer: what a proof covers, which finding a refutation is, and where it points. Must
not know how the facts of a finding are worded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeGuard, assert_never

from rewright.graphs.decide import DecidedRefinement, decide
from rewright.graphs.decision import (
    Misplaced,
    NotDivisible,
    NotRelated,
    Relation,
    RelationsFound,
    RelationsMissing,
    RelationUnknown,
)
from rewright.graphs.departures import Departure, Departures
from rewright.graphs.interpretation import Rank, ranks_of
from rewright.graphs.sizes import sizes_of
from rewright.graphs.text import placement_text, relation_text, size_text
from rewright.model.graph import Constant, Elementwise, Graph, Node, Placed, Refinement, Spread
from rewright.model.index import Name
from rewright.replay.elements import NotReplayable
from rewright.replay.graphs.expectation import ExpectationFails, failing_expectation
from rewright.replay.graphs.recovery import Unrecoverable, unrecoverable
from rewright.replay.graphs.related import RankTensor, ShownRun
from rewright.replay.graphs.sizes import size_names, sizes_to_try
from rewright.rules.decision import Budget
from rewright.verdict import (
    NOTHING,
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
    RefinementCauseKind,
    RefinementWitness,
    Related,
    Role,
    Severity,
    Site,
    TensorValue,
    Verdict,
)
from rewright.verdict.diagnostics.graphs import HeldOtherwise, NoCleanExpression, NoInputSatisfies
from rewright.verdict.diagnostics.rules import NotDecided

LOOK = 1 << 16
"""Steps of the replay of a proof at each choice of sizes."""

PARTIAL = frozenset({"divide", "log", "log_plus_one", "sqrt", "rsqrt", "power", "remainder"})
"""Elementwise operators that are not defined everywhere."""


class RelationContradicted(Exception):
    """The replay contradicts a relation that was proved."""


def answer(asked: Refinement, budget: Budget) -> Answer:
    """The answer to a refinement. Raises `RelationContradicted`, which is an error of ours."""
    if asked.sequential.mesh:
        return _unknown("the graph that is refined is itself on a mesh, which is not supported yet")
    decided = decide(asked)
    match decided.decision:
        case RelationsFound() as proved:
            return _proved(asked, proved)
        case RelationsMissing() as found:
            return _refuted(asked, decided, found) or _unknown(_reason(found))
        case Misplaced(name=name, site=site):
            return _invalid(f"`{name}` has another shape on each rank than its placement gives it", site)
        case NotDivisible(reason=reason):
            return _invalid(reason, 0)
        case RelationUnknown(reason=reason):
            return _unknown(reason)
        case _:
            assert_never(decided.decision)


def _proved(asked: Refinement, found: RelationsFound) -> Answer:
    relation = tuple((each.result, relation_text(each, asked.distributed)) for each in found.relations)
    return Answer(
        Verdict.PROVED,
        Coverage(_coverage(asked), bounded=False, assumptions=tuple(_assumptions(asked, dict(found.multiples)))),
        Method.NORMAL_FORM,
        relation=relation,
        replays=_replays(asked, found.relations),
    )


def _replays(asked: Refinement, relations: tuple[Relation, ...]) -> int:
    """On how many choices of sizes the relations were replayed. Raises `RelationContradicted`."""
    stated = tuple(Placed(each.result, each.placements, 0) for each in relations if each.result == each.held_as)
    claimed = replace(asked, expected=stated)
    count = 0
    try:
        for sizes in sizes_to_try(asked):
            if failing_expectation(claimed, sizes, LOOK) is not None:
                raise RelationContradicted(f"{relations} at {sizes} of {asked}")
            count += 1
    except NotReplayable:
        return count
    return count


def _coverage(asked: Refinement) -> str:
    sizes = "all sizes" if size_names(asked) else "sizes as written"
    return ", ".join((sizes, *(f"{axis.name} = {axis.size}" for axis in asked.distributed.mesh)))


def _assumptions(asked: Refinement, multiples: Mapping[Name, int]) -> Iterator[str]:
    yield "elements are real numbers"
    if size_names(asked):
        multiple = ", ".join(f"`{name}` is a multiple of {number}" for name, number in multiples.items())
        yield f"sizes are at least 1{multiple and f', {multiple}'}"
    graphs = asked.sequential, asked.distributed
    partial = {node.operator for graph in graphs for node in graph.nodes if _may_be_undefined(node, graph)}
    if partial:
        yield f"both graphs are defined where {', '.join(f'`{each}`' for each in sorted(partial))} stands"


def _may_be_undefined(node: Node, graph: Graph) -> TypeGuard[Elementwise]:
    """Whether an element of the node may be undefined: not for a quotient by a number."""
    if not isinstance(node, Elementwise) or node.operator not in PARTIAL:
        return False
    last = graph.nodes[node.operands[-1]]
    if isinstance(last, Spread):
        last = graph.nodes[last.operand]
    return not (node.operator == "divide" and isinstance(last, Constant) and last.value != 0)


def _refuted(asked: Refinement, decided: DecidedRefinement, found: RelationsMissing) -> Answer | None:
    """The answer if a result fails when replayed, None if none does."""
    causes = Departures(decided, asked.distributed)
    nodes = {each.name: each.node for each in asked.distributed.results}
    by_result = {each.result: each for each in found.not_related}
    try:
        for sizes in sizes_to_try(asked):
            failing = failing_expectation(asked, sizes)
            if isinstance(failing, ExpectationFails) and failing.output in by_result:
                departed = by_result[failing.output]
                cause = causes.of(departed, nodes[failing.output])
                return _with_witness(asked, departed, cause, _of_expectation(asked, failing, cause))
            missing = unrecoverable(asked, sizes)
            if missing is not None and missing.output in by_result:
                departed = by_result[missing.output]
                cause = causes.of(departed, nodes.get(missing.output, asked.distributed.results[0].node))
                return _with_witness(asked, departed, cause, _of_relation(asked, missing, cause))
    except NotReplayable:
        return None
    return None


def _with_witness(asked: Refinement, departed: NotRelated, cause: Departure, witness: RefinementWitness) -> Answer:
    graph = asked.distributed
    place = InDeclaration(graph.name, graph.nodes[cause.node].site)
    related = []
    if cause.beside is not None:
        beside = InDeclaration(asked.sequential.name, asked.sequential.nodes[cause.beside].site)
        related.append(Related(Role.SECOND, beside))
    if witness.fails is Failure.EXPECTATION:
        related.append(Related(Role.FIRST, Site(departed.site)))
        placement = placement_text(departed.expected or ())
        said: Diagnosis = HeldOtherwise(witness.output, placement, witness.cause)
    else:
        said = NoCleanExpression(witness.output, witness.cause)
    finding = Finding(said, Severity.ERROR, place, tuple(related))
    coverage = Coverage("one input, replayed", bounded=False)
    return Answer(Verdict.REFUTED, coverage, Method.REPLAY, findings=(finding,), witness=witness)


def _of_expectation(asked: Refinement, failing: ExpectationFails, cause: Departure) -> RefinementWitness:
    numbers = _numbers(asked.distributed)
    held = tuple(HeldElement(numbers[entry.rank], entry.element) for entry in failing.entries)
    return _witness(
        asked, (Failure.EXPECTATION, failing.output, failing.index, failing.expected), held, (failing.run, cause)
    )


def _of_relation(asked: Refinement, missing: Unrecoverable, cause: Departure) -> RefinementWitness:
    numbers = _numbers(asked.distributed)
    held = tuple(
        HeldElement(numbers[rank], element)
        for rank, value in missing.run.held
        for element in _element_at(value, missing.index)
    )
    return _witness(
        asked, (Failure.RELATION, missing.output, missing.index, missing.expected), held, (missing.run, cause)
    )


def _element_at(value: TensorValue, index: tuple[int, ...]) -> tuple[str, ...]:
    """The element at an index, if the tensor has it."""
    if len(index) != len(value.shape) or any(at >= size for at, size in zip(index, value.shape, strict=True)):
        return ()
    flat = 0
    for at, size in zip(index, value.shape, strict=True):
        flat = flat * size + at
    return (value.data[flat],)


def _witness(
    asked: Refinement,
    failing: tuple[Failure, Name, tuple[int, ...], str],
    held: tuple[HeldElement, ...],
    seen: tuple[ShownRun, Departure],
) -> RefinementWitness:
    fails, output, index, expected = failing
    run, cause = seen
    return RefinementWitness(
        fails=fails,
        sizes=run.sizes,
        sequential=run.sequential,
        distributed=tuple((name, _by_rank(ranks)) for name, ranks in run.distributed),
        output=output,
        index=index,
        expected=expected,
        held=held,
        cause=_shown_cause(asked, output, cause),
        replayed=True,
    )


def _by_rank(ranks: tuple[RankTensor, ...]) -> tuple[TensorValue, ...]:
    return tuple(value for _, value in ranks)


def _shown_cause(asked: Refinement, output: Name, cause: Departure) -> RefinementCause:
    multiples = sizes_of((asked.sequential, asked.distributed)).multiples
    box: tuple[RangeOfDimension, ...] = ()
    if cause.range is not None and cause.whole is not None:
        ends = (size_text(each, multiples) for each in (cause.range.low, cause.range.high))
        box = (RangeOfDimension(size_text(cause.whole, multiples), *ends),)
    named = {each.node: each.name for each in asked.distributed.results}
    return RefinementCause(
        RefinementCauseKind(cause.kind.value),
        named.get(cause.node, ""),
        _numbers(asked.distributed)[cause.rank],
        box,
        str(cause.factor) if cause.factor is not None else None,
    )


def _numbers(graph: Graph) -> Mapping[Rank, int]:
    return {rank: number for number, rank in enumerate(ranks_of(graph))}


def _reason(found: RelationsMissing) -> str:
    names = ", ".join(f"`{each.result}`" for each in found.not_related)
    return f"no clean expression in what the ranks hold was found for {names}, and no input on which there is none"


def _unknown(reason: str) -> Answer:
    finding = Finding(NotDecided(reason), Severity.WARNING, Site(0))
    return Answer(Verdict.UNKNOWN, NOTHING, reason=reason, findings=(finding,))


def _invalid(why: str, site: int) -> Answer:
    """Refuted: nothing satisfies the declaration."""
    finding = Finding(NoInputSatisfies(why), Severity.ERROR, Site(site))
    return Answer(Verdict.REFUTED, Coverage("all sizes", bounded=False), Method.NORMAL_FORM, findings=(finding,))
