"""From summands to weights of addresses.

Owns the three steps before canonical form: quotients by positive divisors become hidden unknowns that are pinned by two
inequalities, what is no read becomes an opaque value of its free indices, and every index of an atom an address. Reads
lie inside their tensors: a valid expression does not depend on what tensors hold beyond, so they may hold 0 there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.equality.facts import EVERYWHERE, Fact
from rewright.equality.sums.addresses import Address, Dead, Fibre
from rewright.equality.sums.canonical import Canonizer
from rewright.equality.sums.entailment import Entailment
from rewright.equality.sums.linear_forms import unknowns
from rewright.equality.sums.opaque import Opaques
from rewright.equality.sums.summand import FreshNames, Summand, conditions_of, home_of, replaced
from rewright.terms import variable
from rewright.terms.comparison import equal, less, non_negative
from rewright.terms.interning import subterms
from rewright.terms.node import Access, Constant, FloorDivide, Fold, Number, RankClass, Term, Variable
from rewright.terms.polynomial import multiply, subtract
from rewright.terms.truth import complement

ALIKE = 6
"""Up to so many atoms all orders of those with the same head are compared: 720 at most."""

Shapes = Mapping[str, Mapping[str, Term]]
"""The size along each group of each tensor."""


class FibreAtom(Struct, frozen=True):
    """A head, and its indices with their rank classes and, where known, sizes; of a read the groups, too."""

    head: str
    indices: tuple[tuple[RankClass, Term, Term | None], ...]
    groups: tuple[str, ...] = ()


class ComparisonFrame(Struct, frozen=True):
    """What the summands of one comparison have in common; `indices` are the unknowns of the result's index.

    `failing` are tests on every axis that are known to fail on some. `matches` are the fibres of both sides that were
    found to correspond, the left one first; `unpaired` are the summands of the first product of atoms whose weights
    were not found to cancel.
    """

    entailment: Entailment
    shapes: Shapes
    indices: frozenset[Variable]
    names: FreshNames
    opaques: Opaques
    failing: tuple[Fold, ...] = ()
    matches: list[tuple[Fibre, Fibre]] = field(default_factory=list)
    unpaired: list[Summand] = field(default_factory=list)


def fibre_of(summand: Summand, frame: ComparisonFrame) -> Fibre | None:
    """The canonical weight of a summand; None if it is 0."""
    return _least(_readings(summand, frame), frame)


def support_of(summand: Summand, frame: ComparisonFrame) -> Fibre | None:
    """The canonical form of where a summand is not 0; None if that is nowhere."""
    return _least([replace(fibre, idempotent=True) for fibre in _readings(summand, frame)], frame)


def _readings(summand: Summand, frame: ComparisonFrame) -> list[Fibre]:
    """The summand at addresses, in each order of its atoms; none if it is seen to be 0."""
    summand = _without_quotients(summand, frame)
    if _fails_somewhere(summand, frame):
        return []
    atoms = sorted((_atom(atom, summand, frame) for atom in summand.atoms), key=lambda atom: atom.head)
    return [_addressed(summand, order) for order in _orders(atoms)]


def _least(fibres: list[Fibre], frame: ComparisonFrame) -> Fibre | None:
    """The first of the canonical forms, which are those of one summand; None if it is 0."""
    canonizer = Canonizer(frame.entailment, frame.indices)
    best: Fibre | None = None
    for fibre in fibres:
        try:
            canonizer.simplify(fibre)
        except Dead:
            return None
        if best is None or _text(fibre) < _text(best):
            best = fibre
    return best


def _fails_somewhere(summand: Summand, frame: ComparisonFrame) -> bool:
    """Whether the conditions cannot hold on an axis on which a test is known to fail: then the summand is 0."""
    return any(
        frame.entailment.impossible(
            test.rank_class, [*summand.conditions, (test.rank_class, complement(test.predicate))]
        )
        for test in frame.failing
    )


def _text(fibre: Fibre) -> list[bytes]:
    return [
        *sorted(home.encode() + b":" + part.digest for home, part in fibre.conditions),
        *(home.encode() + weight.digest for home, weight in sorted(fibre.weights.items())),
    ]


def _orders(atoms: list[FibreAtom]) -> list[list[FibreAtom]]:
    """The atoms by head, those with the same head in every order."""
    if len(atoms) > ALIKE or len({atom.head for atom in atoms}) == len(atoms):
        return [atoms]
    heads = [atom.head for atom in atoms]
    return [list(order) for order in permutations(atoms) if [atom.head for atom in order] == heads]


def _addressed(summand: Summand, atoms: Sequence[FibreAtom]) -> Fibre:
    conditions: list[Fact] = list(summand.conditions)
    inside: list[Fact] = []
    addresses: list[Address] = []
    for place, atom in enumerate(atoms):
        for slot, (rank_class, index, size) in enumerate(atom.indices):
            address = variable(f"@{place}.{slot}", rank_class)
            addresses.append(Address(address, atom.groups[slot] if atom.groups else "", index))
            conditions.append((home_of(address), equal(address, index)))
            if size is not None:
                inside += ((home_of(address), non_negative(address)), (home_of(address), less(address, size)))
    heads = tuple(atom.head for atom in atoms)
    weights = dict(summand.weights)
    return Fibre(
        summand.coefficient,
        heads,
        list(summand.binders),
        conditions,
        weights,
        conditions_of(inside),
        addresses=tuple(addresses),
        binders=summand.binders,
        right=summand.right,
    )


def _atom(atom: Term, summand: Summand, frame: ComparisonFrame) -> FibreAtom:
    match atom:
        case Access(tensor=tensor, slots=slots):
            sizes = frame.shapes.get(tensor, {})
            indices = tuple((slot.rank_class, slot.index, sizes.get(slot.group)) for slot in slots)
            return FibreAtom(f"read {tensor}", indices, tuple(slot.group for slot in slots))
        case Variable(name=name):
            return FibreAtom(f"scalar {name}", ())
        case Number(value=value):
            return FibreAtom(f"number {value}", ())
        case Constant(value=truth):
            return FibreAtom(f"truth {truth}", ())
        case _:
            free = frame.indices | frozenset(summand.binders)
            head, free_indices = frame.opaques.intern(atom, free, summand.conditions, frame.entailment)
            return FibreAtom(head, tuple((rank_class, index, None) for rank_class, index in free_indices))


def _without_quotients(summand: Summand, frame: ComparisonFrame) -> Summand:
    """The summand with a hidden unknown for each quotient of indices whose divisor is known to be positive.

    ⌊a/b⌋ is the one q with b·q <= a < b·q + b, on each axis.
    """
    while (found := _quotient(summand, frame)) is not None:
        hidden = frame.names.fresh(next(iter(found.classes), None))
        whole, home = multiply(found.right, hidden), home_of(hidden)
        rest = subtract(found.left, whole)
        summand = replaced(summand, {found: hidden})
        pinned = ((home, non_negative(rest)), (home, less(rest, found.right)))
        summand = replace(
            summand,
            binders=(*summand.binders, hidden),
            conditions=conditions_of((*summand.conditions, *pinned)),
        )
    return summand


def _quotient(summand: Summand, frame: ComparisonFrame) -> FloorDivide | None:
    parts = [*summand.atoms, *(part for _, part in summand.conditions), *(weight for _, weight in summand.weights)]
    quotients = [term for term in subterms(*parts) if isinstance(term, FloorDivide)]
    indices = frame.indices | frozenset(summand.binders)
    for term in sorted(quotients, key=lambda term: (len(subterms(term)), term.digest)):
        if term.loose or len(term.classes) > 1 or not any(unknown in indices for unknown in unknowns(term)):
            continue
        home = next(iter(term.classes), EVERYWHERE)
        if frame.entailment.positive(home, term.right, summand.conditions):
            return term
    return None
