"""Why a question of a rule stays unknown: a list of reasons, each with what to do next.

Owns the list; a page of the documents shows it as a table. Must not know how anything is decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct


class UnknownReason(StrEnum):
    """A reason for which a question stays unknown."""

    STEPS = "steps"
    CLOCK = "clock"
    REDUCTIONS = "reductions"
    LAWS = "laws"
    CONTENTS = "contents"
    NO_INPUT = "no input"
    NO_MODEL = "no model"
    NOT_REPLAYED = "not replayed"
    CONSTRUCT = "construct"


class Advice(Struct, frozen=True):
    """What a reason means, and what to do next."""

    meaning: str
    next_step: str


ADVICE: Mapping[UnknownReason, Advice] = {
    UnknownReason.STEPS: Advice(
        "The budget is used up: steps of the solver, or nodes of terms.",
        "put `@budget(3)` above the rule, or prove it in two rules of which each does one step",
    ),
    UnknownReason.CLOCK: Advice(
        "The clock ended it, a guard far above what the steps take. The answer is not kept.",
        "check it again",
    ),
    UnknownReason.REDUCTIONS: Advice(
        "Both sides reduce something, their normal forms differ, and no small counterexample was found.",
        "look at the terms without a partner; state in `where` what makes them equal, or move both sides closer",
    ),
    UnknownReason.LAWS: Advice(
        "Only laws of a function are known, and they allow a counterexample that does not replay.",
        "state in `where` or `assume` what the rule uses of the function's arguments, such as their signs",
    ),
    UnknownReason.CONTENTS: Advice(
        "An assumption speaks of the index, and no contents were found that meet it and break the rule.",
        "state the contents as an expression (`iota`, `select`) in place of the assumption",
    ),
    UnknownReason.NO_INPUT: Advice(
        "No input that satisfies the preconditions was found, so the rule may say nothing.",
        "add an `example` that satisfies them, or weaken them",
    ),
    UnknownReason.NO_MODEL: Advice(
        "A counterexample exists at the ranks that are named, but the solver did not find its values.",
        "add an `example` of these ranks, or put `@budget(3)` above the rule",
    ),
    UnknownReason.NOT_REPLAYED: Advice(
        "A counterexample was found that cannot be replayed: it has irrational elements, or elements of another type.",
        "state the rule over `int`, or add an `example` whose elements are rational",
    ),
    UnknownReason.CONSTRUCT: Advice(
        "The rule has a construct, or a type, that is not decided.",
        "state it without this construct, or accept that with `@expect(unknown)`",
    ),
}
"""In the order of the page."""
