"""A failing input made smaller, step by step, as long as it fails in the same way.

Owns what is tried: axes left out, then smaller integers, one at a time and two at once; contents that are all
different, else smaller elements. Invariant: what is returned was replayed and fails as the first input did. Greedy: the
result is small, not the smallest. Must not know how the input was found.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from rewright.model.index import Name
from rewright.model.rule import Extent, RuleQuestion
from rewright.replay.arrays import Array, Position, axes_of, elements, filled, fits, from_flat, positions
from rewright.replay.elements import Element, domain_of, read_element, usual
from rewright.replay.functions import apply, remembering
from rewright.replay.inputs import Excluded, Inputs, allows
from rewright.replay.outcomes import Fails
from rewright.replay.rule import check_preconditions, check_sizes, claim, declared_shape, unobserved
from rewright.verdict import Failure

REPLAYS = 600
"""Inputs tried in all."""


class _Search(Struct):
    """A question, the way in which its claim is to fail, and how many inputs may still be tried."""

    question: RuleQuestion
    failure: Failure
    left: int

    def smaller(self, inputs: Inputs, candidates: Callable[[RuleQuestion, Inputs], Iterator[Inputs]]) -> Inputs:
        """The input after as many steps as fail; after each step the candidates are those of the new input."""
        while True:
            found = next((other for other in candidates(self.question, inputs) if self._fails(other)), None)
            if found is None:
                return inputs
            inputs = found

    def _fails(self, inputs: Inputs) -> bool:
        if self.left <= 0:
            return False
        self.left -= 1
        return failure(self.question, inputs) is self.failure


def failure(question: RuleQuestion, inputs: Inputs) -> Failure | None:
    """In which way the claim fails on an input, None if it does not or if it is no input."""
    try:
        check_sizes(question.rule, inputs)
        check_preconditions(question.rule, inputs)
        outcome = claim(question, inputs, unobserved)
    except Excluded:
        return None
    return outcome.failure if isinstance(outcome, Fails) else None


def shrunk(question: RuleQuestion, inputs: Inputs) -> Inputs:
    """A smaller input on which the claim fails in the same way. Raises `ValueError` if it does not fail on this one."""
    found = failure(question, inputs)
    if found is None:
        raise ValueError("the claim does not fail on this input")
    search = _Search(question, found, REPLAYS)
    # contents that are all different come first, since with equal ones a smaller input may fail no more by
    # coincidence; and again once new shapes have brought new contents
    for candidates in (_all_different, _fewer_axes, _smaller_integers, _all_different, _smaller_elements):
        inputs = search.smaller(inputs, candidates)
    return _asked(question, inputs)


# ---------------------------------------------------------------------------------------------- axes and integers


def _fewer_axes(question: RuleQuestion, inputs: Inputs) -> Iterator[Inputs]:
    """The input without one axis of one rank class; of contents what stands at index 0 on it is kept."""
    for group in question.rule.groups:
        rank = inputs.ranks[group.name]
        if group.name == group.rank_class and group.extent is not Extent.SINGLE and allows(group.extent, rank - 1):
            for axis in range(rank):
                yield from _without(question, inputs, group.name, axis)


def _without(question: RuleQuestion, inputs: Inputs, rank_class: Name, axis: int) -> Iterator[Inputs]:
    members = {group.name for group in question.rule.groups if group.rank_class == rank_class}
    on_class = {declared.name for declared in question.rule.maps if declared.rank_class == rank_class}
    ranks = {name: rank - (name in members) for name, rank in inputs.ranks.items()}
    maps = {
        name: values[:axis] + values[axis + 1 :] if name in on_class else values for name, values in inputs.maps.items()
    }
    lost = {
        name: [axes_of(array.groups, inputs.ranks, group)[axis] for group in array.groups if group in members]
        for name, array in inputs.tensors.items()
    }
    return _fitted(question, replace(inputs, ranks=ranks, maps=maps), lost)


def _smaller_integers(question: RuleQuestion, inputs: Inputs) -> Iterator[Inputs]:
    """The input with one integer nearer to 0, or with two of them one step nearer."""
    places = [place for place, value in _integers(question, inputs) if value]
    for place in places:
        for value in nearer(_integer(inputs, place)):
            yield from _fitted(question, _set(inputs, {place: value}), {})
    for pair in itertools.combinations(places, 2):
        steps = {place: _step(_integer(inputs, place)) for place in pair}
        yield from _fitted(question, _set(inputs, steps), {})


def nearer(value: int) -> Iterator[int]:
    """Integers nearer to 0, the nearest first and positive before negative; last the opposite of a negative one."""
    for size in sorted({0, 1, 2, 3, abs(value) // 2, abs(value) - 1}):
        if 0 <= size < abs(value):
            yield from (size, -size) if size else (size,)
    if value < 0:
        yield -value


def _step(value: int) -> int:
    return value - 1 if value > 0 else value + 1


Place = tuple[Name, int | None]
"""An `int`, or a map on one axis."""


def _integers(question: RuleQuestion, inputs: Inputs) -> Iterator[tuple[Place, int]]:
    for name in question.rule.integers:
        yield (name, None), inputs.integers[name]
    for declared in question.rule.maps:
        for axis, value in enumerate(inputs.maps[declared.name]):
            yield (declared.name, axis), value


def _integer(inputs: Inputs, place: Place) -> int:
    name, axis = place
    return inputs.integers[name] if axis is None else inputs.maps[name][axis]


def _set(inputs: Inputs, values: Mapping[Place, int]) -> Inputs:
    integers, maps = dict(inputs.integers), dict(inputs.maps)
    for (name, axis), value in values.items():
        if axis is None:
            integers[name] = value
        else:
            maps[name] = (*maps[name][:axis], value, *maps[name][axis + 1 :])
    return replace(inputs, integers=integers, maps=maps)


# ------------------------------------------------------------------------------------------------------- contents


def _fitted(question: RuleQuestion, inputs: Inputs, lost: Mapping[Name, Sequence[int]]) -> Iterator[Inputs]:
    """The input with contents of the declared shapes: cut off, or continued by numbers; none if a size is negative.

    `lost` are the axes of each tensor's contents that its declared shape no longer has.
    """
    tensors: dict[Name, Array] = {}
    for declared in question.rule.tensors:
        try:
            shape = declared_shape(question.rule, declared.name, inputs)
        except Excluded:
            return
        if not fits(shape):
            return
        array, domain = inputs.tensors[declared.name], domain_of(declared.type, inputs.domain)
        data = filled(shape, usual(domain))
        for number, position in enumerate(positions(shape)):
            old = _with_zeros(position, lost.get(declared.name, ()))
            inside = all(at < size for at, size in zip(old, array.data.shape, strict=True))
            data[position] = array.data[old] if inside else _numbered(number + 1, domain)
        tensors[declared.name] = Array(array.groups, data)
    yield replace(inputs, tensors=tensors)


def _with_zeros(position: Position, axes: Sequence[int]) -> Position:
    """The index with a 0 on each of these axes."""
    index = list(position)
    for axis in sorted(axes):
        index.insert(axis, 0)
    return tuple(index)


def _all_different(question: RuleQuestion, inputs: Inputs) -> Iterator[Inputs]:
    """The input with contents that are all different, and scalars of any type different from them."""
    rule, numbers = question.rule, itertools.count(1)
    scalars = dict(inputs.scalars)
    for number, scalar in enumerate(rule.scalars):
        if domain_of(scalar.type, inputs.domain) == "any":
            scalars[scalar.name] = str(-number)
    tensors = dict(inputs.tensors)
    for declared in rule.tensors:
        domain, array = domain_of(declared.type, inputs.domain), inputs.tensors[declared.name]
        if domain != "pred":
            different = (_numbered(next(numbers), domain) for _ in positions(array.data.shape))
            tensors[declared.name] = Array(array.groups, from_flat(array.data.shape, different))
    if scalars != inputs.scalars or any((tensors[name].data != inputs.tensors[name].data).any() for name in tensors):
        yield replace(inputs, scalars=scalars, tensors=tensors)


def _smaller_elements(question: RuleQuestion, inputs: Inputs) -> Iterator[Inputs]:
    """The input with one scalar or one entry smaller, or all that are equal.

    Contents that are all different are left as they are.
    """
    for name, element in inputs.scalars.items():
        for other in _simpler(element):
            yield from _fitted(question, replace(inputs, scalars={**inputs.scalars, name: other}), {})
    if next(_all_different(question, inputs), None) is None:
        return
    for element in dict.fromkeys(element for array in inputs.tensors.values() for element in elements(array)):
        for other in _simpler(element):
            yield _with_all(inputs, element, other)
    for name, array in inputs.tensors.items():
        for position in positions(array.data.shape):
            for other in _simpler(array.data[position]):
                data = array.data.copy()
                data[position] = other
                yield replace(inputs, tensors={**inputs.tensors, name: Array(array.groups, data)})


def _with_all(inputs: Inputs, element: Element, other: Element) -> Inputs:
    """The input with another element wherever this one stands."""

    def swapped(value: Element) -> Element:
        return other if type(value) is type(element) and value == element else value

    scalars = {name: swapped(value) for name, value in inputs.scalars.items()}
    tensors = {
        name: Array(array.groups, from_flat(array.data.shape, map(swapped, elements(array))))
        for name, array in inputs.tensors.items()
    }
    return replace(inputs, scalars=scalars, tensors=tensors)


def _simpler(element: Element) -> Iterator[Element]:
    """Numbers nearer to 0, whole ones first; `false` for `true`."""
    match element:
        case bool():
            yield from (False,) if element else ()
        case int():
            yield from nearer(element)
        case Fraction():
            if element.denominator != 1:
                yield from (Fraction(math.trunc(element)), Fraction(math.floor(element)), Fraction(math.ceil(element)))
            yield from map(Fraction, nearer(math.trunc(element)))
        case _:
            return


def _numbered(number: int, domain: str) -> Element:
    return usual(domain) if domain == "pred" else read_element(str(number), domain)


def _asked(question: RuleQuestion, inputs: Inputs) -> Inputs:
    """The input with those entries of its functions that a replay asks for."""
    tables = {name: remembering(partial(apply, table)) for name, table in inputs.functions.items()}
    asked = replace(inputs, functions=tables)
    failure(question, asked)
    return asked
