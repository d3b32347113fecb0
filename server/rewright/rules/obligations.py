"""What has to be shown for a claim, one goal at a time.

Owns the list of goals and the facts that each may use: the right side's validity, equal shapes, and then, at an index
in range where the left element is defined, the right one defined and equal. Pinned maps are substituted away. Nothing
about the index is used for validity and shapes, so these hold for empty results too.

Source: TensorRight (POPL 2025), section 6.1, equation 3, which asks for one denotation where the left side is valid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from rewright.equality import Elimination, Fact, Facts, eliminate
from rewright.equality.elimination import Preference
from rewright.equality.sums import ComparisonSurroundings
from rewright.meaning.forms import RuleSide
from rewright.model.index import Name
from rewright.rules.claim import Claim, GeneralElements, Linked, size_variables
from rewright.rules.decision import Mode
from rewright.terms import TRUE, Term, Variable, conjoin, equal, every_axis
from rewright.verdict import Failure

NOTHING = ComparisonSurroundings({}, frozenset())
"""Validity and shapes speak of no index of the result, and read no tensor."""


class Goal(Struct, frozen=True):
    """Under the facts, and where `given` holds, left equals right.

    `besides` holds there, too, as an earlier goal shows; what needs no solver may use it. `general` implies this goal.
    """

    fails: Failure
    facts: Facts
    given: Term
    left: Term
    right: Term
    linked: tuple[Linked, ...] = ()
    around: ComparisonSurroundings = NOTHING
    besides: Term = TRUE
    general: Goal | None = None


class PinnedFacts(Struct, frozen=True):
    """Facts without the unknowns that they pin, and the way from the claim's terms to theirs."""

    facts: Facts
    elimination: Elimination

    def term(self, term: Term) -> Term:
        """The term without pinned unknowns."""
        return self.elimination.apply(term)

    def linked(self, linked: Linked) -> Linked:
        """The assumption without pinned unknowns."""
        body, inside = self.term(linked.body), self.term(linked.inside)
        return replace(linked, body=body, inside=inside, nonempty=self.term(linked.nonempty))


def setting(claim: Claim, facts: Iterable[Fact], mode: Mode) -> PinnedFacts:
    """The facts of a claim made ready for use."""
    known = [fact for fact in facts if fact[1] is not TRUE]
    # a second opinion is to share as little as possible with the first: nothing is eliminated
    if mode is Mode.SOLVER_ONLY:
        return PinnedFacts(Facts.of(known, claim.scope.nonempty), Elimination({}, tuple(known)))
    moved = Facts.of(known, claim.scope.nonempty).known
    flat = [(home, part) for home, parts in moved.items() for part in parts]
    elimination = eliminate(flat, _preference(claim))
    return PinnedFacts(Facts.of(elimination.facts, claim.scope.nonempty).resolved(), elimination)


def _preference(claim: Claim) -> Preference:
    """Attributes go first, later ones before earlier ones, then sizes, then the index of the result."""
    rule = claim.rule
    names = [*(item.name for item in rule.maps), *rule.integers, *(item.name for item in rule.scalars)]
    order = {str(name): place for place, name in enumerate(names)}
    sizes, index = size_variables(claim), frozenset(claim.index.values())

    def preference(unknown: Variable) -> tuple[bool, bool, int]:
        return unknown in index, unknown in sizes, -order.get(unknown.name, 0)

    return preference


def goals(claim: Claim, mode: Mode) -> Iterator[Goal]:
    """The obligations of a claim, in the order in which they are reported."""
    base = setting(claim, (*claim.facts, *claim.left_valid), mode)
    shapes = [
        (claim.scope.home(group), equal(size, claim.right.shape[group])) for group, size in claim.left.shape.items()
    ]
    for fails, facts in ((Failure.VALIDITY, claim.right_valid), (Failure.SHAPE, shapes)):
        for home, fact in dict.fromkeys(facts):
            shown = every_axis(home or None, base.term(fact))
            yield Goal(fails, base.facts, base.term(claim.given), shown, TRUE)
    yield from _elements(claim, setting(claim, (*claim.facts, *claim.left_valid, *claim.in_range), mode))


def _elements(claim: Claim, inside: PinnedFacts) -> Iterator[Goal]:
    goals = _both_sides(claim, inside, GeneralElements(claim.left_entry, claim.right_entry, {}))
    if claim.general is None:
        return goals
    general = _both_sides(claim, inside, claim.general)
    return (replace(goal, general=implying) for goal, implying in zip(goals, general, strict=True))


def _both_sides(claim: Claim, inside: PinnedFacts, elements: GeneralElements) -> Iterator[Goal]:
    linked = tuple(inside.linked(item) for item in claim.linked)
    given = inside.term(conjoin(claim.given, elements.left.defined))
    defined = inside.term(elements.right.defined)
    left, right = inside.term(elements.left.value), inside.term(elements.right.value)
    around = _around(claim, inside)
    general = {str(name): _shape(shape, inside) for name, shape in elements.shapes.items()}
    around = replace(around, shapes={**around.shapes, **general})
    yield Goal(Failure.VALUE, inside.facts, given, defined, TRUE, linked, around)
    yield Goal(Failure.VALUE, inside.facts, given, left, right, linked, around, defined)


def _around(claim: Claim, inside: PinnedFacts) -> ComparisonSurroundings:
    """The tensors' sizes and the index of the result, without pinned unknowns."""
    scope = claim.scope
    shapes = {
        str(name): {str(group): inside.term(RuleSide(scope).attribute(size, group)) for group, size in tensor.shape}
        for name, tensor in scope.tensors.items()
    }
    return ComparisonSurroundings(shapes, frozenset(claim.index.values()))


def _shape(shape: Mapping[Name, Term], inside: PinnedFacts) -> dict[str, Term]:
    return {str(group): inside.term(size) for group, size in shape.items()}
