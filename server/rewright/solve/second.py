"""A second solver: the same queries asked of cvc5, within a budget for each.

Owns cvc5's solver objects, which are no affair of any other thread. Must not know what the first solver said.
"""

from __future__ import annotations

import cvc5
from msgspec import Struct

from rewright.solve.query import Query, SolverOutcome
from rewright.solve.second_meaning import Inexpressible, SecondMeaning

RESOURCES = 100_000
"""cvc5's own count, which does not depend on the machine: about half a second. What it answers of the library's queries
it answers within 70,000; on exponentials it can go on without end."""

MILLISECONDS = 10_000
"""A guard for each query by the clock: cvc5 does not count all that it does, such as powers of large numbers."""

_COUNT = "resource::resourceUnitsUsed"


class SecondVerdict(Struct, frozen=True):
    """What cvc5 says to a query, and the resources that it took; `why` for one that it gave up or was not asked."""

    outcome: SolverOutcome
    why: str = ""
    resources: int = 0


def second_answer(query: Query) -> SecondVerdict:
    """What cvc5 says to a query, within a limit of its resources."""
    try:
        meaning = SecondMeaning(query)
    except Inexpressible as what:
        return SecondVerdict(SolverOutcome.GAVE_UP, f"no second meaning: {what}")
    solver = _solver(meaning)
    found = solver.checkSat()
    took = solver.getStatistics()[_COUNT]["value"]
    if found.isUnsat():
        return SecondVerdict(SolverOutcome.UNSATISFIABLE, resources=took)
    if found.isSat() and meaning.unknown:
        names = ", ".join(sorted(meaning.unknown))
        return SecondVerdict(SolverOutcome.GAVE_UP, f"no second meaning: {names}", took)
    if found.isSat():
        return SecondVerdict(SolverOutcome.SATISFIABLE, resources=took)
    return SecondVerdict(SolverOutcome.GAVE_UP, str(found.getUnknownExplanation()).rpartition(".")[2].lower(), took)


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
