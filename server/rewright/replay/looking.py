"""A look at a rule's claim on small inputs, cheap enough to be had before every proof is believed.

Owns how a few dozen inputs are come by in milliseconds: what is drawn is replayed at once, and axes that made an input
alone are put together. Sizes 0, 1 and 2 come first. The same for every call; finding nothing says nothing about larger
inputs. Must not know what was decided.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from rewright.model.index import Name
from rewright.model.rule import Extent, RuleQuestion
from rewright.replay.elements import NotReplayable
from rewright.replay.formulas import holds
from rewright.replay.inputs import Excluded, Inputs, allows
from rewright.replay.outcomes import Fails, Undecided
from rewright.replay.rule import check_preconditions, claim, unobserved
from rewright.replay.sampling import Axis, Contents, Effort, at_axes, fill, numbers, pinned, source_of
from rewright.replay.work import EvaluationLimit

FIRST = (0, 1, 2)
"""The sizes of the first axes that are drawn, one after the other."""

SIZES = (0, 1, 1, 2, 2, 2)
"""What a size is drawn from: small, so that a result can be replayed at once, and 2 to tell a transposition from
none."""

ATTRIBUTES = (0, 0, 0, 1, 1, 1, 2, 2, -1, 3)
"""What an attribute is drawn from, mostly what keeps small tensors valid: 0 and 1."""

RANKS = (1, 1, 1, 2, 0)
"""What a rank is drawn from."""

ELEMENTS = Effort(largest=1)
"""Elements from −1 to 2, where they are not all different."""

KNOWN = 0.6
"""How often an axis that is put together with others is one that made an input alone."""

AGAIN = 8
"""So often an axis that does not meet the preconditions is drawn again."""


class LookLimits(Struct, frozen=True):
    """On how many inputs a claim is replayed at most, how many are tried for that, and how many steps they may take."""

    inputs: int
    tried: int
    steps: int


ALL = 24
"""Inputs for all questions of a rule together before proofs are believed."""

LEAST = 12
"""Inputs for each of them at least."""

STEPS = 1_000_000
"""Of a replay (`work`): hundreds of times what a look takes as a rule."""


def before_believing(question: RuleQuestion) -> LookLimits:
    """The look at one of a rule's questions that is had before its proof is believed."""
    rule = question.rule
    inputs = max(LEAST, ALL // rule.question_count)
    return LookLimits(inputs, 2 * inputs, STEPS)


class LookResult(Struct, frozen=True):
    """On how many inputs the claim was replayed, and the first on which it fails."""

    replayed: int
    failing: Inputs | None = None


def look(question: RuleQuestion, plan: LookLimits) -> LookResult:
    """What replays of the claim on small inputs come to."""
    looking = _Looking(question, plan)
    with suppress(_Enough):
        looking.run()
    return LookResult(looking.replayed, looking.failing)


class _Enough(Exception):
    """The claim failed, or as much was seen as was to be."""


class _Looking:
    """One look: what was replayed so far, and how many inputs may still be tried."""

    def __init__(self, question: RuleQuestion, plan: LookLimits) -> None:
        self._source = source_of(question, random.Random(0), ELEMENTS)
        self._rng = self._source.rng
        self._plan = plan
        self._tried = 0
        self._limit = EvaluationLimit(plan.steps)
        self._extents = {group.rank_class: group.extent for group in question.rule.groups}
        self.replayed = 0
        self.failing: Inputs | None = None

    def run(self) -> None:
        """Looks at inputs without free axes, then with one, then with several. Raises `_Enough`."""
        free = self._source.hints.free
        bases = self._bases()
        if not bases or not free:
            return
        pools = {name: self._axes(name, bases) for name in free}
        while True:
            base = self._rng.choice(bases)
            self._replay(base, {name: self._some(name, pool, base) for name, pool in pools.items()})

    def _some(self, name: Name, pool: Sequence[Axis], base: Inputs) -> list[Axis]:
        """Axes of a class, some of them new."""
        rank = self._rng.choice(RANKS) or int(self._extents[name] is Extent.NONEMPTY)
        old = (self._rng.choice(pool) if pool and self._rng.random() < KNOWN else None for _ in range(rank))
        return [axis if axis is not None else self._axis(name, base, len(FIRST)) for axis in old]

    def _bases(self) -> list[Inputs]:
        """Integers, scalars and single axes that make an input, other axes left out."""
        hints = self._source.hints
        varied = bool(hints.singles or self._source.question.rule.integers)
        found: list[Inputs] = []
        for number in range(self._plan.tried if varied else 1):
            drawn = (self._base(number + again) for again in range(AGAIN))
            base = next((base for base in drawn if self._meets(base, {})), None)
            if base is not None and self._replay(base, {}):
                found.append(base)
            if hints.free and len(found) >= self._share:
                break
        return found

    def _axes(self, name: Name, bases: Sequence[Inputs]) -> list[Axis]:
        """Axes of a class that make an input, all others left out."""
        found: list[Axis] = []
        for number in range(self._plan.tried // (2 * len(self._source.hints.free))):
            base = self._rng.choice(bases)
            drawn = (self._axis(name, base, number + again) for again in range(AGAIN))
            axis = next((axis for axis in drawn if self._meets(base, {name: [axis]})), None)
            if axis is not None and self._replay(base, {name: [axis]}):
                found.append(axis)
            if len(found) >= self._share:
                break
        return found

    @property
    def _share(self) -> int:
        """So many of one kind are enough where there are others."""
        return max(len(FIRST), self._plan.inputs // (4 * (1 + len(self._source.hints.free))))

    def _base(self, number: int) -> Inputs:
        base = numbers(
            self._source, {name: self._integer(name, number) for name in self._source.question.rule.integers}
        )
        drawn = [self._axis(name, base, number) for name in self._source.hints.singles]
        return replace(base, maps={name: (value,) for axis in drawn for name, value in axis.items()})

    def _axis(self, name: Name, base: Inputs, number: int) -> Axis:
        own = (declared.name for declared in self._source.question.rule.maps if declared.rank_class == name)
        return pinned(self._source, {map_: self._integer(map_, number) for map_ in own}, base, {})

    def _integer(self, name: Name, number: int) -> int:
        if name not in self._source.hints.sizes:
            return self._rng.choice(ATTRIBUTES)
        return FIRST[number] if number < len(FIRST) else self._rng.choice(SIZES)

    def _meets(self, base: Inputs, chosen: Mapping[Name, Sequence[Axis]]) -> bool:
        """Whether the preconditions that speak of each axis alone hold."""
        inputs = at_axes(self._source, base, chosen)
        return all(holds(formula, inputs) for formula in self._source.hints.on_each_axis)

    def _replay(self, base: Inputs, chosen: Mapping[Name, Sequence[Axis]]) -> bool:
        """Whether the premise's side is valid with these axes; if it is an input, too, the claim is replayed.

        Raises `_Enough`.
        """
        self._tried += 1
        if self._tried > self._plan.tried or self._limit.over:
            raise _Enough
        bare = at_axes(self._source, base, chosen)
        allowed = all(allows(extent, bare.ranks[name]) for name, extent in self._extents.items())
        try:
            for contents in Contents:
                self._claim(fill(self._source, bare, contents), allowed)
        except (Excluded, NotReplayable):
            return False
        return True

    def _claim(self, full: Inputs, allowed: bool) -> None:
        outcome = claim(self._source.question, full, unobserved)
        if isinstance(outcome, Undecided) or not (allowed and self._speaks_of(full)):
            return
        self.replayed += 1
        if isinstance(outcome, Fails):
            self.failing = full
        if self.failing is not None or self.replayed >= self._plan.inputs:
            raise _Enough

    def _speaks_of(self, full: Inputs) -> bool:
        """Whether the preconditions and assumptions hold."""
        try:
            check_preconditions(self._source.question.rule, full)
        except Excluded:
            return False
        return True
