"""Normal forms and case splits of reductions against the raw term, by the solver with reductions spelled out.

At ranks 0 to 2, over at most two indices per axis. A proof would hide behind an equal mistake on both sides; here one
side is the term as it was read.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import pytest
from builders import PRED, Ix, T, questions
from drafts import Draft, Shaped, broadcast, fill, pad, pointwise, reduce, reverse, update

from rewright.equality.facts import Facts
from rewright.model import index as mi
from rewright.model import rule as m
from rewright.model import tensor as mt
from rewright.model.index import Name
from rewright.rules import paths
from rewright.rules.claim import Claim, claim_of
from rewright.rules.decision import Mode
from rewright.rules.leaf import Leaf
from rewright.rules.obligations import Goal, setting
from rewright.rules.raw import on_axes
from rewright.solve import Assertion, Attempt, Differ, Oracle, Query, SolverOutcome, TruthFails, TruthHolds
from rewright.terms import FALSE, Term, conjoin
from rewright.terms.node import INDEX, NonNegative, Zero
from rewright.verdict import Failure

COUNT = 1000 if os.environ.get("REWRIGHT_SOAK") else 40
STEPS = (Attempt(400_000),)
SPLITS = 3


def test_normal_forms_of_reductions_are_equal_to_the_terms_as_read() -> None:
    tally = Tally()
    for number in range(COUNT):
        assert difference(number, tally) is None, number
    assert tally.compared > 4 * COUNT
    assert tally.gave_up < tally.compared / 10


def test_a_fact_about_an_outer_index_believed_of_an_inner_one_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Facts.__init__

    def forgetful(self: Facts, known: dict[str, tuple[Term, ...]], nonempty: frozenset[str]) -> None:
        made(self, known, nonempty)
        self.opened = 0

    monkeypatch.setattr(Facts, "__init__", forgetful)
    assert any(difference(number, Tally()) for number in range(600))


def test_a_test_about_one_axis_taken_for_a_truth_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    known = paths._is_test

    def careless(term: Term) -> bool:
        index_test = isinstance(term, NonNegative | Zero) and term.polynomial.sort == INDEX
        return known(term) or (index_test and not term.loose)

    monkeypatch.setattr(paths, "_is_test", careless)

    def noticed(number: int) -> bool:
        try:
            return difference(number, Tally()) is not None
        except KeyError:  # the solver is told of no axis that such a test could be about
            return True

    assert any(noticed(number) for number in range(600))


@dataclass
class Tally:
    """How many questions were asked, and on how many the solver gave up."""

    compared: int = 0
    gave_up: int = 0


def difference(number: int, tally: Tally) -> str | None:
    """Where a leaf of a random reduction differs from the raw term, if it does."""
    rng = random.Random(f"normal forms {number}")
    claim = claim_of(questions(_drawn(rng))[0])
    given = conjoin(claim.given, claim.left_entry.defined)
    for leaf, path in _leaves(claim, given, rng):
        differs = Differ(claim.left_entry.value, leaf.goal.left)
        for ranks in _ranks(claim):
            facts = (*claim.facts, *claim.left_valid, *claim.in_range)
            known = (*(part for fact in facts for part in on_axes(fact, ranks)), *path, TruthHolds(given))
            for wrong in (differs, TruthFails(leaf.goal.given)):
                outcome = Oracle(1_000_000, 10.0).ask(Query(ranks, (*known, wrong), 2), STEPS)
                tally.compared += 1
                tally.gave_up += outcome is SolverOutcome.GAVE_UP
                if outcome is SolverOutcome.SATISFIABLE:
                    return f"{ranks}: {claim.left_entry.value} is not {leaf.goal.left} on {path}"
    return None


def _leaves(claim: Claim, given: Term, rng: random.Random) -> Iterator[tuple[Leaf, list[Assertion]]]:
    """The normal form, and those after some case splits, with the cases."""
    inside = setting(claim, (*claim.facts, *claim.left_valid, *claim.in_range), Mode.NORMAL_FORMS)
    value = inside.term(claim.left_entry.value)
    leaf = Leaf(paths._normal(Goal(Failure.VALUE, inside.facts, inside.term(given), value, value)))
    path: list[Assertion] = []
    for _ in range(SPLITS):
        yield leaf, list(path)
        choices = list(paths.tests(leaf.goal.given, leaf.goal.left))
        if leaf.goal.given is FALSE or not choices:
            return
        test = rng.choice(choices)
        holds = rng.random() < 0.5
        leaf = (paths._holding if holds else paths._failing)(leaf, test)
        path.append(TruthHolds(test) if holds else TruthFails(test))


def _ranks(claim: Claim) -> Iterator[tuple[tuple[str, int], ...]]:
    names = claim.scope.rank_classes
    for vector in product(*(range(int(name in claim.scope.nonempty), 3) for name in names)):
        yield tuple(zip(names, vector, strict=True))


def _drawn(rng: random.Random) -> m.Rule:
    """A reduction over one group of a body in which another reduction, over the same group or its mate, is spread."""
    draft = Draft(rng, rng.choice(["int", "real", "any", "any"]))
    type_ = PRED if draft.constraint == "any" else T
    first = draft.a_group()
    second = draft.group(draft.fresh("A"), first)
    size = draft.a_map(first)
    sizes = {first: size, second: rng.choice([size, draft.a_map(first)])}
    monoids = ["add", "maximum", "minimum"] if type_ == T else ["and", "or"]
    reduced = rng.choice([first, second])
    inner = {name: rng.choice([size, size + 1, size - 1]) for name in {reduced: 0, rng.choice([first, second]): 0}}
    low = reduce(rng.choice(monoids), _body(draft, inner, type_), [reduced])
    missing = {name: own for name, own in sizes.items() if name not in low.sizes}
    low = Shaped(low.tensor, {name: sizes[name] for name in low.sizes})
    body = pointwise(rng.choice(monoids), _body(draft, sizes, type_), broadcast(low, missing) if missing else low)
    if type_ == T and rng.random() < 0.4:
        body = _worked(draft, body)
    whole = reduce(rng.choice(monoids), body, [first])
    if rng.random() < 0.4:
        draft.require(draft.a_precondition(sizes))
    return draft.rule(whole.tensor, whole.tensor)


def _worked(draft: Draft, body: Shaped) -> Shaped:
    """Elements with something done to them that may be undefined, or that terms have laws for."""
    divisions = ["divide", "remainder"] if draft.constraint == "int" else ["divide"]
    match draft.rng.choice(["abs", "sign", "twice", "division"]):
        case "division":
            return pointwise(draft.rng.choice(divisions), body, _body(draft, body.sizes, T))
        case "twice":
            return pointwise("multiply", pointwise("abs", body), pointwise("abs", body))
        case operator:
            return pointwise(operator, body)


def _body(draft: Draft, sizes: Mapping[Name, Ix], type_: mt.ElementType) -> Shaped:
    """A tensor of these sizes with a border, a block, or reversed."""
    groups = draft.rng.sample(list(sizes), draft.rng.randint(1, len(sizes)))
    case = draft.rng.randrange(4)
    if case == 0:
        return reverse(draft.a_tensor(sizes, type_), groups)
    if case == 1:
        block = fill(draft.a_scalar(type_), {name: Ix(mi.Number(1, 0)) for name in sizes})
        return update(draft.a_tensor(sizes, type_), block, {name: draft.an_attribute(name) for name in groups})
    low, high = draft.rng.choice([(1, 0), (0, 1), (1, -1)])
    cut = {name: size - low - high if name in groups else size for name, size in sizes.items()}
    inner = draft.a_tensor(cut, type_) if case == 2 else fill(draft.a_scalar(type_), cut)
    return Shaped(pad(inner, draft.a_scalar(type_), dict.fromkeys(groups, (low, high))).tensor, sizes)
