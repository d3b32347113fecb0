"""Assumptions on contents, used wherever reductions read them.

Owns the replacement of reads by what an assumption says that they are, and the normal form of the bodies of reductions
under what assumptions say of their reads. Invariant: an assumption is used of a read only where what is known of its
place (the ranges of the reductions around it, the choices that lead to it, the facts) puts its index inside every
tensor of the assumption; so the result equals the term for all contents that meet the assumptions, and what is shown of
it needs none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.equality import EVERYWHERE, Fact, Facts, simplify
from rewright.equality.sums import Entailment, NotSummable, Solver
from rewright.model.index import Name
from rewright.rules.claim import Linked
from rewright.terms import (
    FALSE,
    TRUE,
    Term,
    Variable,
    complement,
    conjoin,
    conjuncts,
    less,
    non_negative,
    substitute,
    subterms,
    variable,
)
from rewright.terms.binding import close_reduce, open_reduce, rebuild
from rewright.terms.node import REAL, TRUTH, Access, And, AxisProduct, Choose, Fold, Opened, Position, Reduce, Zero
from rewright.terms.polynomial import expand, scale, subtract
from rewright.terms.selection import choose


class Equation(Struct, frozen=True):
    """What the read of a tensor at the index `at` is, wherever `inside`."""

    read: Access
    at: dict[Name, Variable]
    value: Term
    inside: Term

    def instance(self, read: Access) -> tuple[Term, Term]:
        """The value of a read of the tensor, and where it is that."""
        index = {slot.group: slot.index for slot in read.slots}
        places: dict[Term, Term] = {unknown: index[group] for group, unknown in self.at.items()}
        return substitute(self.value, places), substitute(self.inside, places)


Equations = dict[str, Equation]
"""By tensor. No value reads a tensor that its own or an earlier equation replaces, so replacing ends."""


def equations(linked: Iterable[Linked], solved_for: Literal["first", "last"]) -> Equations:
    """The equations that assumptions make, each solved for the first or the last tensor for which it can be.

    A read is replaced only if it names every index of which the assumption speaks.
    """
    found: Equations = {}
    for item in linked:
        for truth in dict.fromkeys((item.body, *conjuncts(item.body))):
            body, inside = _without(truth, item.inside, found)
            solved = [pair for pair in _solved(body) if {slot.group for slot in pair[0].slots} == set(item.at)]
            if solved:
                read, value = solved[-1 if solved_for == "last" else 0]
                found[read.tensor] = Equation(read, item.at, value, inside)
    return found


def _without(body: Term, inside: Term, found: Equations) -> tuple[Term, Term]:
    """What an assumption says without the tensors that earlier equations replace, and where."""
    for equation in found.values():
        if equation.read in subterms(body):
            body = substitute(body, {equation.read: equation.value})
            inside = conjoin(inside, equation.inside)
    return body, inside


def _solved(truth: Term) -> list[tuple[Access, Term]]:
    """The reads for which a truth can be solved, and what they are."""
    pairs = [(read, value) for read in _reads(truth) if (value := _value(truth, read)) is not None]
    return [(read, value) for read, value in pairs if all(inner.tensor != read.tensor for inner in _reads(value))]


def _reads(term: Term) -> list[Access]:
    """The reads in a term, by their tensors' names."""
    found = [inner for inner in subterms(term) if isinstance(inner, Access)]
    return sorted(found, key=lambda read: read.tensor)


def _value(truth: Term, read: Access) -> Term | None:
    """What a read is if the truth holds, if that says it: it is true, false or a term in which it stands alone."""
    if read.sort == TRUTH:
        yes, no = substitute(truth, {read: TRUE}), substitute(truth, {read: FALSE})
        return yes if no is complement(yes) else None
    if not isinstance(truth, Zero):
        return None
    total = expand(truth.polynomial)
    factor = total.get(((read, 1),), 0)
    if factor == 0 or (read.sort != REAL and abs(factor) != 1):
        return None
    return subtract(read, scale(Fraction(1) / factor, truth.polynomial))


class TermPlace(Struct, frozen=True):
    """Where a term stands, and what is known whenever its value there counts."""

    facts: Facts
    solver: Solver
    equations: Equations
    linked: tuple[Linked, ...] = ()
    done: dict[Term, Term] = field(default_factory=dict)

    def replaced(self, term: Term) -> Term:
        """The term with the reads replaced whose index is inside."""
        if term not in self.done:
            self.done[term] = self._step(term)
        return self.done[term]

    def _under(self, *facts: Fact) -> TermPlace:
        return TermPlace(self.facts.with_facts(facts), self.solver, self.equations, self.linked)

    def _step(self, term: Term) -> Term:
        match term:
            case Access(tensor=tensor):
                return self._read(term, self.equations.get(tensor))
            # what is known at a place is not known of each axis, which a test or product on all of them speaks of
            case Fold() | AxisProduct() | Position():
                return term
            case _ if term.classes:
                return term
            case Choose(condition=condition, consequent=consequent, alternative=alternative):
                yes = self._under((EVERYWHERE, condition)).replaced(consequent)
                no = self._under((EVERYWHERE, complement(condition))).replaced(alternative)
                return choose(self.replaced(condition), yes, no)
            case And(operands=operands):
                tests = [operand for operand in operands if not _reads(operand)]
                # where one of them fails the conjunction is false, whatever its other parts are
                inside = self._under(*((EVERYWHERE, test) for test in tests))
                return conjoin(*map(inside.replaced, operands))
            case Reduce():
                return self._reduce(term)
            case _:
                return rebuild(term, self.replaced)

    def _read(self, read: Access, equation: Equation | None) -> Term:
        if equation is None:
            return read
        value, inside = equation.instance(read)
        return self.replaced(value) if self._shown(inside) else read

    def _reduce(self, term: Reduce) -> Term:
        part = open_reduce(term, self.facts.opened)
        ranges = (
            (item.rank_class or EVERYWHERE, bound)
            for index, item in zip(part.indices, part.ranges, strict=True)
            for bound in (non_negative(index), less(index, item.size))
        )
        inside = self._under(*ranges)
        return close_reduce(replace(part, body=inside.known(inside.replaced(part.body))))

    def known(self, term: Term) -> Term:
        """The term under what assumptions say of its reads here, those below other reductions aside."""
        truths = self.said(term)
        return simplify(term, self.facts.with_facts((EVERYWHERE, truth) for truth in truths)) if truths else term

    def said(self, *terms: Term) -> tuple[Term, ...]:
        """What assumptions say here of the reads in terms, those below reductions aside."""
        reads = dict.fromkeys(read for term in terms for read in _reads(term) if not read.loose)
        return tuple(dict.fromkeys(truth for read in reads for truth in self._said(read) if not truth.classes))

    def _said(self, read: Access) -> Iterator[Term]:
        """What the assumptions that a read names all indices of say of it."""
        index = {slot.group: slot.index for slot in read.slots}
        for item in self.linked:
            if read.tensor in item.tensors and set(index) == set(item.at):
                places: dict[Term, Term] = {unknown: index[group] for group, unknown in item.at.items()}
                if self._shown(substitute(item.inside, places)):
                    yield substitute(item.body, places)

    def _shown(self, inside: Term) -> bool:
        """Whether an index is shown to be inside on every axis."""
        inside = simplify(inside, self.facts)
        if inside is TRUE:
            return True
        names = _names(inside, *(part for parts in self.facts.known.values() for part in parts))
        facts = [(home, substitute(part, names)) for home, parts in self.facts.known.items() for part in parts]
        entailment = Entailment(Facts.of(facts, self.facts.nonempty), self.solver)
        try:
            return all(entailment.holds(_fact(part)) for part in conjuncts(substitute(inside, names)))
        except NotSummable:
            return False


def _names(*terms: Term) -> dict[Term, Term]:
    """Unknowns in place of opened indices, which solvers do not know."""
    opened = (inner for inner in subterms(*terms) if isinstance(inner, Opened))
    return {index: variable(f"?{index.number}.{index.position}", index.rank_class) for index in opened}


def _fact(truth: Term) -> Fact:
    return (truth.rank_class, truth.predicate) if isinstance(truth, Fold) else (EVERYWHERE, truth)
