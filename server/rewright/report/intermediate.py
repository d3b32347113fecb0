"""The intermediate values of a counterexample: which expression has which value, and what reductions combine.

Owns how the steps and terms of a witness are told apart and what text they stand beside. Must not know how they are
drawn.
"""

from __future__ import annotations

from rewright.report.document import FileReport, Result
from rewright.verdict import Failure, ReducedTerm, RuleWitness, SideTerms, Step


def split(witness: RuleWitness, side: str) -> tuple[tuple[Step, ...], Step | None]:
    """The steps within a side, operands before operators, and that of the whole side, None if it is not valid."""
    steps = tuple(step for step in witness.steps if step.side == side)
    claimed = "right" if witness.direction == "=>" else "left"
    if not steps or (witness.fails is Failure.VALIDITY and side == claimed):
        return steps, None
    return steps[:-1], steps[-1]


def text(step: Step, result: Result, file: FileReport) -> str:
    """The expression that a step is the value of, as it is written, on one line."""
    return " ".join(file.text.slice(result.sites[step.site]).split())


def heading(terms: SideTerms) -> str:
    """What a side's terms are terms of: `left, the sum of 3`."""
    from rewright.model.operator_table import ROWS  # a warm run that shows no counterexample reads no table

    row = ROWS.get(terms.reducer)
    reduced = row.reduction if row is not None else "the reduction"
    return f"{terms.side}, {reduced} of {len(terms.terms) + terms.more}"


def place(term: ReducedTerm) -> str:
    """Where a term stands: its index among what is reduced."""
    return "init" if term.index is None else str(list(term.index)) if term.index else ""


def term(found: ReducedTerm) -> str:
    """What a term is and where it comes from: `X[1] = 3`."""
    return found.value if found.source in {"", found.value} else f"{found.source} = {found.value}"
