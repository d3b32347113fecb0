"""The only door to z3 and cvc5: assertions about terms in, a verdict or a model out, within budgets.

Must not know files, rules, or why anything is asked.
"""

from rewright.solve.guard import Guard
from rewright.solve.oracle import Oracle, Unknown, open_session
from rewright.solve.query import (
    PORTFOLIO,
    QUICK,
    AllOf,
    AnyOf,
    Assertion,
    Attempt,
    Differ,
    Encoding,
    Fails,
    Holds,
    Outcome,
    Query,
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
    "Fails",
    "Guard",
    "Holds",
    "Oracle",
    "Outcome",
    "Query",
    "Unknown",
    "open_session",
]
