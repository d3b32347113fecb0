"""What is known on every axis of each rank class, and what follows from it.

Owns the facts of one line of argument. Persistent: `also` returns an extended copy. A fact of a class holds on every
axis of it and says nothing at rank 0; so it is used only for terms that speak of an axis of that class, never for a
single unknown, unless the class is known to have an axis. Entailment is sound and incomplete, without any solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rewright.equality.definitions import lifted, meant
from rewright.equality.positivity import above_zero, is_combination, is_positive_combination
from rewright.terms.binding import OpenReduce, instance
from rewright.terms.comparison import less, non_negative, zero
from rewright.terms.conversion import as_index
from rewright.terms.interning import subterms
from rewright.terms.node import (
    INDEX,
    REAL,
    Access,
    Fold,
    Infinity,
    Negative,
    NonNegative,
    Not,
    Reduce,
    Sort,
    Term,
    Zero,
)
from rewright.terms.polynomial import Sum, expand, negate, plus, product
from rewright.terms.truth import FALSE, TRUE, complement, conjoin, conjuncts

EVERYWHERE = ""
"""The home of facts about single unknowns."""

Fact = tuple[str, Term]
"""The rank class on whose every axis a predicate holds (or EVERYWHERE), and the predicate."""

SHORT = 3
"""Monomials of the longest fact that is multiplied with another one."""

PRODUCTS_OF = 8
"""Facts that are multiplied, each with each: 36 products at most, among which a combination is then looked for."""


class Facts:
    """Known predicates by rank class; `nonempty` are the classes known to have an axis.

    `opened` is the greatest number of an opened binder that they speak of: one opened below them needs a greater one,
    lest what is known of one index is believed of another.
    """

    __slots__ = (
        "_apart",
        "_extended",
        "_on_axis",
        "_positive",
        "_proved",
        "_sums",
        "by_monomials",
        "known",
        "nonempty",
        "normal",
        "open_tests",
        "opened",
        "signs",
    )

    def __init__(self, known: dict[str, tuple[Term, ...]], nonempty: frozenset[str]) -> None:
        self.known = known
        self.nonempty = nonempty
        self.opened = max((part.opened for parts in known.values() for part in parts), default=0)
        self.normal: dict[Term, Term] = {}
        self.by_monomials: dict[Term, Term] = {}
        self.open_tests: set[Term] = set()
        self.signs: dict[Term, int | None] = {}
        self._proved: dict[tuple[Term, tuple[Term, ...]], bool] = {}
        self._positive: dict[Term, bool] = {}
        self._sums: dict[tuple[frozenset[str], Sort], list[Sum]] = {}
        self._apart = any(isinstance(part, Not) for parts in known.values() for part in parts)
        self._extended: dict[Term, Facts] = {}
        self._on_axis: dict[str, Facts] = {}

    @staticmethod
    def of(facts: Iterable[Fact], nonempty: frozenset[str]) -> Facts:
        """The facts given. One of a class with an axis that does not speak of the axis holds everywhere.

        A fold that holds everywhere is a fact of its class.
        """
        known: dict[str, dict[Term, None]] = {}
        for home, fact in facts:
            for at, part in _homes(home, fact, nonempty):
                known.setdefault(at, {})[part] = None
        return Facts({home: tuple(parts) for home, parts in known.items()}, nonempty)

    def resolved(self) -> Facts:
        """These facts, those that say that several truths do not hold together without the ones that are known."""
        if not self._apart:
            return self
        return Facts.of(
            ((home, self._without_known(home, part)) for home, parts in self.known.items() for part in parts),
            self.nonempty,
        )

    def _without_known(self, home: str, fact: Term) -> Term:
        if not isinstance(fact, Not):
            return fact
        known = (*self._parts(home), *self._parts(EVERYWHERE))
        open_ = [part for part in conjuncts(fact.operand) if part not in known]
        return complement(conjoin(*open_)) if open_ else fact

    def also(self, truth: Term) -> Facts:
        """These facts and one more truth; folds become facts of their class."""
        extended = self._extended.get(truth)
        if extended is None:
            extended = self._extended[truth] = self.with_facts([(EVERYWHERE, truth)])
        return extended

    def with_facts(self, facts: Iterable[Fact]) -> Facts:
        """These facts and more."""
        mine = [(home, part) for home, parts in self.known.items() for part in parts]
        return Facts.of([*mine, *facts], self.nonempty)

    def below(self, part: OpenReduce) -> Facts:
        """These facts where the indices of a reduction are in their ranges, and what is known of all such indices."""
        inside: list[Fact] = [
            (item.rank_class or EVERYWHERE, conjoin(non_negative(index), less(index, item.size)))
            for index, item in zip(part.indices, part.ranges, strict=True)
        ]
        everywhere = (known for known in self._parts(EVERYWHERE) if isinstance(known, Reduce) and known.monoid == "and")
        held = (instance(known, part.indices) for known in everywhere if known.ranges == part.ranges)
        return self.with_facts([*inside, *((EVERYWHERE, truth) for truth in held if not truth.classes)])

    def on_axis(self, rank_class: str | None) -> Facts:
        """These facts where an axis of the class exists: what its facts say about single unknowns then holds."""
        moved = [part for part in self._parts(rank_class or EVERYWHERE) if rank_class not in part.classes]
        if rank_class is None or not moved:
            return self
        if rank_class not in self._on_axis:
            self._on_axis[rank_class] = self.with_facts((EVERYWHERE, part) for part in moved)
        return self._on_axis[rank_class]

    @property
    def everything(self) -> tuple[Term, ...]:
        """All that is known, wherever."""
        return tuple(part for parts in self.known.values() for part in parts)

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
        term = _as_plain(term)
        goal = expand(term)
        if set(goal) <= {()}:
            return goal.get((), 0) >= 0
        key = (term, extra)
        if key not in self._proved:
            # while it is looked for it counts as not found: a bound of a quotient in the term may ask the same again
            self._proved[key] = False
            self._proved[key] = is_combination(goal, self._usable(term, goal, extra)) or self._beyond(term)
        return self._proved[key]

    def positive(self, term: Term) -> bool:
        """Whether term > 0 is found to follow."""
        term = _as_plain(term)
        if term.sort != REAL:
            return self.non_negative(plus(term, -1))
        goal = expand(term)
        if set(goal) <= {()}:
            return goal.get((), 0) > 0
        if term not in self._positive:
            self._positive[term] = False
            self._positive[term] = is_positive_combination(goal, self._usable(term, goal, ()))
        return self._positive[term]

    def _beyond(self, term: Term) -> bool:
        """Whether term >= 0 because term + 1 >= 0 is known, and that it is not 0."""
        if not self._apart or term.sort == REAL:
            return False
        above = plus(term, 1)
        apart = complement(zero(above))
        known = any(apart in self._parts(home) for home in (*apart.classes, EVERYWHERE))
        return known and self.non_negative(above)

    def _usable(self, term: Term, goal: Sum, extra: tuple[Term, ...]) -> list[Sum]:
        usable = [*self._of_classes(term.classes, term.sort), *_bounds(extra, term.sort)]
        usable += (bound for inner in _of_axes(term) for bound in meant(inner, self, term.sort))
        # a product of unknowns is no combination of linear facts, but mostly one of products of two
        crowded = {atom for monomial in goal for atom, _ in monomial if sum(power for _, power in monomial) > 1}
        if crowded:
            short = [fact for fact in usable if len(fact) <= SHORT and _mentions(fact, crowded)][:PRODUCTS_OF]
            usable += [product(first, second) for place, first in enumerate(short) for second in short[place:]]
        return usable

    def _of_classes(self, classes: frozenset[str], sort: Sort) -> list[Sum]:
        key = classes, sort
        if key not in self._sums:
            parts = [part for home in (*sorted(classes), EVERYWHERE) for part in self._parts(home)]
            self._sums[key] = list(_bounds(dict.fromkeys(parts), sort))
        return self._sums[key]


def _of_axes(term: Term) -> Iterator[Term]:
    """The subterms that speak of no axis of which the term does not: where there is none, they say nothing."""
    return (inner for inner in subterms(term) if inner.classes <= term.classes)


def _homes(home: str, truth: Term, nonempty: frozenset[str]) -> Iterator[Fact]:
    for part in conjuncts(truth):
        at = EVERYWHERE if home in nonempty and home not in part.classes else home
        if at == EVERYWHERE and isinstance(part, Fold):
            yield from _homes(part.rank_class, part.predicate, nonempty)
        else:
            yield at, part


def _as_plain(term: Term) -> Term:
    """An element that comes from an index as that index."""
    index = None if term.sort == INDEX else as_index(term)
    return term if index is None else index


def _bounds(predicates: Iterable[Term], sort: Sort) -> Iterator[Sum]:
    """What the predicates say is non-negative, of the sort or lifted to it."""
    for predicate in predicates:
        match predicate:
            case NonNegative(polynomial=polynomial) if polynomial.sort == INDEX:
                yield lifted(polynomial, sort)
            case Zero(polynomial=polynomial) if polynomial.sort == INDEX:
                yield lifted(polynomial, sort)
                yield lifted(negate(polynomial), sort)
            case _ if sort != INDEX and is_number_test(predicate):
                yield from _element_bounds(predicate, sort)
            case _:
                pass


def _element_bounds(predicate: Term, sort: Sort) -> Iterator[Sum]:
    match predicate:
        case NonNegative(polynomial=polynomial) if polynomial.sort == sort:
            yield expand(polynomial)
        case Negative(polynomial=polynomial) if polynomial.sort == sort:
            yield above_zero(negate(polynomial))
        case Not(operand=Negative(polynomial=polynomial)) if polynomial.sort == sort:
            yield expand(polynomial)
        case Zero(polynomial=polynomial) if polynomial.sort == sort:
            yield expand(polynomial)
            yield expand(negate(polynomial))
        case _:
            pass


def _mentions(fact: Sum, atoms: set[Term]) -> bool:
    return any(atom in atoms for monomial in fact for atom, _ in monomial)


def is_index_test(predicate: Term) -> bool:
    """Whether a test compares indices only, none of which is read from a tensor."""
    if not isinstance(predicate, NonNegative | Zero) or predicate.polynomial.sort != INDEX:
        return False
    return not any(isinstance(inner, Access | Reduce | Infinity) for inner in subterms(predicate))


def is_number_test(predicate: Term) -> bool:
    """Whether a test, or its complement, compares finite elements."""
    test = predicate.operand if isinstance(predicate, Not) else predicate
    if not isinstance(test, NonNegative | Negative | Zero) or test.polynomial.sort == INDEX:
        return False
    return not any(may_be_infinite(inner) for inner in subterms(test))


def may_be_infinite(term: Term) -> bool:
    """Whether a term is an infinity, or a minimum or maximum of a range, which over nothing is one."""
    return isinstance(term, Infinity) or (isinstance(term, Reduce) and term.monoid in ("maximum", "minimum"))


def decided(facts: Facts, predicate: Term) -> Term:
    """TRUE or FALSE where the facts decide a comparison of numbers or hold it literally, else the predicate."""
    if facts.holds(predicate):
        return TRUE
    if facts.holds(complement(predicate)):
        return FALSE
    if not (is_index_test(predicate) or is_number_test(predicate)):
        return predicate
    match predicate:
        case NonNegative(polynomial=polynomial):
            if facts.non_negative(polynomial):
                return TRUE
            if facts.positive(negate(polynomial)):
                return FALSE
        case Negative(polynomial=polynomial):
            if facts.non_negative(polynomial):
                return FALSE
            if facts.positive(negate(polynomial)):
                return TRUE
        case Zero(polynomial=polynomial):
            if facts.positive(polynomial) or facts.positive(negate(polynomial)):
                return FALSE
            if facts.non_negative(polynomial) and facts.non_negative(negate(polynomial)):
                return TRUE
        case _:
            pass
    return predicate
