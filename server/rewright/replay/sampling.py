"""Drawing inputs of a rule: small sizes, small attributes, contents that are random or all different.

Owns how an input is found at all: preconditions and validity are mostly facts about one axis, so axes on which they
hold are looked for one by one and then put together at any rank. Everything is judged by replay. A draw is a function
of the generator's state. Must not know what the inputs are for.
"""

from __future__ import annotations

import contextlib
import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from rewright.model.formula import Conjunction, Formula, IndexComparison, Quantified
from rewright.model.index import Index, IntegerReference, MapReference, Name
from rewright.model.rule import Extent, RuleQuestion, TensorDeclaration
from rewright.model.tensor import ElementType
from rewright.replay.alone import speaks_of_each_axis
from rewright.replay.arrays import Array, fits, from_flat
from rewright.replay.assumed import make_hold
from rewright.replay.elements import Element, domain_of, read_element
from rewright.replay.formulas import holds
from rewright.replay.functions import FunctionTable, continued
from rewright.replay.index import IndexDivisionByZero, on_axis
from rewright.replay.inputs import Excluded, Inputs
from rewright.replay.rule import Observer, declared_shape, premise, unobserved

Axis = Mapping[Name, int]
"""The values of one class's maps on one axis."""


class Contents(Enum):
    """How tensors are filled."""

    RANDOM = "random"
    DISTINCT = "distinct"


class Effort(Struct, frozen=True):
    """How many bases and axes are tried, how many are kept, and the largest size and integer element."""

    tries: int = 250
    keep: int = 25
    largest: int = 3


class Hints(Struct, frozen=True, eq=False):
    """What a rule's text says about where inputs are: which integers are sizes, which equalities fix a map."""

    sizes: frozenset[Name]
    pins: tuple[tuple[Name, Index], ...]
    on_each_axis: tuple[Formula, ...]
    singles: tuple[Name, ...]
    free: tuple[Name, ...]


class FixedValues(Struct, frozen=True, eq=False):
    """Values that are not drawn. A tensor's None stands for 0, 1, 2, … in row-major order."""

    integers: Mapping[Name, int]
    scalars: Mapping[Name, Element]
    tensors: Mapping[Name, Sequence[Element] | None]


NOTHING = FixedValues({}, {}, {})


class InputSource(Struct, frozen=True, eq=False):
    """What inputs are drawn from; `heard` hears every value that is computed while inputs are tried."""

    question: RuleQuestion
    rng: random.Random
    effort: Effort
    given: FixedValues
    hints: Hints
    heard: Observer = unobserved


def source_of(question: RuleQuestion, rng: random.Random, effort: Effort, given: FixedValues = NOTHING) -> InputSource:
    """A source of inputs of this question."""
    rule = question.rule
    sizes = [size for tensor in rule.tensors for _, size in tensor.shape]
    classes = [group for group in rule.groups if group.name == group.rank_class]
    hints = Hints(
        sizes=frozenset(size.name for size in sizes if isinstance(size, MapReference | IntegerReference)),
        pins=tuple(pin for formula in rule.where for pin in _pins(formula)),
        on_each_axis=tuple(formula for formula in rule.where if speaks_of_each_axis(formula)),
        singles=tuple(group.name for group in classes if group.extent is Extent.SINGLE),
        free=tuple(group.name for group in classes if group.extent is not Extent.SINGLE),
    )
    return InputSource(question, rng, effort, given, hints)


def bases(source: InputSource, given: Mapping[Name, Axis]) -> list[Inputs]:
    """Integers, scalars and single axes that make an input as far as they go, all other classes being at rank 0.

    `given` are values of maps on single axes.
    """
    kept: list[Inputs] = []
    for _ in range(source.effort.tries):
        base = _draw_base(source, given)
        if is_input(source, at_axes(source, base, {})):
            kept.append(base)
        if len(kept) >= source.effort.keep:
            break
    return kept


def axes(source: InputSource, starts: Sequence[Inputs], name: Name, given: Axis) -> list[Axis]:
    """Axes of a rank class that make an input together with one of the bases `starts`."""
    kept: list[Axis] = []
    for _ in range(source.effort.tries):
        base = source.rng.choice(starts)
        axis = _draw_axis(source, name, base, given)
        if is_input(source, at_axes(source, base, {name: [axis]})):
            kept.append(axis)
        if len(kept) >= source.effort.keep:
            break
    return kept


def distinct_axes(source: InputSource, starts: Sequence[Inputs], name: Name) -> list[Axis]:
    """The same, each axis once, the smallest first; the more maps there are, the more axes are tried.

    Every other one is a neighbour of one that was kept: of a size that has to be a certain sum, few are drawn.
    """
    kept: dict[tuple[int, ...], Axis] = {}
    own = [declared.name for declared in source.question.rule.maps if declared.rank_class == name]
    for attempt in range(source.effort.tries * min(len(own), 4) or 1):
        base = source.rng.choice(starts)
        near = attempt % 2 and kept
        axis = neighbour(source, source.rng.choice(list(kept.values()))) if near else _draw_axis(source, name, base, {})
        key = tuple(axis[map_] for map_ in own)
        if key not in kept and is_input(source, at_axes(source, base, {name: [axis]})):
            kept[key] = axis
        if len(kept) >= source.effort.keep or not own:
            break
    return [axis for _, axis in sorted(kept.items(), key=lambda item: (sum(map(abs, item[0])), item[0]))]


def neighbour(source: InputSource, axis: Axis) -> Axis:
    """The axis with up to two maps one greater or less, none far above the largest size that is drawn."""
    moved, most = dict(axis), source.effort.largest + 2
    for name in source.rng.choices(list(axis), k=2):
        moved[name] = max(-most, min(most, moved[name] + source.rng.choice((-1, 1))))
    return moved


def at_axes(source: InputSource, base: Inputs, chosen: Mapping[Name, Sequence[Axis]]) -> Inputs:
    """The base with these axes of the free classes, none where none are chosen. There are no contents yet."""
    rule, singles = source.question.rule, source.hints.singles
    ranks = {
        group.name: 1 if group.rank_class in singles else len(chosen.get(group.rank_class, ())) for group in rule.groups
    }
    maps = {
        declared.name: tuple(axis[declared.name] for axis in chosen.get(declared.rank_class, ()))
        for declared in rule.maps
        if declared.rank_class not in singles
    }
    return replace(base, ranks=ranks, maps={**base.maps, **maps})


def with_integers(
    source: InputSource, ranks: Mapping[Name, int], known: Mapping[tuple[Name, int | None], int]
) -> Inputs:
    """Maps by name and axis, and `int`s (axis None), at these ranks of the classes; other scalars are drawn.

    There are no contents yet.
    """
    rule = source.question.rule
    functions = _functions(source, itertools.repeat(None), {})
    return Inputs(
        ranks={group.name: ranks[group.rank_class] for group in rule.groups},
        maps={
            declared.name: tuple(known[declared.name, axis] for axis in range(ranks[declared.rank_class]))
            for declared in rule.maps
        },
        integers={name: known[name, None] for name in rule.integers},
        scalars={
            scalar.name: known.get((scalar.name, None), _draw_element(source, scalar.type, None))
            for scalar in rule.scalars
        },
        tensors={},
        functions=functions,
        domain=dict(source.question.domain),
    )


def is_input(source: InputSource, inputs: Inputs) -> bool:
    """Whether the preconditions that speak of each axis alone hold and the premise's side is valid.

    The axes may not be complete yet, so given contents, which need not fit, are left out.
    """
    if not all(holds(formula, inputs) for formula in source.hints.on_each_axis):
        return False
    try:
        free = replace(source, given=replace(source.given, tensors={})) if source.given.tensors else source
        premise(source.question, fill(free, inputs, Contents.RANDOM), source.heard)
    except Excluded:
        return False
    return True


def fill(source: InputSource, inputs: Inputs, contents: Contents) -> Inputs:
    """The inputs with tensors. Raises `Excluded` where a size is negative or does not fit what is given."""
    tensors: dict[Name, Array] = {}
    count = 0
    for tensor in source.question.rule.tensors:
        shape = declared_shape(source.question.rule, tensor.name, inputs)
        if not fits(shape):
            raise Excluded(f"`{tensor.name}` is too large to be drawn")
        size = prod(shape)
        elements = _given_elements(source, tensor, size)
        if elements is None:
            numbers = range(count + 1, count + 1 + size) if contents is Contents.DISTINCT else [None] * size
            elements = [_draw_element(source, tensor.type, number) for number in numbers]
            count += size
        try:
            tensors[tensor.name] = Array(tuple(group for group, _ in tensor.shape), from_flat(shape, elements))
        except ValueError:
            raise Excluded(f"`{tensor.name}` has {len(elements)} elements for the shape {list(shape)}") from None
    further = itertools.count(count + 1) if contents is Contents.DISTINCT else itertools.repeat(None)
    full = replace(inputs, tensors=tensors, functions=_functions(source, further, inputs.functions))
    for assumption in source.question.rule.assumptions:
        make_hold(assumption, full, source.given.tensors, source.rng)
    return full


def _functions(
    source: InputSource, numbers: Iterator[int | None], known: Mapping[Name, FunctionTable]
) -> dict[Name, FunctionTable]:
    """Functions whose results are drawn when they are asked for, each of the next number; those `known` are kept."""
    return {
        declared.name: continued(
            known[declared.name].entries if declared.name in known else {}, _results(source, declared.result, numbers)
        )
        for declared in source.question.rule.functions
    }


def _results(
    source: InputSource, type_: ElementType, numbers: Iterator[int | None]
) -> Callable[[Sequence[Element]], Element]:
    return lambda operands: _draw_element(source, type_, next(numbers))


def _given_elements(source: InputSource, tensor: TensorDeclaration, size: int) -> list[Element] | None:
    if tensor.name not in source.given.tensors:
        return None
    given = source.given.tensors[tensor.name]
    if given is not None:
        return list(given)
    domain = domain_of(tensor.type, dict(source.question.domain))
    return [read_element(str(number), domain) for number in range(size)]


def _draw_base(source: InputSource, given: Mapping[Name, Axis]) -> Inputs:
    base = numbers(source, {name: _draw_integer(source, name) for name in source.question.rule.integers})
    drawn = [_draw_axis(source, name, base, given.get(name, {})) for name in source.hints.singles]
    return replace(base, maps={name: (value,) for axis in drawn for name, value in axis.items()})


def numbers(source: InputSource, integers: Mapping[Name, int]) -> Inputs:
    """These integers, where none are given, and scalars; no axes yet, and functions whose results are drawn."""
    rule, always = source.question.rule, source.given
    scalars = {scalar.name: _draw_element(source, scalar.type, None) for scalar in rule.scalars}
    domain = dict(source.question.domain)
    functions = _functions(source, itertools.repeat(None), {})
    return Inputs({}, {}, {**integers, **always.integers}, {**scalars, **always.scalars}, {}, functions, domain)


def _draw_axis(source: InputSource, name: Name, base: Inputs, given: Axis) -> Axis:
    own = [declared.name for declared in source.question.rule.maps if declared.rank_class == name]
    axis = {map_: _draw_integer(source, map_) for map_ in own}
    return pinned(source, {**axis, **given}, base, given)


def pinned(source: InputSource, axis: Axis, base: Inputs, given: Axis) -> Axis:
    """The axis with what equalities among the preconditions say that its maps are, but for those `given`."""
    found = dict(axis)
    for map_, value in source.hints.pins:
        if map_ in found and map_ not in given:
            with contextlib.suppress(IndexDivisionByZero, KeyError, IndexError, Excluded):
                found[map_] = on_axis(value, 0, replace(base, maps={other: (k,) for other, k in found.items()}))
    return found


def _draw_integer(source: InputSource, name: Name) -> int:
    if name in source.hints.sizes:
        return source.rng.randint(0, source.effort.largest)
    # mostly 0 and 1: of paddings, starts and strides further from them few fit a small tensor
    return source.rng.choice([-2, -1, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4])


def _draw_element(source: InputSource, type_: ElementType, number: int | None) -> Element:
    rng, reach = source.rng, source.effort.largest
    match domain_of(type_, dict(source.question.domain)):
        case "pred":
            return rng.random() < 0.5
        case "int":
            return rng.randint(-reach, reach + 1) if number is None else number
        case "real":
            return Fraction(rng.randint(-3, 3), rng.choice([1, 1, 2, 3])) if number is None else Fraction(number)
        case _:
            return str(rng.randint(0, 3) if number is None else number)


def _pins(formula: Formula) -> list[tuple[Name, Index]]:
    """Equalities that give a map its value."""
    match formula:
        case IndexComparison(operator="==", left=MapReference(name=name), right=value):
            return [(name, value)]
        case Conjunction(left=left, right=right):
            return _pins(left) + _pins(right)
        case Quantified(quantifier="every", body=body):
            return _pins(body)
        case _:
            return []
