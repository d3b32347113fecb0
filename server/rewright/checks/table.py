"""The one table from a kind of declaration to its questions and to what answers them.

Invariant: the payload of a question is canonical. Symbols are numbered, places are site numbers and sources stand in it
by value, so two declarations that mean the same ask the same bytes, and `restore` puts the names back into an answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from rewright.model.canonical import canonical
from rewright.model.index import Name
from rewright.model.kernel import Kernel
from rewright.model.rule import Rule, RuleQuestion, holes
from rewright.rules.decision import Budget, Mode
from rewright.verdict import Answer, Suggestions
from rewright.verdict.codec import decode, encode


@dataclass(frozen=True, slots=True)
class SourceText:
    """A foreign source by value, under the path that the declaration names."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class RulePayload:
    """What is asked of a rule."""

    question: RuleQuestion
    mode: Mode


@dataclass(frozen=True, slots=True)
class KernelPayload:
    """What is asked of a kernel: all of it, with the sources it is written in."""

    kernel: Kernel
    sources: tuple[SourceText, ...]


@dataclass(frozen=True, slots=True)
class SearchPayload:
    """What is asked for a rule that lacks a precondition, or expressions for the maps that are `holes`.

    All of its questions are to be proved.
    """

    questions: tuple[RuleQuestion, ...]
    holes: tuple[Name, ...]


Payload = RulePayload | KernelPayload | SearchPayload


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: labels for people, the canonical payload, and the names behind its numbered symbols."""

    domain: str
    direction: str
    payload: str
    names: tuple[str, ...]


def questions(value: Rule | Kernel, sources: Mapping[str, str], mode: Mode) -> tuple[Asked, ...]:
    """The questions that a declaration asks, given the texts of the sources it names."""
    match value:
        case Rule():
            return tuple(
                _asked(RulePayload(question, mode), question.domain_text, question.direction)
                for question in rule_questions(value)
            )
        case Kernel():
            texts = tuple(SourceText(path, text) for path, text in sorted(sources.items()))
            return (_asked(KernelPayload(value, texts), "", ""),)
        case _:
            assert_never(value)


def search(value: Rule) -> Asked:
    """The question which preconditions a rule lacks, or what its holes stand for."""
    return _asked(SearchPayload(rule_questions(value), holes(value)), "", "")


def answer(payload: str, budget: Budget) -> Answer | Suggestions:
    """The answer to a question that `questions` or `search` made."""
    asked: Payload = decode(Payload, payload)
    match asked:
        case RulePayload(question, Mode.SECOND_OPINION):
            from rewright.checks import second_opinion

            return second_opinion.answer(question, budget)
        case RulePayload(question, mode):
            from rewright.checks import rule

            return rule.answer(question, budget, mode)
        case SearchPayload(asked_together, open_holes):
            from rewright.checks.preconditions import suggestions

            return suggestions(asked_together, open_holes)
        case KernelPayload(kernel, sources):
            from rewright.checks import kernel as kernels

            return kernels.answer(kernel, {source.path: source.text for source in sources}, budget)
        case _:
            assert_never(asked)


def restore(answer_text: str, names: tuple[str, ...]) -> Answer:
    """The answer whose wire form is given, with the numbered symbols replaced by the declaration's names."""
    return decode(Answer, _named(answer_text, names))


def restore_suggestions(text: str, names: tuple[str, ...]) -> Suggestions:
    """The suggestions whose wire form is given, in the declaration's names."""
    return decode(Suggestions, _named(text, names))


def smtlib(asked: Asked) -> str | None:
    """The solver's question as SMT-LIB text in the declaration's own names, None if no solver is asked."""
    payload: Payload = decode(Payload, _named(asked.payload, asked.names))
    match payload:
        case RulePayload(question):
            from rewright.rules import smtlib as rules

            return rules.smtlib(question)
        case KernelPayload() | SearchPayload():
            return None
        case _:
            assert_never(payload)


def _named(text: str, names: tuple[str, ...]) -> str:
    return re.sub(r"⟨(\d+)⟩", lambda match: names[int(match[1])], text)


def rule_questions(rule: Rule) -> tuple[RuleQuestion, ...]:
    """The questions of a rule: each domain, each direction that it claims."""
    forward = tuple(RuleQuestion(rule, domain, "=>") for domain in rule.domains)
    backward = tuple(RuleQuestion(rule, domain, "<=") for domain in rule.domains)
    return forward + backward if rule.both else forward


def _asked(payload: Payload, domain: str, direction: str) -> Asked:
    value, names = canonical(payload)
    return Asked(domain, direction, encode(value), names)
