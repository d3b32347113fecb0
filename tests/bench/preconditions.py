"""How well preconditions are found: the rules of `rules/xla` that have one, with theirs removed (`make preconditions`).

Rules of `CASES` stand beside them, each with a precondition that is to be among what is offered, or the first of it;
what they are offered is to be the same under ten seeds of Python's hashes (`--cases` prints it alone).

Prints for each rule what was found, whether the rule's own precondition implies one of them (so that what was found is
the same or weaker), what share of small inputs is kept, the processor time and the steps. Exits with status 1 if fewer
than nine of ten of the rules that state a row of the catalogue or of the census get an equivalent or a weaker one in
time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

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

SEEDS = 10

CASES = {
    """rule clip_of_clip<T: num> {
      axes A; map n on A; scalar a, b, c, d: T; tensor X: T[A: n]
      clamp(c, clamp(a, X, b), d) => clamp(max(a, c), X, min(b, d)) }""": ("b >= c or b >= d", "b >= c"),
    """rule max_and_min_exchanged<T: real> {
      axes A; map n on A; scalar a, b: T; tensor X: T[A: n]
      min(max(X, a), b) => max(min(X, b), a) }""": ("a <= b",),
    """rule reverse_dropped<T: any> {
      axes A; map n on A; tensor X: T[A: n]
      reverse(X, A) => X }""": ("n <= 1 or (some A: n == 0)", "n <= 1"),
    """rule transpose_dropped<T: any> {
      axes I ~ J; map n on I; tensor X: T[I: n, J: n]
      transpose(X, I -> J, J -> I) => X }""": ("n <= 1 or (some I: n == 0)", "n <= 1"),
    """rule slice_of_slice_with_strides<T: any> {
      axes A; map n, s1, l1, p1, s2, l2, p2 on A; tensor X: T[A: n]
      slice(slice(X, s1, l1, p1), s2, l2, p2) => slice(X, s1 + s2 * p1, s1 + l2 * p1, p1 * p2) }""": (
        "n >= s1 + l2 * p1",
        "p1 == 1",
    ),
    """rule reverse_of_slice_with_strides<T: any> {
      axes A; map n, s, e, p on A; tensor X: T[A: n]
      reverse(slice(X, s, e, p), A) => slice(reverse(X, A), n - e, n - s, p) }""": ("(e - s - 1) % p == 0",),
}
"""Rules, and what is to be offered for them in this order, the weaker before the stronger."""


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
    cases = _cases() if not names else True
    listed = [source for source in total if source in MANIFESTS] or list(total)
    return 0 if cases and sum(good[each] for each in listed) >= TARGET * sum(total[each] for each in listed) else 1


def _offers(text: str) -> list[str]:
    """What is offered for a rule, each offer as text."""
    (declared,) = check_file(parse(Text.of("case.rw", text)), lambda name: None).declarations
    assert isinstance(declared.value, Rule)
    found = preconditions(rule_questions(declared.value), Limit.of(STEPS))
    return [", ".join(map(formula_text, each.parts)) for each in found]


def _cases() -> bool:
    """Whether all cases get what they are to get, in this order, and the same under every seed."""
    command, good = [sys.executable, __file__, "--cases"], True
    runs = [
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": str(seed)}, capture_output=True, check=True).stdout
        for seed in range(SEEDS)
    ]
    for (text, expected), offers in zip(CASES.items(), json.loads(runs[0]), strict=True):
        places = [offers.index(each) for each in expected if each in offers]
        fits = len(places) == len(expected) and places[:1] == [0] and places == sorted(places)
        good = good and fits
        print(f"{text.split('<')[0].split()[1]}: {'as expected' if fits else 'NOT as expected'}: {offers}")
    print(f"the same offers in {SEEDS} runs: {len(set(runs)) == 1}")
    return good and len(set(runs)) == 1


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
    if sys.argv[1:] == ["--cases"]:
        print(json.dumps([_offers(text) for text in CASES]))
        sys.exit(0)
    sys.exit(main(sys.argv[1:]))
