"""Answers what the loops and statements of a nest do, for people: no verdict."""

from __future__ import annotations

from rewright.checks.nest_answers import operations_of
from rewright.checks.nest_question import NestFactsPayload
from rewright.loops.facts import nest_facts
from rewright.model.nest_facts import NestFacts
from rewright.rules.decision import Budget


def facts(asked: NestFactsPayload, budget: Budget) -> NestFacts:
    """The facts of a nest."""
    return nest_facts(asked.nest, (asked.failing, asked.wrong), operations_of(budget))
