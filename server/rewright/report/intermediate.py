"""The intermediate values of a counterexample: which expression has which value.

Owns how the steps of a witness are told apart and what text they stand beside. Must not know how they are drawn.
"""

from __future__ import annotations

from rewright.report.document import FileReport, Result
from rewright.verdict import Failure, RuleWitness, Step


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
