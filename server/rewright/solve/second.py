"""A second solver: the same queries asked of cvc5, within a budget for each.

Owns cvc5's solver objects, which are no affair of any other thread. Must not know what the first solver said.
"""

from __future__ import annotations

from dataclasses import dataclass

import cvc5

from rewright.solve.query import Query, SolverOutcome
from rewright.solve.second_meaning import Inexpressible, SecondMeaning

MILLISECONDS = 2_000
"""A guard for each query; `RESOURCES` are to decide."""

RESOURCES = 2_000_000
"""cvc5's own count, which does not depend on the machine."""


@dataclass(frozen=True, slots=True)
class SecondVerdict:
    """What cvc5 says to a query; `why` for one that it gave up or was not asked."""

    outcome: SolverOutcome
    why: str = ""


def second_answer(query: Query) -> SecondVerdict:
    """What cvc5 says to a query, within two seconds."""
    try:
        solver = _solver(SecondMeaning(query))
    except Inexpressible as what:
        return SecondVerdict(SolverOutcome.GAVE_UP, f"no second meaning: {what}")
    found = solver.checkSat()
    if found.isUnsat():
        return SecondVerdict(SolverOutcome.UNSATISFIABLE)
    if found.isSat():
        return SecondVerdict(SolverOutcome.SATISFIABLE)
    return SecondVerdict(SolverOutcome.GAVE_UP, str(found.getUnknownExplanation()).rpartition(".")[2].lower())


def second_text(query: Query) -> str:
    """The query as SMT-LIB 2 for cvc5, with `(check-sat)`."""
    meaning = SecondMeaning(query)
    declared = [f"(declare-sort {sort} 0)" for sort in meaning.sorts]
    declared += (_declaration(symbol) for symbol in meaning.symbols.values())
    asserted = (f"(assert {assertion})" for assertion in meaning.assertions)
    return "\n".join(("(set-logic ALL)", *declared, *asserted, "(check-sat)", ""))


def _declaration(symbol: cvc5.Term) -> str:
    sort = symbol.getSort()
    if not sort.isFunction():
        return f"(declare-fun {symbol} () {sort})"
    return (
        f"(declare-fun {symbol} ({' '.join(map(str, sort.getFunctionDomainSorts()))}) {sort.getFunctionCodomainSort()})"
    )


def _solver(meaning: SecondMeaning) -> cvc5.Solver:
    solver = cvc5.Solver(meaning.manager)
    solver.setOption("tlimit-per", str(MILLISECONDS))
    solver.setOption("rlimit-per", str(RESOURCES))
    solver.setLogic("ALL")
    for assertion in meaning.assertions:
        solver.assertFormula(assertion)
    return solver
