"""Expressions for the holes of a rule's attributes, with which the rule is proved.

Owns the search: on a few small inputs every small value of the holes is replayed, so that what is left of the grammar
are the expressions that have a right value on all of them; the shortest are proved, and what refutes one is one more
input for the others. A hole is a map of the rule like any other, unlike them not given. Must not know where a hole
stands.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from rewright.fixes.preconditions.drawing import integers_of
from rewright.fixes.preconditions.exploring import pool_of
from rewright.fixes.preconditions.expressions import SITE, Expressions
from rewright.fixes.preconditions.lanes import lanes_of
from rewright.fixes.preconditions.proof import Inconclusive, ProvedWithInput, attempt
from rewright.fixes.preconditions.work import Limit, Work
from rewright.model.formula import IndexComparison
from rewright.model.index import Index, MapReference, Name
from rewright.model.rule import RuleQuestion
from rewright.replay.index import IndexDivisionByZero, along
from rewright.replay.inputs import Excluded, Inputs
from rewright.replay.outcomes import Holds as Right
from rewright.replay.rule import check_preconditions, claim

STEPS = 10_000_000
"""Twice those of a search for preconditions: every value of an attribute is replayed on every sample first."""

DRAWING = 0.1
REPLAYING = 0.5
"""The shares of the work until which inputs may be drawn, and values be replayed."""

MOST_HOLES = 2
SAMPLES = 20
VALUES = range(-3, 10)
"""The values of a hole that are tried."""

MISSES = {1: 0, 2: 2}
"""On how many samples an expression for one of so many holes may miss: the other one's right value was not tried."""

EACH = 150
"""Expressions for one hole that are combined with those for another."""

ATTEMPTS = 20
OFFERED = 3


class Synthesis(Struct, frozen=True):
    """An expression for each hole."""

    expressions: tuple[Index, ...]
    size: int


def synthesised(questions: Sequence[RuleQuestion], holes: Sequence[Name], limit: Limit) -> tuple[Synthesis, ...]:
    """Up to three ways to fill the holes with which all questions are proved, the shortest first."""
    if not 0 < len(holes) <= MOST_HOLES:
        return ()
    replaying, samples = limit.share(REPLAYING), _samples(questions[0], holes, limit.share(DRAWING))
    known: list[tuple[Inputs, set[tuple[int, ...]]]] = []
    for each in samples:
        values = set() if replaying.over else set(_right(questions[0], each, holes, limit.work))
        known += [(each, values)] if values else []
    candidates = list(_combined(questions[0], holes, known))
    found: list[Synthesis] = []
    for _ in range(ATTEMPTS if known else 0):
        if not candidates or len(found) == OFFERED or limit.over:
            break
        first, *candidates = candidates
        match _proved(questions, holes, first, limit):
            case ProvedWithInput():
                found.append(first)
            case Inconclusive():
                continue
            case failing:
                candidates = [
                    each for each in candidates if _holds_with((questions[0], failing, limit.work), holes, each)
                ]
    return tuple(found)


def _samples(question: RuleQuestion, holes: Sequence[Name], limit: Limit) -> list[Inputs]:
    """Inputs at rank 1 of the holes' classes: sizes from 2 first, then what is cheap to replay."""
    pool = pool_of(question, limit)
    single = [each for each in (*pool.positive, *pool.negative) if all(len(each.maps[hole]) == 1 for hole in holes)]

    def dear(inputs: Inputs) -> tuple[bool, int]:
        sizes = [size for array in inputs.tensors.values() for size in array.data.shape]
        return any(size < 2 for size in sizes), sum(array.data.size for array in inputs.tensors.values())

    return sorted(single, key=dear)[:SAMPLES]


def _right(question: RuleQuestion, inputs: Inputs, holes: Sequence[Name], work: Work) -> Iterator[tuple[int, ...]]:
    """The values of the holes with which the claim holds on an input."""
    for values in itertools.product(VALUES, repeat=len(holes)):
        maps = {hole: (value,) for hole, value in zip(holes, values, strict=True)}
        if _holds(question, replace(inputs, maps={**inputs.maps, **maps}), work):
            yield values


def _holds(question: RuleQuestion, inputs: Inputs, work: Work) -> bool:
    try:
        check_preconditions(question.rule, inputs)
        return isinstance(claim(question, inputs, work.heard), Right)
    except Excluded:
        return False


def _combined(
    question: RuleQuestion, holes: Sequence[Name], known: Sequence[tuple[Inputs, set[tuple[int, ...]]]]
) -> Iterator[Synthesis]:
    """The expressions that have right values on all samples, the shortest first."""
    samples, right = [each for each, _ in known], [values for _, values in known]
    viable = []
    for number, hole in enumerate(holes):
        allowed = [{values[number] for values in each} for each in right]
        viable.append(list(itertools.islice(_viable(question, holes, samples, (hole, allowed)), EACH)))
    pairs = [
        (sum(size for _, _, size in chosen), tuple(index for index, _, _ in chosen))
        for chosen in itertools.product(*viable)
        if all(_may_be(values, each) for values, each in zip(_by_sample(chosen), right, strict=True))
    ]
    for size, indices in sorted(pairs, key=lambda pair: pair[0]):
        yield Synthesis(indices, size)


def _misses(values: Sequence[int], allowed: Sequence[set[int]]) -> int:
    """On how many samples a value was tried and is not right."""
    return sum(value in VALUES and value not in known for value, known in zip(values, allowed, strict=True))


def _may_be(values: tuple[int, ...], right: set[tuple[int, ...]]) -> bool:
    """Whether values are right, or none that were tried."""
    return values in right or any(value not in VALUES for value in values)


def _by_sample(chosen: Sequence[tuple[Index, tuple[int, ...], int]]) -> Iterator[tuple[int, ...]]:
    return zip(*(values for _, values, _ in chosen), strict=True)


def _viable(
    question: RuleQuestion,
    holes: Sequence[Name],
    samples: Sequence[Inputs],
    allowed_values: tuple[Name, Sequence[set[int]]],
) -> Iterator[tuple[Index, tuple[int, ...], int]]:
    """The expressions for one hole whose value is allowed on the samples, each with its values and its size."""
    hole, allowed = allowed_values
    rank_class = next(declared.rank_class for declared in question.rule.maps if declared.name == hole)
    names = [m.name for m in question.rule.maps if m.rank_class == rank_class and m.name not in holes]
    unknowns = [*(MapReference(name, rank_class, SITE) for name in names), *integers_of(question)]
    grammar = Expressions(lanes_of(rank_class, samples), samples, unknowns)
    seen: set[tuple[int, ...]] = set()
    for each in sorted(grammar.everything(), key=lambda each: each.size):
        values = each.values.values
        if values not in seen and _misses(values, allowed) <= MISSES[len(holes)]:
            seen.add(values)
            yield each.index, values, each.size


def _proved(
    questions: Sequence[RuleQuestion], holes: Sequence[Name], synthesis: Synthesis, limit: Limit
) -> ProvedWithInput | Inconclusive | Inputs:
    for question in questions:
        result = attempt(_filled(question, holes, synthesis), limit)
        if not isinstance(result, ProvedWithInput):
            return result
    return ProvedWithInput()


def _filled(question: RuleQuestion, holes: Sequence[Name], synthesis: Synthesis) -> RuleQuestion:
    """The question in which the holes have these values."""
    classes = {declared.name: declared.rank_class for declared in question.rule.maps}
    equal = tuple(
        IndexComparison("==", MapReference(hole, classes[hole], SITE), index, classes[hole], SITE)
        for hole, index in zip(holes, synthesis.expressions, strict=True)
    )
    return replace(question, rule=replace(question.rule, where=(*question.rule.where, *equal)))


def _holds_with(by: tuple[RuleQuestion, Inputs, Work], holes: Sequence[Name], synthesis: Synthesis) -> bool:
    """Whether the claim holds on an input with this filling."""
    question, inputs, work = by
    try:
        maps = {
            hole: along(index, len(inputs.maps[hole]), inputs)
            for hole, index in zip(holes, synthesis.expressions, strict=True)
        }
    except IndexDivisionByZero:
        return False
    return _holds(question, replace(inputs, maps={**inputs.maps, **maps}), work)
