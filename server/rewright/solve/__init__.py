"""The only door to z3 and cvc5: assertions about terms in, a verdict or a model out, within budgets.

Must not know files, rules, or why anything is asked.
"""

from rewright.solve.guard import Guard
from rewright.solve.oracle import Oracle, open_session
from rewright.solve.query import (
    PORTFOLIO,
    QUICK,
    AllOf,
    AnyOf,
    Assertion,
    Attempt,
    Differ,
    Encoding,
    Query,
    SolverOutcome,
    TruthFails,
    TruthHolds,
    Unknown,
)

__all__ = [
    "PORTFOLIO",
    "QUICK",
    "AllOf",
    "AnyOf",
    "Assertion",
    "Attempt",
    "Differ",
    "Encoding",
    "Guard",
    "Oracle",
    "Query",
    "SolverOutcome",
    "TruthFails",
    "TruthHolds",
    "Unknown",
    "open_session",
]
