"""Random rules: a true identity, perhaps inside a context and under further preconditions, perhaps mutated.

Owns the mixture: which identities, how often a rule stays as it is, and that no two rules are the same up to renaming.
A rule is a function of the seed and its place in the sequence.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

from builders import IllFormed, numbered
from drafts import Draft
from identities_computing import NUMERIC, TYPED, bumps_never_meet, folds
from identities_elements import ANY, INTEGERS, NUMBERS, REALS
from identities_moving import MOVING, RANKED, Sides
from identities_shapes import COUNTING, SHAPES
from msgspec import Struct
from msgspec.structs import replace
from mutation import mutant, rank_mutant

from rewright.model import rule as m
from rewright.model.index import Name
from rewright.verdict.codec import encode

Change = Callable[[m.Rule, random.Random], m.Rule | None]


KINDS = (MOVING,) * 4 + (NUMERIC,) * 3 + (TYPED, (folds,)) + (NUMBERS, NUMBERS, INTEGERS, REALS, ANY, SHAPES, COUNTING)
"""From which an identity is drawn, each as likely as another."""

CONSTRAINTS = {"num": NUMERIC + NUMBERS + COUNTING, "int": INTEGERS, "real": REALS}
"""What the type parameter of a rule is, by the identity that it comes from; else `any`."""


class Drawn(Struct, frozen=True):
    """A random rule, the identity that it comes from, and whether it was mutated."""

    rule: m.Rule
    family: str
    mutations: int


def random_rules(seed: int, count: int) -> Iterator[Drawn]:
    """`count` rules, no two the same up to renaming."""
    rng = random.Random(seed)
    seen: set[str] = set()
    while len(seen) < count:
        drawn = _draw(rng)
        text = canonical_text(drawn.rule) if drawn else ""
        if drawn is not None and text not in seen:
            seen.add(text)
            yield drawn


def identity(rng: random.Random) -> Drawn:
    """A true rule."""
    return of_family(rng, rng.choice(rng.choice(KINDS)))


def of_family(rng: random.Random, family: Callable[[Draft], Sides]) -> Drawn:
    """A true rule that this identity is at the heart of."""
    return drawn_from(Draft(rng, next((name for name, among in CONSTRAINTS.items() if family in among), "any")), family)


def drawn_from(draft: Draft, family: Callable[[Draft], Sides]) -> Drawn:
    """A true rule that this identity is at the heart of, made of a draft without declarations."""
    rng = draft.rng
    left, right = family(draft)
    right = replace(right, sizes=left.sizes)
    if left.sizes and rng.random() < 0.35:
        context = draft.context(left.sizes, left.tensor.type)
        left, right = context(left), context(right)
    if left.sizes and rng.random() < 0.25:
        draft.require(draft.a_precondition(left.sizes))
    return Drawn(_pruned(draft.rule(left.tensor, right.tensor)), family.__name__, 0)


def _draw(rng: random.Random) -> Drawn | None:
    try:
        if rng.random() < 0.14:
            return mutated(of_family(rng, rng.choice((*RANKED, bumps_never_meet))), [rank_mutant], rng)
        changes = [rank_mutant if rng.random() < 0.2 else mutant for _ in range(rng.choice([0, 0, 1, 1, 1, 2]))]
        return mutated(identity(rng), changes, rng)
    except IllFormed:
        return None


def mutated(drawn: Drawn, changes: Sequence[Change], rng: random.Random) -> Drawn | None:
    """The rule after these changes; None if one of them finds no place."""
    rule = drawn.rule
    for change in changes:
        changed = change(rule, rng)
        if changed is None:
            return None
        rule = changed
    return replace(drawn, rule=_pruned(rule), mutations=len(changes))


def canonical_text(rule: m.Rule) -> str:
    """A text that two rules share if they are the same up to the names of what they declare."""
    bare = encode(replace(rule, name=Name("")))
    bare = re.sub(r'"site":\d+', "", bare)
    numbers: dict[str, str] = {}
    sides = bare[bare.index('"left"') :] + bare[: bare.index('"left"')]
    return re.sub(r'"([AdBnkcXf]\d+)"', lambda name: numbers.setdefault(name[1], f"#{len(numbers)}"), sides)


def _pruned(rule: m.Rule) -> m.Rule:
    """The rule without declarations that nothing uses."""
    used = set(re.findall(r'"(\w+)"', encode((rule.left, rule.right, rule.where, rule.assumptions))))
    functions = tuple(function for function in rule.functions if function.name in used)
    tensors = tuple(tensor for tensor in rule.tensors if tensor.name in used)
    used |= set(re.findall(r'"(\w+)"', encode(tensors)))
    groups = [group for group in rule.groups if group.name in used]
    classes = {group.rank_class for group in groups}
    maps = tuple(declared for declared in rule.maps if declared.name in used)
    classes |= {declared.rank_class for declared in maps}
    return numbered(
        replace(
            rule,
            tensors=tensors,
            functions=functions,
            groups=tuple(group for group in rule.groups if group in groups or group.name in classes),
            maps=maps,
            integers=tuple(name for name in rule.integers if name in used),
            scalars=tuple(scalar for scalar in rule.scalars if scalar.name in used),
        )
    )
