"""What requirements and grid say of sizes and parameters at once: numbers to divide by, to compare with, to have.

Only what stands in the text is used; this chooses launches, and whether a requirement holds is asked elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from rewright.kernels.launches.requirements import bare, expressions
from rewright.model.body import Binary, Connective, Expression, Integer, Logical, Variable, parts
from rewright.model.index import Name
from rewright.model.kernel import Fact, Kernel
from rewright.model.scalars import Values, integer
from rewright.model.simt.constants import NoValue
from rewright.model.simt.types import BinaryOperator

_LARGEST = (1 << 31) - 1
"""No dividend is made that is larger."""


def divisors(kernel: Kernel, name: Name, given: Values) -> Iterator[int]:
    """The numbers that requirements divide a name by to look at the remainder."""
    for binary in _binaries(kernel):
        if binary.operator is BinaryOperator.REMAINDER and _is(binary.left, name):
            yield from (value for value in _value(binary.right, given) if value > 0)


def tiles(kernel: Kernel, name: Name, given: Values) -> Iterator[int]:
    """The numbers that the grid divides a name by: the elements that a block does along one side."""
    for binary in (part for side in kernel.launch.grid for part in parts(side) if isinstance(part, Binary)):
        if binary.operator is BinaryOperator.DIVIDE and any(_is(part, name) for part in parts(binary.left)):
            yield from (value for value in _value(binary.right, given) if value > 0)


def compared(kernel: Kernel, name: Name, given: Values) -> Iterator[int]:
    """The numbers that requirements compare a name with."""
    for binary in _binaries(kernel):
        if binary.operator.is_comparison:
            for side, other in ((binary.left, binary.right), (binary.right, binary.left)):
                if _is(side, name):
                    yield from _value(other, given)


def determined(kernel: Kernel, values: Values, free: frozenset[Name]) -> dict[Name, int]:
    """The values that equations give to free names, one after the other, from the values chosen so far."""
    found: dict[Name, int] = {}
    for each in kernel.requires:
        for condition in _conjuncts(each.condition) if isinstance(each, Fact) else ():
            for name, expression in _equations(condition):
                for value in _value(expression, {**values, **found}) if name in free else ():
                    found.setdefault(name, value)
            for name, value in _dividends(condition, {**values, **found}):
                if name in free:
                    found.setdefault(name, value)
    return found


def equated(kernel: Kernel, names: frozenset[Name]) -> frozenset[Name]:
    """Those of the names that an equation gives a number; a quotient leaves several."""
    facts = (each for each in kernel.requires if isinstance(each, Fact))
    equations = (found for each in facts for part in _conjuncts(each.condition) for found in _equations(part))
    return frozenset(name for name, expression in equations if name in names and _value(expression, {}))


def _dividends(condition: Expression, values: Values) -> Iterator[tuple[Name, int]]:
    """The value of `n` that makes `n / d == q` true, and `n / d % q == 0`: there that next to the value it has."""
    match condition:
        case Binary(operator=BinaryOperator.EQUAL, left=left, right=right):
            for side, other in ((bare(left), right), (bare(right), left)):
                match side:
                    case Binary(operator=BinaryOperator.DIVIDE):
                        yield from _dividend(side, _value(other, values), values)
                    case Binary(operator=BinaryOperator.REMAINDER) if _value(other, values) == (0,):
                        yield from _rounded(bare(side.left), _value(side.right, values), values)


def _dividend(quotient: Binary, required: tuple[int, ...], values: Values) -> Iterator[tuple[Name, int]]:
    """The value of the name that is divided at which the quotient is as required."""
    name, divisor = bare(quotient.left), _value(quotient.right, values)
    if isinstance(name, Variable) and divisor and required and divisor[0] * required[0] <= _LARGEST:
        yield name.name, divisor[0] * required[0]


def _rounded(quotient: Expression, unit: tuple[int, ...], values: Values) -> Iterator[tuple[Name, int]]:
    """The value of the name that is divided at which the quotient is a multiple, the next one that is positive."""
    if isinstance(quotient, Binary) and quotient.operator is BinaryOperator.DIVIDE and unit and unit[0] > 0:
        for value in _value(quotient, values):
            yield from _dividend(quotient, (max(-(-value // unit[0]), 1) * unit[0],), values)


def _equations(condition: Expression) -> Iterator[tuple[Name, Expression]]:
    """`name == expression`, read in one direction: the name that stands alone, the left one if both do."""
    if isinstance(condition, Binary) and condition.operator is BinaryOperator.EQUAL:
        for side, other in ((condition.left, condition.right), (condition.right, condition.left)):
            name = bare(side)
            if isinstance(name, Variable) and not any(_is(part, name.name) for part in parts(other)):
                yield name.name, other
                return


def _conjuncts(condition: Expression) -> Iterator[Expression]:
    if isinstance(condition, Logical) and condition.connective is Connective.AND:
        yield from _conjuncts(condition.left)
        yield from _conjuncts(condition.right)
    else:
        yield condition


def _binaries(kernel: Kernel) -> Iterator[Binary]:
    wholes = (whole for each in kernel.requires for whole in expressions(each))
    return (part for whole in wholes for part in parts(whole) if isinstance(part, Binary))


def _is(expression: Expression, name: Name) -> bool:
    plain = bare(expression)
    return isinstance(plain, Variable) and plain.name == name


def _value(expression: Expression, given: Values) -> tuple[int, ...]:
    """The value, if it is known."""
    if isinstance(expression, Integer):
        return (expression.value,)
    try:
        return (integer(expression, given),)
    except NoValue:
        return ()
