"""Programs that transform a loop nest and are not affine: functions, recursion, `while`, integer arrays, rows.

Owns the meaning-carrying form of a small language of whole numbers in which an operation on elements is one statement.
Whatever language a program is written in, integers behave as in C: quotients round towards 0. Invariants: a variable is
declared by a statement or a parameter of its function before it is used, and no two of a function have one name; a
function that is called is among the functions. Must not know how a program is run.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from rewright.model.index import Name
from rewright.model.nest import UNRELAXED, Nest, Relaxations

IntegerOperator = Literal[
    "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "!", "~",
    "min", "max", "floord", "ceild", "abs",
]  # fmt: skip
"""`floord` and `ceild` round down and up; the others are as in C, a truth value being 0 or 1."""


class IntegerNumber(Struct, frozen=True):
    """A number."""

    value: int


class IntegerVariable(Struct, frozen=True):
    """The value of a variable."""

    name: Name


class IntegerOperation(Struct, frozen=True):
    """An operation on one or two operands; the right one of `&&` and `||` is evaluated only if it matters."""

    operator: IntegerOperator
    operands: tuple[IntegerExpression, ...]
    site: int


class IntegerChoice(Struct, frozen=True):
    """`condition ? then : otherwise`."""

    condition: IntegerExpression
    then: IntegerExpression
    otherwise: IntegerExpression


class CountedVariable(Struct, frozen=True):
    """`i++` and the like as a value: the variable is changed by a number, before its value is taken or after.

    Invariant: nothing else in the statement's expression reads or changes the variable.
    """

    name: Name
    by: int
    before: bool
    bits: int
    site: int


class IntegerElement(Struct, frozen=True):
    """An element of an array of whole numbers."""

    array: Name
    subscripts: tuple[IntegerExpression, ...]
    site: int


class ArrayPart(Struct, frozen=True):
    """An element of a data array; with fewer subscripts than it has sizes, a part of it, such as a row."""

    array: Name
    subscripts: tuple[IntegerExpression, ...]
    site: int


class ProgramCall(Struct, frozen=True):
    """A call of a function; an argument is a whole number, a part of a data array, or an array of whole numbers."""

    function: Name
    arguments: tuple[IntegerExpression | ArrayPart | WholeArray, ...]
    site: int


class WholeArray(Struct, frozen=True):
    """An array of whole numbers, handed on."""

    array: Name


IntegerExpression = (
    IntegerNumber | IntegerVariable | IntegerOperation | IntegerChoice | CountedVariable | IntegerElement | ProgramCall
)


class SetInteger(Struct, frozen=True):
    """`name = value`; the value must have so many bits, sign included. Without one it has no value from here on."""

    name: Name
    value: IntegerExpression | None
    bits: int
    site: int


class NewIntegers(Struct, frozen=True):
    """A new array of whole numbers of so many bits.

    Its first elements are these values, the others have none, or 0 if `zeroed`.
    """

    name: Name
    sizes: tuple[IntegerExpression, ...]
    values: tuple[IntegerExpression, ...]
    zeroed: bool
    bits: int
    site: int


class SetElement(Struct, frozen=True):
    """`array[…] = value` of an array of whole numbers."""

    element: IntegerElement
    value: IntegerExpression
    site: int


class PointTo(Struct, frozen=True):
    """`name` stands for a part of a data array from here on."""

    name: Name
    part: ArrayPart


class DataOperation(Struct, frozen=True):
    """An assignment to an element; `signature` is as that of a statement of a nest."""

    signature: str
    write: ArrayPart
    reads: tuple[ArrayPart | IntegerExpression, ...]
    site: int


class EitherBranch(Struct, frozen=True):
    """`if`."""

    condition: IntegerExpression
    then: tuple[ProgramStatement, ...]
    otherwise: tuple[ProgramStatement, ...]
    site: int


class Repetition(Struct, frozen=True):
    """A loop: `for`, `while`, or `do` if the condition is not tested first."""

    condition: IntegerExpression
    body: tuple[ProgramStatement, ...]
    update: tuple[ProgramStatement, ...]
    tests_first: bool
    site: int


class LeaveLoop(Struct, frozen=True):
    """`break`, or `continue` if only the iteration is left."""

    only_iteration: bool


class ReturnFrom(Struct, frozen=True):
    """`return`."""

    value: IntegerExpression | None


class Evaluate(Struct, frozen=True):
    """A call whose value is not used."""

    call: ProgramCall


ProgramStatement = (
    SetInteger
    | NewIntegers
    | SetElement
    | PointTo
    | DataOperation
    | EitherBranch
    | Repetition
    | LeaveLoop
    | ReturnFrom
    | Evaluate
)


class ProgramParameter(Struct, frozen=True):
    """A parameter of a function, and the bits that its number must have; 0 if it is an array."""

    name: Name
    bits: int


class ProgramFunction(Struct, frozen=True):
    """A function: its parameters in order, its body, and the bits that what it returns must have."""

    name: Name
    parameters: tuple[ProgramParameter, ...]
    body: tuple[ProgramStatement, ...]
    returns: int
    site: int


class NestProgram(Struct, frozen=True):
    """A program that does what a nest does: `body` is executed, with the parameters and arrays of the nest."""

    name: Name
    functions: tuple[ProgramFunction, ...]
    body: tuple[ProgramStatement, ...]


class ProgramTransformation(Struct, frozen=True):
    """`transform program of specification` where the program is not affine.

    `pinned` are the parameters that have only given values. `why` is what is not affine, at a site. `tiles` are the
    choices of values of its tile sizes, each a variable of the program; `relaxed` is what the user allows besides.
    """

    specification: Nest
    program: NestProgram
    pinned: tuple[tuple[Name, tuple[int, ...]], ...]
    why: str
    why_at: int
    tiles: tuple[tuple[tuple[Name, int], ...], ...] = ((),)
    relaxed: Relaxations = UNRELAXED


def first_site(statements: tuple[ProgramStatement, ...]) -> int | None:
    """Where a branch stands: the site of its first statement that has one."""
    for each in statements:
        match each:
            case Evaluate(call=call):
                return call.site
            case PointTo(part=part):
                return part.site
            case LeaveLoop() | ReturnFrom():
                continue
            case _:
                return each.site
    return None
