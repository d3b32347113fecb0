"""The questions which fixes there are, and what answers them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from rewright.checks.table import Asked, canonically, named, rule_questions
from rewright.fixes.kernels.question import Mendable, MendingPayload, Mendings
from rewright.model.index import Name
from rewright.model.rule import Rule, RuleQuestion, holes
from rewright.rules.decision import Budget
from rewright.verdict import Finding, Suggestions
from rewright.verdict.codec import decode, encode


@dataclass(frozen=True, slots=True)
class SearchPayload:
    """What is asked for a rule that lacks a precondition, or expressions for the maps that are `holes`.

    All of its questions are to be proved.
    """

    questions: tuple[RuleQuestion, ...]
    holes: tuple[Name, ...]


Payload = SearchPayload | MendingPayload
Told = Suggestions | Mendings


def search(value: Rule) -> Asked:
    """The question which preconditions a rule lacks, or what its holes stand for."""
    return canonically(SearchPayload(rule_questions(value), holes(value)))


def mending(kernel: Mendable, findings: tuple[Finding, ...]) -> Asked:
    """The question which changes of a kernel's text mend what was found."""
    return Asked("", "", encode(MendingPayload(kernel, findings)), ())


def answer(asked: Payload, budget: Budget) -> Told:
    """What a search finds that `search` or `mending` asks for."""
    match asked:
        case SearchPayload(questions, open_holes):
            from rewright.fixes.preconditions import suggestions

            return suggestions(questions, open_holes)
        case MendingPayload():
            from rewright.fixes.kernels.search import mendings

            return mendings(asked, budget)
        case _:
            assert_never(asked)


def restore_suggestions(text: str, names: tuple[str, ...]) -> Suggestions:
    """The suggestions whose wire form is given, in the declaration's names."""
    return decode(Suggestions, named(text, names))
