"""The replay's operators against XLA itself, on random small arrays: valid or not, the shape, every element.

An operator is applied by `jax.lax` on the processor to the same integers. Starts are out of range as often as in it,
paddings negative, sizes 0. What the replay calls invalid, jax must refuse; where an integer is divided by 0 the replay
has no element to compare. Needs the extra `xla`.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from rewright.model import tensor as t
from rewright.model.index import Index, MapReference, Name
from rewright.model.index import Number as IndexNumber
from rewright.model.operator_table import DECIDED, MONOIDS, ROWS
from rewright.model.operators import Family, Operator, Trait
from rewright.model.types import Need
from rewright.replay.arrays import Array, elements, from_flat
from rewright.replay.conditions import Invalid
from rewright.replay.elements import UNDEFINED, pointwise
from rewright.replay.enclosures import ends
from rewright.replay.inputs import Inputs
from rewright.replay.tensors import Evaluation, evaluate

CASES = 40
"""For each operator; XLA compiles each shape anew."""

AS_IN_XLA = {"allow_negative_indices": False}
"""jax by itself counts a negative start from the end, which XLA does not."""

A, B, D, E, F = Name("A"), Name("B"), Name("d"), Name("e"), Name("f")
INT = t.ElementType("int", None)
PRED = t.ElementType("pred", None)
REAL = t.ElementType("real", None)
DTYPES = {INT: np.int32, PRED: np.bool_, REAL: np.float32}
Data = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Case:
    """One application of an operator: as an expression with its input, and as a call of jax."""

    expression: t.Tensor
    inputs: Inputs
    expected: Callable[[Any], Any]
    """Given `jax.lax`, the result; raises what jax raises where it refuses."""


@dataclass(frozen=True)
class Steps:
    """How windows lie, axis by axis, as jax takes it."""

    strides: list[int]
    paddings: list[tuple[int, int]]
    bases: list[int]
    dilations: list[int]

    @property
    def all(self) -> tuple[Any, ...]:
        """In jax's order, the same for windows and convolutions."""
        return self.strides, self.paddings, self.bases, self.dilations


class Draw:
    """Random tensors, attributes and the input that they make."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.ranks = {A: rng.randint(0, 2), B: rng.randint(0, 2), D: 1, E: 1, F: 1}
        self.maps: dict[Name, tuple[int, ...]] = {}
        self.tensors: dict[Name, Array] = {}

    def shape(self, groups: Sequence[Name]) -> tuple[int, ...]:
        return tuple(self.rng.choice([0, 1, 2, 2, 3]) for group in groups for _ in range(self.ranks[group]))

    def data(self, shape: tuple[int, ...], type_: t.ElementType = INT) -> Data:
        low, high = (0, 2) if type_ == PRED else (-6, 7)
        numbers = [self.rng.randrange(low, high) for _ in range(int(np.prod(shape)))]
        return np.array([each / 4 if type_ == REAL else each for each in numbers], DTYPES[type_]).reshape(shape)

    def tensor(self, groups: tuple[Name, ...], data: Data) -> t.TensorReference:
        """A reference to a new tensor with these elements."""
        type_ = next(each for each, dtype in DTYPES.items() if data.dtype == dtype)
        name = Name(f"X{len(self.tensors)}")
        exact = Fraction if type_ == REAL else lambda number: number
        self.tensors[name] = Array(groups, from_flat(data.shape, (exact(cell.item()) for cell in data.flat)))
        return t.TensorReference(name, type_, groups, 0)

    def attribute(self, values: Sequence[int]) -> Index:
        """A new map on A with these values."""
        name = Name(f"k{len(self.maps)}")
        self.maps[name] = tuple(values)
        return MapReference(name, A, 0)

    def integers(self, low: int, high: int, count: int) -> list[int]:
        return [self.rng.randint(low, high) for _ in range(count)]

    def window(self, shape: Sequence[int]) -> tuple[Steps, t.Window]:
        """Strides, padding and dilations on A; no window has a size. Of no axis more is cut off than there is."""
        strides, lows, bases, dilations = (
            self.integers(low, high, len(shape)) for low, high in ((1, 3), (-2, 3), (1, 3), (1, 2))
        )
        least = (
            -low - ((size - 1) * base + 1 if size else 0) for low, size, base in zip(lows, shape, bases, strict=True)
        )
        highs = [max(self.rng.randint(-2, 3), bound) for bound in least]
        parts = (self.attribute(values) for values in (strides, lows, highs, bases, dilations))
        return Steps(strides, list(zip(lows, highs, strict=True)), bases, dilations), t.Window(None, *parts)

    def case(self, expression: t.Tensor, expected: Callable[[Any], Any]) -> Case:
        return Case(expression, Inputs(self.ranks, self.maps, {}, {}, self.tensors, {}, {}), expected)


def sliced(draw: Draw) -> Case:
    data = draw.data(draw.shape([A]))
    rank = data.ndim
    starts, strides = draw.integers(-1 + (draw.rng.random() < 0.8), 2, rank), draw.integers(1, 3, rank)
    limits = [draw.rng.randint(0, size + (draw.rng.random() < 0.2)) for size in data.shape]
    ranges = t.SliceRange(draw.attribute(starts), draw.attribute(limits), draw.attribute(strides))
    node = t.Slice(draw.tensor((A,), data), ((A, ranges),), INT, (A,), 0)
    return draw.case(node, lambda lax: lax.slice(data, starts, limits, strides))


def dynamically_sliced(draw: Draw) -> Case:
    data = draw.data(draw.shape([A]))
    starts = draw.integers(-3, 5, data.ndim)
    lengths = [draw.rng.randint(0, size + (draw.rng.random() < 0.2)) for size in data.shape]
    ranges = t.DynamicRange(draw.attribute(starts), draw.attribute(lengths))
    node = t.DynamicSlice(draw.tensor((A,), data), ((A, ranges),), INT, (A,), 0)
    return draw.case(node, lambda lax: lax.dynamic_slice(data, _positions(starts), lengths, **AS_IN_XLA))


def dynamically_updated(draw: Draw) -> Case:
    data = draw.data(draw.shape([A]))
    update = draw.data(tuple(draw.rng.randint(0, size + (draw.rng.random() < 0.1)) for size in data.shape))
    starts = draw.integers(-3, 5, data.ndim)
    operands = draw.tensor((A,), data), draw.tensor((A,), update)
    node = t.DynamicUpdateSlice(*operands, ((A, draw.attribute(starts)),), INT, (A,), 0)
    return draw.case(node, lambda lax: lax.dynamic_update_slice(data, update, _positions(starts), **AS_IN_XLA))


def _positions(starts: Sequence[int]) -> list[Data]:
    return [np.array(start, dtype=np.int32) for start in starts]


def padded(draw: Draw) -> Case:
    data = draw.data(draw.shape([A]))
    lows, highs = draw.integers(-3, 3, data.ndim), draw.integers(-3, 3, data.ndim)
    interiors = draw.integers(-(draw.rng.random() < 0.1), 2, data.ndim)
    padding = t.Padding(draw.attribute(lows), draw.attribute(highs), draw.attribute(interiors))
    value = t.Constant("9", INT, (), 0)
    node = t.Pad(draw.tensor((A,), data), value, ((A, padding),), INT, (A,), 0)
    config = list(zip(lows, highs, interiors, strict=True))
    return draw.case(node, lambda lax: lax.pad(data, np.int32(9), config))


def concatenated(draw: Draw) -> Case:
    rest = draw.shape([A])
    parts = [draw.data((*rest, draw.rng.randint(0, 3))) for _ in range(draw.rng.randint(1, 3))]
    if rest and draw.rng.random() < 0.2:
        parts.append(draw.data((rest[0] + 1, *rest[1:], 1)))
    operands = tuple(draw.tensor((A, D), part) for part in parts)
    node = t.Concatenate(operands, D, INT, (A, D), 0)
    return draw.case(node, lambda lax: lax.concatenate(parts, len(rest)))


def reversed_(draw: Draw) -> Case:
    data = draw.data(draw.shape([A, B]))
    node = t.Reverse(draw.tensor((A, B), data), (B,), INT, (A, B), 0)
    return draw.case(node, lambda lax: lax.rev(data, range(draw.ranks[A], data.ndim)))


def transposed(draw: Draw) -> Case:
    draw.ranks[B] = draw.ranks[A]
    data = draw.data(draw.shape([A, B, D]))
    node = t.Transpose(draw.tensor((A, B, D), data), ((A, B), (B, A)), INT, (A, B, D), 0)
    rank = draw.ranks[A]
    order = (*range(rank, 2 * rank), *range(rank), 2 * rank)
    return draw.case(node, lambda lax: lax.transpose(data, order))


def broadcast(draw: Draw) -> Case:
    data = draw.data(draw.shape([B]))
    sizes = draw.integers(0, 3, draw.ranks[A])
    node = t.Broadcast(draw.tensor((B,), data), ((A, draw.attribute(sizes)),), INT, (A, B), 0)
    shape = (*sizes, *data.shape)
    return draw.case(node, lambda lax: lax.broadcast_in_dim(data, shape, range(len(sizes), len(shape))))


def counted(draw: Draw) -> Case:
    sizes, length = draw.integers(0, 3, draw.ranks[A]), draw.rng.randint(0, 4)
    node = t.Iota(D, ((A, draw.attribute(sizes)), (D, IndexNumber(length, 0))), INT, (A, D), 0)
    return draw.case(node, lambda lax: lax.broadcasted_iota(np.int32, (*sizes, length), len(sizes)))


def reshaped(draw: Draw) -> Case:
    kept = draw.shape([A])
    unit = draw.shape([B]) if draw.rng.random() < 0.1 else (1,) * draw.ranks[B]
    if draw.rng.random() < 0.5:
        data = draw.data((*kept, *unit))
        node = t.Reshape(draw.tensor((A, B), data), (B,), (), INT, (A,), 0)
        return draw.case(node, lambda lax: lax.squeeze(data, range(len(kept), data.ndim)))
    data = draw.data(kept)
    node = t.Reshape(draw.tensor((A,), data), (), (B,), INT, (A, B), 0)
    return draw.case(node, lambda lax: lax.reshape(data, (*kept, *(1 for _ in range(draw.ranks[B])))))


NEUTRAL = {"add": 0, "multiply": 1, "maximum": -9, "minimum": 9, "and": 1, "or": 0}
"""What changes no element that is drawn."""


def reduced(draw: Draw) -> Case:
    """With a neutral initial value: StableHLO leaves open how often it takes part, and for one element it does not."""
    row = draw.rng.choice(MONOIDS)
    monoid, name, neutral = row.name, JAX.get(row.name, row.name), NEUTRAL[row.name]
    type_ = PRED if row.need is Need.LOGIC else INT
    data = draw.data(draw.shape([A, B]), type_)
    initial: np.ndarray[tuple[()], Any] = np.array(neutral, dtype=DTYPES[type_])
    operands = draw.tensor((A, B), data), draw.tensor((), initial)
    node = t.Reduce(monoid, operands[0], (B,), operands[1], type_, (A,), 0)
    axes = tuple(range(draw.ranks[A], data.ndim))
    return draw.case(node, lambda lax: lax.reduce(data, initial[()], getattr(lax, name), axes))


def dotted(draw: Draw) -> Case:
    """Batch A, contraction over B; each operand has an axis of its own."""
    shared = draw.shape([A, B])
    other = draw.shape([A, B]) if draw.rng.random() < 0.1 else shared
    left, right = draw.data((*shared, draw.rng.randint(0, 3))), draw.data((*other, draw.rng.randint(0, 3)))
    operands = draw.tensor((A, B, D), left), draw.tensor((A, B, E), right)
    node = t.Dot(*operands, (B,), INT, (A, D, E), 0)
    batch, inner = tuple(range(draw.ranks[A])), tuple(range(draw.ranks[A], len(shared)))
    return draw.case(node, lambda lax: lax.dot_general(left, right, ((inner, inner), (batch, batch))))


def windowed(draw: Draw) -> Case:
    """With a neutral initial value, as for `reduced`: XLA leaves padding out, which then is alike."""
    row = draw.rng.choice(MONOIDS)
    monoid, name, neutral = row.name, JAX.get(row.name, row.name), NEUTRAL[row.name]
    type_ = PRED if row.need is Need.LOGIC else INT
    data = draw.data(draw.shape([A]), type_)
    initial: np.ndarray[tuple[()], Any] = np.array(neutral, dtype=DTYPES[type_])
    steps, window = draw.window(data.shape)
    sizes = [draw.rng.randint(1, 3) for _ in data.shape]
    operands = draw.tensor((A,), data), draw.tensor((), initial)
    windows = ((A, replace(window, size=draw.attribute(sizes))),)
    node = t.ReduceWindow(monoid, operands[0], windows, operands[1], type_, (A,), 0)
    return draw.case(node, lambda lax: lax.reduce_window(data, initial[()], getattr(lax, name), sizes, *steps.all))


def convolved(draw: Draw) -> Case:
    """Batch d, feature e, output f, spatial A; features or batches cut into parts in half of the cases."""
    parts = draw.rng.choice([(1, 1), (1, 1), (2, 1), (3, 1), (1, 2)])
    features, batches = parts
    own = draw.rng.randint(0, 2)
    batch, outputs = draw.rng.randint(0, 2) * batches, draw.rng.randint(0, 2) * features * batches
    image = draw.data((batch, own * features + (draw.rng.random() < 0.05), *draw.shape([A])))
    kernel = draw.data((outputs, own, *draw.shape([A])))
    steps, window = draw.window(image.shape[2:])
    turned = (A,) if draw.rng.random() < 0.5 else ()
    operands = draw.tensor((D, E, A), image), draw.tensor((F, E, A), kernel)
    counts = IndexNumber(features, 0), IndexNumber(batches, 0)
    node = t.Convolution(*operands, (E,), ((A, window),), turned, *counts, INT, (D, F, A), 0)
    spatial = tuple(range(2, image.ndim))
    axes = (0, 1, *spatial)

    def expected(lax: Any) -> Any:
        weights = lax.rev(kernel, spatial) if turned else kernel
        numbers = lax.ConvDimensionNumbers(axes, axes, axes)
        keys = {"feature_group_count": features, "batch_group_count": batches}
        return lax.conv_general_dilated(image, weights, *steps.all, numbers, **keys)

    return draw.case(node, expected)


JAX = {
    "subtract": "sub",
    "multiply": "mul",
    "divide": "div",
    "remainder": "rem",
    "maximum": "max",
    "minimum": "min",
    "negate": "neg",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "not": "bitwise_not",
}
"""Our name and jax's, where they differ."""

ELEMENTWISE = [row.name for row in DECIDED if row.elementwise and Trait.TRANSCENDENTAL not in row.traits]


def types_of(row: Operator) -> tuple[tuple[t.ElementType, ...], t.ElementType]:
    """The types of the operands and of the result: integers, or what has logic or fractions where that is needed."""
    operand = {Need.LOGIC: PRED, Need.FRACTION: REAL}.get(row.need or Need.NUMBER, INT)
    first = PRED if row.family is Family.SELECT else operand
    operands = (first, *(operand for _ in range((row.operands or 1) - 1)))
    return operands, PRED if row.family is Family.COMPARISON else operand


MOVING = (
    *(sliced, dynamically_sliced, dynamically_updated, padded, concatenated),
    *(reversed_, transposed, broadcast, counted, reshaped, reduced, dotted, windowed, convolved),
)


def elementwise(name: str, draw: Draw) -> Case:
    types, result = types_of(ROWS[name])
    shape = draw.shape([A, B])
    data = [draw.data(shape, type_) for type_ in types]
    if len(data) > 1 and shape and shape[0] > 1 and draw.rng.random() < 0.2:
        data[-1] = draw.data((shape[0] + 1, *shape[1:]), types[-1])
    node = t.Pointwise(name, tuple(draw.tensor((A, B), each) for each in data), result, (A, B), 0)
    return draw.case(node, lambda lax: getattr(lax, JAX.get(name, name))(*data))


@pytest.fixture(scope="module")
def lax() -> Any:
    jax = importlib.import_module("jax")
    jax.config.update("jax_platforms", "cpu")
    return jax.lax


@pytest.mark.soak
@pytest.mark.parametrize("operator", MOVING, ids=lambda operator: operator.__name__.strip("_"))
def test_moving_and_reducing(operator: Callable[[Draw], Case], lax: Any) -> None:
    rng = random.Random(operator.__name__)
    _compare((operator(Draw(rng)) for _ in range(CASES)), lax)


@pytest.mark.soak
@pytest.mark.parametrize("name", ELEMENTWISE)
def test_elementwise(name: str, lax: Any) -> None:
    rng = random.Random(name)
    _compare((elementwise(name, Draw(rng)) for _ in range(CASES)), lax)


@pytest.mark.soak
def test_exponentials_are_near_those_of_xla(lax: Any) -> None:
    rng = random.Random(7)
    for _ in range(CASES):
        power = Fraction(rng.randint(-160, 160), 16)
        low, high = (float(end) for end in ends(pointwise("exponential", (power,))))  # type: ignore[arg-type]
        theirs = float(lax.exp(np.float32(power)))
        assert low * (1 - 1e-5) < theirs < high * (1 + 1e-5)


def _compare(cases: Iterator[Case], lax: Any) -> None:
    compared = 0
    for case in cases:
        try:
            ours = evaluate(case.expression, Evaluation(case.inputs, lambda site, value: None))
        except Invalid:
            with pytest.raises((TypeError, ValueError)):
                case.expected(lax)
            continue
        theirs = np.asarray(case.expected(lax))
        assert ours.data.shape == theirs.shape, case
        for mine, other in zip(elements(ours), theirs.flat, strict=True):
            if mine is not UNDEFINED:
                compared += 1
                assert mine == other.item(), case
    assert compared > CASES / 2
