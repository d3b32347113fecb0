"""Generated loops in C, in the manner of the function that they are made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from msgspec import Struct

from rewright.fixes.generating.statements import at_iterators, names_in, right_side
from rewright.frontends.nests import NestFrame
from rewright.loops.generation.written import (
    WrittenBody,
    WrittenGuard,
    WrittenLoop,
    WrittenName,
    WrittenStatement,
    put_in,
    written_statements,
)
from rewright.model.index import Name
from rewright.model.nest import (
    AffineComparison,
    AffineExpression,
    AffineNumber,
    AffineOperation,
    BothHold,
    Condition,
    DoesNotHold,
    EitherHolds,
    ElementAccess,
    NestStatement,
    combining_operator,
)
from rewright.model.nest_text import expression_text

MACROS = {
    "min": "#define min(a, b) ((a) < (b) ? (a) : (b))",
    "max": "#define max(a, b) ((a) > (b) ? (a) : (b))",
    "floord": "#define floord(n, d) ((n) < 0 ? -((-(n) + (d) - 1) / (d)) : (n) / (d))",
}
"""Definitions of what C does not have."""

_SAME = {"min": ("min", "MIN", "imin"), "max": ("max", "MAX", "imax"), "floord": ("floord",)}
"""Names that are known to mean each of these."""

_CLAUSES = {"-": "+", "and": "&&", "or": "||"}
"""By the operator of a statement, the one of its clause `reduction` where it is another."""


class CStatement(Struct, frozen=True):
    """A statement of the nest, its text where it has one of its own, and its iterators."""

    statement: NestStatement
    text: str | None
    iterators: tuple[Name, ...]


class CWriter:
    """Writes loops; `floor` if quotients must be rounded down by `floord`, since C rounds them towards zero."""

    def __init__(self, frame: NestFrame, statements: Sequence[CStatement], known: frozenset[str], floor: bool) -> None:
        self._frame = frame
        self._statements = statements
        self._known = known
        self._floor = floor
        self._used: dict[str, None] = {}

    def function(self, name: str, of: str, body: WrittenBody) -> str:
        """The function of a transform after its pragma, and what it uses that the source does not define before it."""
        lines = list(self._lines(body, 1))
        variables = [f"{self._frame.indent}{each};" for _, each in self._frame.variables]
        head = f"{self._frame.before_name}{name}{self._frame.after_name} {{"
        macros = [MACROS[each] for each in self._used if not self._frame.defined & set(_SAME[each])]
        pragma = f"#pragma rewright transform {name} of {of}"
        apart = [""] if macros else []
        return "\n".join([*macros, *apart, pragma, head, *variables, *lines, "}"])

    def _lines(self, body: WrittenBody, depth: int) -> Iterator[str]:
        indent = self._frame.indent * depth
        for item in body:
            match item:
                case WrittenStatement():
                    yield f"{indent}{self._statement(item)}"
                case WrittenLoop():
                    if item.parallel is not None:
                        yield f"#pragma omp parallel for{self._clauses(item)}"
                    yield from self._block(self._head(item), item.body, depth)
                case WrittenGuard(condition=condition, then=then, otherwise=otherwise):
                    yield from self._guard(condition, (then, otherwise), depth)
                case WrittenName(name=name, value=value):
                    yield f"{indent}const int {name} = {self._expression(value)};"
                case _:
                    assert_never(item)

    def _clauses(self, loop: WrittenLoop) -> str:
        """What the loop has for itself of what its statements access."""
        assert loop.parallel is not None
        inside = [self._statements[each.number].statement for each in written_statements(loop.body)]
        used = {access.array for each in inside for access in (each.write, *each.reads)}
        own = [str(each) for each in loop.parallel.private if each in used]
        said = f" private({', '.join(own)})" if own else ""
        for name in loop.parallel.reductions:
            operators = {combining_operator(each) for each in inside if each.write.array == name}
            by = {_CLAUSES.get(each or "", each or "") for each in operators}
            if len(by) == 1:
                said += f" reduction({by.pop()}: {name})"
        return said

    def _block(self, head: str, body: WrittenBody, depth: int) -> Iterator[str]:
        indent = self._frame.indent * depth
        # A body of several lines has no braces either where the source has none around a single statement.
        plain = len(body) == 1 and not self._frame.is_braced and not isinstance(body[0], WrittenName | WrittenGuard)
        yield f"{indent}{head}" + ("" if plain else " {")
        yield from self._lines(body, depth + 1)
        if not plain:
            yield f"{indent}}}"

    def _guard(self, condition: Condition, branches: tuple[WrittenBody, WrittenBody], depth: int) -> Iterator[str]:
        then, otherwise = branches
        indent = self._frame.indent * depth
        yield f"{indent}if ({self._condition(condition)}) {{"
        yield from self._lines(then, depth + 1)
        if otherwise:
            yield f"{indent}}} else {{"
            yield from self._lines(otherwise, depth + 1)
        yield f"{indent}}}"

    def _head(self, loop: WrittenLoop) -> str:
        name, low, high = loop.iterator, self._expression(loop.low), self._expression(loop.high)
        counted = {1: f"{name}++", -1: f"{name}--"}.get(
            loop.step, f"{name} += {loop.step}" if loop.step > 0 else f"{name} -= {-loop.step}"
        )
        if loop.step < 0 and _ends_in_less(loop.high):
            above = put_in(AffineOperation("+", loop.high, AffineNumber(1)), {})
            return f"for (int {name} = {low}; {name} >= {self._expression(above)}; {counted})"
        return f"for (int {name} = {low}; {name} {'<' if loop.step > 0 else '>'} {high}; {counted})"

    def _statement(self, at: WrittenStatement) -> str:
        found = self._statements[at.number]
        values = dict(zip(found.iterators, at.iterators, strict=True))
        if found.text is not None and names_in(found.text) <= self._known | set(found.iterators):
            texts = {str(name): self._expression(value) for name, value in values.items()}
            made = at_iterators(found.text, texts)
        else:
            reads = [self._access(each, values) for each in found.statement.reads]
            words = right_side(found.statement, reads).replace(" and ", " && ").replace(" or ", " || ")
            made = f"{self._access(found.statement.write, values)} = {words.replace('not ', '!')}"
        label = f"{found.statement.label}: " if found.statement.label else ""
        return f"{label}{made.rstrip().rstrip(';')};"

    def _access(self, access: ElementAccess, values: Mapping[Name, AffineExpression]) -> str:
        subscripts = [self._expression(put_in(each, values)) for each in access.subscripts]
        if access.array is None:
            return f"({subscripts[0]})"
        return access.array + "".join(f"[{each}]" for each in subscripts)

    def _condition(self, condition: Condition) -> str:
        match condition:
            case AffineComparison(operator=operator, left=left, right=right):
                return f"{self._expression(left)} {operator} {self._expression(right)}"
            case BothHold(left=one, right=other):
                return f"{self._operand(one)} && {self._operand(other)}"
            case EitherHolds(left=one, right=other):
                return f"{self._operand(one)} || {self._operand(other)}"
            case DoesNotHold(operand=operand):
                return f"!({self._condition(operand)})"
            case _:
                assert_never(condition)

    def _operand(self, condition: Condition) -> str:
        text = self._condition(condition)
        return f"({text})" if isinstance(condition, BothHold | EitherHolds) else text

    def _expression(self, expression: AffineExpression) -> str:
        return expression_text(expression, self._function)

    def _function(self, operator: str) -> str | None:
        if operator == "//":
            return self._called("floord") if self._floor else None
        return self._called(operator) if operator in _SAME else None

    def _called(self, what: str) -> str:
        """What the source calls it; if it has no name for it, a definition is put before the function."""
        self._used[what] = None
        return next((name for name in _SAME[what] if name in self._frame.defined), what)


def _ends_in_less(bound: AffineExpression) -> bool:
    """Whether a bound that is not included is more readable as one that is: `>= 0` for `> -1`."""
    match bound:
        case AffineNumber(value=value):
            return value == -1
        case AffineOperation(operator="-", right=AffineNumber(value=1)):
            return True
        case _:
            return False
