"""Is a formal sum 0? Weights of equal products are compared, and must vanish at every address.

Owns the comparison: summands are grouped by the product of their atoms; of each group equal guards cancel, then guards
that entail each other, then guards that a renaming of hidden unknowns maps onto each other (affine with factors ±1,
hence a bijection of the integers), and what is left is for `patterns`. All but the last rewrite conditions on every
axis into equivalent ones of the same class, so they hold at every rank, 0 included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, permutations
from itertools import product as every

from msgspec.structs import replace

from rewright.equality.facts import EVERYWHERE, Fact
from rewright.equality.sums.addresses import Fibre
from rewright.equality.sums.canonical import Canonizer
from rewright.equality.sums.entailment import Entailment
from rewright.equality.sums.fibres import ComparisonFrame, fibre_of
from rewright.equality.sums.linear_forms import Linear, has_unknown, linear, sign_of_unit, unknowns
from rewright.equality.sums.patterns import GUARDS, vanishes
from rewright.equality.sums.summand import Formal, Summand, weight_at
from rewright.terms import variable
from rewright.terms.binding import substitute
from rewright.terms.node import INDEX, NonNegative, Number, Term, Variable, Zero
from rewright.terms.polynomial import add, multiply, number, scale, subtract

RENAMED = 2
"""So many hidden unknowns are renamed at most: each is tried with every pair of conditions, in every order."""

SPLITS = 3
"""So many hidden unknowns are split on, one after the other; each split multiplies the fibres."""

Match = tuple[Fibre, Fibre]
Generic = tuple[tuple[str, Term], ...]


def is_zero(terms: Formal, frame: ComparisonFrame) -> bool:
    """Whether the summands are shown to cancel."""
    groups: dict[tuple[object, ...], list[tuple[Fibre, Summand]]] = {}
    for term in terms:
        fibre = fibre_of(term, frame)
        if fibre is not None and fibre.coefficient:
            groups.setdefault((fibre.heads, _generic(fibre)), []).append((fibre, term))
    found: list[Match] = []
    for group in groups.values():
        if not _vanishes([fibre for fibre, _ in group], frame, found):
            frame.unpaired.extend(term for _, term in group)
            return False
    across = ((one, other) for one, other in found if one.right != other.right)
    frame.matches.extend((other, one) if one.right else (one, other) for one, other in across)
    return True


def _vanishes(fibres: list[Fibre], frame: ComparisonFrame, found: list[Match]) -> bool:
    entailment = frame.entailment
    left = _cancelled(fibres, found)
    if left:
        # cheapest first: equal guards cost nothing, implied conditions some linear arithmetic, pairs and patterns
        # many of them
        left = _cancelled([fibre for fibre in left if pruned(fibre, entailment)], found)
    while (pair := _pair(left, frame)) is not None:
        found.append(pair)
        left = [fibre for fibre in left if all(fibre is not other for other in pair)]
    return not left or all(vanishes(fibres, frame) for fibres in _split(left, frame))


def _generic(fibre: Fibre) -> Generic:
    """The weights of the classes, in which fibres must agree to cancel."""
    return tuple(sorted((home, weight) for home, weight in fibre.weights.items() if home != EVERYWHERE))


def _split(fibres: list[Fibre], frame: ComparisonFrame) -> Iterable[list[Fibre]]:
    """The fibres without single hidden unknowns between several bounds, by the weights that classes then have."""
    canonizer = Canonizer(frame.entailment, frame.indices)
    for _ in range(SPLITS):
        split = [part for fibre in fibres for part in canonizer.tightest(fibre)]
        if len(split) == len(fibres) or len(split) > GUARDS:
            break
        fibres = split
    groups: dict[Generic, list[Fibre]] = {}
    for fibre in fibres:
        groups.setdefault(_generic(fibre), []).append(fibre)
    return groups.values()


def _cancelled(fibres: list[Fibre], found: list[Match]) -> list[Fibre]:
    """The fibres of equal guards as one, their weights added up, without those that then vanish."""
    alike: dict[object, list[Fibre]] = {}
    for fibre in fibres:
        alike.setdefault((frozenset(fibre.conditions), tuple(fibre.hidden)), []).append(fibre)
    kept = []
    for same in alike.values():
        weight = add(*(scale(fibre.coefficient, weight_at(fibre.weights, EVERYWHERE)) for fibre in same))
        if weight is not number(0):
            kept.append(same[0] if len(same) == 1 else _weighing(same[0], weight))
        elif len(same) == 2:
            found.append((same[0], same[1]))
    return kept


def _weighing(fibre: Fibre, weight: Term) -> Fibre:
    weights = {home: known for home, known in fibre.weights.items() if home != EVERYWHERE}
    if isinstance(weight, Number):
        return replace(fibre, coefficient=weight.value, weights=weights)
    return replace(fibre, coefficient=1, weights={**weights, EVERYWHERE: weight})


def pruned(fibre: Fibre, entailment: Entailment) -> bool:
    """Drops what the rest of the guard implies; whether the guard does not contradict itself.

    Only conditions on single unknowns can: one of a class says nothing at rank 0.
    """
    single = [fact for fact in fibre.guard if fact[0] == EVERYWHERE]
    if entailment.impossible(EVERYWHERE, single):
        return False
    for fact in list(fibre.conditions):
        rest = [other for other in fibre.conditions if other != fact]
        if isinstance(fact[1], NonNegative) and entailment.holds(fact, [*rest, *fibre.inside]):
            fibre.conditions = rest
    return True


def _pair(fibres: list[Fibre], frame: ComparisonFrame) -> Match | None:
    """Two fibres with opposite coefficients and the same guard and weight, written differently."""
    for one, other in combinations(fibres, 2):
        if one.coefficient == -other.coefficient and agree(one, other, frame.entailment):
            return one, other
        if not one.hidden and not other.hidden and _opposite_weights(one, other, frame.entailment):
            return one, other
    return None


def _opposite_weights(one: Fibre, other: Fibre, entailment: Entailment) -> bool:
    """The same guard, and weights that add up to 0."""
    if not implies(one, other, entailment) or not implies(other, one, entailment):
        return False
    weights = [scale(fibre.coefficient, weight_at(fibre.weights, EVERYWHERE)) for fibre in (one, other)]
    return entailment.zero(EVERYWHERE, add(*weights), one.guard)


def agree(one: Fibre, other: Fibre, entailment: Entailment) -> bool:
    """Whether two guards and weights are the same at every address."""
    if one.hidden or other.hidden:
        if one.signature == other.signature:
            return True
        return any(
            agree(_renamed(one, first), _renamed(other, second), entailment) for first, second in _renamings(one, other)
        )
    return implies(one, other, entailment) and implies(other, one, entailment) and _weigh_same(one, other, entailment)


def implies(one: Fibre, other: Fibre, entailment: Entailment) -> bool:
    """Whether the guard of one entails that of the other, which has no hidden unknowns of its own."""
    return all(entailment.holds(fact, one.guard) for fact in other.conditions)


def _weigh_same(one: Fibre, other: Fibre, entailment: Entailment) -> bool:
    homes = {*one.weights, *other.weights}
    differences = ((home, subtract(weight_at(one.weights, home), weight_at(other.weights, home))) for home in homes)
    return all(entailment.zero(home, difference, one.guard) for home, difference in differences)


def _renamed(fibre: Fibre, values: Mapping[Term, Term]) -> Fibre:
    conditions = [(home, substitute(part, values)) for home, part in fibre.conditions]
    return replace(fibre, hidden=[], conditions=conditions)


def _renamings(one: Fibre, other: Fibre) -> Iterator[tuple[dict[Term, Term], dict[Term, Term]]]:
    """Maps of the other's hidden unknowns to those of the first: the same, or a condition of each equated and solved.

    Both sides' unknowns become the same new ones; each map is affine with a factor ±1.
    """
    pairs = len(one.hidden)
    if pairs != len(other.hidden) or pairs > RENAMED or _weighed(one) or _weighed(other):
        return
    for order in permutations(one.hidden):
        if [unknown.rank_class for unknown in order] != [unknown.rank_class for unknown in other.hidden]:
            continue
        names = [variable(f"={place}", unknown.rank_class) for place, unknown in enumerate(order)]
        options = [
            list(dict.fromkeys((name, *_solutions((one, mine), (other, theirs), name))))
            for mine, theirs, name in zip(order, other.hidden, names, strict=True)
        ]
        for values in every(*options):
            yield dict(zip(order, names, strict=True)), dict(zip(other.hidden, values, strict=True))


def _weighed(fibre: Fibre) -> bool:
    return any(has_unknown(weight, hidden) for weight in fibre.weights.values() for hidden in fibre.hidden)


def _solutions(first_of: tuple[Fibre, Variable], second_of: tuple[Fibre, Variable], name: Variable) -> Iterator[Term]:
    """What the second unknown is if the first is `name` and a condition of each is equated."""
    (one, mine), (other, theirs) = first_of, second_of
    hidden = {*one.hidden, *other.hidden}
    for left in one.conditions:
        for right in other.conditions:
            first, second = _linear(left, mine), _linear(right, theirs)
            if first is None or second is None or left[0] != right[0]:
                continue
            if sign_of_unit(first.factor) and sign_of_unit(second.factor):
                moved = subtract(add(multiply(first.factor, name), first.rest), second.rest)
                value = multiply(second.factor, moved)
                if not hidden & set(unknowns(value)) and value.classes <= theirs.classes:
                    yield value


def _linear(fact: Fact, unknown: Variable) -> Linear | None:
    part = fact[1]
    if isinstance(part, NonNegative | Zero) and part.polynomial.sort == INDEX and has_unknown(part, unknown):
        return linear(part.polynomial, unknown)
    return None
