"""Random rules with reductions: identities as they are and mutated, mutants of the library's, programs over folds.

Owns the mixture, and that no two rules are the same up to renaming. A rule is a function of the seed and its place in
the sequence.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache

from builders import IllFormed
from drafts import Draft
from fold_programs import fold_programs
from identities_computing import reductions
from identities_contracting import CONTRACTING, SELECTING
from identities_moving import Sides
from identities_reducing import REDUCING
from library_mutants import library
from msgspec.structs import replace
from mutation import mutant
from random_rules import Drawn, canonical_text, drawn_from, mutated

from rewright.model import tensor as mt
from rewright.model.rule import Rule
from rewright.model.walk import nodes

CONSTRAINTS = ("int", "real")
MUTATIONS = (0, 0, 1, 1, 1, 2)
IDENTITIES = (*REDUCING, *CONTRACTING, reductions)


class Origin(Enum):
    """What a random rule is made of."""

    IDENTITY = "identities"
    LIBRARY = "mutants of the library's rules"
    PROGRAM = "programs over folds"


SHARES = (Origin.IDENTITY,) * 5 + (Origin.LIBRARY,) * 3 + (Origin.PROGRAM,) * 2


def reduction_rules(seed: int, count: int) -> Iterator[tuple[Origin, Drawn]]:
    """`count` rules, no two the same up to renaming."""
    rng = random.Random(seed)
    seen: set[str] = set()
    while len(seen) < count:
        origin = rng.choice(SHARES)
        drawn = _draw(origin, rng)
        text = canonical_text(drawn.rule) if drawn else ""
        if drawn is not None and text not in seen:
            seen.add(text)
            yield origin, drawn


def selecting_rules(seed: int, count: int) -> Iterator[Drawn]:
    """`count` products with matrices of compared indices or constants, half of them changed."""
    rng = random.Random(seed)
    while count:
        try:
            drawn = mutated(_identity(rng, rng.choice(SELECTING)), [mutant] * (count % 2), rng)
        except IllFormed:
            continue
        if drawn is not None:
            count -= 1
            yield drawn


@cache
def reducing_rules() -> tuple[Rule, ...]:
    """The rules of the library in which something is reduced."""
    return tuple(rule for rule in library() if has_reduction((rule.left, rule.right)))


def has_reduction(value: object) -> bool:
    """Whether a reduction occurs in it, windows and products of tensors included."""
    return any(isinstance(node, mt.Reduce | mt.Dot | mt.ReduceWindow | mt.Convolution) for node in nodes(value))


def _draw(origin: Origin, rng: random.Random) -> Drawn | None:
    try:
        match origin:
            case Origin.IDENTITY:
                drawn, changes = _identity(rng, rng.choice(IDENTITIES)), rng.choice(MUTATIONS)
            case Origin.LIBRARY:
                drawn, changes = _of_the_library(rng), rng.choice((1, 1, 2))
            case Origin.PROGRAM:
                drawn, changes = _identity(rng, fold_programs), rng.choice((0, 0, 0, 1))
        return mutated(drawn, [mutant] * changes, rng)
    except IllFormed:
        return None


def _of_the_library(rng: random.Random) -> Drawn:
    """A rule of the library, over one of its domains."""
    rule = rng.choice(reducing_rules())
    return Drawn(replace(rule, domains=(rng.choice(rule.domains),)), rule.name, 0)


def _identity(rng: random.Random, family: Callable[[Draft], Sides]) -> Drawn:
    return drawn_from(_draft(rng), family)


def draft_of_reductions(seed: str) -> Draft:
    """A draft without declarations, over numbers."""
    return _draft(random.Random(seed))


def _draft(rng: random.Random) -> Draft:
    return Draft(rng, rng.choice(CONSTRAINTS))
