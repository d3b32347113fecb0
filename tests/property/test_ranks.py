"""The bound on ranks, held against the rule as it was read, rank vector by rank vector.

Neither the normal forms nor the bound have a part in what the rule is asked at one rank vector.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
from folds import drawn

from rewright.model.file import check_file
from rewright.model.index import Name
from rewright.model.rule import Rule, RuleQuestion
from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Mode, Proved, Refuted, Unknown, Vacuous
from rewright.rules.models import Model, ModelSession
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

BUDGET = Budget(3_000_000, 5.0)
SMALL = 3
"""The greatest integer in the countermodels that are looked for."""


def question_of(items: str) -> RuleQuestion:
    text = f"rule asked<T: int> {{\n{items}\n}}\n"
    (declaration,) = check_file(parse(Text.of("asked.rw", text)), lambda path: None).declarations
    assert isinstance(declaration.value, Rule), text
    return RuleQuestion(declaration.value, declaration.value.domains[0], "=>")


def countermodel(question: RuleQuestion, ranks: dict[Name, int], limit: int | None) -> bool | None:
    """Whether the rule as it was read is wrong at these ranks; None if the solver gave up."""
    with ModelSession(question, ranks, None, BUDGET.steps) as session:
        found = session.find(limit)
        return None if found is not None and not isinstance(found, Model) else found is not None


def disagreement(question: RuleQuestion, mode: Mode) -> tuple[str, str | None]:
    """How the question is decided, and what contradicts that."""
    decision = decide(question, BUDGET, mode)
    match decision:
        case Proved() | Vacuous():
            for above, beside in product(range(4), range(3)):
                if countermodel(question, {Name("A"): above, Name("B"): beside}, SMALL):
                    return "proved", f"wrong at A = {above}, B = {beside}"
            return "proved", None
        case Refuted(ranks=ranks):
            wrong = countermodel(question, dict(ranks), None)
            return f"refuted at {max(rank for _, rank in ranks)}", "right there" if wrong is False else None
        case _:
            assert isinstance(decision, Unknown)
            return "unknown", None


def run(seed: int, count: int) -> Counter[str]:
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    for number in range(count):
        items = drawn(rng)
        kind, wrong = disagreement(question_of(items), (Mode.NORMAL_FORMS, Mode.SOLVER_ONLY)[number % 2])
        assert wrong is None, f"{wrong}:\n{items}"
        seen[kind] += 1
    return seen


def enough(seen: Counter[str]) -> None:
    """The rules are of all kinds: a test that sees none that fails only at a higher rank sees no fault of the bound."""
    count = sum(seen.values())
    assert seen["unknown"] <= count / 20
    assert seen["proved"] >= count / 10
    assert sum(number for kind, number in seen.items() if kind > "refuted at 1") >= count / 8


def test_what_is_decided_for_all_ranks_holds_at_each() -> None:
    enough(run(seed=5, count=40))


@pytest.mark.soak
def test_what_is_decided_for_all_ranks_holds_at_each_of_many() -> None:
    seen = run(seed=6, count=3000)
    print(dict(seen))
    enough(seen)
