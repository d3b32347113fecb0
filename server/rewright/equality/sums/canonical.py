"""The canonical weight of a summand: how often it reads which addresses.

Owns the fibre argument. Every index of an atom becomes an unknown of its own, an *address*; the binders are then
hidden: eliminated where an equation pins them with a unit coefficient, counted where they run over an interval, read
off where they are digits or quotients. Each step turns a condition on every axis of a class into an equivalent one of
that class, so it holds at every rank. A condition that has become false keeps its class: at rank 0 it says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from rewright.equality.facts import EVERYWHERE, Fact
from rewright.equality.sums.entailment import Entailment
from rewright.equality.sums.intervals import summed
from rewright.equality.sums.linear_forms import Linear, has_unknown, linear, sign_of_unit, unknowns
from rewright.equality.sums.summand import home_of, weight_at
from rewright.terms import variable
from rewright.terms.binding import substitute
from rewright.terms.comparison import non_negative, zero
from rewright.terms.node import INDEX, Coefficient, NonNegative, Number, Term, Variable, Zero
from rewright.terms.polynomial import add, collect, expand, multiply, negate, number, plus, scale, subtract
from rewright.terms.truth import FALSE, TRUE, conjuncts

ROUNDS = 40


class Dead(Exception):
    """The conditions contradict each other: the summand is 0."""


@dataclass(frozen=True, slots=True)
class Address:
    """An unknown that stands for an index of an atom, along a group if the atom is a read, and what it is there."""

    unknown: Variable
    group: str
    index: Term


@dataclass(slots=True)
class Fibre:
    """A summand as the weight of its addresses, while it is brought into canonical form.

    `heads` are the atoms without their indices. `inside` are facts: addresses lie inside their tensors. `idempotent`:
    only whether the weight is 0 matters. For people: `addresses` and `binders` of the summand, on which side it stands,
    and in `pinned` what the binders are that were eliminated.
    """

    coefficient: Coefficient
    heads: tuple[str, ...]
    hidden: list[Variable]
    conditions: list[Fact]
    weights: dict[str, Term]
    inside: tuple[Fact, ...] = ()
    idempotent: bool = False
    pinned: dict[Term, Term] = field(default_factory=dict)
    addresses: tuple[Address, ...] = ()
    binders: tuple[Variable, ...] = ()
    right: bool = False

    @property
    def guard(self) -> list[Fact]:
        """The conditions, and what is known of the addresses."""
        return [*self.conditions, *self.inside]

    @property
    def signature(self) -> tuple[frozenset[Fact], tuple[tuple[str, Term], ...], tuple[Variable, ...]]:
        """What two canonical weights agree in, apart from the coefficient."""
        return frozenset(self.conditions), tuple(sorted(self.weights.items())), tuple(self.hidden)


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
            if self._tidy(fibre) or (level > 1 and self._count(fibre)):
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
            forms = [(fact, _form(fact, unknown)) for fact in fibre.conditions if _equates(fact, unknown)]
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
            _substitute(fibre, unknown, value)
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

    def _count(self, fibre: Fibre) -> bool:
        """Sums out one hidden unknown that no equation mentions; whether there was one."""
        return any(self._interval(fibre, unknown) for unknown in list(fibre.hidden)) or any(
            self._quotient(fibre, unknown) for unknown in list(fibre.hidden)
        )

    def _bounds(self, fibre: Fibre, unknown: Variable) -> list[tuple[Fact, Linear]] | None:
        """The inequalities about an unknown, all linear in it and of its class; None if there are other conditions."""
        found = []
        for home, predicate in fibre.conditions:
            if has_unknown(predicate, unknown):
                form = _form((home, predicate), unknown) if isinstance(predicate, NonNegative) else None
                if form is None or home != home_of(unknown):
                    return None
                found.append(((home, predicate), form))
        return found

    def _interval(self, fibre: Fibre, unknown: Variable) -> bool:
        """The unknown runs over an interval: its weight is summed, or in an idempotent sum the interval not empty."""
        home, bounds = home_of(unknown), self._bounds(fibre, unknown)
        if bounds is None or not all(sign_of_unit(form.factor) for _, form in bounds):
            return False
        if any(at != home and has_unknown(weight, unknown) for at, weight in fibre.weights.items()):
            return False
        low = [negate(form.rest) for _, form in bounds if sign_of_unit(form.factor) > 0]
        high = [form.rest for _, form in bounds if sign_of_unit(form.factor) < 0]
        used = {fact for fact, _ in bounds}
        rest = [fact for fact in fibre.conditions if fact not in used]
        if not low or not high:
            return False
        if not fibre.idempotent:
            low, high = self._best(fibre, home, low, rest), self._best(fibre, home, high, rest, upper=True)
            if len(low) > 1 or len(high) > 1:
                return False
            weight = summed(weight_at(fibre.weights, home), unknown, low[0], high[0])
            if weight is None:
                return False
            fibre.weights[home] = weight
            if self._entailment.non_negative(home, plus(subtract(high[0], low[0]), 1), [*rest, *fibre.inside]):
                low = []  # the closed form is also right for the empty interval, where it is 0
        elif any(has_unknown(weight, unknown) for weight in fibre.weights.values()):
            return False
        fibre.hidden.remove(unknown)
        fibre.conditions = [*rest, *((home, non_negative(subtract(top, bottom))) for bottom in low for top in high)]
        return True

    def tightest(self, fibre: Fibre) -> list[Fibre]:
        """The fibre as a sum over which bounds of a single hidden unknown are the tightest; alone if there is none.

        Of an unknown of a class there is one per axis, and a sum over cases on every axis is no product over axes.
        """
        for unknown in fibre.hidden:
            bounds = self._bounds(fibre, unknown)
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

    def _best(self, fibre: Fibre, home: str, bounds: list[Term], rest: list[Fact], upper: bool = False) -> list[Term]:
        """The bounds without those that another one implies."""
        kept = list(dict.fromkeys(bounds))
        guard, sign = [*rest, *fibre.inside], -1 if upper else 1
        for bound in list(kept):
            if any(
                other is not bound and self._entailment.non_negative(home, scale(sign, subtract(other, bound)), guard)
                for other in kept
            ):
                kept.remove(bound)
        return kept

    def _quotient(self, fibre: Fibre, unknown: Variable) -> bool:
        """n·h <= E < n·h + n with n >= 1 says that h is ⌊E / n⌋: there is one, and its bounds are bounds of E."""
        home, bounds = home_of(unknown), self._bounds(fibre, unknown)
        if bounds is None or any(has_unknown(weight, unknown) for weight in fibre.weights.values()):
            return False
        for fact, form in bounds:
            divisor, dividend = negate(form.factor), form.rest
            upper = (home, non_negative(plus(subtract(divisor, _polynomial(fact)), -1)))
            if all(upper != other for other, _ in bounds) or upper == fact:
                continue
            if not self._entailment.positive(home, divisor, fibre.inside):
                continue
            others = [other for other in bounds if other[0] not in (fact, upper)]
            if not all(sign_of_unit(other.factor) for _, other in others):
                continue
            used = {other for other, _ in bounds}
            fibre.hidden.remove(unknown)
            fibre.conditions = [condition for condition in fibre.conditions if condition not in used]
            fibre.conditions += ((home, _bound_of_dividend(other, dividend, divisor)) for _, other in others)
            return True
        return False


def _chosen(bounds: list[Term], sign: int) -> Iterator[tuple[Term, list[Fact]]]:
    """Each bound, and the conditions under which it is the first of the tightest."""
    for place, bound in enumerate(bounds):
        gaps = (plus(scale(sign, subtract(bound, other)), -int(at < place)) for at, other in enumerate(bounds))
        yield bound, [(EVERYWHERE, non_negative(gap)) for at, gap in enumerate(gaps) if at != place]


def _bound_of_dividend(bound: Linear, dividend: Term, divisor: Term) -> Term:
    """What h + r >= 0 or −h + r >= 0 says of E, where h = ⌊E / n⌋."""
    whole = multiply(divisor, bound.rest)
    if sign_of_unit(bound.factor) > 0:
        return non_negative(add(dividend, whole))
    return non_negative(plus(subtract(add(whole, divisor), dividend), -1))


def _polynomial(fact: Fact) -> Term:
    assert isinstance(fact[1], NonNegative | Zero)
    return fact[1].polynomial


def _equates(fact: Fact, unknown: Variable) -> bool:
    return isinstance(fact[1], Zero) and fact[1].polynomial.sort == INDEX and has_unknown(fact[1], unknown)


def _form(fact: Fact, unknown: Variable) -> Linear | None:
    polynomial = _polynomial(fact)
    return linear(polynomial, unknown) if polynomial.sort == INDEX else None


def _substitute(fibre: Fibre, unknown: Variable, value: Term) -> None:
    values: dict[Term, Term] = {unknown: value}
    fibre.conditions = [
        (home, substitute(part, values) if has_unknown(part, unknown) else part) for home, part in fibre.conditions
    ]
    fibre.weights = {home: substitute(weight, values) for home, weight in fibre.weights.items()}
    fibre.pinned = {key: substitute(known, values) for key, known in fibre.pinned.items()}
    fibre.pinned[unknown] = value


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
        _substitute(fibre, unknown, name)
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
