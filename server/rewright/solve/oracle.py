"""Answers queries within one budget, by a portfolio of encodings.

Owns the budget of a question: what the solver's steps, and a guard of processor time, still allow. z3 is imported when
the first query comes, because most questions never ask one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rewright.solve.guard import Guard
from rewright.solve.query import PORTFOLIO, Attempt, Encoding, Query, SolverOutcome

if TYPE_CHECKING:
    from rewright.solve.builder import ExpressionBuilder
    from rewright.solve.session import SolverSession


class Oracle:
    """One question's solver."""

    def __init__(self, steps: int, seconds: float) -> None:
        self._steps = steps
        self._guard = Guard(seconds)
        self._builder: ExpressionBuilder | None = None
        self.checks = 0
        """How often the solver was asked."""
        self.wasted = 0
        """The solver's steps in checks in which it gave up."""
        self.answers: list[tuple[Query, SolverOutcome]] = []
        """Every definite answer given, in order."""

    def allow(self, steps: int) -> None:
        """Lets it take so many of the solver's steps from here, whatever it took before."""
        self._steps = steps

    @property
    def exhausted(self) -> bool:
        """Whether the budget is used up."""
        return self._steps <= 0 or self._guard.over

    @property
    def by_the_clock(self) -> bool:
        """Whether the guard ended it."""
        return self._guard.over

    def ask(self, query: Query, attempts: Sequence[Attempt] = PORTFOLIO) -> SolverOutcome:
        """The first answer of the attempts. Where a model knows laws only, a plain one is tried: all exponents 0."""
        from rewright.solve.builder import ExpressionBuilder
        from rewright.solve.session import SolverSession

        self._builder = self._builder or ExpressionBuilder()
        for attempt in attempts:
            if self.exhausted:
                break
            session = SolverSession(query, attempt.encoding, self._builder)
            before = session.steps()
            outcome = session.check(min(attempt.steps, self._steps), self._guard.left)
            if outcome is SolverOutcome.SATISFIABLE and not session.exact:
                session.plain()
                again = session.check(min(attempt.steps, self._steps), self._guard.left)
                outcome = outcome if again is SolverOutcome.SATISFIABLE else SolverOutcome.ALLOWED
            self._count(session.steps() - before, outcome)
            if outcome in (SolverOutcome.SATISFIABLE, SolverOutcome.UNSATISFIABLE):
                self.answers.append((query, outcome))
            if outcome is not SolverOutcome.GAVE_UP:
                return outcome
        return SolverOutcome.GAVE_UP

    def _count(self, steps: int, outcome: SolverOutcome) -> None:
        self._steps -= steps
        self.checks += 1
        if outcome is SolverOutcome.GAVE_UP:
            self.wasted += steps


def open_session(query: Query) -> SolverSession:
    """A solver of its own with the query asserted, for finding models step by step."""
    from rewright.solve.session import SolverSession

    return SolverSession(query, Encoding())
