"""Runs a program that is not affine, one statement after another, by walking through it.

What confirms that a program differs from the nest that it transforms. It shares no code with what found that.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from itertools import product

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.model.index import Name
from rewright.model.nest import AffineNumber, ElementAccess, Nest, NestStatement, Relaxations
from rewright.model.nest_program import (
    ArrayPart,
    CountedVariable,
    DataOperation,
    EitherBranch,
    Evaluate,
    IntegerChoice,
    IntegerElement,
    IntegerExpression,
    IntegerNumber,
    IntegerOperation,
    IntegerVariable,
    LeaveLoop,
    NestProgram,
    NewIntegers,
    PointTo,
    ProgramCall,
    ProgramFunction,
    ProgramStatement,
    Repetition,
    ReturnFrom,
    SetElement,
    SetInteger,
    WholeArray,
)
from rewright.replay.loops.comparing import compared_operations
from rewright.replay.loops.losing import RunSoFar
from rewright.replay.loops.mismatch import Mismatch, MissingOperation
from rewright.replay.loops.relaxed import KEPT, compared_values
from rewright.replay.loops.running import Element, ExecutedOperation, NestRun, RunTooLong


class NotRunnable(Exception):
    """The program does something that has no meaning: a division by 0, a variable without a value."""


def compared_program(
    program: NestProgram, nest: Nest, values: Mapping[Name, int], steps: int, relaxed: Relaxations = KEPT
) -> Mismatch | None:
    """What is wrong first with a program at these sizes. Raises `RunTooLong`, `NotRunnable`."""
    due = list(NestRun(dict(values), steps).operations(nest))
    run = ProgramWalk({each.name: each for each in program.functions}, steps, most=len(due) + 1)
    variables: dict[Name, HeldValue] = {**values, **{each.name: (each.name, ()) for each in nest.arrays}}
    operations = run.operations(program.body, variables)
    so_far = RunSoFar((), {}, [])
    found = (
        compared_operations(due, operations, so_far)
        if relaxed == KEPT
        else compared_values(nest, (due, operations), relaxed, so_far)
    )
    return _placed(program, found) if isinstance(found, MissingOperation) and found.statement is None else found


def _placed(program: NestProgram, found: MissingOperation) -> MissingOperation:
    """A missing operation with the first statement of the program that could be it, though it was not executed."""
    waiting = [program.body, *(each.body for each in program.functions)]
    for body in waiting:
        for statement in body:
            if isinstance(statement, DataOperation) and statement.signature == found.due.statement.signature:
                write = ElementAccess(statement.write.array, (), statement.site)
                return replace(found, statement=NestStatement("", write, (), statement.signature, statement.site))
            if isinstance(statement, EitherBranch):
                waiting += [statement.then, statement.otherwise]
            elif isinstance(statement, Repetition):
                waiting += [statement.body, statement.update]
    return found


class NumberArray(Struct):
    """An array of whole numbers by subscripts."""

    sizes: tuple[int, ...]
    cells: dict[tuple[int, ...], int]


HeldValue = int | Element | NumberArray
"""What a variable holds: a number, a part of a data array, an array of numbers."""


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class _Return(Exception):
    pass


class _Enough(Exception):
    pass


class ProgramWalk(Struct):
    """A run in at most so many steps; `returned` is what the function that ended last returns.

    It ends after `most` operations: where one more is executed than is due, one of them is wrong.
    """

    functions: Mapping[Name, ProgramFunction]
    steps: int
    most: int | None = None
    returned: int | None = None
    found: list[ExecutedOperation] = field(default_factory=list)

    def operations(
        self, body: tuple[ProgramStatement, ...], variables: dict[Name, HeldValue]
    ) -> list[ExecutedOperation]:
        """The operations. Raises `RunTooLong`, `NotRunnable`."""
        try:
            with suppress(_Return, _Enough):
                self._body(body, variables)
        except RecursionError:
            raise RunTooLong from None
        return self.found

    def _step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise RunTooLong

    def _body(self, body: tuple[ProgramStatement, ...], variables: dict[Name, HeldValue]) -> None:
        for each in body:
            self._statement(each, variables)

    def _statement(self, statement: ProgramStatement, variables: dict[Name, HeldValue]) -> None:
        self._step()
        match statement:
            case DataOperation():
                self.found.append(self._operation(statement, variables))
                if len(self.found) == self.most:
                    raise _Enough
            case SetInteger(name=name, value=None):
                variables.pop(name, None)
            case SetInteger(name=name, value=value) if value is not None:
                variables[name] = self._number(value, variables)
            case NewIntegers(name=name, sizes=sizes, values=values, zeroed=zeroed):
                variables[name] = self._array(sizes, values, variables, zeroed=zeroed)
            case SetElement(element=element, value=value):
                array, index = self._element(element, variables)
                array.cells[index] = self._number(value, variables)
            case PointTo(name=name, part=part):
                variables[name] = self._part(part, variables)
            case EitherBranch(condition=condition, then=then, otherwise=otherwise):
                self._body(then if self._number(condition, variables) else otherwise, variables)
            case Repetition():
                self._loop(statement, variables)
            case LeaveLoop(only_iteration=True):
                raise _Continue
            case LeaveLoop():
                raise _Break
            case ReturnFrom(value=value):
                self.returned = None if value is None else self._number(value, variables)
                raise _Return
            case Evaluate(call=call):
                self._call(call, variables)

    def _loop(self, loop: Repetition, variables: dict[Name, HeldValue]) -> None:
        first = not loop.tests_first
        while first or self._number(loop.condition, variables):
            first = False
            self._step()
            try:
                self._body(loop.body, variables)
            except _Continue:
                pass
            except _Break:
                return
            self._body(loop.update, variables)

    def _operation(self, operation: DataOperation, variables: dict[Name, HeldValue]) -> ExecutedOperation:
        write = self._part(operation.write, variables)
        reads = tuple(
            self._part(each, variables) if isinstance(each, ArrayPart) else self._number(each, variables)
            for each in operation.reads
        )
        accesses = tuple(_access(each, operation.site) for each in (write, *reads))
        statement = NestStatement("", accesses[0], accesses[1:], operation.signature, operation.site)
        return ExecutedOperation(statement, (), (), write, reads)

    def _part(self, part: ArrayPart, variables: dict[Name, HeldValue]) -> Element:
        held = variables.get(part.array)
        if not isinstance(held, tuple):
            raise NotRunnable(part.array)
        array, index = held
        return array, (*index, *(self._number(each, variables) for each in part.subscripts))

    def _array(
        self,
        sizes: tuple[IntegerExpression, ...],
        values: tuple[IntegerExpression, ...],
        variables: dict[Name, HeldValue],
        *,
        zeroed: bool,
    ) -> NumberArray:
        extents = tuple(self._number(each, variables) for each in sizes)
        made = NumberArray(extents, {})
        if zeroed:
            made.cells = dict.fromkeys(product(*map(range, extents)), 0)
        for at, each in enumerate(values):
            made.cells[(at,)] = self._number(each, variables)
        return made

    def _element(
        self, element: IntegerElement, variables: dict[Name, HeldValue]
    ) -> tuple[NumberArray, tuple[int, ...]]:
        array = variables.get(element.array)
        index = tuple(self._number(each, variables) for each in element.subscripts)
        if not isinstance(array, NumberArray) or len(index) != len(array.sizes):
            raise NotRunnable(element.array)
        if any(not 0 <= at < size for at, size in zip(index, array.sizes, strict=True)):
            raise NotRunnable(element.array)
        return array, index

    def _number(self, expression: IntegerExpression, variables: dict[Name, HeldValue]) -> int:
        match expression:
            case IntegerNumber(value=value):
                return value
            case IntegerVariable(name=name):
                held = variables.get(name)
                if not isinstance(held, int):
                    raise NotRunnable(name)
                return held
            case IntegerChoice(condition=condition, then=then, otherwise=otherwise):
                return self._number(then if self._number(condition, variables) else otherwise, variables)
            case CountedVariable(name=name, by=by, before=before):
                old = variables.get(name)
                if not isinstance(old, int):
                    raise NotRunnable(name)
                variables[name] = old + by
                return old + by if before else old
            case IntegerElement(array=name):
                array, index = self._element(expression, variables)
                if index not in array.cells:
                    raise NotRunnable(name)
                return array.cells[index]
            case ProgramCall():
                found = self._call(expression, variables)
                if found is None:
                    raise NotRunnable(expression.function)
                return found
            case IntegerOperation():
                return self._calculated(expression, variables)

    def _call(self, call: ProgramCall, variables: dict[Name, HeldValue]) -> int | None:
        self._step()
        function = self.functions[call.function]
        inner: dict[Name, HeldValue] = {}
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            name = parameter.name
            match argument:
                case ArrayPart():
                    inner[name] = self._part(argument, variables)
                case WholeArray(array=array):
                    inner[name] = variables[array]
                case _:
                    inner[name] = self._number(argument, variables)
        self.returned = None
        with suppress(_Return):
            self._body(function.body, inner)
        return self.returned

    def _calculated(self, operation: IntegerOperation, variables: dict[Name, HeldValue]) -> int:
        first = self._number(operation.operands[0], variables)
        if operation.operator == "&&":
            return int(bool(first) and bool(self._number(operation.operands[1], variables)))
        if operation.operator == "||":
            return int(bool(first) or bool(self._number(operation.operands[1], variables)))
        if len(operation.operands) == 1:
            return {"-": -first, "!": int(not first), "~": -first - 1}.get(operation.operator, abs(first))
        return _result(operation.operator, first, self._number(operation.operands[1], variables))


def _access(read: Element | int, site: int) -> ElementAccess:
    if isinstance(read, int):
        return ElementAccess(None, (AffineNumber(read),), site)
    return ElementAccess(read[0], tuple(map(AffineNumber, read[1])), site)


def _result(operator: str, left: int, right: int) -> int:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "<<":
            return left * int(2**right)
        case ">>":
            return left // int(2**right)
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "min" | "max":
            return min(left, right) if operator == "min" else max(left, right)
        case "==" | "!=" | "<" | "<=" | ">" | ">=":
            less, equal = left < right, left == right
            holds = {"==": equal, "!=": not equal, "<": less, "<=": less or equal}
            return int({**holds, ">": not (less or equal), ">=": not less}[operator])
    if right == 0:
        raise NotRunnable("0")
    if operator == "floord":
        return left // right
    if operator == "ceild":
        return left // right + (left % right != 0)
    towards_zero = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return towards_zero if operator == "/" else left - towards_zero * right
