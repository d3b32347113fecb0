"""The rules that the language page shows are proved, whole: nothing in them is an error, a warning or not needed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rewright.checks.rule import answer
from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.rules.decision import Budget, Mode
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict

DOCS = Path(__file__).parents[3] / "docs"
PAGE = DOCS / "language.md"
BLOCKS = re.findall(r"^```rw\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)
RULES = [block for block in BLOCKS if re.search(r"^rule ", block, re.M)]
INLINE = [
    each for page in DOCS.glob("*.md") for each in re.findall(r"`(assume forall [^`]*)`", page.read_text("utf-8"))
]


@pytest.mark.parametrize("block", RULES)
def test_a_rule_of_the_page_is_proved(block: str) -> None:
    (declared,) = check_file(parse(Text.of("page.rw", block)), lambda path: None).declarations
    assert not declared.findings
    assert isinstance(declared.value, Rule)
    for domain in declared.value.domains:
        found = answer(RuleQuestion(declared.value, domain, "=>"), Budget(), Mode.NORMAL_FORMS)
        assert found.verdict is Verdict.PROVED
        assert not found.findings


def test_the_page_shows_two_bound_variables() -> None:
    assert any(re.search(r"assume forall i on A: forall j on B: ", block) for block in RULES)


@pytest.mark.parametrize("written", INLINE)
def test_assumptions_in_the_text_of_a_page_can_be_written(written: str) -> None:
    text = f"rule r<T: num> {{\n  X => X\n  {written.replace('ψ', 'X[i] == X[i]')}\n}}\n"
    (declared,) = check_file(parse(Text.of("page.rw", text)), lambda path: None).declarations
    assert not [finding.code for finding in declared.findings if finding.code.startswith("RW00")]
