"""Decisions on rules given as text: the items of one rule over `T: num`, asked in one of its domains."""

from __future__ import annotations

from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Decision, Mode
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

BUDGET = Budget(10_000_000, 10.0)


def asked(items: str, domain: str = "int") -> RuleQuestion:
    text = f"rule asked<T: num> {{\n{items}\n}}\n"
    (declaration,) = check_file(parse(Text.of("asked.rw", text)), lambda path: None).declarations
    assert isinstance(declaration.value, Rule), declaration
    rule = declaration.value
    (of_domain,) = (each for each in rule.domains if not each or dict(each).get(rule.type_parameters[0].name) == domain)
    return RuleQuestion(rule, of_domain, "=>")


def decision(items: str, mode: Mode = Mode.NORMAL_FORMS, domain: str = "int") -> Decision:
    return decide(asked(items, domain), BUDGET, mode)
