"""From "a countermodel exists at these ranks" to a small counterexample, replayed.

Owns minimising: smallest total rank first, then sizes, attributes, the output index and contents; then contents that
are all different where they show the failure too, so that a transposition is visible; at last what replays alone can
make smaller still. Invariant: a witness leaves here only after the replay saw the claim fail on it. A model that does
not replay is an error of ours, `NotReproduced`, unless the solver said that there is more to its values, enclosures do
not tell, or an assumption speaks of indices that were not read: `NotExact`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from math import prod
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from rewright.checks.terms import shown_terms
from rewright.model.index import BoundIndex, Name
from rewright.model.operator_table import ROWS
from rewright.model.operators import Operator, Trait
from rewright.model.rule import Extent, Rule, RuleQuestion, TensorDeclaration
from rewright.model.tensor import ElementType, Pointwise
from rewright.model.walk import nodes
from rewright.replay.arrays import Position, require_room
from rewright.replay.assumed import make_hold
from rewright.replay.completing import with_functions
from rewright.replay.inputs import Excluded, read_instance, write_instance
from rewright.replay.outcomes import Fails, Undecided
from rewright.replay.route import routes
from rewright.replay.rule import replay, shapes
from rewright.replay.shrinking import shrunk
from rewright.rules.decision import Refuted
from rewright.rules.models import GaveUp, Model, ModelSession, Quantity, QuantityRole
from rewright.verdict import Failure, FunctionValue, Instance, RuleWitness, TensorValue
from rewright.verdict.undecided import UnknownReason

LAWS = "the laws of `{}` do not decide this: the model that they allow does not replay as a counterexample"
IRRATIONAL = "the counterexamples that the solver finds have irrational elements, which are not replayed"
BY_INDEX = "an assumption speaks of the index, and no counterexample was found that meets it at every one"

LIMITS = (1, 2, 4, 8)
"""Bounds on the absolute value of integers, tried in this order."""

SMALLER_STEPS = 200_000
"""The solver's steps for each rank vector below the one that is known to have a model."""

KNOWN_STEPS = 3_000_000
"""For that one, until a model is found."""

SMALLER_VECTORS = 12
"""So many rank vectors below the known one are asked for a counterexample."""


class NotReproduced(Exception):
    """A model of the exact encoding does not replay. The text has what is needed to look into it."""


class NoModel(Exception):
    """The solver gave up on the model that exists."""


class NotExact(Exception):
    """A model does not replay, and its values are not all the solver's own. The text is a reason for readers."""

    def __init__(self, reason: str, why: UnknownReason) -> None:
        super().__init__(reason)
        self.why = why


class Reproduced(Struct, frozen=True):
    """A counterexample as an input and what the replay saw on it."""

    instance: Instance
    outcome: Fails


def counterexample(question: RuleQuestion, refuted: Refuted) -> Reproduced:
    """The smallest counterexample found, replayed. Raises `NotReproduced`, `NoModel` and `NotExact`."""
    return reproduce(question, *_smallest(question, refuted))


def smaller(question: RuleQuestion, found: Reproduced) -> Reproduced:
    """A counterexample of the same kind as a given one, made smaller by replays."""
    inputs = shrunk(question, read_instance(question, found.instance))
    instance = write_instance(question.rule, inputs)
    outcome = replay(question, instance)
    return Reproduced(instance, outcome) if isinstance(outcome, Fails) else found


def witness_of(question: RuleQuestion, found: Reproduced) -> RuleWitness:
    """The counterexample as it is reported."""
    return RuleWitness(
        fails=found.outcome.failure,
        domain=question.domain_text,
        direction=question.direction,
        instance=_as_declared(question.rule, found.instance),
        at=found.outcome.at,
        left=found.outcome.left,
        right=found.outcome.right,
        steps=found.outcome.steps,
        replayed=True,
        terms=shown_terms(found.outcome),
        route=routes(question, found.instance, found.outcome.at) if found.outcome.failure is Failure.VALUE else (),
    )


def _as_declared(rule: Rule, instance: Instance) -> Instance:
    """The input with each tensor without groups among the tensors."""
    is_tensor = {str(scalar.name): scalar.is_tensor for scalar in rule.scalars}
    single = tuple((name, TensorValue((), (value,))) for name, value in instance.scalars if is_tensor.get(name))
    scalars = tuple((name, value) for name, value in instance.scalars if not is_tensor.get(name))
    return replace(instance, scalars=scalars, tensors=(*instance.tensors, *single))


def _smallest(question: RuleQuestion, refuted: Refuted) -> tuple[Mapping[Name, int], Model]:
    """The first rank vector at which a model is found, and its model made small."""
    known = dict(refuted.ranks)
    for ranks in itertools.islice(smaller_ranks(question, known), SMALLER_VECTORS):
        with ModelSession(question, ranks, refuted.fails, SMALLER_STEPS) as session:
            if isinstance(session.find(LIMITS[-1]), Model):
                return ranks, _small_model(session, LIMITS)
    with ModelSession(question, known, refuted.fails, KNOWN_STEPS) as session:
        return known, _small_model(session, (*LIMITS, None))


def _small_model(session: ModelSession, limits: Sequence[int | None]) -> Model:
    for limit in limits:
        if isinstance(session.find(limit), Model):
            return session.minimise(sorted(session.quantities, key=_importance))
    found = session.find(None)
    if isinstance(found, Model):
        return found
    raise NoModel("the solver gave up on it" if isinstance(found, GaveUp) else "the solver found none")


def _importance(quantity: Quantity) -> int:
    order = (QuantityRole.SIZE, QuantityRole.INTEGER, QuantityRole.ATTRIBUTE, QuantityRole.INDEX)
    return order.index(quantity.role)


def smaller_ranks(question: RuleQuestion, known: Mapping[Name, int]) -> Iterator[Mapping[Name, int]]:
    """The rank vectors below a known one, by total rank, that the rank classes allow."""
    extents = {group.rank_class: group.extent for group in question.rule.groups}
    lowest = {Extent.ANY: 0, Extent.NONEMPTY: 1, Extent.SINGLE: 1}
    names = [name for name in known if extents[name] is not Extent.SINGLE]
    spans = [range(lowest[extents[name]], known[name] + 1) for name in names]
    total = sum(known[name] for name in names)
    for sum_ in range(total + 1):
        for vector in itertools.product(*spans) if prod(map(len, spans)) < 5_000 else ():
            if sum(vector) == sum_ and any(rank != known[n] for n, rank in zip(names, vector, strict=True)):
                yield {**known, **dict(zip(names, vector, strict=True))}


# ------------------------------------------------------------------------------------------------ filling and replay


class ContentSource(Enum):
    """Where contents come from."""

    DISTINCT = "all different"
    DISTINCT_TENSORS = "tensors different, scalars from the model"
    MODEL = "from the model"


class InstancePlan(Struct, frozen=True):
    """What an instance is made of."""

    question: RuleQuestion
    ranks: Mapping[Name, int]
    model: Model
    contents: ContentSource


def reproduce(question: RuleQuestion, ranks: Mapping[Name, int], model: Model) -> Reproduced:
    """The model as an instance that fails when replayed, contents all different if that fails too.

    Raises `NotReproduced`, or `NotExact` where the model does not claim to be more than its laws, and where enclosures
    do not tell whether it is a counterexample.
    """
    seen = []
    undecided = False
    for contents in ContentSource:
        try:
            instance = instance_of(InstancePlan(question, ranks, model, contents))
        except Excluded as error:
            seen.append(f"{contents.value}: {error}")
            continue
        outcome = replay(question, instance)
        if isinstance(outcome, Fails):
            return smaller(question, Reproduced(instance, outcome))
        undecided = undecided or isinstance(outcome, Undecided)
        seen.append(f"{contents.value}: {outcome}")
    # what is equal by a law, as exp(X)·exp(−X) and 1, is not seen to be equal by a replay
    if not model.exact or undecided:
        known_by_laws = next(transcendental(question.rule), None)
        if known_by_laws is None:
            raise NotExact(IRRATIONAL, UnknownReason.NOT_REPLAYED)
        raise NotExact(LAWS.format(known_by_laws.short), UnknownReason.LAWS)
    if _by_index(question.rule):
        raise NotExact(BY_INDEX, UnknownReason.CONTENTS)
    raise NotReproduced("\n".join([f"ranks {dict(ranks)}", f"model {model}", *seen, f"question {question}"]))


def transcendental(rule: Rule) -> Iterator[Operator]:
    """The operators of a rule that have no exact values."""
    rows = (ROWS[node.operator] for node in nodes(rule) if isinstance(node, Pointwise))
    return (row for row in rows if Trait.TRANSCENDENTAL in row.traits)


def instance_of(plan: InstancePlan) -> Instance:
    """The instance that a model describes. Raises `Excluded` where a declared size is negative."""
    rule, ranks = plan.question.rule, plan.ranks
    known = _integers(plan.model)
    bare = Instance(
        ranks=tuple((group.name, ranks[group.rank_class]) for group in rule.groups),
        maps=tuple(
            (declared.name, tuple(known.get((declared.name, k), 0) for k in range(ranks[declared.rank_class])))
            for declared in rule.maps
        ),
        integers=tuple((name, known.get((name, None), 0)) for name in rule.integers),
        scalars=tuple(_scalars(plan)),
    )
    numbers = itertools.count(1)
    tensors = tuple(
        (tensor.name, TensorValue(shape, tuple(_contents(plan, tensor, shape, numbers))))
        for tensor, shape in zip(rule.tensors, shapes(plan.question, bare), strict=True)
    )
    full = _as_assumed(plan.question, replace(bare, tensors=tensors))
    if plan.contents is ContentSource.MODEL:
        return replace(full, functions=tuple((fn.name, _table(plan.model, fn.name)) for fn in rule.functions))
    return with_functions(plan.question, full, lambda domain: _result(domain, next(numbers)))


def _by_index(rule: Rule) -> bool:
    """Whether an assumption says other things of other indices."""
    return any(isinstance(node, BoundIndex) for node in nodes(rule.assumptions))


def _as_assumed(question: RuleQuestion, instance: Instance) -> Instance:
    """The instance, its contents changed so that assumptions hold that say other things of other indices.

    The solver was told what they say of the entries that it read. Raises `Excluded` as `read_instance` does.
    """
    if not _by_index(question.rule):
        return instance
    inputs = read_instance(question, instance)
    for assumption in question.rule.assumptions:
        make_hold(assumption, inputs, (), Random(0))
    return replace(instance, tensors=write_instance(question.rule, inputs).tensors)


def _integers(model: Model) -> dict[tuple[Name, int | None], int]:
    return {(q.name, q.axis): value for q, value in model.integers if q.role is not QuantityRole.INDEX}


def _contents(
    plan: InstancePlan, tensor: TensorDeclaration, shape: tuple[int, ...], numbers: Iterator[int]
) -> Iterator[str]:
    require_room(shape)
    known = {entry.at: entry.element for entry in plan.model.entries if entry.tensor == tensor.name}
    unread = dict(plan.model.unread).get(tensor.name)
    widths = dict(plan.model.uneven).get(tensor.name)
    is_truth = _domain(tensor.type, plan.question) == "pred"
    for position in itertools.product(*map(range, shape)):
        number = str(next(numbers))
        if is_truth or plan.contents is ContentSource.MODEL:
            listed = position if widths is None else _listed(position, widths, known)
            yield known.get(listed, unread or ("false" if is_truth else number))
        else:
            yield number


def _listed(position: Position, widths: Sequence[int], known: Mapping[Position, str]) -> Position:
    """The position with index 0 along each group where no known one has its index; `widths`: the axes of each group."""
    found: Position = ()
    for width in widths:
        place = slice(len(found), len(found) + width)
        seen = any(at[place] == position[place] for at in known)
        found += position[place] if seen else (0,) * width
    return found


def _table(model: Model, function: Name) -> FunctionValue:
    return tuple((call.operands, call.result) for call in model.calls if call.function == function)


def _result(domain: str, number: int) -> str:
    """A result unlike the others, as far as its domain has any."""
    return "true" if domain == "pred" else str(number)


def _scalars(plan: InstancePlan) -> Iterator[tuple[str, str]]:
    """Scalars apart from the tensors' numbers, which start at 1: 0, -1, -2, …; those used as an index as they are."""
    known, integers = dict(plan.model.scalars), _integers(plan.model)
    for number, scalar in enumerate(plan.question.rule.scalars):
        is_truth = _domain(scalar.type, plan.question) == "pred"
        default = "false" if is_truth else str(-number)
        as_modelled = is_truth or (scalar.name, None) in integers or plan.contents is not ContentSource.DISTINCT
        yield scalar.name, known.get(scalar.name, default) if as_modelled else default


def _domain(type_: ElementType, question: RuleQuestion) -> str | None:
    return type_.name if type_.parameter is None else dict(question.domain)[type_.parameter]
