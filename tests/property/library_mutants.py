"""The library's rules, each with one thing changed, held against brute force: a table by rule.

Owns what may become of a mutant of a proved rule: refuted, with an input that replays; proved, and true on every input
that brute force tries; or unknown. Anything else is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import brute
from agreement import judge
from mutation import every_mutant
from printing import rule_text
from spread import spread

from rewright.checks.table import rule_questions
from rewright.model.file import check_file
from rewright.model.rule import Rule
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict, worst

LIBRARY = Path(__file__).parents[2] / "rules" / "xla"
PLAN = brute.Search(trials=120)


@dataclass(frozen=True)
class Mutant:
    """A rule of the library with one change."""

    of: str
    number: int
    rule: Rule


@dataclass(frozen=True)
class Fate:
    """What became of a mutant; `wrong` is what should not be, `reason` why it is unknown."""

    of: str
    number: int
    verdict: Verdict
    text: str
    reason: str | None
    wrong: str | None


def library() -> list[Rule]:
    """The rules of `rules/xla`."""
    files = [
        check_file(parse(Text.of(str(path), path.read_text())), lambda path: None)
        for path in sorted(LIBRARY.glob("*.rw"))
    ]
    return [each.value for file in files for each in file.declarations if isinstance(each.value, Rule)]


def every_library_mutant() -> list[Mutant]:
    """Every rule with each operator, attribute, precondition and assumption changed once."""
    return [Mutant(rule.name, at, mutant) for rule in library() for at, mutant in enumerate(every_mutant(rule))]


def fates(mutants: Iterable[Mutant]) -> Iterator[Fate]:
    """What becomes of the mutants."""
    return spread(fate, mutants)


def fate(mutant: Mutant) -> Fate:
    """What becomes of a mutant. An error of ours is wrong, too."""
    text = rule_text(mutant.rule)
    try:
        judged = [judge(question, mutant.number, PLAN) for question in rule_questions(mutant.rule)]
    except Exception as error:
        return Fate(mutant.of, mutant.number, Verdict.ERROR, text, None, repr(error))
    reasons = [each.answer.reason for each in judged if each.answer.reason]
    wrong = [each.wrong for each in judged if each.wrong]
    verdict = worst(each.answer.verdict for each in judged)
    return Fate(mutant.of, mutant.number, verdict, text, next(iter(reasons), None), next(iter(wrong), None))


def table(found: Iterable[Fate]) -> Iterator[str]:
    """A line for each rule, the sums, and each mutant that is unknown or wrong."""
    rows: dict[str, Counter[Verdict]] = {}
    fates: list[Fate] = []
    for each in found:
        rows.setdefault(each.of, Counter())[each.verdict] += 1
        if each.wrong or each.verdict is Verdict.UNKNOWN:
            fates.append(each)
    yield f"{'rule':44} {'mutants':>8} {'refuted':>8} {'proved':>8} {'unknown':>8}"
    for name, counts in rows.items():
        yield _row(name, counts)
    yield _row("in all", sum(rows.values(), Counter()))
    for each in fates:
        what = f"WRONG, {each.wrong}" if each.wrong else f"unknown, {each.reason}"
        yield f"{each.of}, mutant {each.number}: {what}\n{each.text}"


def _row(name: str, counts: Counter[Verdict]) -> str:
    held = counts[Verdict.PROVED] + counts[Verdict.CHECKED]
    columns = (counts.total(), counts[Verdict.REFUTED], held, counts[Verdict.UNKNOWN])
    return f"{name:44} " + " ".join(f"{column:8}" for column in columns)
