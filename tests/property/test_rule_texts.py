"""Random rules written out, parsed and checked again: the same rule, and the same answer by the worker's road."""

from __future__ import annotations

import re

from at_length import indexed_rules
from msgspec.structs import replace
from printing import rule_text
from random_rules import random_rules

from rewright.checks import table
from rewright.checks.rule import answer
from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.replay.outcomes import Fails
from rewright.replay.rule import replay
from rewright.rules.decision import Budget, Mode
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Failure, RuleWitness
from rewright.verdict.codec import decode, encode

BUDGET = Budget()


def test_a_rule_written_out_is_read_as_the_same_rule() -> None:
    for number, drawn in enumerate([*random_rules(seed=5, count=200), *indexed_rules(seed=5, count=20)]):
        text = rule_text(drawn.rule)
        assert _bare(_read(text)) == _bare(drawn.rule), f"#{number}\n{text}"


def test_the_worker_answers_a_text_as_it_answers_the_rule() -> None:
    """The payload is canonical; the names come back. The way to an answer may depend on names, so bounds may differ."""
    for drawn in random_rules(seed=6, count=40):
        value = _read(rule_text(drawn.rule))
        asked = table.questions(value, Mode.NORMAL_FORMS)
        for question, one in zip(table.rule_questions(value), asked, strict=True):
            found = table.restore(encode(table.answer(decode(table.Payload, one.payload), BUDGET)), one.names)
            here = answer(question, BUDGET, Mode.NORMAL_FORMS)
            assert found.verdict == here.verdict
            assert [finding.code for finding in found.findings] == [finding.code for finding in here.findings]
            assert "⟨" not in encode(found)
            if isinstance(found.witness, RuleWitness):
                _replays_as_it_stands(question, found.witness)


def _replays_as_it_stands(question: RuleQuestion, witness: RuleWitness) -> None:
    """The witness with its names restored breaks the rule as it is written."""
    if witness.fails is Failure.VACUOUS:
        return
    again = replay(question, witness.instance)
    assert isinstance(again, Fails)
    assert (again.failure, again.at, again.left, again.right) == (
        witness.fails,
        witness.at,
        witness.left,
        witness.right,
    )


def _read(text: str) -> Rule:
    model = check_file(parse(Text.of("random.rw", text)), lambda path: None)
    (declared,) = model.declarations
    assert not model.findings
    assert not declared.findings, (declared.findings, text)
    assert isinstance(declared.value, Rule)
    return declared.value


def _bare(rule: Rule) -> str:
    """The rule without site numbers, and without a type parameter that nothing uses."""
    return re.sub(r'"site":\d+', "", encode(replace(rule, type_parameters=(), domains=())))
