"""The oracle: random inputs of a rule at small ranks and sizes, judged by replay alone.

Owns the drawing of inputs. Preconditions and validity are mostly facts about one axis, so axes that satisfy them are
collected class by class and then put together at any rank. Sizes are 0 to 3, attributes -2 to 4, elements small or all
different. `Search` states how much is sampled.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import cast

from rewright.model import rule as m
from rewright.model.rule import Extent, Name
from rewright.replay.arrays import Array, filled, positions
from rewright.replay.elements import Element, domain_of
from rewright.replay.formulas import assumption_holds, holds
from rewright.replay.index import DivisionByZero, on_axis
from rewright.replay.inputs import Excluded, Inputs, allows
from rewright.replay.outcomes import Fails, Holds
from rewright.replay.rule import check_preconditions, claim, declared_shape

Axis = dict[Name, int]
"""The values of one class's maps on one axis."""


@dataclass(frozen=True)
class Search:
    """How much is sampled: inputs put together in all, axes tried per class, axes kept per class."""

    trials: int = 60
    tries: int = 250
    keep: int = 25
    top: int = 2


@dataclass
class Found:
    """What a search saw: valid inputs, those with every class at rank 1 or more, those with elements; a failure."""

    valid: int = 0
    positive: int = 0
    nonempty: int = 0
    failure: tuple[Inputs, Fails] | None = None
    ranks: Mapping[Name, int] = field(default_factory=dict)


def search(question: m.RuleQuestion, seed: int, plan: Search = Search()) -> Found:
    """Samples inputs at ranks 0 to `plan.top` until one breaks the claim."""
    sampler = Sampler(question, random.Random(seed), plan)
    return _search(sampler, lambda extent: sampler.rng.randint(0, plan.top) if extent is not Extent.SINGLE else 1)


def search_at_rank_one(question: m.RuleQuestion, seed: int, plan: Search = Search()) -> Found:
    """Samples inputs with every axis group at rank 1."""
    return _search(Sampler(question, random.Random(seed), plan), lambda extent: 1)


def _search(sampler: Sampler, rank_of: Callable[[Extent], int]) -> Found:
    found = Found()
    for trial in range(sampler.plan.trials):
        ranks = {name: rank_of(extent) for name, extent in sampler.classes.items()}
        if not all(allows(extent, ranks[name]) for name, extent in sampler.classes.items()):
            continue
        inputs = sampler.draw(ranks, distinct=trial % 2 == 1)
        if inputs is None:
            continue
        try:
            check_preconditions(sampler.rule, inputs)
            outcome = claim(sampler.question, inputs, _ignore)
        except Excluded:
            continue
        found.valid += 1
        positive = all(ranks.values())
        found.positive += positive
        found.nonempty += positive and not (isinstance(outcome, Holds) and outcome.empty)
        if isinstance(outcome, Fails):
            found.failure, found.ranks = (inputs, outcome), ranks
            return found
    return found


def _ignore(side: str, site: int, value: Array) -> None:
    pass


class Sampler:
    """Draws inputs of one question."""

    def __init__(self, question: m.RuleQuestion, rng: random.Random, plan: Search) -> None:
        self.question, self.rule, self.rng, self.plan = question, question.rule, rng, plan
        self.domain = cast(Mapping[Name, str], dict(question.domain))
        self.classes = {group.rank_class: group.extent for group in self.rule.groups}
        self.free = [name for name, extent in self.classes.items() if extent is not Extent.SINGLE]
        sizes = [size for tensor in self.rule.tensors for _, size in tensor.shape]
        self.sizes = {size.name for size in sizes if isinstance(size, m.MapReference | m.IntegerReference)}
        self.pinned = [pin for formula in self.rule.where for pin in _pins(formula)]
        self.local = [formula for formula in self.rule.where if _is_local(formula)]
        self.bases = self._collect_bases()
        self.pools = {name: self._collect_axes(name) for name in self.free} if self.bases else {}

    def draw(self, ranks: Mapping[Name, int], *, distinct: bool) -> Inputs | None:
        """An input at these ranks with its contents; None where no axis or no contents were found."""
        if not self.bases or any(ranks[name] and not self.pools[name] for name in self.free):
            return None
        axes = {name: [self.rng.choice(self.pools[name]) for _ in range(ranks[name])] for name in self.free}
        return self._filled(self._at(self.rng.choice(self.bases), axes), distinct=distinct)

    def _collect_bases(self) -> list[Inputs]:
        """Integers, scalars and single axes that are an input as far as they go, the other classes being at rank 0."""
        kept: list[Inputs] = []
        for _ in range(self.plan.tries):
            integers = {name: self._size() if name in self.sizes else self._attribute() for name in self.rule.integers}
            scalars = {scalar.name: self._element(scalar.type, None) for scalar in self.rule.scalars}
            base = Inputs({}, {}, integers, scalars, {}, self.domain)
            axes = {name: [self._axis(name, base)] for name in self.classes if name not in self.free}
            base = replace(base, maps={own: (value,) for axis in axes.values() for own, value in axis[0].items()})
            if self._is_input(self._at(base, {})):
                kept.append(base)
            if len(kept) >= self.plan.keep:
                break
        return kept

    def _collect_axes(self, name: Name) -> list[Axis]:
        """Axes of a class that are an input on their own."""
        kept: list[Axis] = []
        for _ in range(self.plan.tries):
            base = self.rng.choice(self.bases)
            axis = self._axis(name, base)
            if self._is_input(self._at(base, {name: [axis]})):
                kept.append(axis)
            if len(kept) >= self.plan.keep:
                break
        return kept

    def _axis(self, name: Name, base: Inputs) -> Axis:
        maps = [declared.name for declared in self.rule.maps if declared.rank_class == name]
        axis = {own: self._size() if own in self.sizes else self._attribute() for own in maps}
        for own, value in self.pinned:
            if own in axis:
                with contextlib.suppress(DivisionByZero, KeyError, Excluded):
                    axis[own] = on_axis(value, 0, replace(base, maps={other: (k,) for other, k in axis.items()}))
        return axis

    def _is_input(self, inputs: Inputs) -> bool:
        """Whether the local preconditions hold and the premise's side is valid."""
        if not all(holds(formula, inputs) for formula in self.local):
            return False
        full = self._filled(inputs, distinct=False)
        if full is None:
            return False
        try:
            claim(self.question, full, _ignore)
        except Excluded:
            return False
        return True

    def _at(self, base: Inputs, axes: Mapping[Name, Sequence[Axis]]) -> Inputs:
        """The base with these axes of the other classes, none where none are given."""
        lengths = {name: len(axes.get(name, ())) if name in self.free else 1 for name in self.classes}
        maps = {
            declared.name: tuple(axis[declared.name] for axis in axes.get(declared.rank_class, ()))
            for declared in self.rule.maps
            if declared.rank_class in self.free
        }
        ranks = {group.name: lengths[group.rank_class] for group in self.rule.groups}
        return replace(base, ranks=ranks, maps={**base.maps, **maps})

    def _filled(self, inputs: Inputs, *, distinct: bool) -> Inputs | None:
        tensors: dict[Name, Array] = {}
        count = 10
        for tensor in self.rule.tensors:
            try:
                shape = declared_shape(self.rule, tensor.name, inputs)
            except Excluded:
                return None
            data = filled(shape, 0)
            for position in positions(shape):
                count += 1
                data[position] = self._element(tensor.type, count if distinct else None)
            tensors[tensor.name] = Array(tuple(group for group, _ in tensor.shape), data)
        full = replace(inputs, tensors=tensors)
        for assumption in self.rule.assumptions:
            self._repair(assumption, full)
        return full

    def _repair(self, assumption: m.Assumption, inputs: Inputs) -> None:
        """Makes a comparison of two tensors hold entry by entry; leaves other assumptions to chance."""
        body = assumption.body
        if not isinstance(body, m.ElementComparison) or assumption_holds(assumption, inputs):
            return
        sides = [body.left, body.right]
        if not all(isinstance(side, m.TensorReference) for side in sides):
            return
        first, second = (inputs.tensors[side.name] for side in sides if isinstance(side, m.TensorReference))
        common = tuple(map(min, zip(first.data.shape, second.data.shape, strict=True)))
        gaps = {"==": [0], "<=": [0, 1, 3], "<": [1, 2], ">=": [0, -1, -3], ">": [-1, -2], "!=": [1, -1]}[body.operator]
        for position in positions(common):
            second.data[position] = (
                first.data[position] + self.rng.choice(gaps) if gaps != [0] else first.data[position]
            )

    def _size(self) -> int:
        return self.rng.randint(0, 3)

    def _attribute(self) -> int:
        return self.rng.choice([-2, -1, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4])

    def _element(self, type_: m.ElementType, number: int | None) -> Element:
        match domain_of(type_, self.domain):
            case "pred":
                return self.rng.random() < 0.5
            case "int":
                return self.rng.randint(-3, 4) if number is None else number
            case "real":
                small = Fraction(self.rng.randint(-3, 3), self.rng.choice([1, 1, 2, 3]))
                return small if number is None else Fraction(number)
            case _:
                return f"e{self.rng.randint(0, 3)}" if number is None else f"d{number}"


def _pins(formula: m.Formula) -> list[tuple[Name, m.Index]]:
    """Equalities that give a map its value."""
    match formula:
        case m.IndexComparison(operator="==", left=m.MapReference(name=name), right=value):
            return [(name, value)]
        case m.Conjunction(left=left, right=right):
            return _pins(left) + _pins(right)
        case m.Quantified(quantifier="every", body=body):
            return _pins(body)
        case _:
            return []


def _is_local(formula: m.Formula) -> bool:
    match formula:
        case m.IndexComparison(rank_class=name):
            return name is not None
        case m.Quantified(quantifier="every"):
            return True
        case m.Conjunction(left=left, right=right):
            return _is_local(left) and _is_local(right)
        case _:
            return False
