"""How well preconditions are found: the rules of `rules/xla` that have one, with theirs removed (`make preconditions`).

Prints for each rule what was found, whether the rule's own precondition implies one of them (so that what was found is
the same or weaker), what share of small inputs is kept, the processor time and the steps. Exits with status 1 if fewer
than nine of ten of the rules that state a row of the catalogue or of the census get an equivalent or a weaker one in
time.
"""

from __future__ import annotations

import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rewright.checks.table import rule_questions
from rewright.fixes.preconditions.search import STEPS, FoundPrecondition, preconditions
from rewright.fixes.preconditions.work import Limit
from rewright.fixes.preconditions.written import formula_text
from rewright.model.file import check_file
from rewright.model.rule import Rule
from rewright.rules.decision import Budget
from rewright.rules.implied import implies
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

LIBRARY = Path(__file__).parents[2] / "rules" / "xla"
BUDGET = Budget(3_000_000, 2.0)
TARGET = 0.9
SECONDS = 5.0
"""Of processor time on a machine that does nothing else, where the steps of a search end it sooner."""

VERDICTS = {True: "implied", False: "not implied", None: "unknown whether implied"}


MANIFESTS = ("catalogue", "census")


def main(names: list[str]) -> int:
    """Measures the rules of these names, all without any; the exit status."""
    rules = [rule for rule in _rules() if not names or rule.name in names]
    sources = {name: source for source in reversed(MANIFESTS) for name in _stated(source)}
    good: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for rule in rules:
        source = sources.get(rule.name, "other rules")
        total[source] += 1
        good[source] += _measure(rule)
    for source, count in sorted(total.items()):
        print(f"{source}: {good[source]} of {count} got an equivalent or a weaker precondition within {SECONDS:g} s")
    listed = [source for source in total if source in MANIFESTS] or list(total)
    return 0 if sum(good[each] for each in listed) >= TARGET * sum(total[each] for each in listed) else 1


def _stated(source: str) -> Iterator[str]:
    """The names of the rules that state a row of a manifest."""
    for row in tomllib.loads((LIBRARY / f"{source}.toml").read_text()).values():
        yield from (name for name in (row.get("rule"), *row.get("also", ())) if name is not None)


def _rules() -> Iterator[Rule]:
    """The rules of the library that have a precondition."""
    for path in sorted(LIBRARY.glob("*.rw")):
        model = check_file(parse(Text.of(str(path), path.read_text())), lambda name: None)
        for declared in model.declarations:
            if isinstance(declared.value, Rule) and declared.value.where:
                yield declared.value


def _measure(rule: Rule) -> bool:
    start, limit = time.process_time(), Limit.of(STEPS)
    found = preconditions(rule_questions(replace(rule, where=())), limit)
    seconds = time.process_time() - start
    implied = [_implied(rule, each) for each in found]
    print(f"{rule.name}: {len(found)} found and proved, {seconds:.2f} s, {limit.work.steps:,} steps")
    for each, verdict in zip(found, implied, strict=True):
        text = ", ".join(map(formula_text, each.parts))
        print(f"    keeps {each.kept} of {each.of} small inputs, {VERDICTS[verdict]} by its own: {text}")
    return any(implied) and seconds <= SECONDS


def _implied(rule: Rule, found: FoundPrecondition) -> bool | None:
    verdicts = [implies(question, found.formula, BUDGET) for question in rule_questions(rule)]
    return None if None in verdicts else all(verdicts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
