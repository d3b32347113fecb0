"""The canonical weight of a summand: how often it reads which addresses.

Owns the fibre argument. Every index of an atom becomes an unknown of its own, an *address*; the binders are then
hidden: eliminated where an equation pins them with a unit coefficient, counted where they run over an interval, read
off where they are digits or quotients. Each step turns a condition on every axis of a class into an equivalent one of
that class, so it holds at every rank. A condition that has become false keeps its class: at rank 0 it says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from rewright.equality.facts import EVERYWHERE, Fact
from rewright.equality.sums.addresses import Dead, Fibre, put_in_place
from rewright.equality.sums.counting import bounds_of, count
from rewright.equality.sums.entailment import Entailment
from rewright.equality.sums.linear_forms import has_unknown, linear, linear_form, sign_of_unit, unknowns
from rewright.equality.sums.summand import home_of
from rewright.terms import variable
from rewright.terms.binding import substitute
from rewright.terms.comparison import non_negative, zero
from rewright.terms.node import INDEX, NonNegative, Number, Term, Variable, Zero
from rewright.terms.polynomial import collect, expand, negate, number, plus, scale, subtract
from rewright.terms.truth import FALSE, TRUE, conjuncts

ROUNDS = 40
"""A guard: an equation that a round finds may lead to another; the library's weights settle within 5."""


class Canonizer:
    """Brings summands into canonical form under facts; `indices` are the unknowns of the result's index."""

    def __init__(self, entailment: Entailment, indices: frozenset[Variable]) -> None:
        self._entailment = entailment
        self._indices = indices

    def simplify(self, fibre: Fibre) -> None:
        """The canonical form, in place. Raises `Dead`."""
        level = 1
        for _ in range(ROUNDS):
            self._solve(fibre, level)
            # from the first level again: a new equation may pin with numbers what would be solved with unknown
            # factors
            if self._tidy(fibre) or (level > 1 and count(fibre, self._entailment)):
                level = 1
            elif level == 3:
                break
            else:
                level += 1
        _rename(fibre)
        constant = fibre.weights.get(EVERYWHERE)
        if isinstance(constant, Number):
            fibre.coefficient = fibre.coefficient * constant.value
        fibre.weights = {
            home: weight
            for home, weight in fibre.weights.items()
            if weight is not number(1) and (home != EVERYWHERE or not isinstance(weight, Number))
        }

    def kind(self, unknown: Term, hidden: list[Variable]) -> int | None:
        """The order of elimination: hidden ones, addresses, the index of the result; parameters never."""
        if unknown in hidden:
            return 0
        if isinstance(unknown, Variable) and unknown.name.startswith("@"):
            return 1
        return 2 if unknown in self._indices else None

    def _solve(self, fibre: Fibre, level: int) -> None:
        """Echelon form on unknowns with a coefficient ±1.

        Level 1: hidden ones whose coefficients are all numbers, which keeps mixed-radix equations intact; 2: all hidden
        ones; 3: addresses and the index, too.
        """
        done: list[Fact] = []
        for unknown in self._candidates(fibre, level):
            home = home_of(unknown)
            forms = [(fact, linear_form(fact, unknown)) for fact in fibre.conditions if _equates(fact, unknown)]
            if level == 1 and not all(form and isinstance(form.factor, Number) for _, form in forms):
                continue
            usable = [
                (len(expand(form.rest)), fact[1].digest, fact, form)
                for fact, form in forms
                if form and fact[0] == home and sign_of_unit(form.factor) and form.rest.classes <= unknown.classes
            ]
            if not usable:
                continue
            _, _, fact, form = min(usable, key=lambda item: item[:2])
            fibre.conditions.remove(fact)
            value = scale(-1 * sign_of_unit(form.factor), form.rest)
            put_in_place(fibre, unknown, value)
            done = [(at, substitute(part, {unknown: value})) for at, part in done]
            if unknown in fibre.hidden:
                fibre.hidden.remove(unknown)
            else:
                done.append(fact)
        fibre.conditions += done

    def _candidates(self, fibre: Fibre, level: int) -> list[Variable]:
        found: dict[Variable, None] = {}
        for _, predicate in fibre.conditions:
            if isinstance(predicate, Zero):
                found.update(dict.fromkeys(unknowns(predicate)))
        ranked = [(self.kind(unknown, fibre.hidden), unknown) for unknown in found]
        usable = [(kind, unknown) for kind, unknown in ranked if kind is not None and (level == 3 or kind == 0)]
        return [unknown for _, unknown in sorted(usable, key=lambda pair: (pair[0], _descending(pair[1])))]

    def _tidy(self, fibre: Fibre) -> bool:
        """Brings the conditions in order; whether a new equation appeared."""
        new = False
        parts: dict[Fact, None] = {}
        for home, predicate in fibre.conditions:
            for part in conjuncts(predicate):
                found = self._digits(fibre, home, part) if isinstance(part, Zero) else None
                new |= found is not None
                parts.update(dict.fromkeys((home, shown) for shown in found or [part] if shown is not TRUE))
        fibre.conditions = self._strongest(list(parts))
        new |= any(isinstance(fact[1], Zero) and fact not in parts for fact in fibre.conditions)
        self._contradictions(fibre)
        return new

    def _contradictions(self, fibre: Fibre) -> None:
        """A false condition kills the summand, or leaves rank 0 of its class alone."""
        nonempty = self._entailment.facts.nonempty
        for home, predicate in list(fibre.conditions):
            if predicate is FALSE:
                if home == EVERYWHERE or home in nonempty:
                    raise Dead
                # at rank 0, which is all that is left, no other condition, binder or weight of the class says
                # anything
                fibre.conditions = [fact for fact in fibre.conditions if fact[0] != home or fact[1] is FALSE]
                fibre.hidden = [unknown for unknown in fibre.hidden if unknown.rank_class != home]
                fibre.weights.pop(home, None)

    def _strongest(self, parts: list[Fact]) -> list[Fact]:
        """Of inequalities that differ by a constant the strongest; two opposite ones are an equation."""
        least: dict[tuple[str, Term], int] = {}
        kept: dict[Fact, None] = {}
        for home, predicate in parts:
            if isinstance(predicate, NonNegative) and predicate.polynomial.sort == INDEX:
                base, constant = _split(predicate.polynomial)
                least[home, base] = min(constant, least.get((home, base), constant))
            else:
                kept[home, predicate] = None
        for (home, base), constant in least.items():
            other = least.get((home, negate(base)))
            if other is not None and constant + other < 0:
                kept[home, FALSE] = None
            elif other is not None and constant + other == 0:
                kept[home, zero(plus(base, constant))] = None
            else:
                kept[home, non_negative(plus(base, constant))] = None
        return sorted((fact for fact in kept if fact[1] is not TRUE), key=_by_digest)

    def _digits(self, fibre: Fibre, home: str, equation: Zero) -> list[Term] | None:
        """n·E = 0 is E = 0 where n >= 1; n·A + B = 0 with |B| < n is A = 0 and B = 0. None where neither applies."""
        if equation.polynomial.sort != INDEX:
            return None
        total = expand(equation.polynomial)
        others = [fact for fact in fibre.guard if fact != (home, equation)]
        for parameter in sorted({atom for m in total for atom, _ in m if self._is_parameter(atom, fibre)}, key=_digest):
            form = linear(equation.polynomial, parameter)
            if form is None or not any(self.kind(u, fibre.hidden) is not None for u in unknowns(form.factor)):
                continue
            if form.rest is number(0):
                if self._entailment.positive(home, parameter, others):
                    return [zero(form.factor)]
            elif self._is_digit(form.rest, fibre) and all(
                self._entailment.positive(home, subtract(parameter, side), others)
                for side in (form.rest, negate(form.rest))
            ):
                return [zero(form.factor), zero(form.rest)]
        return None

    def _is_parameter(self, atom: Term, fibre: Fibre) -> bool:
        return all(self.kind(unknown, fibre.hidden) is None for unknown in unknowns(atom))

    def _is_digit(self, rest: Term, fibre: Fibre) -> bool:
        """Whether a rest is made of indices with factors ±1, so that it may be a digit."""
        return all(
            len(monomial) == 1
            and monomial[0][1] == abs(factor) == 1
            and self.kind(monomial[0][0], fibre.hidden) is not None
            for monomial, factor in expand(rest).items()
        )

    def tightest(self, fibre: Fibre) -> list[Fibre]:
        """The fibre as a sum over which bounds of a single hidden unknown are the tightest; alone if there is none.

        Of an unknown of a class there is one per axis, and a sum over cases on every axis is no product over axes.
        """
        for unknown in fibre.hidden:
            bounds = bounds_of(fibre, unknown)
            if unknown.rank_class is not None or not bounds or not all(sign_of_unit(f.factor) for _, f in bounds):
                continue
            low = [negate(form.rest) for _, form in bounds if sign_of_unit(form.factor) > 0]
            high = [form.rest for _, form in bounds if sign_of_unit(form.factor) < 0]
            if low and high and len(low) * len(high) > 1:
                rest = [fact for fact in fibre.conditions if fact not in {bound for bound, _ in bounds}]
                return [
                    split
                    for bottom, below in _chosen(low, 1)
                    for top, above in _chosen(high, -1)
                    if (split := self._bounded(fibre, unknown, [*rest, *below, *above], (bottom, top))) is not None
                ]
        return [fibre]

    def _bounded(
        self, fibre: Fibre, unknown: Variable, conditions: list[Fact], interval: tuple[Term, Term]
    ) -> Fibre | None:
        """The fibre where the unknown runs over the interval, in canonical form; None if it is 0."""
        low, high = interval
        bounds = [
            (EVERYWHERE, non_negative(subtract(unknown, low))),
            (EVERYWHERE, non_negative(subtract(high, unknown))),
        ]
        hidden = list(fibre.hidden)
        split = replace(fibre, conditions=[*conditions, *bounds], hidden=hidden, weights=dict(fibre.weights))
        try:
            self.simplify(split)
        except Dead:
            return None
        return split


def _chosen(bounds: list[Term], sign: int) -> Iterator[tuple[Term, list[Fact]]]:
    """Each bound, and the conditions under which it is the first of the tightest."""
    for place, bound in enumerate(bounds):
        gaps = (plus(scale(sign, subtract(bound, other)), -int(at < place)) for at, other in enumerate(bounds))
        yield bound, [(EVERYWHERE, non_negative(gap)) for at, gap in enumerate(gaps) if at != place]


def _equates(fact: Fact, unknown: Variable) -> bool:
    return isinstance(fact[1], Zero) and fact[1].polynomial.sort == INDEX and has_unknown(fact[1], unknown)


def _split(polynomial: Term) -> tuple[Term, int]:
    total = expand(polynomial)
    constant = int(total.pop((), 0))
    return collect(total, INDEX), constant


def _rename(fibre: Fibre) -> None:
    """Canonical names for the hidden unknowns that are left."""
    if not fibre.hidden:
        return
    placed = sorted(fibre.hidden, key=lambda unknown: (home_of(unknown), _places(fibre, unknown)))
    named = [variable(f"%{place}", unknown.rank_class) for place, unknown in enumerate(placed)]
    for unknown, name in zip(placed, named, strict=True):
        put_in_place(fibre, unknown, name)
    fibre.hidden = named
    fibre.conditions = sorted(dict.fromkeys(fibre.conditions), key=_by_digest)


def _places(fibre: Fibre, unknown: Variable) -> list[bytes]:
    """Where an unknown stands, whatever the hidden ones are called."""
    names: dict[Term, Term] = {other: variable("%*", other.rank_class) for other in fibre.hidden}
    names[unknown] = variable("%!", unknown.rank_class)
    return sorted(substitute(part, names).digest for _, part in fibre.conditions if has_unknown(part, unknown))


def _descending(unknown: Variable) -> tuple[int, ...]:
    return tuple(-ord(letter) for letter in unknown.name)


def _digest(term: Term) -> bytes:
    return term.digest


def _by_digest(fact: Fact) -> tuple[str, bytes]:
    return fact[0], fact[1].digest
