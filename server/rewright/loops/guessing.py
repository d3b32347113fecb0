"""Which instance of the specification an operation of the transform is: guesses, to be proved.

A statement is that of the same label, else of the same signature. An iterator is read off the subscripts where that is
possible, else it is the one of the same name; where neither is so, both programs are run at small sizes: the n-th write
to an element in the one is the n-th write to it in the other, and an affine function is put through the pairs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.loops.decision import Correspondence, Sizes
from rewright.loops.enumeration import EnumeratedInstance, TooManyOperations, instances
from rewright.loops.fitting import Point, affine_through
from rewright.loops.linear import expression_of, solved
from rewright.model.index import Name
from rewright.model.nest import (
    AffineExpression,
    AffineVariable,
    ElementAccess,
    NestGuard,
    NestItem,
    NestLoop,
    NestStatement,
    Transformation,
)
from rewright.model.nest_text import statement_name

OPERATIONS = 12_000
"""Operations, and iterations, at one choice of sizes: a few hundredths of a second."""

POINTS = 300
"""Points that a function is put through; it is proved for all of them anyway."""


class Looped(Struct, frozen=True):
    """A statement with the iterators of its loops, outermost first."""

    statement: NestStatement
    iterators: tuple[Name, ...]


class NotGuessed(Struct, frozen=True):
    """No guess, and why."""

    reason: str


Guess = tuple[Correspondence, ...]


def looped(body: tuple[NestItem, ...], iterators: tuple[Name, ...] = ()) -> list[Looped]:
    """The statements of a body in the order of the text."""
    found: list[Looped] = []
    for item in body:
        match item:
            case NestStatement():
                found.append(Looped(item, iterators))
            case NestLoop():
                found += looped(item.body, (*iterators, item.iterator))
            case NestGuard():
                found += looped(item.then, iterators) + looped(item.otherwise, iterators)
    return found


def read_off(asked: Transformation) -> Guess | NotGuessed:
    """What the text alone says: labels, signatures, subscripts, names of iterators."""
    specified = looped(asked.specification.body)
    guess = []
    for number, other in enumerate(looped(asked.transformed.body)):
        candidates = _candidates(other.statement, specified)
        if not candidates:
            return NotGuessed(f"no statement is like `{statement_name(other.statement)}`")
        # Of several each is where its iterators are among its own: statements that are merged.
        for at in candidates:
            iterators = _by_subscripts(specified[at], other)
            for name in specified[at].iterators:
                if name in iterators:
                    continue
                if name not in other.iterators:
                    return NotGuessed(f"nothing says what `{name}` is in `{statement_name(other.statement)}`")
                iterators[name] = AffineVariable(name)
            guess.append(_correspondence(number, at, specified, iterators))
    return tuple(guess)


def _candidates(statement: NestStatement, specified: Sequence[Looped]) -> list[int]:
    if statement.label:
        named = [at for at, each in enumerate(specified) if each.statement.label == statement.label]
        if named:
            return named
    return [at for at, each in enumerate(specified) if _alike(each.statement, statement)]


def _alike(one: NestStatement, other: NestStatement) -> bool:
    arrays = [[each.array for each in (side.write, *side.reads)] for side in (one, other)]
    return one.signature == other.signature and arrays[0] == arrays[1]


def _by_subscripts(specified: Looped, other: Looped) -> dict[Name, AffineExpression]:
    """The iterators of the specification that the subscripts give, the element that is written first."""
    known: dict[Name, AffineExpression] = {}
    pairs = list(zip(_accesses(specified.statement), _accesses(other.statement), strict=False))
    progress = True
    while progress:
        progress = False
        for one, two in pairs:
            for subscript, value in zip(one.subscripts, two.subscripts, strict=False):
                open_ = [name for name in specified.iterators if name not in known]
                found = solved(subscript, value, known, open_)
                if found is not None:
                    known[found[0]] = found[1]
                    progress = True
    return known


def _accesses(statement: NestStatement) -> tuple[ElementAccess, ...]:
    return (statement.write, *statement.reads)


def _correspondence(
    number: int, at: int, specified: Sequence[Looped], iterators: Mapping[Name, AffineExpression]
) -> Correspondence:
    return Correspondence(number, at, tuple(iterators[name] for name in specified[at].iterators))


class Samples(Struct):
    """Pairs of operations that were matched at sizes: by statement of the transform and of the specification."""

    asked: Transformation
    pairs: dict[int, dict[int, list[tuple[tuple[int, ...], tuple[int, ...]]]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )

    def add(self, sizes: Sizes) -> None:
        """Runs both programs at sizes; too many operations add nothing."""
        try:
            specified = replace(self.asked.specification, relaxed=self.asked.transformed.relaxed)
            due = _by_element(instances(specified, sizes, OPERATIONS))
            run = instances(self.asked.transformed, sizes, OPERATIONS)
        except TooManyOperations:
            return
        numbers = tuple(number for _, number in sizes)
        written: Counter[object] = Counter()
        for each in run:
            key = each.element, each.apart
            turn, written[key] = written[key], written[key] + 1
            if turn < len(due.get(key, ())):
                other = due[key][turn]
                self.pairs[each.statement][other.statement].append(((*each.iterators, *numbers), other.iterators))


def _by_element(found: Iterable[EnumeratedInstance]) -> Mapping[object, list[EnumeratedInstance]]:
    by_element: dict[object, list[EnumeratedInstance]] = defaultdict(list)
    for each in found:
        by_element[each.element, each.apart].append(each)
    return by_element


def fitted(samples: Samples) -> Guess | NotGuessed:
    """What running both programs says."""
    asked = samples.asked
    specified = looped(asked.specification.body)
    guess = []
    for number, other in enumerate(looped(asked.transformed.body)):
        name = statement_name(other.statement)
        if number not in samples.pairs:
            # A statement that never ran, such as a rest that only large sizes have: its text has to do.
            candidates = _candidates(other.statement, specified)
            known = _by_subscripts(specified[candidates[0]], other) if len(candidates) == 1 else {}
            if len(candidates) != 1 or any(each not in known for each in specified[candidates[0]].iterators):
                return NotGuessed(f"`{name}` was not executed at any size that was tried")
            guess.append(_correspondence(number, candidates[0], specified, known))
            continue
        at, pairs = max(samples.pairs[number].items(), key=lambda each: len(each[1]))
        variables = (*other.iterators, *asked.specification.parameters)
        known = _by_subscripts(specified[at], other) if _alike(specified[at].statement, other.statement) else {}
        for place, iterator in enumerate(specified[at].iterators):
            if iterator not in known:
                points: list[Point] = [(inputs, outputs[place]) for inputs, outputs in _some(pairs)]
                found = affine_through(points)
                if found is None:
                    return NotGuessed(f"`{iterator}` is no affine function of the iterators around `{name}`")
                known[iterator] = expression_of(dict(zip((*variables, None), found, strict=True)))
        guess.append(_correspondence(number, at, specified, known))
    return tuple(guess)


def _some(
    pairs: Sequence[tuple[tuple[int, ...], tuple[int, ...]]],
) -> Sequence[tuple[tuple[int, ...], tuple[int, ...]]]:
    return pairs[:: max(1, len(pairs) // POINTS)]
