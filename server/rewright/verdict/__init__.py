"""The plain data that everything is said in: verdicts, coverage, findings, witnesses, fixes.

Owns what an answer *is*. Every value is a frozen dataclass that `codec` turns into JSON text and back, so that an
answer is the same over a pipe, in the cache and in a test. Must not know how anything is decided or shown.
"""

from rewright.verdict.answer import NOTHING, Answer, Condition, Coverage, Method, Verdict, worst
from rewright.verdict.diagnosis import Diagnosis
from rewright.verdict.fault import fault, internal_error
from rewright.verdict.finding import Finding, InDeclaration, InSource, Place, Related, Role, Severity, Site, has_errors
from rewright.verdict.fix import Edit, Fix, Weaker
from rewright.verdict.witness import (
    AccessKind,
    Failure,
    FunctionValue,
    HeldElement,
    Instance,
    KernelWitness,
    LoopsWitness,
    Moment,
    Passage,
    RangeOfDimension,
    ReducedTerm,
    RefinementCause,
    RefinementCauseKind,
    RefinementWitness,
    RuleWitness,
    SideTerms,
    Step,
    TensorValue,
    ThreadId,
    Witness,
)

__all__ = [
    "NOTHING",
    "AccessKind",
    "Answer",
    "Condition",
    "Coverage",
    "Diagnosis",
    "Edit",
    "Failure",
    "Finding",
    "Fix",
    "FunctionValue",
    "HeldElement",
    "InDeclaration",
    "InSource",
    "Instance",
    "KernelWitness",
    "LoopsWitness",
    "Method",
    "Moment",
    "Passage",
    "Place",
    "RangeOfDimension",
    "ReducedTerm",
    "RefinementCause",
    "RefinementCauseKind",
    "RefinementWitness",
    "Related",
    "Role",
    "RuleWitness",
    "Severity",
    "SideTerms",
    "Site",
    "Step",
    "TensorValue",
    "ThreadId",
    "Verdict",
    "Weaker",
    "Witness",
    "fault",
    "has_errors",
    "internal_error",
    "worst",
]
