"""Decisions on rules given as text: the items of one rule over `T: num`, asked in one of its domains."""

from __future__ import annotations

from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Decision, Mode
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

BUDGET = Budget(10_000_000, 10.0)

LAYERS = """
axes N, F, G, O, S
map b on N
map f on F
map g on G
map o on O
map n, h, k on S
tensor X: T[N: b, F: f, S: n]
tensor V: T[F: f, G: g, S: 2 * h + 1]
tensor W: T[G: g, O: o, S: 2 * k + 1]
let inner = convolution(X, V, batch = N, feature = F, output = G, S: (low = h, high = h))
"""
"""What rules of two convolutions in a row declare: `inner` is the first one, `W` the kernel of the second."""


def asked(items: str, domain: str = "int") -> RuleQuestion:
    rule = rule_of("T: num", items)
    (of_domain,) = (each for each in rule.domains if not each or dict(each).get(rule.type_parameters[0].name) == domain)
    return RuleQuestion(rule, of_domain, "=>")


def asked_over(type_: str, items: str) -> RuleQuestion:
    """The only question of a rule over `T: type_`."""
    rule = rule_of(f"T: {type_}", items)
    (domain,) = rule.domains
    return RuleQuestion(rule, domain, "=>")


def rule_of(parameters: str, items: str) -> Rule:
    text = f"rule asked<{parameters}> {{\n{items}\n}}\n"
    (declaration,) = check_file(parse(Text.of("asked.rw", text)), lambda path: None).declarations
    assert isinstance(declaration.value, Rule), declaration
    return declaration.value


def decision(items: str, mode: Mode = Mode.NORMAL_FORMS, domain: str = "int") -> Decision:
    return decide(asked(items, domain), BUDGET, mode)
