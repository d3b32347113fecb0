"""One solver with one query in it: check, narrow, take back, read the model.

Owns z3's solver objects; values come out as plain Python. Budgets are z3's own resource count (`rlimit`), which does
not depend on the machine; the clock is a guard. Invariant: what a check answers is a function of its query. So the
solver is z3's core: the strategies that z3 picks by the logic of a query end steps by the clock, and others where all
contexts of the process together take more than 20 MB.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import z3
from z3 import z3core

from rewright.solve.builder import Expression, ExpressionBuilder
from rewright.solve.encoding import Encoder
from rewright.solve.query import Assertion, Encoding, Query, SolverOutcome, Unknown
from rewright.terms import INDEX, Variable

_OUTCOMES = {1: SolverOutcome.SATISFIABLE, -1: SolverOutcome.UNSATISFIABLE, 0: SolverOutcome.GAVE_UP}
PATIENCE = 5.0
"""Seconds of the clock for each of the processor: a busy machine decides nothing."""

UNIVERSE = "!val!"
"""How z3 names the elements of an uninterpreted sort."""


class SolverSession:
    """A query asserted in a solver of its own context."""

    def __init__(self, query: Query, encoding: Encoding, builder: ExpressionBuilder | None = None) -> None:
        self._build = ExpressionBuilder() if builder is None else builder
        self._solver = z3.SimpleSolver(ctx=self._build.context)
        self._encoder = Encoder(self._build, query, encoding)
        self._model: Any = None
        self._rounded = False
        self.assert_all(query.assertions)

    def assert_all(self, assertions: Iterable[Assertion]) -> None:
        """Adds assertions."""
        for assertion in assertions:
            self._add(self._encoder.assertion(assertion))

    def _add(self, expression: Expression) -> None:
        reference, solver = self._build.reference, self._solver.solver
        for side in self._encoder.side:
            z3core.Z3_solver_assert(reference, solver, side)
        self._encoder.side.clear()
        z3core.Z3_solver_assert(reference, solver, expression)

    def check(self, steps: int, seconds: float) -> SolverOutcome:
        """Whether a model exists; gives up after the solver's `steps`.

        The clock is for what hangs: z3 has no other, so it is given far more than the `seconds` of processor time that
        are left. The model found last stays readable until the next one.
        """
        self._solver.set(rlimit=max(1, min(steps, 2**31)), timeout=max(1, int(PATIENCE * seconds * 1000)))
        try:
            outcome = _OUTCOMES[self._solver.check().r]
        except z3.Z3Exception as error:
            # the clock may strike while the solver still prepares: then it says so in this way
            if "canceled" not in str(error):
                raise
            outcome = SolverOutcome.GAVE_UP
        if outcome is SolverOutcome.SATISFIABLE:
            try:
                self._model, self._rounded = self._solver.model(), False
            except z3.Z3Exception as error:
                # the clock may also strike between the answer and its model
                if "not available" not in str(error):
                    raise
                return SolverOutcome.GAVE_UP
        return outcome

    def steps(self) -> int:
        """The solver's steps so far in this context."""
        statistics = self._solver.statistics()
        names = statistics.keys()
        return int(statistics.get_key_value("rlimit count")) if "rlimit count" in names else 0

    def text(self) -> str:
        """The assertions as SMT-LIB 2, with `(check-sat)`."""
        return str(self._solver.to_smt2())

    def push(self) -> None:
        """Remembers the assertions."""
        self._solver.push()

    def pop(self) -> None:
        """Forgets the assertions since the last `push`."""
        self._solver.pop()

    def mention(self, unknowns: Iterable[Unknown]) -> None:
        """Makes sure that the unknowns are known to the solver."""
        for variable, axis in unknowns:
            self._encoder(variable, {} if axis is None else {variable.rank_class or "": axis})

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        """The unknowns met so far, in the order in which they were met."""
        return tuple(self._encoder.unknowns)

    def plain(self) -> None:
        """Asserts that functions of which laws are known are asked only where all is known: every exponent met is 0."""
        for condition in self._encoder.plain:
            self._add(condition)

    def fix(self, unknown: Unknown, value: int) -> None:
        """Asserts an integer unknown's value."""
        self._add(self._build.same(self._encoder.unknowns[unknown], self._build.integer(value)))

    def bound(self, unknown: Unknown, limit: int) -> None:
        """Asserts that an integer unknown is at most the limit in absolute value."""
        self._between([self._encoder.unknowns[unknown]], limit)

    def limit(self, limit: int) -> None:
        """Asserts that no index unknown exceeds the limit in absolute value."""
        self._between([e for (variable, _), e in self._encoder.unknowns.items() if variable.sort == INDEX], limit)

    def limit_elements(self, limit: int) -> None:
        """Asserts that every numeric element is a whole number of at most the limit in absolute value."""
        elements = [e for (variable, _), e in self._encoder.unknowns.items() if variable.sort != INDEX]
        met = (*self._encoder.points.values(), *self._encoder.calls.values())
        elements += (value for points in met for _, value in points.values())
        numeric = [e for e in elements if self._is_number(e)]
        self._between(numeric, limit)
        for element in numeric:
            if self._is_real(element):
                self._add(z3core.Z3_mk_is_int(self._build.reference, element))

    def _sort(self, expression: Expression) -> int:
        reference = self._build.reference
        return int(z3core.Z3_get_sort_kind(reference, z3core.Z3_get_sort(reference, expression)))

    def _is_real(self, expression: Expression) -> bool:
        return bool(self._sort(expression) == z3.Z3_REAL_SORT)

    def _is_number(self, expression: Expression) -> bool:
        return self._sort(expression) in (z3.Z3_REAL_SORT, z3.Z3_INT_SORT)

    def _between(self, expressions: Sequence[Expression], limit: int) -> None:
        for expression in expressions:
            number = self._build.real_number if self._is_real(expression) else self._build.integer
            self._add(self._build.at_least(expression, number(-limit)))
            self._add(self._build.at_least(number(limit), expression))

    def integer(self, unknown: Unknown) -> int:
        """An integer unknown's value in the last model."""
        return int(self._text(self._encoder.unknowns[unknown]))

    def element(self, variable: Variable) -> str | None:
        """A single unknown's value in the last model; None if it was never met."""
        expression = self._encoder.unknowns.get((variable, None))
        return None if expression is None else self._text(expression)

    def holds(self, assertion: Assertion) -> bool:
        """Whether an assertion about terms met before holds in the last model."""
        text: str = self._text(self._encoder.assertion(assertion))
        return text == "true"

    def reads(self) -> list[tuple[str, tuple[int, ...], str]]:
        """Every read met so far: the tensor, the index, and the element in the last model."""
        return [
            (tensor, tuple(int(self._text(argument)) for argument in arguments), self._text(value))
            for (tensor, _), points in self._encoder.points.items()
            for arguments, value in points.values()
        ]

    def calls(self) -> list[tuple[str, tuple[str, ...], str]]:
        """Every value of a declared function met so far: the function, its operands, the result in the last model."""
        return [
            (function, tuple(map(self._text, operands)), self._text(value))
            for function, met in self._encoder.calls.items()
            for operands, value in met.values()
        ]

    @property
    def exact(self) -> bool:
        """Whether what was read of the last model is its own values, and these are all there is to it.

        Not so where a value read is irrational, or a function occurs of which the solver knows only laws.
        """
        return not self._rounded and not self._encoder.plain

    def _text(self, expression: Expression) -> str:
        reference = self._build.reference
        found = (z3core.Ast * 1)()
        z3core.Z3_model_eval(reference, self._model.model, expression, True, found)
        value = self._build.keep(found[0])
        if z3core.Z3_is_algebraic_number(reference, value):
            self._rounded = True
            value = self._build.keep(z3core.Z3_get_algebraic_number_lower(reference, value, 10))
        if z3core.Z3_is_numeral_ast(reference, value):
            return str(Fraction(z3core.Z3_get_numeral_string(reference, value)))
        text = str(z3core.Z3_ast_to_string(reference, value))
        return text.rpartition(UNIVERSE)[2].rstrip("|")
