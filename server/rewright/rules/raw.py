"""The whole rule at one rank vector, as it was read: no normal forms, nothing substituted.

Owns the query whose models are counterexamples: everything given, and one way in which the claim breaks.
Source: TensorRight (POPL 2025), section 6.4.
"""

from __future__ import annotations

from collections.abc import Iterable

from rewright.equality import EVERYWHERE, Fact
from rewright.model.index import Name
from rewright.rules.claim import Claim
from rewright.rules.instances import at_origin, instances
from rewright.solve import AllOf, AnyOf, Assertion, Differ, Query, TruthFails, TruthHolds
from rewright.terms import TRUE, equal
from rewright.verdict import Failure

Ranks = tuple[tuple[str, int], ...]

BREAKING = (Failure.VALIDITY, Failure.SHAPE, Failure.VALUE)
"""The ways in which a claim breaks, in the order in which they are reported; each excludes those before it."""


FEW_AXES = 2
"""With more axes 2 indices are enough: a reduction is written out with as many elements as indices to the power of
axes."""


def indices(claim: Claim, ranks: Ranks) -> int:
    """Over how many indices per axis reductions are spelled out: 3, or 2 where there are more than a few axes."""
    axes = sum(rank for _, rank in ranks) + len(claim.scope.singles)
    return 3 if axes <= FEW_AXES else 2


def raw_query(claim: Claim, ranks: Ranks, fails: Failure | None) -> Query:
    """What a countermodel at these ranks has to satisfy; `fails` None leaves the way of breaking open."""
    ways = BREAKING if fails is None else (fails,)
    given = premises(claim, ranks)
    return Query(ranks, (*given, AnyOf(tuple(breaking(claim, way, ranks) for way in ways))), indices(claim, ranks))


def premises(claim: Claim, ranks: Ranks) -> list[Assertion]:
    """What an input at these ranks has to satisfy: the preconditions, the assumptions, the left side's validity."""
    asserted = [part for fact in (*claim.facts, *claim.left_valid) for part in on_axes(fact, ranks)]
    left, right = claim.left_entry, claim.right_entry
    contents = instances(claim.linked, (left.value, left.defined, right.value, right.defined, claim.given))
    contents += map(at_origin, claim.linked)
    asserted += (TruthHolds(truth) for truth in (claim.given, *dict.fromkeys(contents)) if truth is not TRUE)
    return asserted


def on_axes(fact: Fact, ranks: Ranks) -> list[Assertion]:
    """A fact on every axis of its class."""
    home, truth = fact
    if home == EVERYWHERE:
        return [TruthHolds(truth)]
    return [TruthHolds(truth, ((home, axis),)) for axis in range(dict(ranks)[home])]


def breaking(claim: Claim, fails: Failure, ranks: Ranks) -> Assertion:
    """The claim breaks in this way. Raises `ValueError` for a way that no rule breaks in."""
    valid = AllOf(_all(claim.right_valid, ranks))
    shapes = [
        (claim.scope.home(group), equal(size, claim.right.shape[group])) for group, size in claim.left.shape.items()
    ]
    same_shape = AllOf(_all(shapes, ranks))
    match fails:
        case Failure.VALIDITY:
            return _not_all(claim.right_valid, ranks)
        case Failure.SHAPE:
            return AllOf((valid, _not_all(shapes, ranks)))
        case Failure.VALUE:
            inside = _all(claim.in_range, ranks)
            left, right = claim.left_entry, claim.right_entry
            differ: Assertion = Differ(left.value, right.value)
            wrong = differ if right.defined is TRUE else AnyOf((TruthFails(right.defined), differ))
            defined = () if left.defined is TRUE else (TruthHolds(left.defined),)
            return AllOf((valid, same_shape, *inside, *defined, wrong))
        case _:
            raise ValueError(f"a rule does not break by `{fails}`")


def _all(facts: Iterable[Fact], ranks: Ranks) -> tuple[Assertion, ...]:
    return tuple(part for fact in facts for part in on_axes(fact, ranks))


def _not_all(facts: Iterable[Fact], ranks: Ranks) -> Assertion:
    parts = [part for fact in facts for part in on_axes(fact, ranks)]
    return AnyOf(tuple(TruthFails(part.truth, part.axes) for part in parts if isinstance(part, TruthHolds)))


def full(claim: Claim, ranks: Iterable[tuple[str, int]]) -> Ranks:
    """The rank of every class that may have any; where none is given, the least."""
    given = dict(ranks)
    return tuple((name, given.get(name, int(name in claim.scope.nonempty))) for name in claim.scope.rank_classes)


def by_class(claim: Claim, ranks: Iterable[tuple[str, int]]) -> tuple[tuple[Name, int], ...]:
    """The rank of every class of a rule, single axes included, in declared order."""
    known = dict(full(claim, ranks))
    names = dict.fromkeys(group.rank_class for group in claim.rule.groups)
    return tuple((name, known.get(name, 1)) for name in names)
