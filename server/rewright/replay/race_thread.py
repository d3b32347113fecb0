"""One thread of a kernel, run alone and one step at a time: plain Python over the SIMT form.

A thread is a generator that stops at each barrier; every access is shown to an observer before it happens. Shares
nothing with lockstep execution. Invariant: nothing is guessed; a choice that would need a value that is not known ends
the run with `NotKnown`. Must not know other threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import prod
from typing import NamedTuple, assert_never

from rewright.model.body import (
    Assert,
    Assign,
    Assume,
    Barrier,
    Binary,
    Connective,
    Convert,
    Expression,
    Function,
    If,
    Integer,
    Load,
    Logical,
    Position,
    Real,
    Return,
    Select,
    Statement,
    Store,
    Unary,
    Variable,
    While,
)
from rewright.model.index import Name
from rewright.model.simt.types import Coordinate, Operator, Scalar
from rewright.model.violation import AccessKind, Setting, ThreadIndex
from rewright.replay import race_numbers as numbers
from rewright.replay.race_numbers import Number
from rewright.verdict import Place


class NotKnown(Exception):
    """A choice or an address needs a value that this run does not have."""


class OutOfSteps(Exception):
    """The run takes longer than allowed."""


class Excluded(Exception):
    """An assumption does not hold."""


class _Left(Exception):
    """The thread returned."""


class Accessed(NamedTuple):
    """An access that is about to happen."""

    array: Name
    address: tuple[int, ...]
    kind: AccessKind
    place: Place
    inside: bool


class Failed(NamedTuple):
    """A division by zero or a failed assertion that is about to happen."""

    place: Place


Observer = Callable[[Accessed | Failed], None]


@dataclass(slots=True)
class Steps:
    """How many steps are left."""

    left: int

    def take(self) -> None:
        """Uses up one. Raises `OutOfSteps`."""
        self.left -= 1
        if self.left < 0:
            raise OutOfSteps


@dataclass(slots=True)
class Cells:
    """An array: its extents and its elements, row-major; None where nothing is known of any."""

    extents: tuple[int, ...]
    elements: list[Number] | None


@dataclass(slots=True)
class Thread:
    """A thread with its variables and the memory that it sees."""

    index: ThreadIndex
    setting: Setting
    memory: dict[Name, Cells]
    steps: Steps
    observer: Observer
    variables: dict[Name, Number] = field(default_factory=dict)

    def run(self, body: tuple[Statement, ...]) -> Iterator[Place]:
        """Runs to the end, stopping at the place of each barrier."""
        try:
            yield from _statements(self, body)
        except _Left:
            return


def evaluate(thread: Thread, expression: Expression) -> Number:
    """The value of an expression, None where it is not known. Raises `NotKnown`."""
    thread.steps.take()
    match expression:
        case Integer():
            return numbers.converted(expression.value, expression.type)
        case Real():
            return None
        case Variable():
            return thread.variables.get(expression.name)
        case Position():
            return _position(thread, expression)
        case Load():
            return _load(thread, expression)
        case Unary():
            operand = evaluate(thread, expression.operand)
            return None if operand is None else numbers.unary(expression.operator, operand, expression.type)
        case Binary():
            return _binary(thread, expression)
        case Logical():
            return _logical(thread, expression)
        case Select():
            return _select(thread, expression)
        case Convert():
            operand = evaluate(thread, expression.operand)
            known = operand is not None and not expression.type.is_float
            return numbers.converted(operand, expression.type) if known and operand is not None else None
        case Function():
            for each in expression.operands:
                evaluate(thread, each)
            return None
        case _:
            assert_never(expression)


def _position(thread: Thread, expression: Position) -> int:
    setting = thread.setting
    triples = {
        Coordinate.THREAD: thread.index,
        Coordinate.BLOCK: setting.at,
        Coordinate.BLOCK_DIM: setting.block,
        Coordinate.GRID_DIM: setting.grid,
    }
    return numbers.wrapped(triples[expression.of][expression.axis], expression.type)


def _element(
    thread: Thread, array: Name, indices: tuple[Expression, ...], what: tuple[AccessKind, Place]
) -> tuple[Cells, int] | None:
    """The cells and the position of an element, None outside of the array; the observer has seen the access."""
    kind, place = what
    cells = thread.memory[array]
    address = tuple(_known(evaluate(thread, index)) for index in indices)
    inside = all(0 <= index < extent for index, extent in zip(address, cells.extents, strict=True))
    thread.observer(Accessed(array, address, kind, place, inside))
    if not inside:
        return None
    return cells, sum(index * prod(cells.extents[axis + 1 :]) for axis, index in enumerate(address))


def _load(thread: Thread, expression: Load) -> Number:
    found = _element(thread, expression.array, expression.indices, (AccessKind.READ, expression.place))
    if found is None or found[0].elements is None:
        return None
    return found[0].elements[found[1]]


def _binary(thread: Thread, expression: Binary) -> Number:
    left, right = evaluate(thread, expression.left), evaluate(thread, expression.right)
    divides = expression.operator in (Operator.DIVIDE, Operator.REMAINDER) and expression.type.is_integer
    if divides and right == 0:
        thread.observer(Failed(expression.place))
        return None
    if left is None or right is None:
        return None
    scalar = expression.left.type if expression.operator.is_comparison else expression.type
    return numbers.binary(expression.operator, left, right, scalar)


def _logical(thread: Thread, expression: Logical) -> Number:
    left = evaluate(thread, expression.left)
    decided = int(expression.connective is Connective.OR)
    if left == decided:
        return left
    if left is None and _acts(expression.right):
        raise NotKnown
    right = evaluate(thread, expression.right)
    return right if left is not None else None


def _select(thread: Thread, expression: Select) -> Number:
    condition = evaluate(thread, expression.condition)
    if condition is None:
        if _acts(expression.on_true) or _acts(expression.on_false):
            raise NotKnown
        return None
    return evaluate(thread, expression.on_true if condition else expression.on_false)


def _acts(expression: Expression) -> bool:
    """Whether evaluating the expression can be observed."""
    match expression:
        case Load():
            return True
        case Binary(operator=Operator.DIVIDE | Operator.REMAINDER, type=scalar) if scalar.is_integer:
            return True
        case Binary() | Logical():
            return _acts(expression.left) or _acts(expression.right)
        case Unary() | Convert():
            return _acts(expression.operand)
        case Select():
            return _acts(expression.condition) or _acts(expression.on_true) or _acts(expression.on_false)
        case Function():
            return any(_acts(each) for each in expression.operands)
        case Integer() | Real() | Variable() | Position():
            return False
        case _:
            assert_never(expression)


def _known(value: Number) -> int:
    if value is None:
        raise NotKnown
    return value


def _statements(thread: Thread, body: tuple[Statement, ...]) -> Iterator[Place]:
    for statement in body:
        thread.steps.take()
        match statement:
            case Assign():
                thread.variables[statement.name] = evaluate(thread, statement.value)
            case Store():
                _store(thread, statement)
            case If():
                condition = evaluate(thread, statement.condition)
                if condition is None:
                    _forget(thread, statement.then + statement.otherwise)
                else:
                    yield from _statements(thread, statement.then if condition else statement.otherwise)
            case While():
                while _known(evaluate(thread, statement.condition)):
                    yield from _statements(thread, statement.body)
            case Barrier():
                yield statement.place
            case Return():
                raise _Left
            case Assert():
                if not _known(evaluate(thread, statement.condition)):
                    thread.observer(Failed(statement.place))
            case Assume():
                if not _known(evaluate(thread, statement.condition)):
                    raise Excluded
            case _:
                assert_never(statement)


def _store(thread: Thread, statement: Store) -> None:
    indices = tuple(statement.indices)
    address = tuple(Integer(_known(evaluate(thread, index)), Scalar.S64, statement.place) for index in indices)
    value = evaluate(thread, statement.value)
    found = _element(thread, statement.array, address, (AccessKind.WRITE, statement.place))
    if found is not None and found[0].elements is not None:
        found[0].elements[found[1]] = value


def _forget(thread: Thread, body: tuple[Statement, ...]) -> None:
    """Both ways of an `if` whose condition is not known: fine where nothing but variables is set."""
    for statement in body:
        match statement:
            case Assign() if not _acts(statement.value):
                thread.variables[statement.name] = None
            case If() if not _acts(statement.condition):
                _forget(thread, statement.then + statement.otherwise)
            case _:
                raise NotKnown
