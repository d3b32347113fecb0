"""Instances completed by replaying them: functions whose results are chosen when they are asked for.

Owns the step from an instance without functions to one whose tables list every call that the replay makes. Must not
know how results are chosen.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from msgspec.structs import replace

from rewright.model.rule import RuleQuestion
from rewright.replay.elements import Element, domain_of, read_element
from rewright.replay.functions import FunctionTable, function_value, remembering
from rewright.replay.inputs import Excluded, read_instance
from rewright.replay.rule import check_preconditions, claim, unobserved
from rewright.verdict import Instance

Results = Callable[[str], str]
"""The next result for an element domain, as text."""


def with_functions(question: RuleQuestion, instance: Instance, results: Results) -> Instance:
    """The instance with a table for every function, its results chosen by `results`. Raises `Excluded`."""
    if not question.rule.functions:
        return instance
    domain = dict(question.domain)
    tables = {fn.name: _table(domain_of(fn.result, domain), results) for fn in question.rule.functions}
    inputs = replace(read_instance(question, instance), functions=tables)
    with contextlib.suppress(Excluded):
        check_preconditions(question.rule, inputs)
        claim(question, inputs, unobserved)
    return replace(instance, functions=tuple((name, function_value(table)) for name, table in tables.items()))


def _table(domain: str, results: Results) -> FunctionTable:
    def draw(operands: tuple[Element, ...]) -> Element:
        return read_element(results(domain), domain)

    return remembering(draw)
