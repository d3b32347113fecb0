"""Inputs near others: those that fail though a candidate keeps them, and those that hold where few do.

Owns how an input is changed a little. A boundary that a candidate has in the wrong place runs between an input that is
known and one near it; and where a rule needs several coincidences at once, each by itself brings more elements right.
Must not know what a precondition looks like.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from msgspec.structs import replace

from rewright.fixes.preconditions.drawing import Drawn, Traits, assembled, drawing, judge, sums
from rewright.fixes.preconditions.work import Limit
from rewright.model.formula import Formula
from rewright.model.index import MapReference, Name
from rewright.model.rule import RuleQuestion
from rewright.model.walk import nodes
from rewright.replay.formulas import holds
from rewright.replay.inputs import Inputs
from rewright.replay.sampling import Effort, InputSource, axes, bases

LIGHT = Effort(tries=60, keep=12, largest=4)
"""For inputs that are drawn to refute a candidate."""

FEW = 8
"""Failing inputs that are enough."""

TRIED = 24
"""Inputs that are tried near one that fails."""

MANY = 80
"""Inputs that are tried near those that a candidate keeps."""

WORK = 300_000
WORK_SUMMING = 80_000
"""Steps for inputs that refute a candidate: as a rule enough for all, except where sums are dear."""

STEPS = (-2, -1, -1, 1, 1, 2)
"""By how much an integer is changed."""

LEAVING = 120
"""The same, to leave what a precondition keeps."""


def failing_inputs(question: RuleQuestion, known: Sequence[Inputs], limit: Limit) -> tuple[Inputs, ...]:
    """A few small inputs on which a question's claim fails, if some are found near known ones or drawn."""
    source, drawn = drawing(question, 1, LIGHT, limit.work), Drawn(Traits.of(question.rule))
    steps = WORK_SUMMING if sums(question.rule) else WORK
    _judge_near(source, known, (MANY, limit.at_most(steps)), drawn)
    if not drawn.negative and len(known) < FEW:
        _judge_drawn(source, limit.at_most(steps), drawn)
    return tuple(drawn.negative.values())


def _judge_drawn(source: InputSource, limit: Limit, drawn: Drawn) -> None:
    """Judges inputs with an axis of each class."""
    starts = bases(source, {})
    axes_of = {name: axes(source, starts, name, {}) for name in source.hints.free if starts}
    ranks = {name: 1 for name, found in axes_of.items() if found}
    for _ in range(2 * LIGHT.keep if starts else 0):
        judge(source, assembled(source, starts, axes_of, ranks), drawn)
        if len(drawn.negative) == FEW or limit.over:
            break


def failing_near(question: RuleQuestion, known: Sequence[Inputs], limit: Limit) -> tuple[Inputs, ...]:
    """Inputs on which a claim fails near some that do so, with up to two integers one greater or less."""
    drawn = Drawn(Traits.of(question.rule))
    _judge_near(drawing(question, 2, LIGHT, limit.work), known, (TRIED, limit), drawn)
    return tuple(drawn.negative.values())


def around(question: RuleQuestion, known: Sequence[Inputs], limit: Limit) -> Drawn:
    """Inputs near some that are known."""
    source, drawn = drawing(question, 5, LIGHT, limit.work), Drawn(Traits.of(question.rule))
    for _ in range(LEAVING if known else 0):
        if limit.over:
            break
        judge(source, _moved(source, source.rng.choice(known), frozenset()), drawn)
    return drawn


def left(question: RuleQuestion, known: Sequence[Inputs], parts: Sequence[Formula], limit: Limit) -> Drawn:
    """Inputs near some that are known, on which formulas that hold on all of those do not all hold."""
    source, named = drawing(question, 4, LIGHT, limit.work), _named(parts)
    known = _cheap(known, named)
    drawn = Drawn(Traits.of(question.rule))
    for _ in range(LEAVING if known else 0):
        if limit.over:
            break
        inputs = _moved(source, source.rng.choice(known), named)
        if not all(holds(part, inputs) for part in parts):
            judge(source, inputs, drawn)
    return drawn


def _judge_near(source: InputSource, known: Sequence[Inputs], limits: tuple[int, Limit], drawn: Drawn) -> None:
    """Judges inputs near those that are known."""
    most, limit = limits
    named = _named(source.question.rule.where)
    known = _cheap(known, named)
    for _ in range(most if known else 0):
        if limit.over or len(drawn.negative) == FEW:
            break
        inputs = _moved(source, source.rng.choice(known), named)
        if all(holds(part, inputs) for part in source.question.rule.where):
            judge(source, inputs, drawn)


def _moved(source: InputSource, inputs: Inputs, named: Set[Name]) -> Inputs:
    """The input with up to two integers a little greater or less, mostly such as a precondition names."""
    maps = {name: list(values) for name, values in inputs.maps.items()}
    places = [(name, axis) for name, values in maps.items() for axis in range(len(values))]
    relevant = [place for place in places if place[0] in named] or places
    for name, axis in source.rng.choices(source.rng.choice((places, relevant)), k=2) if places else ():
        maps[name][axis] += source.rng.choice(STEPS)
    return replace(inputs, maps={name: tuple(values) for name, values in maps.items()}, tensors={})


def _named(parts: Sequence[Formula]) -> frozenset[Name]:
    return frozenset(node.name for node in nodes(tuple(parts)) if isinstance(node, MapReference))


def _cheap(known: Sequence[Inputs], named: Set[Name]) -> list[Inputs]:
    """The inputs that have an axis with what a precondition names, those with few elements twice as often as others."""
    relevant = [each for each in known if any(each.maps[name] for name in named if name in each.maps)]
    listed = sorted(relevant or (each for each in known if any(each.ranks.values())), key=_elements)
    return [*listed, *listed[: len(listed) // 2]]


def _elements(inputs: Inputs) -> int:
    return sum(array.data.size for array in inputs.tensors.values())
