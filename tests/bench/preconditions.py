"""How well preconditions are found: the rules of `rules/xla` that have one, with theirs removed (`make preconditions`).

Prints for each rule what was found, whether the rule's own precondition implies one of them (so that what was found is
the same or weaker), what share of small inputs is kept, and the time. Exits with status 1 if fewer than nine of ten
rules get an equivalent or a weaker one in time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rewright.checks.preconditions.search import SECONDS, Precondition, preconditions
from rewright.checks.preconditions.written import formula_text
from rewright.checks.table import rule_questions
from rewright.model.file import check_file
from rewright.model.rule import Rule
from rewright.rules.decision import Budget
from rewright.rules.implied import implies
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

LIBRARY = Path(__file__).parents[2] / "rules" / "xla"
BUDGET = Budget(3_000_000, 2.0)
TARGET = 0.9
VERDICTS = {True: "implied", False: "not implied", None: "unknown whether implied"}


def main(names: list[str]) -> int:
    """Measures the rules of these names, all without any; the exit status."""
    rules = [rule for rule in _rules() if not names or rule.name in names]
    good = sum(_measure(rule) for rule in rules)
    print(f"{good} of {len(rules)} rules got an equivalent or a weaker precondition within {SECONDS:g} s")
    return 0 if good >= TARGET * len(rules) else 1


def _rules() -> Iterator[Rule]:
    """The rules of the library that have a precondition."""
    for path in sorted(LIBRARY.glob("*.rw")):
        model = check_file(parse(Text.of(str(path), path.read_text())), lambda name: None)
        for declared in model.declarations:
            if isinstance(declared.value, Rule) and declared.value.where:
                yield declared.value


def _measure(rule: Rule) -> bool:
    start = time.perf_counter()
    found = preconditions(rule_questions(replace(rule, where=())))
    seconds = time.perf_counter() - start
    implied = [_implied(rule, each) for each in found]
    print(f"{rule.name}: {len(found)} found and proved, {seconds:.2f} s")
    for each, verdict in zip(found, implied, strict=True):
        text = ", ".join(map(formula_text, each.parts))
        print(f"    keeps {each.kept} of {each.of} small inputs, {VERDICTS[verdict]} by its own: {text}")
    return any(implied) and seconds <= SECONDS


def _implied(rule: Rule, found: Precondition) -> bool | None:
    verdicts = [implies(question, found.formula, BUDGET) for question in rule_questions(rule)]
    return None if None in verdicts else all(verdicts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
