"""The values that declarations give to sizes and scalar parameters, of those that are chosen or in any case.

What follows from what is declared after it has a value, too: a call may pass `c * n` before `n`. Must not know how
values are chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import add, mul, sub
from typing import NamedTuple

from rewright.model.body import Binary, Convert, Expression
from rewright.model.index import Name
from rewright.model.kernel import Kernel, ScalarParameter
from rewright.model.scalars import Values, number
from rewright.model.simt.constants import NoValue, Number, converted
from rewright.model.simt.types import BinaryOperator, Scalar


class _Declared(NamedTuple):
    """A size or scalar parameter; `expression` gives it its value, None where it is free."""

    name: Name
    type: Scalar
    expression: Expression | None


def completed(kernel: Kernel, chosen: Values) -> dict[Name, Number]:
    """The chosen values and all that follow from them, as they are declared. Raises `NoValue`."""
    declared = tuple(_declared(kernel))
    free = {
        each.name: converted(chosen[each.name], each.type)
        for each in declared
        if each.expression is None and each.name in chosen
    }
    values, unknown = _following(declared, free)
    for expression in unknown:
        number(expression, values)
    return {each.name: values[each.name] for each in declared if each.name in values}


def given_values(kernel: Kernel) -> dict[Name, Number]:
    """The values that do not depend on what is free."""
    return _following(tuple(_declared(kernel)), {})[0]


def wraps(kernel: Kernel, values: Values) -> bool:
    """Whether a value that is given, or a side of the grid, overflows, or bits are shifted by more than there are.

    Such a launch is nobody's.
    """
    try:
        for side in (*kernel.launch.grid, *kernel.launch.block):
            if _exact(side, values) != number(side, values):
                return True
        for each in _declared(kernel):
            if each.expression is None:
                continue
            exact = _exact(each.expression, values)
            if each.type.is_signed and exact != values[each.name]:
                return True
    except _Undefined:
        return True
    return False


class _Undefined(Exception):
    """An expression of host code has no defined value."""


def _declared(kernel: Kernel) -> Iterator[_Declared]:
    """The sizes and scalar parameters in order."""
    for size in kernel.sizes:
        yield _Declared(size.name, Scalar.S32, size.value)
    for parameter in kernel.parameters:
        if isinstance(parameter, ScalarParameter):
            yield _Declared(parameter.name, parameter.type, parameter.value)


def _following(declared: tuple[_Declared, ...], known: Values) -> tuple[dict[Name, Number], list[Expression]]:
    """These values and those that declarations give with them; and the expressions that have no value then."""
    values = dict(known)
    waiting = [(each, each.expression) for each in declared if each.expression is not None]
    left = len(waiting) + 1
    while len(waiting) < left:
        left, before = len(waiting), waiting
        waiting = []
        for each, expression in before:
            try:
                values[each.name] = converted(number(expression, values), each.type)
            except NoValue:
                waiting.append((each, expression))
    return values, [expression for _, expression in waiting]


def _exact(expression: Expression, values: Values) -> Number:
    """The value of sums, products and quotients of integers without a bound; of the rest, as it is computed."""
    match expression:
        case Convert(operand=operand, type=Scalar() as scalar) if scalar.is_integer and scalar.is_signed:
            return _exact(operand, values)
        case Binary(operator=operator, left=left, right=right) if left.type.is_integer and operator in _EXACT:
            one, other = _exact(left, values), _exact(right, values)
            return _EXACT[operator](one, other) if other or operator is not BinaryOperator.DIVIDE else 0
        case Binary(operator=operator, left=left, right=right) if left.type.is_integer and operator.is_shift:
            if not 0 <= number(right, values) < left.type.bits:
                raise _Undefined
            return number(expression, values)
        case _:
            return number(expression, values)


def _quotient(one: Number, other: Number) -> Number:
    quotient = abs(int(one)) // abs(int(other))
    return quotient if (one < 0) == (other < 0) else -quotient


_EXACT: Mapping[BinaryOperator, Callable[[Number, Number], Number]] = {
    BinaryOperator.ADD: add,
    BinaryOperator.SUBTRACT: sub,
    BinaryOperator.MULTIPLY: mul,
    BinaryOperator.DIVIDE: _quotient,
}
