"""Refutation of conditions on one axis: splitting on disjunctions, linear arithmetic at the leaves.

Owns what contradicts itself without a solver. Disjunctions, inequations and the cases of minima and maxima are split
on; at a leaf inequalities are refuted by linear arithmetic over monomials, then with products of two linear ones, and
of linear ones with atoms that are not negative (a bounded Positivstellensatz).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from msgspec import Struct

from rewright.equality.definitions import meant
from rewright.equality.facts import Facts
from rewright.equality.sums.linear import contradictory
from rewright.terms.binding import substitute
from rewright.terms.comparison import non_negative
from rewright.terms.interning import children, count_nodes, interned, subterms
from rewright.terms.node import (
    INDEX,
    And,
    AxisProduct,
    Digit,
    Extremum,
    FloorDivide,
    Fold,
    Monomial,
    NonNegative,
    Not,
    Position,
    Term,
    Zero,
)
from rewright.terms.polynomial import Sum, expand, negate, plus, product, scale, subtract
from rewright.terms.truth import FALSE, TRUE, complement, conjuncts

LEAVES = 24
"""So many leaves are looked at in one refutation; what is refuted in the library takes 9 at most."""

FACTORS = 16
"""So many linear hypotheses are multiplied with each other at most, the shortest: rules of the library have up to 21,
whose 231 products would all be columns of the linear system."""


REMEMBERED = 4096
"""So many refutations are kept, those of one rule's types and of its hints among them."""


class RememberedRefutation(Struct, frozen=True):
    """Whether truths contradict each other, whether a product of unknowns was met, and the nodes that it took."""

    found: bool
    nonlinear: bool
    nodes: int


_remembered: dict[tuple[object, ...], RememberedRefutation] = {}


def refuted(facts: Facts, home: str, parts: Sequence[Term]) -> RememberedRefutation:
    """Whether truths are found to contradict each other on an axis of the home. Raises `OutOfNodes`.

    What is remembered counts for as many nodes as it took, so that the same questions end at the same place.
    """
    key = (home, facts.nonempty, tuple(facts.known.items()), tuple(parts))
    known = _remembered.get(key)
    if known is not None:
        count_nodes(known.nodes)
        return known
    before = interned()
    # of its own, so that the nodes do not depend on what was asked of these facts before
    refutation = Refutation(Facts(facts.known, facts.nonempty), home)
    found = refutation.refutes(parts)
    if len(_remembered) >= REMEMBERED:
        _remembered.clear()
    _remembered[key] = result = RememberedRefutation(found, refutation.nonlinear, interned() - before)
    return result


class Refutation:
    """One refutation, on an axis of the home; `nonlinear`: a product of unknowns was met."""

    def __init__(self, facts: Facts, home: str) -> None:
        self._facts = facts
        self._classes = frozenset((home,)) if home else frozenset[str]()
        self._left = LEAVES
        self.nonlinear = False

    def refutes(self, parts: Sequence[Term]) -> bool:
        """Whether the truths are found to contradict each other."""
        self._left -= 1
        if self._left < 0:
            return False
        flat = list(dict.fromkeys(inner for part in parts for inner in conjuncts(part) if inner is not TRUE))
        if FALSE in flat or any(isinstance(part, NonNegative | Zero) and complement(part) in flat for part in flat):
            return True
        if self._contradictory(flat):
            return True
        for place, part in enumerate(flat):
            cases = list(_cases(part))
            if cases:
                rest = [*flat[:place], *flat[place + 1 :]]
                # one disjunction after the other, and only after linear arithmetic has failed: most need no split
                return all(self.refutes([*case, *rest]) for case in cases)
        for extremum in _extrema(flat):
            return all(self.refutes(case) for case in _choices(extremum, flat))
        return False

    def _contradictory(self, parts: list[Term]) -> bool:
        inequalities: list[Sum] = []
        equations: list[Sum] = []
        for part in parts:
            if isinstance(part, NonNegative) and part.polynomial.sort == INDEX:
                inequalities.append(expand(part.polynomial))
            elif isinstance(part, Zero) and part.polynomial.sort == INDEX:
                equations.append(expand(part.polynomial))
        defined = (inner for inner in subterms(*parts) if isinstance(inner, FloorDivide | AxisProduct | Extremum))
        mine = [inner for inner in defined if inner.classes <= self._classes]
        inequalities += (bound for inner in mine for bound in meant(inner, self._facts, INDEX))
        if contradictory(inequalities, equations):
            return True
        present = _nonlinear(inequalities, equations)
        if not present:
            return False
        self.nonlinear = True
        multiples = _multiples(equations, present)
        fitting = _cofactor_products(inequalities, present)
        for products in (_closed_products, _signed_products):
            more = [*products(inequalities, present), *fitting]
            if contradictory([*inequalities, *more], [*equations, *multiples]):
                return True
        return False


def _cases(part: Term) -> Iterator[tuple[Term, ...]]:
    """The cases of a disjunction or an inequation; none for what is no such thing."""
    match part:
        case Not(operand=And(operands=operands)):
            yield from ((complement(operand),) for operand in operands)
        case Not(operand=Zero(polynomial=polynomial)) if polynomial.sort == INDEX:
            yield (non_negative(plus(polynomial, -1)),)
            yield (non_negative(plus(negate(polynomial), -1)),)
        case _:
            return


def _extrema(parts: list[Term]) -> Iterator[Extremum]:
    """The innermost minima and maxima; none that a test or a product on every axis speaks of for itself."""
    found = [inner for inner in _at_hand(parts) if isinstance(inner, Extremum) and inner.sort == INDEX]
    yield from (term for term in found if not any(other is not term and other in subterms(term) for other in found))


def _at_hand(parts: Sequence[Term]) -> dict[Term, None]:
    """The subterms that speak of this axis: none below what speaks of every axis."""
    found: dict[Term, None] = {}
    stack = list(reversed(parts))
    while stack:
        term = stack.pop()
        if term not in found:
            found[term] = None
            if not isinstance(term, Fold | AxisProduct | Position | Digit):
                stack.extend(reversed(children(term)))
    return found


def _choices(extremum: Extremum, parts: list[Term]) -> Iterator[list[Term]]:
    """The truths for each operand that the extremum may be on this axis; without those about it on every axis."""
    sign = 1 if extremum.greatest else -1
    parts = [part for part in parts if not _on_every_axis(extremum, part)]
    for chosen in extremum.operands:
        beats = [non_negative(scale(sign, subtract(chosen, other))) for other in extremum.operands]
        yield [*beats, *(substitute(part, {extremum: chosen}) for part in parts)]


def _on_every_axis(extremum: Extremum, part: Term) -> bool:
    """Whether a truth says something of each axis's own extremum, which need not be the same operand on all of them."""
    if not extremum.classes:
        return False
    folds = (inner for inner in subterms(part) if isinstance(inner, Fold | AxisProduct | Position))
    return any(extremum in subterms(fold) for fold in folds)


def _nonlinear(inequalities: list[Sum], equations: list[Sum]) -> set[Monomial]:
    return {m for sum_ in (*inequalities, *equations) for m in sum_ if _is_product(m)}


def _closed_products(inequalities: list[Sum], present: set[Monomial]) -> list[Sum]:
    """Products of linear inequalities all of whose non-linear monomials occur already."""
    inside = {atom for monomial in present for atom, _ in monomial}
    factors = [sum_ for sum_ in inequalities if _linear(sum_) and _mentions(sum_, inside)]
    factors = sorted(factors, key=len)[:FACTORS]
    found = [product(one, other) for one, other in combinations_with_replacement(factors, 2)]
    return [sum_ for sum_ in found if all(m in present or not _is_product(m) for m in sum_)]


def _signed_products(inequalities: list[Sum], present: set[Monomial]) -> list[Sum]:
    """Products of linear inequalities with those that bound a single factor of a non-linear monomial."""
    inside = {atom for monomial in present for atom, _ in monomial}
    linear = sorted((sum_ for sum_ in inequalities if _linear(sum_)), key=len)[:FACTORS]
    signs = [sum_ for sum_ in linear if len([m for m in sum_ if m]) == 1 and _mentions(sum_, inside)]
    return [product(sign, other) for sign in signs for other in linear]


def _cofactor_products(inequalities: list[Sum], present: set[Monomial]) -> list[Sum]:
    """Linear inequalities times what is left of a monomial without one of its factors.

    What is left is a product of atoms that are known not to be negative. All monomials of the product occur already.
    """
    factors: dict[Monomial, set[Term]] = {}
    for monomial in present:
        for atom, rest in _rests(monomial):
            factors.setdefault(rest, set()).add(atom)
    signed = {_bounded_below(sum_) for sum_ in inequalities}
    linear = [sum_ for sum_ in inequalities if _linear(sum_)]
    found: list[Sum] = []
    for rest, atoms in factors.items():
        if all(atom in signed for atom, _ in rest):
            whole = not _is_product(rest) or rest in present
            fitting = (sum_ for sum_ in linear if all(m[0][0] in atoms if m else whole for m in sum_))
            found += (product(sum_, {rest: 1}) for sum_ in fitting)
    return found


def _bounded_below(sum_: Sum) -> Term | None:
    """The atom that an inequality says to be at least 0."""
    if len(sum_) > 2 or sum_.get((), 0) > 0:
        return None
    alone = [(monomial, factor) for monomial, factor in sum_.items() if monomial]
    match alone:
        case [(((atom, 1),), factor)] if factor > 0:
            return atom
        case _:
            return None


def _rests(monomial: Monomial) -> Iterator[tuple[Term, Monomial]]:
    """Each factor of a monomial, with the monomial without it."""
    for place, (atom, power) in enumerate(monomial):
        less = ((atom, power - 1),) if power > 1 else ()
        yield atom, (*monomial[:place], *less, *monomial[place + 1 :])


def _multiples(equations: list[Sum], present: set[Monomial]) -> list[Sum]:
    """Equations multiplied by factors of non-linear monomials."""
    inside = sorted({atom for monomial in present for atom, _ in monomial}, key=lambda atom: atom.digest)
    found = (product(sum_, {((atom, 1),): 1}) for sum_ in equations for atom in inside)
    return [sum_ for sum_ in found if len(sum_) <= 4 and any(m in present for m in sum_)]


def _is_product(monomial: Monomial) -> bool:
    """Whether its degree is more than 1."""
    return len(monomial) > 1 or (len(monomial) == 1 and monomial[0][1] > 1)


def _linear(sum_: Sum) -> bool:
    return not any(map(_is_product, sum_))


def _mentions(sum_: Sum, atoms: set[Term]) -> bool:
    return any(atom in atoms for monomial in sum_ for atom, _ in monomial)
