"""Guarded sums against counting: every canonical weight is the number of index values that read an address.

At ranks 0 to 2, small sizes and attributes. Whole equalities are compared with brute force elsewhere; here each summand
of random reductions is, and formal sums with the elements that they are made from.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction

import pytest
from builders import Ix, questions
from drafts import Draft, Shaped, broadcast, pad, pointwise, reduce, reverse, slice_, update
from sum_weights import Place, holds, weight

from rewright.equality.facts import Fact
from rewright.equality.sums import counting, intervals
from rewright.equality.sums.addresses import Fibre
from rewright.equality.sums.conversion import formal
from rewright.equality.sums.entailment import Entailment, Solver
from rewright.equality.sums.fibres import ComparisonFrame, _addressed, _atom, _without_quotients, fibre_of, support_of
from rewright.equality.sums.opaque import Opaques
from rewright.equality.sums.summand import FreshNames, NotSummable, Summand
from rewright.equality.sums.weights import pruned
from rewright.model import rule as m
from rewright.model.index import Name
from rewright.rules.claim import Claim, claim_of
from rewright.rules.decision import Mode
from rewright.rules.obligations import _around, setting
from rewright.terms import Term, Variable, plus, subterms, variable

COUNT = 1500 if os.environ.get("REWRIGHT_SOAK") else 60
PLACES = 12


def test_canonical_weights_are_counts() -> None:
    compared = sum(_compared(number) for number in range(COUNT))
    assert compared > 4 * COUNT


def test_a_count_that_is_off_by_one_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = intervals.summed

    def wrong(weight_: Term, unknown: Term, low: Term, high: Term) -> Term | None:
        return right(weight_, unknown, low, plus(high, 1))

    monkeypatch.setattr(counting, "summed", wrong)
    with pytest.raises(AssertionError):
        test_canonical_weights_are_counts()


def _compared(number: int) -> int:
    """How many places were compared for a random reduction."""
    rng = random.Random(f"sums {number}")
    claim = claim_of(questions(_drawn(rng))[0])
    inside = setting(claim, (*claim.facts, *claim.left_valid, *claim.in_range), Mode.NORMAL_FORMS)
    around = _around(claim, inside)
    entailment = Entailment(inside.facts, Solver(None))
    names = FreshNames()
    frame = ComparisonFrame(entailment, around.shapes, around.indices, names, Opaques(lambda *_: False, names))
    value = inside.term(claim.left_entry.value)
    try:
        summands = formal(value, names)
    except NotSummable:
        return 0
    facts = [(home, part) for home, parts in inside.facts.known.items() for part in parts]
    places = list(_places(claim, facts, value, rng))
    return sum(_agree(summand, frame, places, f"{number}: {value}") for summand in summands[:6])


def _agree(summand: Summand, frame: ComparisonFrame, places: list[Place], label: str) -> int:
    rng = random.Random(label)
    plain = _without_quotients(summand, frame)
    raw = _addressed(plain, sorted((_atom(atom, plain, frame) for atom in plain.atoms), key=lambda atom: atom.head))
    if len(set(raw.heads)) < len(raw.heads):
        return 0
    counted = _pruned(fibre_of(summand, frame), frame)
    support = None if raw.weights else _pruned(support_of(summand, frame), frame)
    compared = 0
    for place in places:
        _add_addresses(place, raw.conditions, rng)
        if holds(raw.inside, place):
            expected = raw.coefficient * weight(raw.hidden, raw.conditions, raw.weights, place)
            assert _weight(counted, place) == expected, f"{label}\n{raw}\n{counted}\n{place}"
            if not raw.weights:
                assert (_weight(support, place) != 0) == (expected != 0), f"{label}\n{raw}\n{support}\n{place}"
            compared += 1
    return compared


def _pruned(fibre: Fibre | None, frame: ComparisonFrame) -> Fibre | None:
    return fibre if fibre is not None and pruned(fibre, frame.entailment) else None


def _weight(fibre: Fibre | None, place: Place) -> Fraction:
    if fibre is None:
        return Fraction(0)
    return fibre.coefficient * weight(fibre.hidden, fibre.conditions, fibre.weights, place)


def _add_addresses(place: Place, conditions: list[Fact], rng: random.Random) -> None:
    for unknown in {u for _, part in conditions for u in subterms(part) if isinstance(u, Variable)}:
        if unknown.name.startswith("@"):
            for axis in range(place.rank(unknown.rank_class)):
                place.values[unknown, axis] = rng.randint(0, 3)


def _places(claim: Claim, facts: list[Fact], value: Term, rng: random.Random) -> Iterator[Place]:
    """Small inputs that satisfy the facts."""
    unknowns = {u for term in (value, *(part for _, part in facts)) for u in subterms(term) if isinstance(u, Variable)}
    unknowns |= {variable(item.name, claim.scope.of_class(item.rank_class)) for item in claim.rule.maps}
    classes = sorted({u.rank_class for u in unknowns if u.rank_class is not None})
    found = 0
    for _ in range(600):
        ranks = {name: rng.choice([0, 1, 1, 2]) for name in classes}
        place = Place(ranks)
        for unknown in sorted(unknowns, key=lambda u: u.digest):
            for axis in range(place.rank(unknown.rank_class)):
                place.values[unknown, axis] = rng.choice([0, 0, 1, 1, 2, 2, -1])
        if holds(facts, place):
            yield place
            found += 1
            if found == PLACES:
                return


def _drawn(rng: random.Random) -> m.Rule:
    """A sum over one group, of something moved, times something else."""
    draft = Draft(rng, "num")
    first = draft.an_axis() if rng.random() < 0.4 else draft.a_group()
    second = draft.group(draft.fresh("A"), first) if rng.random() < 0.5 else first
    size = draft.a_map(first)
    sizes = {first: size, second: rng.choice([size, draft.a_map(first)])}
    body = _moved(draft, sizes)
    if rng.random() < 0.4:
        body = pointwise(rng.choice(["multiply", "add"]), body, draft.a_tensor(body.sizes))
    if rng.random() < 0.3:
        inner = reduce("add", draft.a_tensor({second: draft.a_map(first)}), [second])
        body = pointwise("multiply", body, broadcast(inner, body.sizes))
    whole = reduce("add", body, rng.choice([[first], [second], list(body.sizes)]))
    if rng.random() < 0.4:
        draft.require(draft.a_precondition(sizes))
    return draft.rule(whole.tensor, whole.tensor)


def _moved(draft: Draft, sizes: Mapping[Name, Ix]) -> Shaped:
    x = draft.a_tensor(sizes)
    for _ in range(draft.rng.choice([0, 1, 1, 2])):
        at = draft.rng.choice(list(x.sizes))
        match draft.rng.randrange(5):
            case 0:
                x = reverse(x, [at])
            case 1 | 2:
                low, high = draft.pick(0, draft.a_map(at)), draft.pick(0, 1, draft.a_map(at))
                x = pad(x, draft.a_scalar(), {at: (low, high, draft.pick(0, 1, draft.a_map(at)))})
            case 3:
                start, limit = draft.pick(0, 1, draft.a_map(at)), draft.a_map(at)
                x = slice_(x, {at: (start, limit, draft.pick(1, 2, draft.a_map(at)))})
            case _:
                block = draft.a_tensor({name: draft.a_map(name) for name in x.sizes})
                x = update(x, block, {at: draft.pick(0, draft.a_map(at))})
    return x
