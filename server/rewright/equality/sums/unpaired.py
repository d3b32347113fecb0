"""Sums that were compared without success, for people: both sums, the terms without a partner, what would pair them.

Owns the words, and the list of conditions that may pair terms. Must not decide anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from rewright.equality.facts import EVERYWHERE, Fact
from rewright.equality.sums.conversion import formal
from rewright.equality.sums.decide import ANYWHERE, ComparisonSurroundings
from rewright.equality.sums.entailment import Entailment
from rewright.equality.sums.fibres import ComparisonFrame
from rewright.equality.sums.linear_forms import linear, sign_of_unit
from rewright.equality.sums.opaque import Opaques
from rewright.equality.sums.summand import Formal, FreshNames, NotSummable, Summand, difference, replaced
from rewright.equality.sums.weights import is_zero
from rewright.terms import (
    FALSE,
    INDEX,
    INT,
    REAL,
    TRUE,
    TRUTH,
    Term,
    Variable,
    complement,
    equal,
    less,
    non_negative,
    number,
    subterms,
    subtract,
    variable,
)
from rewright.terms.node import Access, NonNegative, Not, Reduce, Special, Zero
from rewright.terms.polynomial import add, collect, expand

LETTERS = "klmnpqrstuvwxyz"

BOUND = re.compile(r"#\d+\.\d+")
"""How an index that a reduction binds stands in the text of a term."""

SHOWN = 4
"""So many summands of a sum are written out."""

LONGEST = 300
"""A longer sum is of no help."""

FACTS = 6
"""So many conditions are tried that would pair what has no partner."""


class Unpaired(Struct, frozen=True):
    """Both sums in words, empty if there would be too many, and the terms of each that have no partner.

    `fact` is a condition under which the sides are shown to be equal, empty if none was found.
    """

    left: str
    right: str
    left_open: tuple[Summand, ...]
    right_open: tuple[Summand, ...]
    fact: str = ""

    @property
    def left_terms(self) -> tuple[str, ...]:
        """The terms of the left without a partner, in words."""
        return tuple(map(_short, self.left_open))

    @property
    def right_terms(self) -> tuple[str, ...]:
        """The terms of the right without a partner, in words."""
        return tuple(map(_short, self.right_open))


def unpaired(left: Term, right: Term, entailment: Entailment, around: ComparisonSurroundings) -> Unpaired | None:
    """What two sums that were not shown to be equal are, and what has no partner; None for what is no sum."""
    if left.sort not in (INT, REAL) or not any(isinstance(inner, Reduce) for inner in subterms(left, right)):
        return None
    names = FreshNames()

    def same(one: Term, other: Term, known: Entailment, indices: frozenset[Variable]) -> bool:
        return one is other

    opaques = Opaques(same, names)
    frame = ComparisonFrame(entailment, around.shapes or ANYWHERE, around.indices, names, opaques, around.failing)
    try:
        mine, theirs = formal(left, names), formal(right, names)
        if is_zero(difference(mine, theirs), frame):
            return None
    except NotSummable:
        return None
    open_left = [term for term in frame.unpaired if not term.right]
    open_right = [replace(term, coefficient=-term.coefficient) for term in frame.unpaired if term.right]
    return Unpaired(_sum(mine), _sum(theirs), tuple(open_left), tuple(open_right))


def pairing(terms: Unpaired, *sides: Term) -> list[Fact]:
    """Conditions that may pair terms: equal ends of ranges, ranges that have an index, bases that are not 1."""
    found: dict[Fact, None] = {}
    for one, other in product(terms.left_open, terms.right_open):
        for (home, first), (at, second) in product(_bounds(one), _bounds(other)):
            if home == at:
                found[home, equal(first, second)] = None
    for inner in subterms(*sides):
        if isinstance(inner, Reduce):
            found.update(dict.fromkeys((r.rank_class or EVERYWHERE, less(number(0), r.size)) for r in inner.ranges))
        if isinstance(inner, Special) and inner.function == "power" and not inner.operands[0].loose:
            base = inner.operands[0]
            found[EVERYWHERE, complement(equal(base, number(1, base.sort)))] = None
    return [fact for fact in found if fact[1] not in (TRUE, FALSE) and not fact[1].loose][:FACTS]


def _bounds(summand: Summand) -> Iterator[tuple[str, Term]]:
    """The ends of the ranges of a summand's binders."""
    for binder in summand.binders:
        for home, condition in summand.conditions:
            if isinstance(condition, NonNegative) and condition.polynomial.sort == INDEX:
                form = linear(condition.polynomial, binder)
                if form is not None and sign_of_unit(form.factor) < 0 and not _reads(form.rest, summand):
                    yield home, add(form.rest, collect({(): 1}, INDEX))


def _reads(term: Term, summand: Summand) -> bool:
    return any(inner in summand.binders or isinstance(inner, Access) for inner in subterms(term))


def in_words(condition: Term) -> str:
    """A condition that was found, as it is written in a rule."""
    match condition:
        case Zero(polynomial=polynomial):
            return _compared(polynomial, "==")
        case Not(operand=Zero(polynomial=polynomial)):
            return _compared(polynomial, "!=")
        case NonNegative(polynomial=polynomial):
            return _compared(polynomial, ">=")
        case _:
            return _plain(condition)


def _compared(polynomial: Term, sign: str) -> str:
    positive = {monomial: factor for monomial, factor in expand(polynomial).items() if factor > 0 and monomial}
    left = collect(positive, polynomial.sort)
    return f"{_plain(left)} {sign} {_plain(subtract(left, polynomial))}"


def _sum(terms: Formal) -> str:
    text = " + ".join(map(_written, terms[:SHOWN])) + (" + …" if len(terms) > SHOWN else "")
    return text if len(text) <= LONGEST else ""


def _short(summand: Summand) -> str:
    text = _written(summand)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


def _written(summand: Summand) -> str:
    """A summand as Σ[k < n] 2·X[A: k], with its conditions in brackets after it."""
    named = _named(summand)
    bounds = [f"{binder.name} < {_plain(end)}" for binder, end in _ends(named)]
    ranges = {condition for condition in named.conditions if _is_range(condition, named)}
    conditions = [_plain(condition) for home, condition in named.conditions if (home, condition) not in ranges]
    factors = [_plain(weight) for _, weight in named.weights]
    factors += [_plain(atom) for atom in named.atoms if atom.sort != TRUTH]
    if abs(named.coefficient) != 1 or not factors:
        factors = [str(abs(named.coefficient)), *factors]
    conditions += [_plain(atom) for atom in named.atoms if atom.sort == TRUTH]
    sign = "−" if named.coefficient < 0 else ""
    total = f"Σ[{', '.join(bounds)}] " if bounds else ""
    return f"{sign}{total}{'·'.join(factors)}" + (f" [where {' and '.join(conditions)}]" if conditions else "")


def _named(summand: Summand) -> Summand:
    """The summand with letters for its binders, and i_A for the index of the result along A."""
    values: dict[Term, Term] = {}
    terms = (*summand.atoms, *(part for _, part in summand.conditions), *(weight for _, weight in summand.weights))
    free = [inner for inner in subterms(*terms) if isinstance(inner, Variable)]
    taken = {inner.name for inner in free}
    letters = (letter for letter in LETTERS if letter not in taken)
    for binder, letter in zip(summand.binders, letters, strict=False):
        values[binder] = variable(letter, binder.rank_class)
    for inner in free:
        if inner.name.startswith("["):
            values[inner] = variable(f"i_{inner.name.strip('[]')}", inner.rank_class)
    binders = tuple(found for each in summand.binders if isinstance(found := values.get(each, each), Variable))
    return replace(replaced(summand, values), binders=binders)


def _ends(summand: Summand) -> Iterator[tuple[Variable, Term]]:
    for binder in summand.binders:
        for condition in summand.conditions:
            end = _end(condition, binder, summand)
            if end is not None:
                yield binder, end
                break


def _end(condition: Fact, binder: Variable, summand: Summand) -> Term | None:
    """The n of k < n."""
    home, part = condition
    if home != (binder.rank_class or EVERYWHERE) or not isinstance(part, NonNegative) or part.polynomial.sort != INDEX:
        return None
    form = linear(part.polynomial, binder)
    if form is None or sign_of_unit(form.factor) >= 0 or _reads(form.rest, summand):
        return None
    return add(form.rest, collect({(): 1}, INDEX))


def _is_range(condition: Fact, summand: Summand) -> bool:
    lower = any(condition[1] is non_negative(binder) for binder in summand.binders)
    first = [next((c for c in summand.conditions if _end(c, binder, summand)), None) for binder in summand.binders]
    return lower or condition in first


def _plain(term: Term) -> str:
    """A term without the parentheses around it, and with letters for what reductions inside bind."""
    text = repr(term).replace(" + -1*", " − ").replace("-1*", "−")
    free = (letter for letter in LETTERS if not re.search(rf"\b{letter}\b", text))
    letters = dict(zip(dict.fromkeys(BOUND.findall(text)), free, strict=False))
    text = BOUND.sub(lambda bound: letters.get(bound[0], bound[0]), text)
    outer = text.startswith("(") and text.endswith(")") and "(" not in text[1:-1]
    return text[1:-1] if outer else text
