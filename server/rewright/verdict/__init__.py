"""The plain data that everything is said in: verdicts, coverage, findings, witnesses, fixes.

Owns what an answer *is*. Every value is a frozen dataclass that `codec` turns into JSON text and back, so that an
answer is the same over a pipe, in the cache and in a test. Must not know how anything is decided or shown.
"""

from rewright.verdict.answer import NOTHING, Answer, Coverage, Method, Verdict, worst
from rewright.verdict.fault import FAULT, detail, fault
from rewright.verdict.finding import Finding, InSource, Place, Related, Severity, Site
from rewright.verdict.fix import Edit, Fix
from rewright.verdict.witness import (
    Failure,
    FunctionValue,
    Instance,
    KernelWitness,
    Moment,
    ReducedTerm,
    RuleWitness,
    SideTerms,
    Step,
    TensorValue,
    ThreadId,
    Witness,
)

__all__ = [
    "FAULT",
    "NOTHING",
    "Answer",
    "Coverage",
    "Edit",
    "Failure",
    "Finding",
    "Fix",
    "FunctionValue",
    "InSource",
    "Instance",
    "KernelWitness",
    "Method",
    "Moment",
    "Place",
    "ReducedTerm",
    "Related",
    "RuleWitness",
    "Severity",
    "SideTerms",
    "Site",
    "Step",
    "TensorValue",
    "ThreadId",
    "Verdict",
    "Witness",
    "detail",
    "fault",
    "worst",
]
