"""What element types lose in a tensor program: sums over ranks in few bits, numbers that a type does not hold.

Owns a check of its own. A refinement speaks of real numbers, so nothing here changes its verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod
from types import MappingProxyType

from msgspec import Struct, field

from rewright.frontends.tensor_programs.attributes import constant, integers
from rewright.frontends.tensor_programs.inlining import MANUAL, MOST_CALLS, callee, known
from rewright.frontends.tensor_programs.operators import combines
from rewright.frontends.tensor_programs.program import Function, TensorOperation, TensorProgram, TensorType
from rewright.frontends.tensor_programs.values import NotTaken
from rewright.verdict import Diagnosis
from rewright.verdict.diagnostics.graphs import NarrowedBeforeSum, NarrowSum, NarrowTerms, NumberNotHeld

BITS: Mapping[str, int] = MappingProxyType({"f16": 11, "bf16": 8, "f32": 24, "f64": 53})
"""Binary digits of a number of each type, the leading one counted."""

NARROW = frozenset({"f16", "bf16"})
GREATEST_F16 = 65504

_SUMS = frozenset({"stablehlo.all_reduce", "stablehlo.reduce_scatter"})
_VIEWS = frozenset(
    f"stablehlo.{name}" for name in ("reshape", "transpose", "broadcast_in_dim", "optimization_barrier", "slice")
)
MOST_NOTED = 20
"""Findings of a function: the same cast stands in every layer."""


class ElementNote(Struct, frozen=True):
    """What is lost at a range of bytes of the text."""

    diagnosis: Diagnosis
    start: int
    end: int


def element_notes(program: TensorProgram, function: Function) -> tuple[ElementNote, ...]:
    """What the operations of a function lose, and those of the functions that it calls, in the order of the text."""
    looking = _Looking(program)
    types = {each.value: each.type for each in function.parameters}
    found = {(each.start, each.diagnosis): each for each in looking.run(function.operations, types, 0)}
    return tuple(found.values())[:MOST_NOTED]


class _Looking(Struct):
    """One body while it is looked through: types of values, what made them, and numbers that are known."""

    program: TensorProgram
    seen: set[str] = field(default_factory=set)

    def run(
        self, operations: Sequence[TensorOperation], types: dict[str, TensorType], depth: int
    ) -> Iterator[ElementNote]:
        """The findings of a body, whose parameters have these types."""
        made: dict[str, TensorOperation] = {}
        numbers: dict[str, Fraction] = {}
        for each in operations:
            yield from self._within(each, depth)
            for diagnosis in _lost(each, types, made, numbers):
                yield ElementNote(diagnosis, each.start, each.end)
            for name, type_ in zip(each.results, each.types, strict=False):
                types[name], made[name] = type_, each

    def _within(self, operation: TensorOperation, depth: int) -> Iterator[ElementNote]:
        if depth >= MOST_CALLS:
            return
        if operation.name == MANUAL and operation.regions:
            region = operation.regions[0]
            yield from self.run(region.operations, dict(region.arguments), depth + 1)
        called = callee(self.program, operation)
        if called is not None and called.name not in self.seen:
            self.seen.add(called.name)
            yield from self.run(called.operations, {each.value: each.type for each in called.parameters}, depth + 1)


def _lost(
    operation: TensorOperation,
    types: Mapping[str, TensorType],
    made: Mapping[str, TensorOperation],
    numbers: dict[str, Fraction],
) -> Iterator[Diagnosis]:
    """What one operation loses; `numbers` learns the one that it gives."""
    element = operation.types[0].element if operation.types else ""
    if operation.name in _SUMS and element in NARROW and _adds(operation):
        wider = _wider(operation.operands[0], element, types, made) if operation.operands else None
        yield NarrowSum(element) if wider is None else NarrowedBeforeSum(wider, element)
    if operation.name == "stablehlo.reduce" and element in NARROW and _adds(operation):
        terms = _terms(operation, types)
        wider = _wider(operation.operands[0], element, types, made) if operation.operands else None
        if wider is not None or (terms is not None and terms > 1 << BITS[element]):
            yield NarrowTerms(element, terms, wider)
    yield from _number(operation, numbers)


def _adds(operation: TensorOperation) -> bool:
    try:
        return combines(operation.regions[0] if operation.regions else None, operation) == "add"
    except NotTaken:
        return False


def _wider(
    value: str, element: str, types: Mapping[str, TensorType], made: Mapping[str, TensorOperation]
) -> str | None:
    """The type from which a value was narrowed, None if it was computed in its own."""
    maker = made.get(value)
    while maker is not None and maker.name in _VIEWS and maker.operands:
        maker = made.get(maker.operands[0])
    if maker is None or maker.name != "stablehlo.convert" or not maker.operands:
        return None
    source = types.get(maker.operands[0])
    return source.element if source is not None and BITS.get(source.element, 0) > BITS[element] else None


def _terms(operation: TensorOperation, types: Mapping[str, TensorType]) -> int | None:
    """How many terms each sum has, None if that is not known."""
    own = types.get(operation.operands[0]) if operation.operands else None
    shape = known(own) if own is not None else None
    try:
        along = integers(operation, "dimensions")
    except NotTaken:
        return None
    return prod(shape[d] for d in along) if shape is not None and all(d < len(shape) for d in along) else None


# ------------------------------------------------------------------------------------------------------------- numbers


def _number(operation: TensorOperation, numbers: dict[str, Fraction]) -> Iterator[Diagnosis]:
    """The number that an operation gives, learnt where it is one, and said where its type does not hold it."""
    if len(operation.results) != 1 or not operation.types:
        return
    element = operation.types[0].element
    given = [numbers[each] for each in operation.operands if each in numbers]
    made: Fraction | None = None
    match operation.name.removeprefix("stablehlo."):
        case "constant":
            made = _constant(operation, element)
        case "multiply" if len(given) == 2:
            made = given[0] * given[1]
        case "add" if len(given) == 2:
            made = given[0] + given[1]
        case "convert" | "reshape" | "broadcast_in_dim" if len(given) == 1:
            made = given[0]
        case _:
            return
    if made is None:
        return
    kept = held_as(made, element)
    if kept != made and made.denominator == 1 and operation.name != "stablehlo.constant":
        yield NumberNotHeld(str(made), element, None if kept is None else str(kept))
    elif kept is not None:
        numbers[operation.results[0]] = kept


def _constant(operation: TensorOperation, element: str) -> Fraction | None:
    shape = known(operation.types[0])
    try:
        found = constant(operation, element, shape) if shape is not None else None
    except NotTaken:
        return None
    return found if isinstance(found, Fraction) else None


def held_as(number: Fraction, element: str) -> Fraction | None:
    """What a type makes of a number: integers wrap, floats round to even; None where it is infinite.

    >>> held_as(Fraction(257), "bf16")
    Fraction(256, 1)
    """
    if element in BITS:
        return _rounded(number, element)
    digits = element.lstrip("usi")
    if not digits.isdecimal() or int(digits) < 2 or number.denominator != 1:
        return number
    size = 1 << int(digits)
    wrapped = int(number) % size
    return Fraction(wrapped - size if not element.startswith("u") and wrapped >= size // 2 else wrapped)


def _rounded(number: Fraction, element: str) -> Fraction | None:
    if element == "f16" and abs(number) >= GREATEST_F16 + 16:
        return None
    if number == 0 or element not in NARROW:
        return number
    exact = abs(number)
    power = 0
    while exact >= 2:
        exact /= 2
        power += 1
    while exact < 1:
        exact *= 2
        power -= 1
    digits = BITS[element] - 1
    scaled = Fraction(round(exact * (1 << digits)), 1 << digits) * Fraction(2) ** power
    return scaled if number > 0 else -scaled
