"""Which conditions a kernel may need, made of its own names and numbers: a small vocabulary, weak ones first of a kind.

Of integers: a divisibility, a bound by a number, a number that they are not, an order between two, with twice one or
with a product of two or three, the divisibility of a product that is launched, a power of two that a block is made of.
Of floats: a bound by a number that the kernel compares with, or that they are not it. Of the contents of an array of
integers: a range, that they are not a parameter, and that they differ.
Must not know which of them is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, permutations
from math import prod

from msgspec import Struct

from rewright.kernels.conditions.candidate import (
    HERE,
    WIDE,
    PossibleCondition,
    Sized,
    arithmetic,
    both,
    compared,
    named,
    whole,
)
from rewright.kernels.conditions.provenance import chosen_names
from rewright.kernels.conditions.support import MeetingSizes, Met, divided, groups, inside
from rewright.kernels.launches.required import divisors
from rewright.kernels.launches.singled_out import Singled, singled_out
from rewright.kernels.launches.thresholds import thresholds
from rewright.model.body import Binary, Convert, Expression, Integer, Load, Real, Variable, parts
from rewright.model.index import Name
from rewright.model.kernel import ArrayParameter, Fact, Forall, Kernel, ScalarParameter
from rewright.model.scalars import integer
from rewright.model.simt import instructions as simt
from rewright.model.simt.constants import NoValue
from rewright.model.simt.program import Program
from rewright.model.simt.types import BinaryOperator, Scalar
from rewright.verdict import Condition

_MOST_DIMENSIONS = 4

_ORDERS = (
    BinaryOperator.LESS,
    BinaryOperator.LESS_EQUAL,
    BinaryOperator.GREATER,
    BinaryOperator.GREATER_EQUAL,
)
"""Comparisons with numbers that a size may have to reach: a loop around each element goes so far to its sides."""

_INDICES = (*"ijklpqrstuvw", *(f"i{number}" for number in range(1, 1 + _MOST_DIMENSIONS)))
"""Names of bound indices, in the order in which they are taken if no name of the kernel is the same."""

_MOST_ALONE, _MOST_PAIRED, _MOST_TOGETHER = 20, 10, 6
"""Names that conditions are about by themselves, with another one, and with two."""

_MOST_NUMBERS = 16
_LARGEST_DIVISOR = 1 << 10
_LEAST_SIZES, _MOST_SMALL = (0, 1, 2), 9
"""Lower bounds that every size may have, and what small numbers of the program are below."""

_USUAL_UNITS = (2, 3, 4, 8, 16, 32, 64, 128)
"""Divisors that each size is asked for: widths of vectors, of tiles and of a block; three channels."""


class Numbers(Struct, frozen=True):
    """What a kernel's conditions are made of: free integers with their types, all integers, and numbers of its own.

    `indices` are names that it does not have, for what is bound, the outermost dimension first. `floats` are free, and
    `marks` numbers that it compares elements and floats with. `groups` are the integers that meet. `steps` are small
    numbers that it adds to others or compares them with, `factors` those that it multiplies them by. `divided` are
    numbers of blocks, each with a parameter by which the number of a block is divided.
    """

    free: Mapping[Name, Scalar]
    known: Mapping[Name, Scalar]
    singled: Mapping[Name, Singled]
    shapes: tuple[int, ...]
    indices: tuple[Name, ...]
    floats: Mapping[Name, Scalar]
    marks: tuple[float, ...]
    groups: MeetingSizes
    steps: frozenset[int]
    factors: frozenset[int]
    divided: tuple[tuple[Name, Name], ...]

    def are_compared(self, one: Name, other: Name) -> bool:
        """Whether the kernel brings these two integers together, not just as how many threads and blocks there are."""
        return any({one, other} <= group for group in self.groups.apart)

    def meet(self, *names: Name) -> bool:
        """Whether the kernel brings these integers together."""
        return any(group.issuperset(names) for group in self.groups.whole)


def numbers(kernel: Kernel, program: Program) -> Numbers:
    """What the conditions of a kernel are made of."""
    free = {name: scalar for name, scalar in chosen_names(kernel).items() if scalar.is_integer}
    known = {size.name: Scalar.S32 for size in kernel.sizes}
    known |= {p.name: p.type for p in kernel.parameters if isinstance(p, ScalarParameter) and p.type.is_integer}
    taken = {str(each.name) for each in (*kernel.sizes, *kernel.parameters)}
    indices = tuple(Name(each) for each in _INDICES if each not in taken)[:_MOST_DIMENSIONS]
    floats = {name: scalar for name, scalar in chosen_names(kernel).items() if scalar.is_float}
    marks = tuple(dict.fromkeys((0.0, *map(float, thresholds(program)))))
    return Numbers(
        free,
        known,
        singled_out(program),
        tuple(_shapes(kernel, program)),
        indices,
        floats,
        marks,
        groups(kernel, program),
        _operands(program, BinaryOperator.ADD, BinaryOperator.SUBTRACT, *_ORDERS),
        _operands(program, BinaryOperator.MULTIPLY) - {0, 1},
        divided(kernel, program),
    )


def _operands(program: Program, *operators: BinaryOperator) -> frozenset[int]:
    """The small numbers that stand on a side of these operations of integers, but for those that count bytes."""
    computed = (each for each in program.code if isinstance(each, simt.Binary) and each.operator in operators)
    known = (side for each in computed for side in (each.left, each.right) if isinstance(side, simt.Constant))
    whole = (side.value for side in known if side.type.is_integer and side.type is not Scalar.U64)
    return frozenset(abs(int(each)) for each in whole if abs(each) < _MOST_SMALL)


class UpperBound(Struct, frozen=True):
    """What numbers are to stay below, or, if it `is_last`, not to exceed."""

    written: str
    value: Expression
    is_last: bool = False


def of_sizes(kernel: Kernel, made_of: Numbers) -> Iterator[PossibleCondition]:
    """The conditions on free integers and floats."""
    for name, scalar in made_of.floats.items():
        yield from _limited(made_of, name, scalar)
    for name in list(made_of.free)[:_MOST_ALONE]:
        yield from _divisible(kernel, made_of, name)
        yield from _bounded(made_of, name)
    # sizes that are just numbers of blocks or threads come last: what indexes more often has to keep within others
    for name in dict.fromkeys(each for side in kernel.launch.block for each in _named_in(side)):
        if name in made_of.free:
            yield _power_of_two(made_of, name)
    sides = map(inside, (*kernel.launch.grid, *kernel.launch.block))
    launched = {side.name for side in sides if isinstance(side, Variable)}
    names = sorted(made_of.free, key=launched.__contains__)
    for left, right in permutations(names[:_MOST_PAIRED], 2):
        if made_of.are_compared(left, right):
            yield from _ordered(made_of, left, right)
    for count, divisor in made_of.divided:
        if {count, divisor} <= made_of.free.keys() and not made_of.are_compared(count, divisor):
            yield _dividing(made_of, count, divisor)
    names = names[:_MOST_TOGETHER]
    if len(names) > 2:
        for left, right in combinations(names, 2):
            for other in names:
                if other not in (left, right) and made_of.meet(left, right, other):
                    yield from _products(made_of, (left, right), other)
    for factors in combinations(names, 3):
        for other in names:
            if other not in factors and made_of.meet(*factors, other):
                yield _flat(made_of, factors, other)
    yield from _even(kernel, made_of)


def of_contents(array: ArrayParameter, made_of: Numbers, met: Met, sized: Sized | None) -> Iterator[PossibleCondition]:
    """What may have to hold of the contents of an array of integers; `sized` if its size is not declared.

    They are related only to what they meet in the program.
    """
    extents = array.extents if sized is None else sized.extents
    if extents is None or len(extents) > len(made_of.indices):
        return
    shape = _Shape(extents, made_of.indices[: len(extents)], sized)
    if array.type.is_signed:
        yield _range(array, shape, None)
    ordered = {name: scalar for name, scalar in made_of.known.items() if name in met.ordered}
    for name, scalar in ordered.items():
        yield _range(array, shape, UpperBound(str(name), named(name, scalar)))
        yield _range(array, shape, UpperBound(str(name), named(name, scalar), is_last=True))
    for name, scalar in made_of.known.items():
        if name in met.equated:
            yield _other_than(array, shape, name, named(name, scalar))
    numbered = sorted(each for each in met.numbers if each > 1)[:_MOST_NUMBERS]
    for number in sorted({each - step for each in numbered for step in (0, 1)}, reverse=True):
        yield _range(array, shape, UpperBound(str(number), whole(number)))
    for left, right in combinations(ordered, 2):
        product = arithmetic(BinaryOperator.MULTIPLY, named(left, ordered[left]), named(right, ordered[right]))
        yield _range(array, shape, UpperBound(f"{left} * {right}", product))


def differing(array: ArrayParameter, made_of: Numbers, sized: Sized | None) -> Iterator[PossibleCondition]:
    """That the elements of an array of one dimension differ; `sized` if its size is not declared."""
    extents = array.extents if sized is None else sized.extents
    if extents is not None and len(extents) == 1:
        yield _differing(array, _Shape(extents, made_of.indices[:1], sized), made_of.indices[1])


def possible_extents(made_of: Numbers, most: int) -> Iterator[Expression]:
    """How many elements an array may be meant to have: a size, one more, a product of two or three, a number.

    What the program multiplies by may be how many there are of a size, or of a product of two.
    """
    names = [Variable(name, Scalar.S32, HERE) for name in made_of.known]
    pairs, triples = (list(_products_of(names[:_MOST_TOGETHER], count)) for count in (2, 3))
    yield from names
    yield from (_s32(BinaryOperator.ADD, name, Integer(1, Scalar.S32, HERE)) for name in names)
    yield from (*pairs, *triples)
    for number in sorted(made_of.factors):
        of_each = Integer(number, Scalar.S32, HERE)
        yield from (_s32(BinaryOperator.MULTIPLY, of_each, count) for count in (*names, *pairs))
    yield from (Integer(number, Scalar.S32, HERE) for number in made_of.shapes if number <= most)


def _products_of(names: list[Variable], count: int) -> Iterator[Expression]:
    for first, *others in combinations(names, count):
        product: Expression = first
        for factor in others:
            product = _s32(BinaryOperator.MULTIPLY, product, factor)
        yield product


def _s32(operator: BinaryOperator, left: Expression, right: Expression) -> Expression:
    return Binary(operator, left, right, Scalar.S32, HERE)


# -------------------------------------------------------------------------------------------------------------- sizes


def _divisible(kernel: Kernel, made_of: Numbers, name: Name) -> Iterator[PossibleCondition]:
    required = divisors(kernel, name, {})
    units = {*_USUAL_UNITS, *made_of.shapes, *required, *made_of.singled.get(name, Singled()).numbers}
    for unit in sorted(each for each in units if 1 < each <= _LARGEST_DIVISOR):
        rest = arithmetic(BinaryOperator.REMAINDER, named(name, made_of.free[name]), whole(unit))
        yield _fact(compared(BinaryOperator.EQUAL, rest, whole(0)), f"{name} % {unit} == 0", f"{name} % {unit} != 0", 2)


def _power_of_two(made_of: Numbers, name: Name) -> PossibleCondition:
    """What a block has along a side: a tree of threads halves it down to one."""
    value = named(name, made_of.free[name])
    below = arithmetic(BinaryOperator.SUBTRACT, value, whole(1))
    common, said = arithmetic(BinaryOperator.AND, value, below), f"({name} & ({name} - 1))"
    return _fact(compared(BinaryOperator.EQUAL, common, whole(0)), f"{said} == 0", f"{said} != 0", 3)


def _named_in(expression: Expression) -> Iterator[Name]:
    return (part.name for part in parts(expression) if isinstance(part, Variable))


def _bounded(made_of: Numbers, name: Name) -> Iterator[PossibleCondition]:
    """Bounds of a size by numbers of the program; one that is small or large by chance excludes all others."""
    marks = {mark + step for mark in made_of.singled.get(name, Singled()).numbers for step in (-1, 0, 1)}
    marks |= {*made_of.shapes, *(each - 1 for each in made_of.shapes)}
    value = named(name, made_of.free[name])
    near = _nearest(marks)
    for mark in _nearest({*marks, *_LEAST_SIZES, *made_of.steps, *(each + 1 for each in made_of.steps)}):
        at_least = compared(BinaryOperator.GREATER_EQUAL, value, whole(mark))
        yield _fact(at_least, f"{name} >= {mark}", f"{name} < {mark}", 2)
    for mark in reversed(near):
        at_most = compared(BinaryOperator.LESS_EQUAL, value, whole(mark))
        yield _fact(at_most, f"{name} <= {mark}", f"{name} > {mark}", 2)
    for number in sorted(made_of.singled.get(name, Singled()).numbers)[:_MOST_NUMBERS]:
        other = compared(BinaryOperator.NOT_EQUAL, value, whole(int(number)))
        yield _fact(other, f"{name} != {number}", f"{name} == {number}", 3)


def _nearest(marks: Iterable[int]) -> list[int]:
    """Those nearest to 0, in order."""
    return sorted(sorted(marks, key=lambda each: (abs(each), each))[: 3 * _MOST_NUMBERS])


def _limited(made_of: Numbers, name: Name, scalar: Scalar) -> Iterator[PossibleCondition]:
    """Bounds of a float by the numbers that have a plain decimal form."""
    value = Variable(name, scalar, HERE)
    for mark in (each for each in made_of.marks if "e" not in repr(each)):
        number = Real(repr(mark), scalar, HERE)
        for operator, opposite in ((">=", "<"), ("<=", ">"), (">", "<="), ("<", ">="), ("!=", "==")):
            truth = compared(BinaryOperator(operator), value, number)
            yield _fact(truth, f"{name} {operator} {mark!r}", f"{name} {opposite} {mark!r}", 2)


def _ordered(made_of: Numbers, left: Name, right: Name) -> Iterator[PossibleCondition]:
    first, second = named(left, made_of.free[left]), named(right, made_of.free[right])
    yield _fact(compared(BinaryOperator.LESS_EQUAL, first, second), f"{left} <= {right}", f"{left} > {right}", 1)
    yield _fact(compared(BinaryOperator.LESS, first, second), f"{left} < {right}", f"{left} >= {right}", 2)
    twice = arithmetic(BinaryOperator.MULTIPLY, whole(2), first)
    yield _fact(compared(BinaryOperator.LESS, twice, second), f"2 * {left} < {right}", f"2 * {left} >= {right}", 4)
    yield _dividing(made_of, left, right)
    if str(left) < str(right):
        equal = compared(BinaryOperator.EQUAL, first, second)
        yield _fact(equal, f"{left} == {right}", f"{left} != {right}", 3)


def _dividing(made_of: Numbers, left: Name, right: Name) -> PossibleCondition:
    """One number is a multiple of another one."""
    rest = arithmetic(BinaryOperator.REMAINDER, named(left, made_of.free[left]), named(right, made_of.free[right]))
    divides = compared(BinaryOperator.EQUAL, rest, whole(0))
    return _fact(divides, f"{left} % {right} == 0", f"{left} % {right} != 0", 3)


def _products(made_of: Numbers, factors: tuple[Name, Name], other: Name) -> Iterator[PossibleCondition]:
    one, two = (named(each, made_of.free[each]) for each in factors)
    product, value = arithmetic(BinaryOperator.MULTIPLY, one, two), named(other, made_of.free[other])
    said = f"{factors[0]} * {factors[1]}"
    yield _fact(compared(BinaryOperator.LESS_EQUAL, value, product), f"{other} <= {said}", f"{other} > {said}", 4)
    yield _fact(compared(BinaryOperator.LESS_EQUAL, product, value), f"{said} <= {other}", f"{said} > {other}", 4)


def _flat(made_of: Numbers, factors: tuple[Name, ...], other: Name) -> PossibleCondition:
    """Three dimensions lie in what another number is the size of."""
    one, two, three = (named(each, made_of.free[each]) for each in factors)
    product = arithmetic(BinaryOperator.MULTIPLY, arithmetic(BinaryOperator.MULTIPLY, one, two), three)
    said, value = " * ".join(factors), named(other, made_of.free[other])
    return _fact(compared(BinaryOperator.LESS_EQUAL, product, value), f"{said} <= {other}", f"{said} > {other}", 5)


def _even(kernel: Kernel, made_of: Numbers) -> Iterator[PossibleCondition]:
    """The product of two numbers that the launch is made of is a multiple."""
    for pair in _multiplied(kernel, made_of):
        one, two = (named(each, made_of.free[each]) for each in pair)
        said = f"{pair[0]} * {pair[1]}"
        for unit in _USUAL_UNITS:
            rest = arithmetic(BinaryOperator.REMAINDER, arithmetic(BinaryOperator.MULTIPLY, one, two), whole(unit))
            yield _fact(
                compared(BinaryOperator.EQUAL, rest, whole(0)), f"{said} % {unit} == 0", f"{said} % {unit} != 0", 4
            )


def _multiplied(kernel: Kernel, made_of: Numbers) -> list[tuple[Name, Name]]:
    """The free numbers whose product is a part of how many blocks or threads there are."""
    found: dict[tuple[Name, Name], None] = {}
    for side in (*kernel.launch.grid, *kernel.launch.block):
        for part in parts(side):
            match part:
                case Binary(operator=BinaryOperator.MULTIPLY, left=left, right=right):
                    factors = [inside(factor) for factor in (left, right)]
                    names = [each.name for each in factors if isinstance(each, Variable) and each.name in made_of.free]
                    if len(set(names)) == 2:
                        found.setdefault((names[0], names[1]))
    return list(found)


def _fact(condition: Expression, said: str, broken: str, weight: int) -> PossibleCondition:
    return PossibleCondition(Fact(condition, 0), Condition(said, said, broken), weight)


# ----------------------------------------------------------------------------------------------------------- contents


class _Shape(Struct, frozen=True):
    """The extents of an array, with an index for each; `sized` if it is given them."""

    extents: tuple[Expression, ...]
    indices: tuple[Name, ...]
    sized: Sized | None


def _range(array: ArrayParameter, shape: _Shape, bound: UpperBound | None) -> PossibleCondition:
    """From 0 on (which unsigned numbers are), and up to a bound if there is one."""
    indices = shape.indices
    loaded = Load(array.name, tuple(Variable(each, Scalar.S32, HERE) for each in indices), array.type, HERE)
    value = Convert(loaded, WIDE, HERE)
    element = f"{array.name}[{', '.join(indices)}]" if indices else str(array.name)
    facts: list[tuple[Expression, str, str]] = []
    if array.type.is_signed:
        low = compared(BinaryOperator.LESS_EQUAL, whole(0), value)
        facts.append((low, f"0 <= {element}", f"{element} < 0"))
    if bound is not None:
        operator, opposite = (BinaryOperator.LESS_EQUAL, ">") if bound.is_last else (BinaryOperator.LESS, ">=")
        truth = compared(operator, value, bound.value)
        facts.append((truth, f"{element} {operator} {bound.written}", f"{element} {opposite} {bound.written}"))
    whole_truth = facts[0][0] if len(facts) == 1 else both(facts[0][0], facts[1][0])
    said = (" and ".join(each[1] for each in facts), " or ".join(each[2] for each in facts))
    weight = 1 if bound is None else 2 if "*" not in bound.written else 3
    return _everywhere(array, shape, whole_truth, said, weight)


def _everywhere(
    array: ArrayParameter, shape: _Shape, truth: Expression, said: tuple[str, str], weight: int
) -> PossibleCondition:
    """That something is true of each element; `said` is how, and what it is if it is not."""
    requirement: Fact | Forall = Fact(truth, 0)
    sizes = [written(extent) for extent in shape.extents]
    for index, extent in reversed(list(zip(shape.indices, shape.extents, strict=True))):
        requirement = Forall(index, Integer(0, Scalar.S32, HERE), extent, requirement, 0)
    ranges = "".join(f"forall {index} in 0..{size}: " for index, size in zip(shape.indices, sizes, strict=True))
    short, broken = said
    condition = Condition(f"{ranges}{short}", short, broken, _declared(array, shape))
    return PossibleCondition(requirement, condition, weight, () if shape.sized is None else (shape.sized,))


def _other_than(array: ArrayParameter, shape: _Shape, name: Name, value: Expression) -> PossibleCondition:
    """No element is the value of this name."""
    loaded = Load(array.name, tuple(Variable(each, Scalar.S32, HERE) for each in shape.indices), array.type, HERE)
    element = f"{array.name}[{', '.join(shape.indices)}]" if shape.indices else str(array.name)
    truth = compared(BinaryOperator.NOT_EQUAL, Convert(loaded, WIDE, HERE), value)
    return _everywhere(array, shape, truth, (f"{element} != {name}", f"{element} == {name}"), 2)


def _differing(array: ArrayParameter, shape: _Shape, other: Name) -> PossibleCondition:
    """No two elements are equal."""
    (extent,), (index,) = shape.extents, shape.indices

    def element(at: Name) -> Expression:
        return Convert(Load(array.name, (Variable(at, Scalar.S32, HERE),), array.type, HERE), WIDE, HERE)

    zero = Integer(0, Scalar.S32, HERE)
    differ = Fact(compared(BinaryOperator.NOT_EQUAL, element(index), element(other)), 0)
    before = Forall(other, zero, Variable(index, Scalar.S32, HERE), differ, 0)
    first, second = f"{array.name}[{index}]", f"{array.name}[{other}]"
    condition = Condition(
        f"forall {index} in 0..{written(extent)}: forall {other} in 0..{index}: {first} != {second}",
        f"{first} != {second}",
        f"{first} == {second}",
        _declared(array, shape),
    )
    sized = () if shape.sized is None else (shape.sized,)
    return PossibleCondition(Forall(index, zero, extent, before, 0), condition, 2, sized)


def _declared(array: ArrayParameter, shape: _Shape) -> tuple[tuple[str, str], ...]:
    """The type that an array is to be given, if it has none."""
    sizes = ", ".join(written(extent) for extent in shape.extents)
    return () if shape.sized is None else ((str(array.name), f"{array.direction} {array.type}[{sizes}]"),)


def written(expression: Expression) -> str:
    """An expression of sizes as it is written. Raises `NoValue` for what has no such form."""
    match expression:
        case Integer():
            return str(expression.value)
        case Variable():
            return str(expression.name)
        case Convert():
            return written(expression.operand)
        case Binary(operator=operator):
            left, right = written(expression.left), written(expression.right)
            if str(operator).isalpha():
                return f"{operator}({left}, {right})"
            return f"{_bracketed(left)} {operator} {_bracketed(right)}"
        case _:
            raise NoValue("an extent that cannot be written")


def _bracketed(said: str) -> str:
    return f"({said})" if " " in said else said


def _shapes(kernel: Kernel, program: Program) -> list[int]:
    """Numbers of the text: sides of the block and the grid, threads, extents of arrays."""
    found: set[int] = set()
    sides = [_value(each) for each in kernel.launch.block]
    grid = [_value(each) for each in kernel.launch.grid]
    found |= {each for each in (*sides, *grid) if each is not None}
    if all(each is not None for each in sides):
        threads = prod(each for each in sides if each is not None)
        found.add(threads)
        if all(each is not None for each in grid):
            found.add(threads * prod(each for each in grid if each is not None))
    for made in program.objects:
        known = [_value(each) for each in made.extents or ()]
        if all(each is not None for each in known):
            found |= {each for each in known if each is not None}
            found.add(prod(each for each in known if each is not None))
    return sorted(each for each in found if each > 1)[:_MOST_NUMBERS]


def _value(expression: Expression) -> int | None:
    try:
        return integer(expression, {})
    except NoValue:
        return None
