"""What is known on every axis of each rank class, and what follows from it.

Owns the facts of one line of argument. Persistent: `also` returns an extended copy. A fact of a class holds on every
axis of it and says nothing at rank 0; so it is used only for terms that speak of an axis of that class, never for a
single unknown, unless the class is known to have an axis. Entailment is sound and incomplete, without any solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rewright.equality.positivity import is_combination
from rewright.terms.node import (
    INDEX,
    Access,
    AxisProduct,
    Extremum,
    FloorDivide,
    Fold,
    Infinity,
    NonNegative,
    Reduce,
    Term,
    Zero,
    subterms,
)
from rewright.terms.polynomial import Sum, add, expand, multiply, negate, plus, product, scale, subtract
from rewright.terms.truth import FALSE, TRUE, complement, conjuncts

EVERYWHERE = ""
"""The home of facts about single unknowns."""

Fact = tuple[str, Term]
"""The rank class on whose every axis a predicate holds (or EVERYWHERE), and the predicate."""

SHORT = 3
PRODUCTS_OF = 8


class Facts:
    """Known predicates by rank class; `nonempty` are the classes known to have an axis.

    `opened` is the greatest number of an opened binder that they speak of: one opened below them needs a greater one,
    lest what is known of one index is believed of another.
    """

    __slots__ = ("_extended", "_on_axis", "_proved", "_sums", "known", "nonempty", "normal", "opened")

    def __init__(self, known: dict[str, tuple[Term, ...]], nonempty: frozenset[str]) -> None:
        self.known = known
        self.nonempty = nonempty
        self.opened = max((part.opened for parts in known.values() for part in parts), default=0)
        self.normal: dict[Term, Term] = {}
        self._proved: dict[tuple[Term, tuple[Term, ...]], bool] = {}
        self._sums: dict[frozenset[str], list[Sum]] = {}
        self._extended: dict[Term, Facts] = {}
        self._on_axis: dict[str, Facts] = {}

    @staticmethod
    def of(facts: Iterable[Fact], nonempty: frozenset[str]) -> Facts:
        """The facts given. One of a class with an axis that does not speak of the axis holds everywhere."""
        known: dict[str, dict[Term, None]] = {}
        for home, fact in facts:
            for part in conjuncts(fact):
                moved = home in nonempty and home not in part.classes
                known.setdefault(EVERYWHERE if moved else home, {})[part] = None
        return Facts({home: tuple(parts) for home, parts in known.items()}, nonempty)

    def also(self, truth: Term) -> Facts:
        """These facts and one more truth; folds become facts of their class."""
        extended = self._extended.get(truth)
        if extended is None:
            extended = self._extended[truth] = self.with_facts(_homes(truth))
        return extended

    def with_facts(self, facts: Iterable[Fact]) -> Facts:
        """These facts and more."""
        mine = [(home, part) for home, parts in self.known.items() for part in parts]
        return Facts.of([*mine, *facts], self.nonempty)

    def on_axis(self, rank_class: str | None) -> Facts:
        """These facts where an axis of the class exists: what its facts say about single unknowns then holds."""
        moved = [part for part in self._parts(rank_class or EVERYWHERE) if rank_class not in part.classes]
        if rank_class is None or not moved:
            return self
        if rank_class not in self._on_axis:
            self._on_axis[rank_class] = self.with_facts((EVERYWHERE, part) for part in moved)
        return self._on_axis[rank_class]

    def holds(self, predicate: Term) -> bool:
        """Whether the predicate, or false, is literally among the facts that may be used for it."""
        return any(predicate in parts or FALSE in parts for parts in map(self._parts, (*predicate.classes, EVERYWHERE)))

    def impossible(self, rank_class: str) -> bool:
        """Whether the facts contradict themselves on any axis of the class."""
        return FALSE in self._parts(rank_class) or FALSE in self._parts(EVERYWHERE)

    def _parts(self, home: str) -> tuple[Term, ...]:
        return self.known.get(home, ())

    def non_negative(self, term: Term, extra: tuple[Term, ...] = ()) -> bool:
        """Whether term >= 0 is found to follow (with the `extra` predicates on the same axis)."""
        goal = expand(term)
        if set(goal) <= {()}:
            return goal.get((), 0) >= 0
        key = (term, extra)
        if key not in self._proved:
            self._proved[key] = False
            self._proved[key] = is_combination(goal, self._usable(term, goal, extra))
        return self._proved[key]

    def _usable(self, term: Term, goal: Sum, extra: tuple[Term, ...]) -> list[Sum]:
        usable = [*self._of_classes(term.classes), *map(expand, _bounds(extra))]
        usable += (expand(bound) for inner in _of_axes(term) for bound in self._definition(inner))
        crowded = {atom for monomial in goal for atom, _ in monomial if sum(power for _, power in monomial) > 1}
        if crowded:
            short = [fact for fact in usable if len(fact) <= SHORT and _mentions(fact, crowded)][:PRODUCTS_OF]
            usable += [product(first, second) for place, first in enumerate(short) for second in short[place:]]
        return usable

    def _of_classes(self, classes: frozenset[str]) -> list[Sum]:
        if classes not in self._sums:
            parts = [part for home in (*sorted(classes), EVERYWHERE) for part in self._parts(home)]
            self._sums[classes] = [expand(term) for term in dict.fromkeys(_bounds(parts))]
        return self._sums[classes]

    def _definition(self, term: Term) -> Iterator[Term]:
        """Terms that are non-negative by what `term` means."""
        match term:
            case FloorDivide(left=left, right=right) if self.non_negative(plus(right, -1)):
                rest = subtract(left, multiply(right, term))
                yield rest
                yield plus(subtract(right, rest), -1)
                if self.non_negative(left):
                    yield term
                elif self.non_negative(add(left, right)):
                    yield plus(term, 1)
                if self.non_negative(plus(negate(left), -1)):
                    yield plus(negate(term), -1)
            case AxisProduct(rank_class=rank_class, factor=factor):
                inside = self.on_axis(rank_class)
                if inside.non_negative(plus(factor, -1)):
                    yield plus(term, -1)
                elif inside.non_negative(factor):
                    yield term
            case Extremum(greatest=greatest, operands=operands, sort=sort) if sort == INDEX:
                sign = 1 if greatest else -1
                for operand in operands:
                    yield scale(sign, subtract(term, operand))
                for operand in operands:
                    if all(self.non_negative(scale(sign, subtract(operand, other))) for other in operands):
                        yield scale(sign, subtract(operand, term))
            case _:
                pass


def _of_axes(term: Term) -> Iterator[Term]:
    """The subterms that speak of no axis of which the term does not: where there is none, they say nothing."""
    return (inner for inner in subterms(term) if inner.classes <= term.classes)


def _homes(truth: Term) -> list[Fact]:
    facts: list[Fact] = []
    for part in conjuncts(truth):
        if isinstance(part, Fold):
            facts += ((part.rank_class, predicate) for predicate in conjuncts(part.predicate))
        else:
            facts.append((EVERYWHERE, part))
    return facts


def _bounds(predicates: Iterable[Term]) -> Iterator[Term]:
    """The index terms that the predicates say are non-negative."""
    for predicate in predicates:
        match predicate:
            case NonNegative(polynomial=polynomial) if polynomial.sort == INDEX:
                yield polynomial
            case Zero(polynomial=polynomial) if polynomial.sort == INDEX:
                yield polynomial
                yield negate(polynomial)
            case _:
                pass


def _mentions(fact: Sum, atoms: set[Term]) -> bool:
    return any(atom in atoms for monomial in fact for atom, _ in monomial)


def is_index_test(predicate: Term) -> bool:
    """Whether a test compares indices only, so that facts may decide it."""
    return isinstance(predicate, NonNegative | Zero) and predicate.polynomial.sort == INDEX and _plain(predicate)


def _plain(predicate: Term) -> bool:
    return not any(isinstance(inner, Access | Reduce | Infinity) for inner in subterms(predicate))


def decided(facts: Facts, predicate: Term) -> Term:
    """TRUE or FALSE where the facts decide an index test or hold it literally, else the predicate."""
    if facts.holds(predicate):
        return TRUE
    if facts.holds(complement(predicate)):
        return FALSE
    if not is_index_test(predicate):
        return predicate
    match predicate:
        case NonNegative(polynomial=polynomial):
            if facts.non_negative(polynomial):
                return TRUE
            if facts.non_negative(plus(negate(polynomial), -1)):
                return FALSE
        case Zero(polynomial=polynomial):
            if facts.non_negative(plus(polynomial, -1)) or facts.non_negative(plus(negate(polynomial), -1)):
                return FALSE
            if facts.non_negative(polynomial) and facts.non_negative(negate(polynomial)):
                return TRUE
        case _:
            pass
    return predicate
